"""Tests of WEAT as an `evaluate` module."""

from typing import Any

import pytest

from fair_datasets import InputError, load_metric


@pytest.mark.parametrize(("vectors", "sets", "sentence"), [
    ([[1.0], [0.0]], ["X", "Y"], "row 1 of vectors has nothing but zeros"),
    ([[1.0], [float("nan")]], ["X", "Y"], "row 1 of vectors has a number that is missing"),
    ([[1.0], [None]], ["X", "Y"], "must be a list of numbers in every row, but row 1 is"),
    ([[1.0], [1.0, 2.0]], ["X", "Y"], "row 0 has 1 numbers and row 1 has 2"),
    ([1.0, 2.0], ["X", "Y"], "must be a list of numbers in every row, but row 0 is 1.0"),
    ([["1"], ["2"]], ["X", "Y"], r"must be a list of numbers in every row, but row 0 is"),
    ([[1.0], [2.0]], ["X", "Z"], "sets must be 'X', 'Y', 'A' or 'B', but row 1 is 'Z'"),
    ([[1.0], [2.0]], ["X", None], "sets has no text in row 1"),
    ([[1.0], [2.0]], [0, 1], "sets must be texts, but row 0 is 0"),
])  # fmt: skip
def test_wrong_inputs(vectors: Any, sets: Any, sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=sentence):
        load_metric("weat").compute(vectors=vectors, sets=sets)
