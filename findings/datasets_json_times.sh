#!/usr/bin/env bash
# datasets 5.2.0 reads the times that its own `to_json` wrote in another unit, and dates them to 1970.
#
# Guess: a dataset with a timestamp or a duration that goes through `to_json` and
#   `load_dataset("json", features=...)` with its own features comes back as it was, or raises.
# Behaviour: `to_json` writes milliseconds, whatever the column's unit, and reading takes the numbers in the
#   unit of the features, without a word. A tweet of July 2024 in microseconds is of 20 January 1970, in
#   nanoseconds of that New Year's night, in seconds it lies beyond Python's dates; a duration of three
#   seconds is 50 minutes. Only the unit "ms" comes back. `to_json(path, date_format="iso")` helps timestamps.
# Versions: Python 3.11, datasets 5.2.0, pandas 3.1.1, pyarrow 26.0.1.
# Output seen:
#   written: 2024-07-01 12:00:00
#   timestamp[s]: <value out of range: 1719835200000>
#   timestamp[ms]: 2024-07-01 12:00:00.000
#   timestamp[us]: 1970-01-20 21:43:55.200000
#   timestamp[ns]: 1970-01-01 00:28:39.835200000
#   timestamp[us], date_format='iso': 2024-07-01 12:00:00.000000
#   duration[s] of three seconds: 0:50:00
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pandas==3.1.1 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import sys
from datetime import datetime, timedelta
from pathlib import Path

from datasets import Dataset, Features, Value, load_dataset

folder = Path(sys.argv[1])
folder.mkdir()
TIME = datetime(2024, 7, 1, 12)


def back(kind, value, **options):
    features = Features({"when": Value(kind)})
    path = str(folder / f"{len(list(folder.iterdir()))}.jsonl")
    Dataset.from_dict({"when": [value]}, features=features).to_json(path, **options)
    rows = load_dataset("json", data_files=path, split="train", features=features)
    return rows.with_format("arrow")["when"][0].cast("string").as_py() if "timestamp" in kind else rows[0]["when"]


print(f"written: {TIME}")
for unit in ("s", "ms", "us", "ns"):
    print(f"timestamp[{unit}]: {back(f'timestamp[{unit}]', TIME)}")
print(f"timestamp[us], date_format='iso': {back('timestamp[us]', TIME, date_format='iso')}")
print(f"duration[s] of three seconds: {back('duration[s]', timedelta(seconds=3))}")
PY
cat > "$place/expected" <<'TXT'
written: 2024-07-01 12:00:00
timestamp[s]: <value out of range: 1719835200000>
timestamp[ms]: 2024-07-01 12:00:00.000
timestamp[us]: 1970-01-20 21:43:55.200000
timestamp[ns]: 1970-01-01 00:28:39.835200000
timestamp[us], date_format='iso': 2024-07-01 12:00:00.000000
duration[s] of three seconds: 0:50:00
TXT
"$place/v/bin/python" "$place/try.py" "$place/files" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
