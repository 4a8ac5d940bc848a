"""Scores as people have them: numbers, and numbers that are written as text."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fair_datasets.selection.score_values import score_values
from fair_datasets.system.checks import InputError


@pytest.mark.parametrize(
    "values",
    [
        [0.5, 2, -1], ["0.5", "2", "-1"], [Fraction(1, 2), 2.0, np.int8(-1)],
        np.array([0.5, 2, -1], np.float32), np.array([0.5, 2, -1], object), iter([0.5, 2, -1]),
    ],
)  # fmt: skip
def test_numbers_are_read(values: Any) -> None:
    """Of whatever kind."""
    found = score_values(values, "column 's'", owner="select")
    assert found.dtype == np.float64
    assert found.tolist() == [0.5, 2, -1]


@pytest.mark.parametrize("lacking", [None, float("nan"), ""])
@pytest.mark.parametrize("rest", [[1.0], ["1"], [1]])
def test_a_row_may_have_no_score_where_that_is_said(lacking: Any, rest: list[Any]) -> None:
    """Else its number is told."""
    if lacking == "":
        with pytest.raises(InputError, match=r"row 1 \(counted from 0\) holds ''"):
            score_values([*rest, lacking], "column 's'", owner="select", missing=True)
        return
    found = score_values([*rest, lacking], "column 's'", owner="select", missing=True)
    assert found[0] == 1
    assert np.isnan(found[1])
    with pytest.raises(InputError, match=r"column 's' holds no score in row 1 \(counted from 0\)"):
        score_values([*rest, lacking], "column 's'", owner="select")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["1", True], "row 1 .* holds True"),
        (np.array([True, False]), "row 0 .* holds "),
        ([1, "x"], "row 1 .* holds 'x'"),
        (np.ones((2, 1)), "row 0 .* holds "),
        ([[1.0], [2.0]], "row 0 .* holds "),
    ],
)
def test_what_is_no_number_is_told(values: Any, said: str) -> None:
    """With the row, and one number for each."""
    with pytest.raises(InputError, match=f"select: column 's' must hold numbers, but {said}"):
        score_values(values, "column 's'", owner="select")
