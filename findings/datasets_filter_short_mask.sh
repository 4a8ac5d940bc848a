#!/usr/bin/env bash
# datasets 5.2.0 drops rows at the end of a batch when a batched filter returns fewer values than rows.
#
# Guess: `filter(function, batched=True)` raises when the function returns a list of another length than its
#   batch, as NumPy, pandas and pyarrow do for a mask of the wrong length.
# Behaviour: the rows without a value are dropped, in every batch, without a word. A function that passes
#   over empty texts before it scores the others loses rows at the end of each batch, and its values belong
#   to other rows: here a text that should go stays, and one that should stay goes. A stream raises.
# Versions: Python 3.11, datasets 5.2.0, numpy 2.4.6, pyarrow 26.0.1.
# Output seen:
#   meant: ['good', 'fine']
#   three values for four rows: ['bad', 'good']
#   one value for four rows: ['']
#   one value for a batch of two: ['', 'good']
#   stream: ValueError
#   numpy: IndexError
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pyarrow==26.0.1 numpy==2.4.6
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
import numpy as np
from datasets import Dataset

TEXTS = ["", "bad", "good", "fine"]
rows = Dataset.from_dict({"text": TEXTS})


def keep(batch):
    return [text != "bad" for text in batch["text"] if text]


def told(name, action):
    try:
        print(f"{name}: {action()}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")


told("meant", lambda: [text for text in TEXTS if text and text != "bad"])
told("three values for four rows", lambda: rows.filter(keep, batched=True)["text"][:])
told("one value for four rows", lambda: rows.filter(lambda batch: [True], batched=True)["text"][:])
told("one value for a batch of two", lambda: rows.filter(lambda batch: [True], batched=True, batch_size=2)["text"][:])
told("stream", lambda: [row["text"] for row in rows.to_iterable_dataset().filter(keep, batched=True)])
told("numpy", lambda: np.array(TEXTS)[np.array([True, True])])
PY
cat > "$place/expected" <<'TXT'
meant: ['good', 'fine']
three values for four rows: ['bad', 'good']
one value for four rows: ['']
one value for a batch of two: ['', 'good']
stream: ValueError
numpy: IndexError
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
