#!/usr/bin/env bash
# datasets 5.2.0 cannot hold a uint64 of 2**63 or more that Python gives it, though Arrow can.
#
# Guess: `Dataset.from_dict(..., features=Features({"hash": Value("uint64")}))` stores 2**63 + 5, and a
#   `map` that returns its batch unchanged keeps it.
# Behaviour: both end in a bare OverflowError that names neither column nor row. The features are applied
#   after values are converted without a type, which pyarrow reads as int64. Hashes of deduplication
#   (xxhash64, simhash) are of this kind, and half of them are 2**63 or more. With the format "arrow",
#   `map` keeps them.
# Versions: Python 3.11, datasets 5.2.0, pyarrow 26.0.1.
# Output seen:
#   pyarrow: 9223372036854775813
#   from_dict: OverflowError: Python int too large to convert to C long
#   map, identity: OverflowError: Python int too large to convert to C long
#   map, format arrow: 9223372036854775813
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import pyarrow as pa
from datasets import Dataset, Features, Value

LARGE = 2**63 + 5
FEATURES = Features({"hash": Value("uint64")})


def told(name, action):
    try:
        print(f"{name}: {action()}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")


table = pa.table({"hash": pa.array([LARGE], pa.uint64())})
rows = Dataset(table)
told("pyarrow", lambda: table["hash"][0])
told("from_dict", lambda: Dataset.from_dict({"hash": [LARGE]}, features=FEATURES)[0]["hash"])
told("map, identity", lambda: rows.map(lambda batch: {"hash": list(batch["hash"])}, batched=True)[0]["hash"])
told("map, format arrow", lambda: rows.with_format("arrow").map(lambda t: t, batched=True)[0]["hash"][0])
PY
cat > "$place/expected" <<'TXT'
pyarrow: 9223372036854775813
from_dict: OverflowError: Python int too large to convert to C long
map, identity: OverflowError: Python int too large to convert to C long
map, format arrow: 9223372036854775813
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
