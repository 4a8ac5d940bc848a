"""What a user gives to an `evaluate` module, and what comes back."""

import math
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.metric_inputs import AsGiven, as_given

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = SCALARS | st.lists(SCALARS, max_size=3)


def through_a_file(values: Any) -> list[Any]:
    """Write values as evaluate does, and read them back."""
    features = as_given("data")
    rows = features.encode_batch({"data": values})["data"]
    written = AsGiven().cast_storage(datasets.arrow_writer.pa.array(rows, "string"))
    return [None if row is None else AsGiven().decode_example(row) for row in written.to_pylist()]


@settings(deadline=None)
@given(VALUES)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    """Of its own kind too: the text "1" is no number, and true is not 1."""
    if value is not None:
        found = AsGiven().decode_example(AsGiven().encode_example(value))
        assert found == value
        assert type(found) is type(value)


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, torch.tensor])
def test_any_array_is_read(kind: Any) -> None:
    """Half precision too, of which JSON knows nothing."""
    assert through_a_file(kind([1.0, 0.5])) == [1.0, 0.5]
    assert through_a_file(kind([True, False])) == [True, False]


def test_missing_values_stay_missing() -> None:
    """And NaN stays NaN, so that a sentence can tell the two apart."""
    found = through_a_file([None, pd.NA, pd.NaT, "nan", float("nan")])
    assert found[:4] == [None, None, None, "nan"]
    assert math.isnan(found[4])


def test_what_json_lacks() -> None:
    """NumPy numbers inside lists, sets and dates."""
    day = pd.Timestamp("2020-02-01")
    assert through_a_file([np.float32(0.5), [np.int64(3)], {"a"}, day]) == [
        0.5,
        [3],
        ["a"],
        str(day),
    ]
