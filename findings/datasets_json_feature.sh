#!/usr/bin/env bash
# The `Json` feature of datasets 5.2.0 turns strings that are JSON into what they mean.
#
# Guess: a column of the feature `Json()` gives back each value as it was stored: a string stays a string.
# Behaviour: a string at the top of the value that parses as JSON is stored as it stands and read as its
#   contents: "123" and "007" are numbers, "null" is None, "true" is True, and the string of arguments that
#   chat APIs give for a tool call becomes a dictionary; other strings, and strings inside a dictionary,
#   stay. A filter for "123" finds nothing. 2**70 becomes a string. Nobody needs to ask for
#   the feature: `load_dataset("json")` chooses it for a column of numbers and strings, so that the label
#   "1" of one annotator and the 1 of another are equal, and a text "null" is missing.
# Versions: Python 3.11, datasets 5.2.0, pyarrow 26.0.1.
# Output seen:
#   stored: '123', read: 123
#   stored: 'null', read: None
#   stored: 'true', read: True
#   stored: '{"name": "Ann"}', read: {'name': 'Ann'}
#   stored: '007', read: 7
#   stored: 'text', read: 'text'
#   stored: {'age': '42'}, read: {'age': '42'}
#   stored: 1180591620717411303424, read: '1180591620717411303424'
#   List(Json()) of '1', 'null', 'a': [1, None, 'a']
#   rows that equal '123': 0
#   file of [1, '1', 'no', 'null']: Json(decode=True) [1, 1, 'no', None]
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import json
import sys
from pathlib import Path

from datasets import Dataset, Features, Json, List, load_dataset

VALUES = ["123", "null", "true", '{"name": "Ann"}', "007", "text", {"age": "42"}, 2**70]


def stored(value):
    return Dataset.from_dict({"x": [value]}, features=Features({"x": Json()}))[0]["x"]


for value in VALUES:
    print(f"stored: {value!r}, read: {stored(value)!r}")
calls = Dataset.from_dict({"x": [["1", "null", "a"]]}, features=Features({"x": List(Json())}))
print(f"List(Json()) of '1', 'null', 'a': {calls[0]['x']}")
rows = Dataset.from_dict({"x": ["123", "a"]}, features=Features({"x": Json()}))
print(f"rows that equal '123': {len(rows.filter(lambda row: row['x'] == '123'))}")
labels = [1, "1", "no", "null"]
path = Path(sys.argv[1])
path.write_text("".join(json.dumps({"label": label}) + "\n" for label in labels))
mixed = load_dataset("json", data_files=str(path), split="train")
print(f"file of {labels}: {mixed.features['label']} {mixed['label'][:]}")
PY
cat > "$place/expected" <<'TXT'
stored: '123', read: 123
stored: 'null', read: None
stored: 'true', read: True
stored: '{"name": "Ann"}', read: {'name': 'Ann'}
stored: '007', read: 7
stored: 'text', read: 'text'
stored: {'age': '42'}, read: {'age': '42'}
stored: 1180591620717411303424, read: '1180591620717411303424'
List(Json()) of '1', 'null', 'a': [1, None, 'a']
rows that equal '123': 0
file of [1, '1', 'no', 'null']: Json(decode=True) [1, 1, 'no', None]
TXT
"$place/v/bin/python" "$place/try.py" "$place/mixed.jsonl" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
