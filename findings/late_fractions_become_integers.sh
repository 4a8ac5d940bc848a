#!/usr/bin/env bash
# polars 2.1.0 and duckdb 2.0.1 turn fractions into integers when the first rows hold none.
#
# Guess: `polars.DataFrame(rows)` of dictionaries, and duckdb's `read_json_auto`, raise or widen the column
#   when a fraction follows integers. A string that follows them raises in both.
# Behaviour: the type comes from the first 100 rows (polars) or 20,480 rows (duckdb), and a later .9 is
#   stored in it without a word: polars cuts it to 0, duckdb rounds it to 1. Scores that are written as 0
#   for the first rows (no hit, no toxicity) lose all that follow. A key that the first 100 rows lack is
#   lost in polars too, also by `read_ndjson`; `read_ndjson` raises at a late fraction. pandas and
#   datasets keep the fraction of the same file.
# Versions: Python 3.11, polars 2.1.0, duckdb 2.0.1, pandas 3.1.1, datasets 5.2.0.
# Output seen:
#   polars, .9 after 100 zeros: 0
#   polars, .9 after 99 zeros: 0.9
#   polars, string after 100 zeros: ComputeError
#   polars, key after 100 rows: ['score']
#   polars read_ndjson, the same: ['score']
#   polars read_ndjson, .9: ComputeError
#   duckdb, .9 after 30,000 zeros: (1,)
#   duckdb, string after them: InvalidInputException
#   pandas, .9 after 30,000 zeros: 0.9
#   datasets, the same: 0.9
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q polars==2.1.0 duckdb==2.0.1 pandas==3.1.1 datasets==5.2.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import json
import sys
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
from datasets import load_dataset

folder = Path(sys.argv[1])
folder.mkdir()


def told(name, action):
    try:
        print(f"{name}: {action()}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")


def lines(rows):
    path = folder / f"{len(rows)}_{len(rows[-1])}_{rows[-1]['score']}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def zeros(count, **last):
    return [{"score": 0}] * count + [last]


def last_of(path):
    return duckdb.sql(f"from read_json_auto('{path}')").fetchall()[-1]


told("polars, .9 after 100 zeros", lambda: pl.DataFrame(zeros(100, score=0.9))["score"][-1])
told("polars, .9 after 99 zeros", lambda: pl.DataFrame(zeros(99, score=0.9))["score"][-1])
told("polars, string after 100 zeros", lambda: pl.DataFrame(zeros(100, score="x"))["score"][-1])
told("polars, key after 100 rows", lambda: pl.DataFrame(zeros(100, score=0, why="slur")).columns)
told("polars read_ndjson, the same", lambda: pl.read_ndjson(lines(zeros(100, score=0, why="slur"))).columns)
told("polars read_ndjson, .9", lambda: pl.read_ndjson(lines(zeros(100, score=0.9)))["score"][-1])
late = lines(zeros(30_000, score=0.9))
told("duckdb, .9 after 30,000 zeros", lambda: last_of(late))
told("duckdb, string after them", lambda: last_of(lines(zeros(30_000, score="x"))))
told("pandas, .9 after 30,000 zeros", lambda: pd.read_json(late, lines=True)["score"].iloc[-1].item())
told("datasets, the same", lambda: load_dataset("json", data_files=late, split="train")[-1]["score"])
PY
cat > "$place/expected" <<'TXT'
polars, .9 after 100 zeros: 0
polars, .9 after 99 zeros: 0.9
polars, string after 100 zeros: ComputeError
polars, key after 100 rows: ['score']
polars read_ndjson, the same: ['score']
polars read_ndjson, .9: ComputeError
duckdb, .9 after 30,000 zeros: (1,)
duckdb, string after them: InvalidInputException
pandas, .9 after 30,000 zeros: 0.9
datasets, the same: 0.9
TXT
"$place/v/bin/python" "$place/try.py" "$place/files" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
