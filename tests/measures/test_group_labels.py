"""Reading group labels, in whatever they are kept."""

from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
from fairlearn.metrics import demographic_parity_difference, demographic_parity_ratio
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import LabelEncoder, label_binarize

from fair_datasets.measures import demographic_parity, group_rates, intersections, subgroup_auc
from fair_datasets.measures.group_labels import class_labels, group_labels, one_against_rest
from fair_datasets.system.checks import InputError


def read(groups: Any, **options: Any) -> list[Any]:
    """Return the label that each row is found to have."""
    found = group_labels(groups, **options)
    return [found.names[code] for code in found.codes]


@given(st.lists(st.text(max_size=5), max_size=30), st.sampled_from(["U", "object", "list"]))
@settings(deadline=None)
def test_texts_are_told_apart(labels: list[str], kind: str) -> None:
    """Every row keeps its label: texts of any length, in fixed width or not."""
    groups: Any = labels
    if kind != "list":
        # NumPy drops trailing zero characters of a fixed width.
        groups = np.array(labels, None if kind == "U" and labels else object)
    assert read(groups) == (groups if kind == "list" else groups.tolist())
    names = group_labels(groups).names
    assert list(names) == sorted(set(read(groups)))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=80),
    st.sampled_from([np.int64, np.int16, np.uint8, np.bool_]))  # fmt: skip
@settings(deadline=None)
def test_whole_numbers_are_told_apart(labels: list[int], dtype: type) -> None:
    """Few or many numbers, small or large."""
    groups = np.array(labels, np.int64).astype(dtype)
    assert read(groups) == groups.tolist()


@pytest.mark.parametrize("groups", [40, 300, 3000])
@pytest.mark.parametrize("name", ["group {}", "{} of 7", "{0}{0}{0}", "\U0001f600{}"])
def test_many_groups(groups: int, name: str) -> None:
    """More groups than are compared one by one, as texts and as numbers, near or far apart."""
    codes = np.random.default_rng(0).integers(0, groups, 5000)
    labels = np.array([name.format(code) for code in range(groups)])[codes]
    assert read(labels) == labels.tolist()
    for numbers in (codes, codes - 9, codes * 10**12, codes.astype(np.uint64) + 2**63):
        assert read(numbers) == numbers.tolist()


