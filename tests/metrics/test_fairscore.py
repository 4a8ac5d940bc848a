"""Tests of the fairscore as an `evaluate` module."""

from typing import Any

import pytest

from fair_datasets import InputError, load_metric

INPUTS = {
    "predictions": [1, 0, 2, 1, 0],
    "counterfactual_predictions": [0, 0, 2, 2, 1],
    "references": [1, 0, 0, 1, 1],
    "changed": [True, True, False, True, False],
}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": [0.7, 0, 2, 1, 0]}, "predictions must be classes .*, but row 0 is 0.7"),
        (
            {"counterfactual_predictions": [0, None, 2, 2, 1]},
            "counterfactual_predictions has no value in row 1",
        ),
        ({"references": [1, 0, 0, 1, float("nan")]}, "references has no value in row 4"),
        ({"changed": [1, 0, 0.5, 1, 0]}, "changed must be classes .*, but row 2 is 0.5"),
        ({"excluded": [1]}, "predictions has 5 rows, but excluded has 1"),
        ({"changed": [0] * 5, "undefined": "raise"}, "no row is perturbed"),
        ({"undefined": "none"}, "undefined must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=f"fairscore: {sentence}"):
        load_metric("fairscore").compute(**INPUTS | wrong)


def test_logits() -> None:
    """Logits are refused, never taken for classes."""
    with pytest.raises(InputError, match="predictions must have one value per row"):
        load_metric("fairscore").compute(**INPUTS | {"predictions": [[0.2, 0.8]] * 5})
