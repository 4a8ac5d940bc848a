"""Tests of the perturbation quality as an `evaluate` module."""

from typing import Any

import pytest

from fair_datasets import InputError, load_metric

INPUTS = {
    "predictions": ["He plays the flute.", "It rained.", "His sister isn't here, is she?"],
    "references": ["She plays the flute.", "It rained.", "Her brother isn't here, is he?"],
}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": ["He sang.", None, "a"]}, "predictions has no text in row 1"),
        ({"predictions": [None, "He sang.", "a"]}, "predictions has no text in row 0"),
        ({"references": ["He sang.", "a", None]}, "references has no text in row 2"),
        ({"undefined": "none"}, "undefined must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=f"text_overlap: {sentence}"):
        load_metric("perturbation_quality").compute(**INPUTS | wrong)
