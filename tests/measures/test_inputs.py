"""Reading arguments: every kind of array, and a sentence for every mistake."""

import math
from array import array
from collections import deque
from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import group_labels
from fair_datasets.measures.inputs import (
    UndefinedMeasureWarning,
    as_list,
    binary,
    column,
    is_missing,
    scalar,
    texts,
    undefined_value,
)
from fair_datasets.measures.parity import demographic_parity
from fair_datasets.measures.representation import representation
from fair_datasets.measures.weat import weat_from_rows
from fair_datasets.system.checks import InputError

COLUMN = datasets.Dataset.from_dict({"column": [0, 1, 1]})["column"]


@pytest.mark.parametrize("values", [
    [0, 1, 1],
    (False, True, True),
    [0.0, 1.0, 1.0],
    [np.int8(0), np.bool_(True), 1],
    np.array([0, 1, 1], np.uint8),
    np.array([0, 1, 1], ">i4"),
    np.array([0, 1, 1], np.float16),
    np.array([0, 1, 1], object),
    np.array([0, 9, 1, 9, 1])[::2],
    torch.tensor([0, 1, 1]),
    torch.tensor([0.0, 1.0, 1.0], dtype=torch.bfloat16, requires_grad=True),
    COLUMN,
])  # fmt: skip
def test_classes_come_in_many_arrays(values: object) -> None:
    """Lists, arrays, tensors and columns are read alike."""
    assert inputs.binary(values, "predictions").tolist() == [False, True, True]
    assert inputs.classes(values, "predictions").tolist() == [0, 1, 1]


def test_no_rows_are_read() -> None:
    """An empty list is no mistake of its own."""
    assert inputs.binary([], "predictions").shape == (0,)
    assert inputs.scores([], "predictions").dtype == np.float64


def test_scores_are_read_in_full_precision() -> None:
    """Half precision is read as float64, and infinity is refused."""
    half = torch.tensor([0.5, 0.25], dtype=torch.bfloat16)
    assert inputs.scores(half, "scores").tolist() == [0.5, 0.25]


def test_texts_are_texts() -> None:
    """One text is no list, and a missing text is not the text "nan"."""
    column = datasets.Dataset.from_dict({"text": ["Good.", ""]})["text"]
    assert inputs.texts(column, "texts") == ["Good.", ""]
    for wrong, sentence in (
        ("Good.", "must be a list or array with one value per row, but it is 'Good.'"),
        (["Good.", float("nan")], r"has no text in row 1 \(nan\)"),
        (["Good.", 3], r"must be texts, but row 1 is 3 \(int\)"),
    ):
        with pytest.raises(InputError, match=sentence):
            inputs.texts(wrong, "texts")


def test_three_ways() -> None:
    """NaN comes with a warning, 0 without, and an error has the same sentence."""
    with pytest.warns(UndefinedMeasureWarning, match=": nothing is there. The value is NaN"):
        assert math.isnan(undefined_value("nothing is there.", "nan"))
    assert undefined_value("nothing is there.", "zero") == 0


def test_the_warning_points_at_the_caller() -> None:
    """However deep in the package it is raised."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        demographic_parity([1], ["a"])
    assert {warning.filename for warning in caught} == {__file__}


ROWS = datasets.Dataset.from_dict({"number": [1, 0, 1], "text": ["a", "b", "a"]})


NUMBERS = {
    "a range": range(3), "an iterator": iter([0, 1, 2]),
    "a generator": (number for number in range(3)), "a deque": deque([0, 1, 2]),
    "an array of Python": array("i", [0, 1, 2]),
    "values of a mapping": {"a": 0, "b": 1, "c": 2}.values(),
    "a series": pd.Series([0, 1, 2], index=[9, 9, 9]),
    "a series with room for gaps": pd.Series([0, 1, 2], dtype="Int64"),
    "a series of Arrow": pd.Series([0, 1, 2], dtype="int64[pyarrow]"),
    "a categorical": pd.Categorical([0, 1, 2]), "an index": pd.Index([0, 1, 2]),
    "an Arrow array": pa.array([0, 1, 2]), "chunks of Arrow": pa.chunked_array([[0], [1, 2]]),
    "a dictionary of Arrow": pa.array([0, 1, 2]).dictionary_encode(),
    "a tensor with a gradient": torch.tensor([0.0, 1.0, 2.0], requires_grad=True),
    "a masked array": np.ma.array([0, 1, 2]),
}  # fmt: skip


@pytest.mark.parametrize("kind", NUMBERS)
def test_what_holds_one_value_per_row(kind: str) -> None:
    """It is read as its values, in their order."""
    found = column(NUMBERS[kind], "numbers")
    assert as_list(found) == [0, 1, 2]
    assert isinstance(found, list | np.ndarray)


def test_a_column_of_a_stream() -> None:
    """It is read to its end."""
    stream = ROWS.to_iterable_dataset()
    assert group_labels(stream["text"]).names == ("a", "b")


READERS: dict[str, Callable[[Any], Any]] = {
    "numbers": lambda values: binary(values, "found"),
    "labels": lambda values: group_labels(values, argument="found"),
    "texts": lambda values: texts(values, "found"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("values", "sentence"), [
    (bytearray(b"ab"), "but it is bytearray"),
    (None, "but it is None"),
    (0.5, "but it is 0.5"),
    (datasets.DatasetDict(), r"but it is a mapping \(DatasetDict\)"),
    (frozenset("ab"), "but it is a frozenset, whose values have no order"),
])  # fmt: skip
def test_what_is_no_column(reader: str, values: Any, sentence: str) -> None:
    """Every reader has the same sentence; `tests/sentences` has those of other kinds."""
    with pytest.raises(InputError, match=rf"^\w+: found must .*{sentence}"):
        READERS[reader](values)


def test_a_table_of_vectors_is_read_by_rows() -> None:
    """Also one with names of columns, which are no vectors."""
    table = np.array([[1.0, 0], [2, 1], [0, 1], [1, 2], [1, 0], [0, 1]])
    sets = list("XXYYAB")
    found = weat_from_rows(table, sets)
    for vectors in (pd.DataFrame(table), pa.table({"a": table[:, 0], "b": table[:, 1]}),
                    torch.tensor(table), iter(table.tolist()), pd.Series(list(table))):  # fmt: skip
        assert weat_from_rows(vectors, sets) == found
    frame = pd.DataFrame({"man": [2, 1], "woman": [0, 1]})
    assert representation(frame, ["man", "woman"]).all.mentions == {"man": 3, "woman": 1}


@pytest.mark.parametrize("missing", [None, float("nan"), np.float16("nan"), pd.NA, pd.NaT])
def test_what_is_missing(missing: Any) -> None:
    """A tuple of which a part is missing is no whole label."""
    assert is_missing(missing)
    assert is_missing(("a", missing))
    assert not is_missing(("a", ""))


@pytest.mark.parametrize(("value", "expected"), [
    (np.int8(3), 3),
    (np.str_("a"), "a"),
    (torch.tensor(0.5), 0.5),
    (pa.scalar("a"), "a"),
    (("a", np.int8(3)), ("a", 3)),
    (("a", (np.bool_(True),)), ("a", (True,))),
])  # fmt: skip
def test_scalars_of_libraries(value: Any, expected: Any) -> None:
    """They are Python's own."""
    assert scalar(value) == expected
    assert type(scalar(value)) is type(expected)
    assert scalar(expected) is expected
