"""What a classifier of one's own may return."""

import numpy as np
import pytest

from fair_datasets import InputError
from fair_datasets.scores.trainers import probabilities_of

ROWS = [("a",), ("b",)]


@pytest.mark.parametrize("row", [[0.5, 0.505], [0.5, 0.495], [1.0, 0.0], [0.0, 1.0]])
def test_probabilities_may_be_rounded(row: list[float]) -> None:
    """Half precision is not exact."""
    found = probabilities_of(lambda rows: [[0.5, 0.5], row], ROWS, owner="mine", what="the probe")
    assert found.tolist() == [[0.5, 0.5], row]


@pytest.mark.parametrize(
    "row", [[0.5, 0.55], [0.5, 0.45], [-0.5, 1.5], [1.5, -0.5], [np.nan, 1.0], [0.2, 0.2]]
)
def test_what_are_no_probabilities_is_told_with_its_row(row: list[float]) -> None:
    """Such as logits."""
    with pytest.raises(InputError, match=r"whose rows sum to 1, but row 1 is \["):
        probabilities_of(lambda rows: [[0.5, 0.5], row], ROWS, owner="mine", what="the probe")


@pytest.mark.parametrize("found", [[[1.0], [1.0]], [[0.5, 0.5]], [0.5, 0.5]])
def test_two_probabilities_for_each_row(found: list[list[float]]) -> None:
    """Other shapes are told."""
    with pytest.raises(InputError, match=r"must return an array of shape \(2, 2\), the prob"):
        probabilities_of(lambda rows: found, ROWS, owner="mine", what="the probe")
