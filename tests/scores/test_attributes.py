"""Tests of the probabilities of known attributes."""

from typing import Any

import numpy as np
import pytest

from fair_datasets.scores.attributes import attribute_probabilities
from fair_datasets.scores.classifiers import class_probabilities
from fair_datasets.system.checks import InputError


@pytest.fixture
def two_classes(untrained_classifier: tuple[Any, Any]) -> tuple[Any, Any]:
    """Give a classifier of two classes with random weights."""
    from transformers import BertForSequenceClassification

    config = untrained_classifier[0].config.__class__(
        **{**untrained_classifier[0].config.to_dict(), "id2label": {0: "man", 1: "woman"}}
    )
    return BertForSequenceClassification(config).eval(), untrained_classifier[1]


def test_each_row_has_the_probability_of_its_attribute(two_classes: tuple[Any, Any]) -> None:
    """By number or by name, in each list."""
    texts = {"first": ["he ate", "she ate"], "second": ["the pilot slept .", "she"]}
    for attributes in ([1, 0], ["woman", "man"], np.array([1, 0])):
        found = attribute_probabilities(texts, attributes, two_classes)
        for probabilities, values in zip(found, texts.values(), strict=True):
            expected = class_probabilities(values, two_classes)
            np.testing.assert_allclose(probabilities, [expected[0, 1], expected[1, 0]], atol=1e-6)


def test_no_texts_have_no_probabilities(two_classes: tuple[Any, Any]) -> None:
    """Empty lists give empty arrays."""
    found = attribute_probabilities({"a": [], "b": []}, [], two_classes)
    assert [values.shape for values in found] == [(0,), (0,)]


@pytest.mark.parametrize("wrong", [2, "king", None, True, 0.5])
def test_what_is_no_class_is_told(two_classes: tuple[Any, Any], wrong: Any) -> None:
    """With its row, and the classes that exist."""
    with pytest.raises(InputError, match=r"'man', 'woman' or their numbers, but row 1 is"):
        attribute_probabilities({"a": ["he", "she"]}, [0, wrong], two_classes)


def test_three_classes_are_refused(untrained_classifier: tuple[Any, Any]) -> None:
    """The measure knows the original attribute and the other."""
    with pytest.raises(InputError, match="must have two classes, but it has 3"):
        attribute_probabilities({"a": ["he"]}, [0], untrained_classifier)
