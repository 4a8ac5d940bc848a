#!/usr/bin/env bash
# datasets 5.2.0 rewrites JSON strings that look like dates, also where the features say "string".
#
# Guess: `load_dataset("json", features=Features({"text": Value("string")}))` gives each quoted string as it
#   stands in the file.
# Behaviour: where all strings of a block (of a file, or of 10 MB) look like dates, they are read as
#   timestamps and only then cast to text: a day gets a clock time, and a time with an offset is moved to
#   UTC and loses its zone, so that the day can change. Without features the column is a timestamp; where
#   the first file has other texts, the second file's dates are rewritten without a word. A ClassLabel of
#   days gets seconds since 1970 as labels, far outside its classes. A time with fractions of a second is
#   left alone. CSV with the same features keeps the strings.
# Versions: Python 3.11, datasets 5.2.0, pyarrow 26.0.1.
# Output seen:
#   day, features say string: 1999-12-01 00:00:00
#   offset, features say string: 2024-01-30 23:00:00
#   no features: Value('timestamp[s]')
#   texts, then a file of dates: ['When?', '2024-01-30 23:00:00']
#   ClassLabel of two days: [944006400, 975628800]
#   fractions of a second: 2024-01-31T01:00:00.5+02:00
#   CSV, features say string: 1999-12-01
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

from datasets import ClassLabel, Features, Value, load_dataset

folder = Path(sys.argv[1])
folder.mkdir()
TEXT = Features({"text": Value("string")})
DAYS = ["1999-12-01", "2000-12-01"]


def read(*files, features=None):
    place = folder / str(len(list(folder.iterdir())))
    place.mkdir()
    names = [place / f"{n}.jsonl" for n in range(len(files))]
    for name, texts in zip(names, files):
        name.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return load_dataset("json", data_files=[str(name) for name in names], split="train", features=features)


local = "2024-01-31T01:00:00+02:00"
print(f"day, features say string: {read(('1999-12-01',), features=TEXT)[0]['text']}")
print(f"offset, features say string: {read((local,), features=TEXT)[0]['text']}")
print(f"no features: {read((local,)).features['text']}")
print(f"texts, then a file of dates: {read(('When?',), (local,))['text'][:]}")
labels = Features({"text": ClassLabel(names=DAYS)})
print(f"ClassLabel of two days: {read(tuple(DAYS), features=labels)['text'][:]}")
print(f"fractions of a second: {read(('2024-01-31T01:00:00.5+02:00',), features=TEXT)[0]['text']}")
(folder / "days.csv").write_text("text\n1999-12-01\n")
days = load_dataset("csv", data_files=str(folder / "days.csv"), split="train", features=TEXT)
print(f"CSV, features say string: {days[0]['text']}")
PY
cat > "$place/expected" <<'TXT'
day, features say string: 1999-12-01 00:00:00
offset, features say string: 2024-01-30 23:00:00
no features: Value('timestamp[s]')
texts, then a file of dates: ['When?', '2024-01-30 23:00:00']
ClassLabel of two days: [944006400, 975628800]
fractions of a second: 2024-01-31T01:00:00.5+02:00
CSV, features say string: 1999-12-01
TXT
"$place/v/bin/python" "$place/try.py" "$place/files" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
