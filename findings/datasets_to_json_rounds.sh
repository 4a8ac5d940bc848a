#!/usr/bin/env bash
# datasets 5.2.0 rounds every number of `to_json` to ten decimals.
#
# Guess: `Dataset.to_json` writes a float64 so that `load_dataset("json")` gives it back, as `to_csv` and
#   `to_parquet` do and as Python's json does.
# Behaviour: pandas writes the file, whose default is ten decimals. A p-value or a probability between 1e-15
#   and 5e-11 becomes 0.0 (its logarithm minus infinity), while smaller ones, down to 1e-300, are kept with
#   an exponent: the order of the values changes. Of 1.23e-8 three digits are left, fewer than float32 has.
#   `to_json(path, double_precision=15)` is the most that pandas takes, and still loses digits.
# Versions: Python 3.11, datasets 5.2.0, pandas 3.1.1, pyarrow 26.0.1.
# Output seen:
#   values: [1e-300, 1e-16, 2e-15, 4e-11, 1.23456789e-08, 0.3333333333333333]
#   to_json: [1e-300, 1e-16, 0.0, 0.0, 1.23e-08, 0.3333333333]
#   to_json, double_precision=15: [1e-300, 1e-16, 2e-15, 4e-11, 1.2345679e-08, 0.333333333333333]
#   to_csv: [1e-300, 1e-16, 2e-15, 4e-11, 1.23456789e-08, 0.3333333333333333]
#   to_parquet: [1e-300, 1e-16, 2e-15, 4e-11, 1.23456789e-08, 0.3333333333333333]
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pandas==3.1.1 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import sys
from pathlib import Path

from datasets import Dataset, load_dataset

folder = Path(sys.argv[1])
folder.mkdir()
VALUES = [1e-300, 1e-16, 2e-15, 4e-11, 1.23456789e-8, 1 / 3]
rows = Dataset.from_dict({"p": VALUES})


def back(kind, name, write):
    path = str(folder / name)
    write(path)
    return load_dataset(kind, data_files=path, split="train")["p"][:]


print(f"values: {VALUES}")
print(f"to_json: {back('json', 'a.jsonl', rows.to_json)}")
fine = back("json", "b.jsonl", lambda path: rows.to_json(path, double_precision=15))
print(f"to_json, double_precision=15: {fine}")
print(f"to_csv: {back('csv', 'a.csv', rows.to_csv)}")
print(f"to_parquet: {back('parquet', 'a.parquet', rows.to_parquet)}")
PY
cat > "$place/expected" <<'TXT'
values: [1e-300, 1e-16, 2e-15, 4e-11, 1.23456789e-08, 0.3333333333333333]
to_json: [1e-300, 1e-16, 0.0, 0.0, 1.23e-08, 0.3333333333]
to_json, double_precision=15: [1e-300, 1e-16, 2e-15, 4e-11, 1.2345679e-08, 0.333333333333333]
to_csv: [1e-300, 1e-16, 2e-15, 4e-11, 1.23456789e-08, 0.3333333333333333]
to_parquet: [1e-300, 1e-16, 2e-15, 4e-11, 1.23456789e-08, 0.3333333333333333]
TXT
"$place/v/bin/python" "$place/try.py" "$place/files" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
