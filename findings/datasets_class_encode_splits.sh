#!/usr/bin/env bash
# datasets 5.2.0 numbers the classes of each split anew: the same label gets other numbers in train and test.
#
# Guess: `DatasetDict.class_encode_column("label")` makes one list of names for all splits, so that a number
#   means the same class in each.
# Behaviour: each split is encoded by itself from the labels that it holds. Where a split lacks a class, all
#   later classes move: here a model that learned 2 = "pos" is scored against 1 = "pos". Nothing is told,
#   and a perfect answer by name scores .2. The columns differ in their features, yet training and scoring
#   read the numbers. `cast_column("label", ClassLabel(names=[...]))` with all names keeps them equal.
# Versions: Python 3.11, datasets 5.2.0, pyarrow 26.0.1.
# Output seen:
#   class_encode_column, train: ['neg', 'neutral', 'pos'] [0, 1, 2]
#   class_encode_column, test: ['neg', 'pos'] [0, 1, 1, 1, 1]
#   class_encode_column, accuracy of perfect answers: 0.2
#   cast_column, train: ['neg', 'neutral', 'pos'] [0, 1, 2]
#   cast_column, test: ['neg', 'neutral', 'pos'] [0, 2, 2, 2, 2]
#   cast_column, accuracy of perfect answers: 1.0
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q datasets==5.2.0 pyarrow==26.0.1
export HF_HOME="$place/hf"
cat > "$place/try.py" <<'PY'
from datasets import ClassLabel, Dataset, DatasetDict

splits = DatasetDict(
    train=Dataset.from_dict({"label": ["neg", "neutral", "pos"]}),
    test=Dataset.from_dict({"label": ["neg", "pos", "pos", "pos", "pos"]}),
)
NAMES = ["neg", "neutral", "pos"]


def show(name, encoded):
    for split, rows in encoded.items():
        print(f"{name}, {split}: {rows.features['label'].names} {rows['label'][:]}")
    learned = encoded["train"].features["label"]
    perfect = [learned.str2int(label) for label in splits["test"]["label"]]
    right = sum(a == b for a, b in zip(perfect, encoded["test"]["label"]))
    print(f"{name}, accuracy of perfect answers: {right / len(perfect)}")


show("class_encode_column", splits.class_encode_column("label"))
show("cast_column", splits.cast_column("label", ClassLabel(names=NAMES)))
PY
cat > "$place/expected" <<'TXT'
class_encode_column, train: ['neg', 'neutral', 'pos'] [0, 1, 2]
class_encode_column, test: ['neg', 'pos'] [0, 1, 1, 1, 1]
class_encode_column, accuracy of perfect answers: 0.2
cast_column, train: ['neg', 'neutral', 'pos'] [0, 1, 2]
cast_column, test: ['neg', 'neutral', 'pos'] [0, 2, 2, 2, 2]
cast_column, accuracy of perfect answers: 1.0
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
