#!/usr/bin/env bash
# dask 2026.8.0 turns the lists and the mixed values of a pandas column into strings.
#
# Guess: `dask.dataframe.from_pandas(frame)` keeps a column of lists, as pandas does.
# Behaviour: every column of the type object becomes text, without a word. A list of tokens becomes its Python
#   repr, so that its length counts letters, and a search for the token "he" also finds "the"; 1 and "1"
#   become the same label. A list column that pandas read from Parquet becomes "['the' 'cat']", without
#   commas. `dask.config.set({"dataframe.convert-string": False})` keeps them.
# Versions: Python 3.11, dask 2026.8.0, pandas 3.1.1, pyarrow 26.0.1.
# Output seen:
#   from_pandas: ["['the', 'cat']", "['he', 'ran']"], lengths [14, 13], holds 'he' [True, True]
#   labels: ['1', '1']
#   read by pandas from Parquet: ["['the' 'cat']", "['he' 'ran']"]
#   convert-string False: [['the', 'cat'], ['he', 'ran']], lengths [2, 2], holds 'he' [False, True]
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q "dask[dataframe]==2026.8.0" pandas==3.1.1 pyarrow==26.0.1
cat > "$place/try.py" <<'PY'
import sys

import dask
import dask.dataframe as dd
import pandas as pd

frame = pd.DataFrame({"tokens": [["the", "cat"], ["he", "ran"]], "label": pd.Series([1, "1"], dtype=object)})


def show(name, rows):
    tokens = rows["tokens"]
    lengths = tokens.map(len, meta=("n", "int64")).compute().tolist()
    he = tokens.map(lambda row: "he" in row, meta=("he", "bool")).compute().tolist()
    print(f"{name}: {tokens.compute().tolist()}, lengths {lengths}, holds 'he' {he}")


show("from_pandas", dd.from_pandas(frame, npartitions=1))
print(f"labels: {dd.from_pandas(frame, npartitions=1)['label'].compute().tolist()}")
frame[["tokens"]].to_parquet(sys.argv[1])
read = dd.from_pandas(pd.read_parquet(sys.argv[1]), npartitions=1)
print(f"read by pandas from Parquet: {read['tokens'].compute().tolist()}")
with dask.config.set({"dataframe.convert-string": False}):
    show("convert-string False", dd.from_pandas(frame, npartitions=1))
PY
cat > "$place/expected" <<'TXT'
from_pandas: ["['the', 'cat']", "['he', 'ran']"], lengths [14, 13], holds 'he' [True, True]
labels: ['1', '1']
read by pandas from Parquet: ["['the' 'cat']", "['he' 'ran']"]
convert-string False: [['the', 'cat'], ['he', 'ran']], lengths [2, 2], holds 'he' [False, True]
TXT
"$place/v/bin/python" "$place/try.py" "$place/tokens.parquet" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
