"""What is written of a column, and what comes back."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.evaluation.encoding import decode_column, encode_column, encode_value
from fair_datasets.system.checks import InputError

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
LABELS = SCALARS | st.tuples(SCALARS, SCALARS) | st.frozensets(SCALARS, max_size=2)
VALUES = st.recursive(
    LABELS | st.sets(SCALARS, max_size=3),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
)


def through_a_file(values: Any) -> list[Any]:
    """Write values and read them back, in two chunks."""
    parts = values[:1], values[1:]
    return decode_column(
        pa.chunked_array([encode_column(part, "data", owner="m") for part in parts])
    )


def same(found: Any, value: Any) -> bool:
    """Compare values and their types, all the way down."""
    if type(found) is not type(value):
        return False
    if isinstance(value, list | tuple):
        return len(found) == len(value) and all(map(same, found, value))
    return bool(found == value)


@given(st.lists(VALUES, max_size=5))
def test_values_come_back_as_they_were(values: list[Any]) -> None:
    """Of their own kind too: the text "1" is no number, and a tuple no list."""
    assert through_a_file(values) == values
    for value in values:
        assert same(through_a_file([value]), [value])


@given(st.lists(LABELS, max_size=8))
def test_equal_labels_stay_equal(labels: list[Any]) -> None:
    """What Python holds equal, as 1 and True, is written once; it is one group everywhere."""
    assert through_a_file(labels) == labels


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, torch.tensor, pa.array])
def test_any_array_is_read(kind: Any) -> None:
    """Half precision too, of which JSON knows nothing."""
    for values in ([1.0, 0.5], [True, False], [3, 2**60]):
        # A tensor of mixed numbers is one of floats.
        assert same(
            through_a_file(kind(values)), kind(values).tolist() if kind is torch.tensor else values
        )


def test_missing_values_stay_what_they_are() -> None:
    """So that a sentence can tell them apart."""
    nothing, unknown, no_time, text, number = through_a_file(
        [None, pd.NA, pd.NaT, "nan", float("nan")]
    )
    assert (nothing, text) == (None, "nan")
    assert unknown is pd.NA
    assert no_time is pd.NaT
    assert math.isnan(number)


def test_what_libraries_hold() -> None:
    """Numbers of NumPy inside lists, rows of vectors, and scalars of Arrow."""
    given = [np.float32(0.5), [np.int64(3)], ("a", np.bool_(True)), torch.tensor(2), pa.scalar("a")]
    assert same(through_a_file(given), [0.5, [3], ("a", True), 2, "a"])
    assert through_a_file(np.array([[1.0, 2.0], [3.0, 4.0]])) == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("value", [b"a", np.bytes_(b"a"), pd.Timestamp("2020-02-01"), 1j, object])
def test_what_is_not_written(value: Any) -> None:
    """The row is told, and what to do; nothing becomes a text such as "b'a'"."""
    for values in (["a", value], [["a"], value], [["a"], [value]]):
        with pytest.raises(
            InputError, match=r"^m: groups must be texts, .* but row 1 is .*text first"
        ):
            encode_column(values, "groups", owner="m")
    with pytest.raises(InputError, match=r"^m: groups must be texts, .* but row 7 is"):
        encode_value(value, "groups", 7, owner="m")


def test_each_distinct_value_is_read_once() -> None:
    """A million rows of two labels are two labels."""
    found = through_a_file([("w", 1), ("m", 2)] * 5)
    assert len({id(label) for label in found}) == 2
