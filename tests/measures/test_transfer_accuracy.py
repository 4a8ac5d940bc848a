"""Tests of the transfer accuracy."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.transfer_accuracy import transfer_accuracy
from fair_datasets.system.checks import InputError

probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(probabilities, probabilities)
def test_it_is_the_error_of_the_classifier(rewritten: list[float], original: list[float]) -> None:
    """Both rates are errors of the argmax over (original, other), where ties stay."""
    result = transfer_accuracy(rewritten, original)
    for rate, values in ((result.transfer_accuracy, rewritten), (result.base_rate, original)):
        pairs = np.column_stack([values, 1 - np.asarray(values)])
        expected = 100 * (1 - accuracy_score([0] * len(values), pairs.argmax(axis=1)))
        assert rate == pytest.approx(expected, abs=1e-9)
    assert result.mean_other_probability == pytest.approx(1 - np.mean(rewritten), abs=1e-12)
    assert result.ties == rewritten.count(0.5)
    assert result.texts == len(rewritten)


def test_a_tie_is_not_transferred() -> None:
    """One half counts as the original attribute, and is reported."""
    result = transfer_accuracy([0.5, 0.5, 0.4])
    assert result.transfer_accuracy == pytest.approx(100 / 3)
    assert result.ties == 2
    assert result.base_rate is None


def test_no_texts() -> None:
    """Without texts nothing is defined."""
    with pytest.warns(UndefinedMeasureWarning, match="predictions has no rows"):
        result = transfer_accuracy([], [0.5])
    assert math.isnan(result.transfer_accuracy)
    assert math.isnan(result.mean_other_probability)
    assert result.base_rate == 0
    with pytest.warns(UndefinedMeasureWarning, match="references has no rows"):
        assert math.isnan(transfer_accuracy([0.1], []).base_rate or 0)
    with pytest.raises(InputError, match="no rows"):
        transfer_accuracy([], undefined="raise")


@pytest.mark.parametrize(("predictions", "references", "sentence"), [
    ([0.1, -2.5], None, "predictions must lie between 0 and 1, but row 1 is -2.5"),
    ([0.1], [3.0], "references must lie between 0 and 1, but row 0 is 3.0"),
    ([0.1, None], None, "predictions has no value in row 1"),
    ([0.1, math.nan], None, "predictions has no value in row 1"),
    ([[0.1, 0.9]], None, "predictions must"),
    (["0.1"], None, "predictions must be numbers"),
])  # fmt: skip
def test_wrong_probabilities(predictions: Any, references: Any, sentence: str) -> None:
    """Logits, missing values and texts are refused."""
    with pytest.raises(InputError, match=f"transfer_accuracy: {sentence}"):
        transfer_accuracy(predictions, references)