@pytest.mark.parametrize("table", [1 << 21, 64])
def test_long_texts_that_differ_everywhere(table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the numbers that stand for them are mixed up, as in a small table."""
    monkeypatch.setattr("fair_datasets.measures.group_labels._TABLE", table)
    generator = np.random.default_rng(0)
    labels = np.array(["".join(row) for row in generator.choice(list("abcdefgh"), (500, 30))])
    assert read(labels) == labels.tolist()
    assert read(labels[:2].repeat(9)) == labels[:2].repeat(9).tolist()


def test_labels_of_other_kinds() -> None:
    """Tensors, tuples and mixtures; what cannot be sorted comes by first appearance."""
    assert read(torch.tensor([3, 1, 3])) == [3, 1, 3]
    assert read(torch.tensor([0.5, 1.0])) == [0.5, 1.0]
    assert read([("w", "black"), ("m", "black")]) == [("w", "black"), ("m", "black")]
    assert group_labels(["b", 1, "a"]).names == ("b", 1, "a")
    assert group_labels([]).names == ()
    assert group_labels(np.array([], str)).names == ()
    assert read(np.array(["", ""])) == ["", ""]


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_missing_labels(missing: object) -> None:
    """They are refused, or one group that comes last; never the text "nan"."""
    groups = ["w", missing, "m", missing]
    with pytest.raises(InputError, match="group_labels: groups has no label in row 1 "):
        read(groups)
    found = group_labels(groups, missing_group="own")
    assert found.names == ("m", "w", None)
    assert found.codes.tolist() == [1, 2, 0, 2]


def test_missing_labels_among_floats_and_in_masks() -> None:
    """A column of pandas turns whole numbers with gaps into floats; a mask hides its values."""
    masked = np.ma.array([1, 2, 0], mask=[0, 1, 0])
    assert read(masked, missing_group="own") == [1, None, 0]
    groups = np.array([1.0, np.nan, 0.0, np.nan])
    assert read(groups, missing_group="own") == [1.0, None, 0.0, None]


ROWS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("wm"), st.integers(0, 2),
    st.sampled_from([0.5, 1.5])), min_size=1, max_size=40)  # fmt: skip


@given(ROWS)
@settings(deadline=None, max_examples=15)
def test_three_columns_are_those_of_fairlearn(rows: list[tuple[Any, ...]]) -> None:
    """The same groups as pandas makes, and the same values as fairlearn gives."""
    frame = pd.DataFrame(rows, columns=["p", "sex", "age", "size"])
    labels = intersections(frame[["sex", "age", "size"]])
    counts = {label: rates.count for label, rates in group_rates(None, frame.p, labels).items()}
    assert counts == frame.groupby(["sex", "age", "size"]).size().to_dict()
    found = demographic_parity(frame.p, labels, undefined="zero")
    given_to_fairlearn: dict[str, Any] = {"sensitive_features": frame[["sex", "age", "size"]]}
    columns = (frame.p, frame.p)
    expected = demographic_parity_difference(*columns, **given_to_fairlearn)
    assert found.difference == pytest.approx(expected, abs=1e-15)
    expected = demographic_parity_ratio(*columns, **given_to_fairlearn)
    assert found.ratio == pytest.approx(np.nan_to_num(expected), abs=1e-15)


SEX, AGE = ["w", "w", "m"], [1, 2, 1]
TABLES = {
    "lists": {"sex": SEX, "age": AGE},
    "arrays": {"sex": np.array(SEX), "age": np.array(AGE, np.int8)},
    "iterators": {"sex": iter(SEX), "age": iter(AGE)},
    "tensors": {"sex": SEX, "age": torch.tensor(AGE)},
    "scalars": {"sex": SEX, "age": list(torch.tensor(AGE))},
    "frame": pd.DataFrame({"sex": SEX, "age": AGE}, index=[7, 7, 9]),
    "table": pa.table({"sex": SEX, "age": AGE}),
    "dataset": datasets.Dataset.from_dict({"sex": SEX, "age": AGE}),
    "formatted": datasets.Dataset.from_dict({"sex": SEX, "age": AGE}).with_format("torch"),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_any_kind(kind: str) -> None:
    """The labels are Python's own."""
    found = intersections(TABLES[kind])
    assert found == [("w", 1), ("w", 2), ("m", 1)]
    assert {type(part) for label in found for part in label} == {str, int}


def test_a_part_that_is_missing() -> None:
    """The row has no label; it is told, or in a group of such rows."""
    groups = intersections({"sex": ["w", None, "m"], "age": [1, 2, np.nan]})
    rates = group_rates(None, [1, 0, 1], groups, missing_group="own")
    assert {label: group.count for label, group in rates.items()} == {("w", 1): 1, None: 2}


def test_overlapping_measures_read_them_as_one_label() -> None:
    """A tuple is no list of labels."""
    groups = intersections({"sex": ["w", "m"] * 2, "age": [1, 1, 2, 2]})
    found = subgroup_auc([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], groups, undefined="zero")
    assert list(found.groups) == [("m", 1), ("m", 2), ("w", 1), ("w", 2)]


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
    codes, names = class_labels(columns)
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
        found = one_against_rest(columns, positive)
        for name, values in columns.items():
            expected = label_binarize(values, classes=sorted(known))
            place = sorted(known).index(positive)
            assert found[name].tolist() == expected[:, place].astype(bool).tolist()


KINDS = {
    "list": list, "tuple": tuple, "iterator": iter, "array": np.array,
    "objects": lambda values: np.array(values, object), "series": pd.Series,
    "category": lambda values: pd.Series(values, dtype="category"), "arrow": pa.array,
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
    "texts of NumPy": lambda values: [np.str_(value) for value in values],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_texts_in_any_column(kind: str) -> None:
    """However they are kept."""
    columns = {"predictions": KINDS[kind](["b", "a", "b"]), "references": ["c", "a", "b"]}
    codes, names = class_labels(columns)
    assert names == ["a", "b", "c"]
    assert codes["predictions"].tolist() == [1, 0, 1]


@pytest.mark.parametrize("positive", [2, 2.0, np.int8(2), torch.tensor(2)])
def test_a_positive_number_of_any_kind(positive: Any) -> None:
    """It is compared by its value."""
    found = one_against_rest({"predictions": torch.tensor([2, 0])}, positive)
    assert found["predictions"].tolist() == [True, False]


def test_no_rows_have_every_class() -> None:
    """Nobody can tell whether a class is misspelt."""
    found = one_against_rest({"predictions": []}, "spam")
    assert found["predictions"].tolist() == []
