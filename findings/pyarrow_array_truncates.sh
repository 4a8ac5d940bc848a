#!/usr/bin/env bash
# pyarrow 26.0.1 cuts fractions in silence when an array is made with an integer type.
#
# Guess: `pa.array([0.9, 2.5], pa.int64())` raises ArrowInvalid, as `pa.array([0.9, 2.5]).cast(pa.int64())`
#   does ("was truncated"), and as a string or a number out of range does.
# Behaviour: it returns [0, 2]; pa.scalar does the same. A score that is written into a column whose schema
#   says integer (a probability beside a label of the type int64) becomes 0 without a word.
# Versions: Python 3.11, pyarrow 26.0.1.
# Output seen:
#   array: [0, 2]
#   scalar: 0
#   cast: ArrowInvalid
#   array of a string: ArrowInvalid
#   array out of range: ArrowInvalid
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q pyarrow==26.0.1
cat > "$place/try.py" <<'PY'
import pyarrow as pa


def told(name, action):
    try:
        print(f"{name}: {action()}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")


told("array", lambda: pa.array([0.9, 2.5], pa.int64()).to_pylist())
told("scalar", lambda: pa.scalar(0.9, pa.int64()))
told("cast", lambda: pa.array([0.9, 2.5]).cast(pa.int64()).to_pylist())
told("array of a string", lambda: pa.array(["2"], pa.int64()).to_pylist())
told("array out of range", lambda: pa.array([300], pa.int8()).to_pylist())
PY
cat > "$place/expected" <<'TXT'
array: [0, 2]
scalar: 0
cast: ArrowInvalid
array of a string: ArrowInvalid
array out of range: ArrowInvalid
TXT
"$place/v/bin/python" "$place/try.py" | tee "$place/seen"
diff "$place/expected" "$place/seen"
