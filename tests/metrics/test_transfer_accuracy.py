"""Tests of the transfer accuracy as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.measures.transfer_accuracy import transfer_accuracy
from fair_datasets.scores.classifiers import class_probabilities

INPUTS = {"predictions": [0.1, 0.5, 0.75, 0.25], "references": [0.9, 0.4, 0.8, 1.0]}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            {"predictions": [0.1, 2.5, 0, 0]},
            "predictions must lie between 0 and 1, but row 1 is 2.5",
        ),
        ({"predictions": [[0.1, 0.9]] * 4}, "predictions must have one value per row"),
        ({"references": [0.1, -1, 0, 0]}, "references must lie between 0 and 1, but row 1 is -1"),
        ({"references": [0.1, None, 0, 0]}, "references has no value in row 1"),
        ({"undefined": "none"}, "undefined must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=f"transfer_accuracy: {sentence}"):
        load_metric("transfer_accuracy").compute(**INPUTS | wrong)


TEXTS = {
    "predictions": ["she left .", "he slept .", "the nurse she left"],
    "references": ["he left .", "she slept .", "the nurse he left"],
}


@pytest.mark.parametrize("attributes", [["man", "woman", "man"], [0, 1, 0]])
def test_a_classifier_gives_the_probabilities(
    classifier: tuple[Any, Any], attributes: list[Any]
) -> None:
    """Those of the original attribute, for rewrites and originals."""
    rows = np.arange(3), [0, 1, 0]
    chosen = [class_probabilities(TEXTS[name], classifier)[rows] for name in TEXTS]
    found = load_metric("transfer_accuracy").compute(
        **TEXTS, model=classifier, attributes=attributes
    )
    assert found == pytest.approx(asdict(transfer_accuracy(*chosen)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"attributes": None}, "attributes is missing"),
        ({"attributes": ["man", "woman"]}, "attributes has 2"),
        ({"attributes": ["man", "king", "man"]}, "'man', 'woman' or .* row 1 is 'king'"),
        ({"attributes": [0, 2, 0]}, "row 1 is 2"),
        ({"predictions": ["she", None, "she"]}, "predictions has no text in row 1"),
        ({"model": None}, "predictions has texts, so it needs a model"),
    ],
)
def test_wrong_texts(classifier: tuple[Any, Any], wrong: dict[str, Any], sentence: str) -> None:
    """The sentence says what a classifier lacks."""
    good = {**TEXTS, "model": classifier, "attributes": ["man", "woman", "man"]}
    with pytest.raises(InputError, match=sentence):
        load_metric("transfer_accuracy").compute(**{**good, **wrong})
