#!/usr/bin/env bash
# pyarrow 26.0.1 and duckdb 2.0.1 never find the Spanish "él" (he) by r"\bél\b", but always "ella" (she).
#
# Guess: `\b` is an edge of a word in each engine, so that r"\bél\b" and r"\bella\b" count he and she alike.
# Behaviour: RE2, which both use, takes only ASCII letters for letters of a word. Before an "é" that begins a
#   word it sees no edge, and in the middle of "María" it sees one, so that r"\bMar\b" is found there. pandas
#   uses one engine or the other by the column's type. A count of pronouns or names by SQL or Arrow is then
#   one of women, or of other names. (^|[^\pL])él([^\pL]|$) is right in RE2 and in polars.
# Versions: Python 3.11, pyarrow 26.0.1, duckdb 2.0.1, polars 2.1.0, pandas 3.1.1.
# Output seen:
#   Python re: {'\\bél\\b': 2, '\\bella\\b': 2, '\\bMar\\b': 0}
#   polars: {'\\bél\\b': 2, '\\bella\\b': 2, '\\bMar\\b': 0}
#   pandas, str: {'\\bél\\b': 2, '\\bella\\b': 2, '\\bMar\\b': 0}
#   pandas, Arrow: {'\\bél\\b': 0, '\\bella\\b': 2, '\\bMar\\b': 1}
#   pyarrow: {'\\bél\\b': 0, '\\bella\\b': 2, '\\bMar\\b': 1}
#   duckdb: {'\\bél\\b': 0, '\\bella\\b': 2, '\\bMar\\b': 1}
#   duckdb, (^|[^\pL])él([^\pL]|$): 2
#   polars, (^|[^\pL])él([^\pL]|$): 2
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q pyarrow==26.0.1 duckdb==2.0.1 polars==2.1.0 pandas==3.1.1
cat > "$place/try.py" <<'PY'
import re

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

TEXTS = ["él dijo", "dice él", "ella dijo", "dice ella", "María"]
ENGINES = {
    "Python re": lambda pattern: [re.search(pattern, text) is not None for text in TEXTS],
    "polars": lambda pattern: pl.Series(TEXTS).str.contains(pattern).to_list(),
    "pandas, str": lambda pattern: pd.Series(TEXTS, dtype="str").str.contains(pattern).tolist(),
    "pandas, Arrow": lambda pattern: pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.string())).str.contains(pattern).tolist(),
    "pyarrow": lambda pattern: pc.match_substring_regex(pa.array(TEXTS), pattern).to_pylist(),
    "duckdb": lambda pattern: [
        duckdb.execute("select regexp_matches(?, ?)", [text, pattern]).fetchall()[0][0] for text in TEXTS
    ],
}
for name, matches in ENGINES.items():
    counts = {pattern: sum(matches(pattern)) for pattern in (r"\bél\b", r"\bella\b", r"\bMar\b")}
    print(f"{name}: {counts}")
right = r"(^|[^\pL])él([^\pL]|$)"
print(f"duckdb, {right}: {sum(ENGINES['duckdb'](right))}")
print(f"polars, {right}: {sum(ENGINES['polars'](right))}")
PY
cat > "$place/expected" <<'TXT'
Python re: {'\\bél\\b': 2, '\\bella\\b': 2, '\\bMar\\b': 0}
polars: {'\\bél\\b': 2, '\\bella\\b': 2, '\\bMar\\b': 0}
pandas, str: {'\\bél\\b': 2, '\\bella\\b': 2, '\\bMar\\b': 0}
pandas, Arrow: {'\\bél\\b': 0, '\\bella\\b': 2, '\\bMar\\b': 1}
pyarrow: {'\\bél\\b': 0, '\\bella\\b': 2, '\\bMar\\b': 1}
duckdb: {'\\bél\\b': 0, '\\bella\\b': 2, '\\bMar\\b': 1}
duckdb, (^|[^\pL])él([^\pL]|$): 2
polars, (^|[^\pL])él([^\pL]|$): 2
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
