#!/usr/bin/env bash
# `load_dataset("FOLDER")` of datasets 5.2.0 leaves out files in silence because of how another one is called.
#
# Guess: a folder of JSON Lines files that has no README is read whole, or what is left out is told.
# Behaviour: as soon as one file's name holds a word of a split (train, test, dev, valid, eval, ...), the
#   files without one are not read: `women_test.jsonl` beside `men.jsonl` gives the women alone, and
#   `extra.jsonl` beside train and test is no part of either. Of two formats only the one with more files is
#   read, of as many of each only one. Nothing is said, and an audit of the folder is one of a part.
#   `data_files="FOLDER/*.jsonl"` reads all.
# Versions: Python 3.11, datasets 5.2.0, pyarrow 26.0.1.
# Output seen:
#   women.jsonl, men.jsonl: {'train': ['men.jsonl', 'women.jsonl']}
#   women_test.jsonl, men.jsonl: {'test': ['women_test.jsonl']}
#   train.jsonl, test.jsonl, extra.jsonl: {'train': ['train.jsonl'], 'test': ['test.jsonl']}
#   dev_set_of_names.jsonl, names.jsonl, pronouns.jsonl: {'validation': ['dev_set_of_names.jsonl']}
#   a.csv, b.jsonl, c.jsonl: {'train': ['b.jsonl', 'c.jsonl']}
#   data_files='*.jsonl': {'train': ['men.jsonl', 'women_test.jsonl']}
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import sys
from pathlib import Path

from datasets import load_dataset

root = Path(sys.argv[1])


def folder(*names):
    place = root / str(len(list(root.glob("*"))))
    place.mkdir(parents=True)
    for name in names:
        text = f"file\n{name}\n" if name.endswith(".csv") else f'{{"file": "{name}"}}\n'
        (place / name).write_text(text)
    return place


def show(*names):
    splits = load_dataset(str(folder(*names)))
    print(f"{', '.join(names)}: {({split: sorted(rows['file']) for split, rows in splits.items()})}")


show("women.jsonl", "men.jsonl")
show("women_test.jsonl", "men.jsonl")
show("train.jsonl", "test.jsonl", "extra.jsonl")
show("dev_set_of_names.jsonl", "names.jsonl", "pronouns.jsonl")
show("a.csv", "b.jsonl", "c.jsonl")
every = load_dataset("json", data_files=str(folder("women_test.jsonl", "men.jsonl") / "*.jsonl"))
print(f"data_files='*.jsonl': {({split: sorted(rows['file']) for split, rows in every.items()})}")
PY
cat > "$place/expected" <<'TXT'
women.jsonl, men.jsonl: {'train': ['men.jsonl', 'women.jsonl']}
women_test.jsonl, men.jsonl: {'test': ['women_test.jsonl']}
train.jsonl, test.jsonl, extra.jsonl: {'train': ['train.jsonl'], 'test': ['test.jsonl']}
dev_set_of_names.jsonl, names.jsonl, pronouns.jsonl: {'validation': ['dev_set_of_names.jsonl']}
a.csv, b.jsonl, c.jsonl: {'train': ['b.jsonl', 'c.jsonl']}
data_files='*.jsonl': {'train': ['men.jsonl', 'women_test.jsonl']}
TXT
"$place/v/bin/python" "$place/try.py" "$place/folders" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
