#!/usr/bin/env bash
# datasets 5.2.0 writes "..." into a CSV in place of the middle of each long list.
#
# Guess: `Dataset.to_csv` writes a list column whole (as text such as "[0, 1, 2]") or refuses it, as polars
#   does.
# Behaviour: each list is written as NumPy prints it: without commas, broken over lines, and above 1,000
#   values with only the first and last three and an ellipsis. Token ids, offsets, embeddings or scores per
#   token of a long text are gone, without a word; shorter ones do not parse as JSON, and floats are left
#   with eight decimals.
# Versions: Python 3.11, datasets 5.2.0, pandas 3.1.1, numpy 2.4.6, polars 2.1.0.
# Output seen:
#   values written: 1000, ellipsis: False, scores: [0.33333333]
#   values written: 7, ellipsis: True, scores: [0.66666667 1.        ]
#   the second list: [   0    1    2 ...  998  999 1000]
#   polars: ComputeError
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pandas==3.1.1 numpy==2.4.6 polars==2.1.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import csv
import sys

import polars as pl
from datasets import Dataset

path = sys.argv[1]
rows = Dataset.from_dict({"ids": [list(range(1000)), list(range(1001))], "scores": [[1 / 3], [2 / 3, 1.0]]})
rows.to_csv(path)
with open(path, newline="") as file:
    read = list(csv.DictReader(file))
for row in read:
    words = row["ids"].strip("[]").split()
    print(f"values written: {len(words)}, ellipsis: {'...' in words}, scores: {row['scores']}")
print(f"the second list: {read[1]['ids']}")
try:
    pl.DataFrame({"ids": [[1, 2]]}).write_csv(path)
except Exception as error:
    print(f"polars: {type(error).__name__}")
PY
cat > "$place/expected" <<'TXT'
values written: 1000, ellipsis: False, scores: [0.33333333]
values written: 7, ellipsis: True, scores: [0.66666667 1.        ]
the second list: [   0    1    2 ...  998  999 1000]
polars: ComputeError
TXT
"$place/v/bin/python" "$place/try.py" "$place/rows.csv" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
