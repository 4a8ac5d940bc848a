#!/usr/bin/env bash
# Each pass over a shuffled stream of several Parquet files waits five seconds in datasets 5.2.0, also for one row.
#
# Guess: shuffling a stream of two files of ten rows costs milliseconds; a first row comes at once.
# Behaviour: wherever streams of Parquet files are interleaved, as `shuffle` does with the files and
#   `interleave_datasets` with whole streams, each iteration ends with a sleep of
#   `config.SLEEP_TIME_ON_THREADS_SHUTDOWN` (5 s), whether it was read to its end or not. So each epoch, each worker
#   and each `take(1)` pays for it; JSON Lines, and Parquet that is not shuffled, do not.
#   `datasets.config.SLEEP_TIME_ON_THREADS_SHUTDOWN = 0` takes it away; no environment variable does.
# Versions: Python 3.11, datasets 5.2.0, pyarrow 26.0.1.
# Output seen:
#   parquet, in order: 20 rows without a wait
#   parquet, shuffled: 20 rows, 5 s
#   parquet, shuffled, the first row: 1 rows, 5 s
#   parquet, shuffled, second epoch: 20 rows, 5 s
#   jsonl, shuffled: 20 rows without a wait
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import sys
import time
from pathlib import Path

from datasets import Dataset, load_dataset

folder = Path(sys.argv[1])
rows = Dataset.from_dict({"row": list(range(10))})
for name in ("a", "b"):
    rows.to_parquet(folder / f"{name}.parquet")
    rows.to_json(folder / f"{name}.jsonl")


def stream(kind, builder):
    files = sorted(map(str, folder.glob(f"*.{kind}")))
    return load_dataset(builder, data_files=files, split="train", streaming=True)


def show(name, rows):
    start = time.monotonic()
    count = sum(1 for _ in rows)
    spent = time.monotonic() - start
    print(f"{name}: {count} rows{f', {spent:.0f} s' if spent > 4 else ' without a wait'}")


list(stream("parquet", "parquet"))  # What is imported once.
list(stream("jsonl", "json"))
shuffled = stream("parquet", "parquet").shuffle(seed=0)
show("parquet, in order", stream("parquet", "parquet"))
show("parquet, shuffled", shuffled)
show("parquet, shuffled, the first row", shuffled.take(1))
shuffled.set_epoch(1)
show("parquet, shuffled, second epoch", shuffled)
show("jsonl, shuffled", stream("jsonl", "json").shuffle(seed=0))
PY
cat > "$place/expected" <<'TXT'
parquet, in order: 20 rows without a wait
parquet, shuffled: 20 rows, 5 s
parquet, shuffled, the first row: 1 rows, 5 s
parquet, shuffled, second epoch: 20 rows, 5 s
jsonl, shuffled: 20 rows without a wait
TXT
"$place/v/bin/python" "$place/try.py" "$place" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
