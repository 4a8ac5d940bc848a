"""Classes that are numbers or texts, and one of them against the rest."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import LabelEncoder, label_binarize

from fair_datasets.measures.class_labels import class_labels, one_against_rest
from fair_datasets.system.checks import InputError

TEXTS = st.lists(st.tuples(*[st.sampled_from(["a", "b", "ä", "", "a "])] * 2), min_size=1)
NUMBERS = st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=1)


def columns_of(rows: list[tuple[Any, Any]]) -> dict[str, Any]:
    """Return the two columns of rows."""
    predictions, references = map(list, zip(*rows, strict=True))
    return {"predictions": predictions, "references": references}


@given(TEXTS)
def test_texts_are_encoded_as_by_scikit_learn(rows: list[tuple[str, str]]) -> None:
    """The sorted classes of both columns, and their positions."""
    columns = columns_of(rows)
    codes, names = class_labels(columns, owner="fairscore")
    encoder = LabelEncoder().fit([label for row in rows for label in row])
    assert names == encoder.classes_.tolist()
    for name, values in columns.items():
        assert codes[name].tolist() == encoder.transform(values).tolist()


@given(st.one_of(TEXTS, NUMBERS))
def test_one_class_against_the_rest(rows: list[tuple[Any, Any]]) -> None:
    """A column of the indicators of scikit-learn, whichever class it is."""
    columns = columns_of(rows)
    classes = sorted({label for row in rows for label in row})
    # Three classes at least, or scikit-learn makes one column of two.
    known = classes + [f"{9}{n}" if isinstance(classes[0], str) else 90 + n for n in range(2)]
    for place, positive in enumerate(classes):
        found = one_against_rest(columns, positive, owner="fairscore")
        for name, values in columns.items():
            expected = label_binarize(values, classes=sorted(known))
            place = sorted(known).index(positive)
            assert found[name].tolist() == expected[:, place].astype(bool).tolist()


@given(NUMBERS)
def test_numbers_stay_as_they_are(rows: list[tuple[int, int]]) -> None:
    """No class of a number is another one."""
    codes, names = class_labels(columns_of(rows), owner="fairscore")
    assert names is None
    assert {name: values.tolist() for name, values in codes.items()} == columns_of(rows)


KINDS = {
    "list": list,
    "tuple": tuple,
    "iterator": iter,
    "array": np.array,
    "objects": lambda values: np.array(values, object),
    "series": pd.Series,
    "category": lambda values: pd.Series(values, dtype="category"),
    "arrow": pa.array,
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
    "texts of NumPy": lambda values: [np.str_(value) for value in values],
}


@pytest.mark.parametrize("kind", KINDS)
def test_texts_in_any_column(kind: str) -> None:
    """However they are kept."""
    columns = {"predictions": KINDS[kind](["b", "a", "b"]), "references": ["c", "a", "b"]}
    codes, names = class_labels(columns, owner="fairscore")
    assert names == ["a", "b", "c"]
    assert codes["predictions"].tolist() == [1, 0, 1]


@pytest.mark.parametrize("positive", [2, 2.0, np.int8(2), torch.tensor(2)])
def test_a_positive_number_of_any_kind(positive: Any) -> None:
    """It is compared by its value."""
    found = one_against_rest({"predictions": torch.tensor([2, 0])}, positive, owner="fairscore")
    assert found["predictions"].tolist() == [True, False]


MANY = list(range(12))


@pytest.mark.parametrize(
    ("predictions", "references", "positive", "sentence"),
    [
        (["a", "b"], ["a", None], None, r"must be 0 or 1, but row 0 is 'a' \(str\). Use `posi"),
        ([None, "b"], ["a", "b"], None, r"predictions has no value in row 0 \(None\)"),
        ([0, 2], [0, 1], None, "must be 0 or 1, but row 1 is 2. Use .* such as positive=2"),
        (["a", "b"], ["a", None], "a", r"references has no value in row 1 \(None\)"),
        (["a", float("nan")], ["a", "b"], "a", "predictions has no value in row 1"),
        (["a", "b"], [0, 1], "a", r"in none: predictions has texts, but row 0 of references is 0"),
        (["a", 1], ["a", "b"], "a", r"has texts, but row 1 of predictions is 1 \(int\)"),
        ([1, "a"], [1, 1], 1, r"predictions must be numbers, but row 1 is 'a' \(str\)"),
        ([b"a", b"b"], ["a", "b"], "a", "must be texts and not bytes, but row 0 is b'a'"),
        (["spam", "ham"], ["ham", "ham"], "span", r"'span'; the classes are 'ham', 'spam'. Did yo"),
        ([0, 2], [0, 1], 3, "must be a class of some row, but it is 3; the classes are 0, 1, 2."),
        ([0, 2], [0, 1], "2", "but it is '2'; the classes are 0, 1, 2."),
        (["0", "2"], ["0", "1"], 2, "but it is 2; the classes are '0', '1', '2'."),
        ([0, 1], [0, 1], float("nan"), "but it is nan; the classes are 0, 1."),
        ([0, 1], [0, 1], [1], r"but it is \[1\]; the classes are 0, 1."),
        (MANY, MANY, 12, r"the classes are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"),
        ([0.5, 0.2], [0, 1], 1, "predictions must be classes .* row 0 is 0.5. If these are prob"),
        ([[0.5, 0.2]], [0], 1, "predictions must .*shape"),
    ],
)  # fmt: skip
def test_mistakes_are_told(predictions: Any, references: Any, positive: Any, sentence: str) -> None:
    """The argument, the row and the value."""
    columns = {"predictions": predictions, "references": references}
    with pytest.raises(InputError, match=f"^fairscore: .*{sentence}"):
        one_against_rest(columns, positive, owner="fairscore")


def test_no_rows_have_every_class() -> None:
    """Nobody can tell whether a class is misspelt."""
    found = one_against_rest({"predictions": []}, "spam", owner="fairscore")
    assert found["predictions"].tolist() == []
