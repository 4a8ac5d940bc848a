#!/usr/bin/env bash
# pylance 14.0.2 writes the rows that a filter of datasets 5.2.0 took away.
#
# Guess: `lance.write_dataset(rows, path)` takes a Hugging Face dataset and writes the rows that it has: two
#   after `filter`, in their new order after `shuffle` or `sort`.
# Behaviour: all three calls only change the dataset's index over its table, and Lance reads the table
#   below it. Every row that was filtered or deduplicated away is in the file again, a shuffled training
#   set is in its old order, and of train and test parts each has all rows. `flatten_indices()` before
#   the call helps.
# Versions: Python 3.11, pylance 14.0.2, datasets 5.2.0, pyarrow 26.0.1.
# Output seen:
#   filter: datasets 2 rows, lance 6 rows
#   train and test: datasets [4, 2], lance [6, 6]
#   sort: datasets [5, 4, 3, 2, 1, 0], lance [0, 1, 2, 3, 4, 5]
#   flatten_indices: datasets 2 rows, lance 2 rows
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q pylance==14.0.2 datasets==5.2.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import sys

import lance
from datasets import Dataset


def written(rows):
    lance.write_dataset(rows, sys.argv[1], mode="overwrite")
    return lance.dataset(sys.argv[1]).to_table()["row"].to_pylist()


rows = Dataset.from_dict({"row": list(range(6))})
kept = rows.filter(lambda row: row["row"] > 3)
parts = rows.train_test_split(test_size=2, seed=0).values()
turned = rows.sort("row", reverse=True)
print(f"filter: datasets {len(kept)} rows, lance {len(written(kept))} rows")
print(f"train and test: datasets {[len(part) for part in parts]}, lance {[len(written(part)) for part in parts]}")
print(f"sort: datasets {turned['row'][:]}, lance {written(turned)}")
flat = kept.flatten_indices()
print(f"flatten_indices: datasets {len(flat)} rows, lance {len(written(flat))} rows")
PY
cat > "$place/expected" <<'TXT'
filter: datasets 2 rows, lance 6 rows
train and test: datasets [4, 2], lance [6, 6]
sort: datasets [5, 4, 3, 2, 1, 0], lance [0, 1, 2, 3, 4, 5]
flatten_indices: datasets 2 rows, lance 2 rows
TXT
"$place/v/bin/python" "$place/try.py" "$place/rows.lance" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
