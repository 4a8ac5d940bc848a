"""Tests of logits and probabilities of classes."""

from typing import Any

import numpy as np
import pytest
import torch

from fair_datasets.scores.classifiers import (
    attribute_probabilities,
    class_logits,
    class_probabilities,
)
from fair_datasets.system.checks import InputError
from tests.small_models import small_model

TEXTS = ["the nurse said that she left .", "he ate", "the pilot slept ."]


@pytest.mark.parametrize("batch_size", [1, 2, 32])
def test_logits_are_those_of_the_model(
    untrained_classifier: tuple[Any, Any], batch_size: int
) -> None:
    """Batching and padding change nothing."""
    model, tokenizer = untrained_classifier
    found = class_logits(TEXTS, untrained_classifier, batch_size=batch_size)
    assert found.shape == (3, 3)
    assert found.dtype == np.float64
    for row, text in enumerate(TEXTS):
        with torch.no_grad():
            expected = model(torch.tensor([tokenizer(text)["input_ids"]])).logits[0]
        np.testing.assert_allclose(found[row], expected, atol=1e-6)


def test_probabilities_are_the_softmax(untrained_classifier: tuple[Any, Any]) -> None:
    """Each row sums to 1."""
    found = class_probabilities(TEXTS, untrained_classifier)
    logits = torch.from_numpy(class_logits(TEXTS, untrained_classifier))
    np.testing.assert_allclose(found, torch.softmax(logits, dim=1), atol=1e-12)
    assert class_probabilities([], untrained_classifier).shape == (0, 3)


@pytest.mark.parametrize(
    "options", [{"num_labels": 1}, {"problem_type": "multi_label_classification"}]
)
def test_outputs_that_are_no_classes_have_no_probabilities(
    untrained_classifier: tuple[Any, Any], options: dict[str, Any]
) -> None:
    """A single output and labels that do not exclude each other are refused."""
    from transformers import BertForSequenceClassification

    config = untrained_classifier[0].config.__class__(
        **{**untrained_classifier[0].config.to_dict(), **options}
    )
    pair = BertForSequenceClassification(config), untrained_classifier[1]
    with pytest.raises(InputError, match=r"two or more classes .* Use class_logits\."):
        class_probabilities(TEXTS, pair)


def test_a_text_without_tokens_is_refused(
    untrained_classifier: tuple[Any, Any], causal_tokenizer: Any
) -> None:
    """A tokenizer that adds nothing gives nothing for an empty text."""
    with pytest.raises(InputError, match="no tokens in row 1"):
        class_logits(["he", ""], (untrained_classifier[0], causal_tokenizer))


def test_a_causal_classifier_without_padding_reads_the_last_token(causal_tokenizer: Any) -> None:
    """Texts of different lengths are scored as each would be alone."""
    ends = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": None, "n_positions": 16}
    model = small_model("GPT2ForSequenceClassification", len(causal_tokenizer), 16, **ends)
    found = class_logits(TEXTS, (model, causal_tokenizer))
    for row, text in enumerate(TEXTS):
        with torch.no_grad():
            expected = model(torch.tensor([causal_tokenizer(text)["input_ids"]])).logits[0]
        np.testing.assert_allclose(found[row], expected, atol=1e-6)


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
    assert [len(each) for each in attribute_probabilities({"a": [], "b": []}, [], two_classes)] == [
        0, 0
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [2, "king", None, True, 0.5])
def test_what_is_no_class_is_told(two_classes: tuple[Any, Any], wrong: Any) -> None:
    """With its row, and the classes that exist."""
    with pytest.raises(InputError, match=r"'man', 'woman' or their numbers, but row 1 is"):
        attribute_probabilities({"a": ["he", "she"]}, [0, wrong], two_classes)


def test_three_classes_are_refused(untrained_classifier: tuple[Any, Any]) -> None:
    """The measure knows the original attribute and the other."""
    with pytest.raises(InputError, match="must have two classes, but it has 3"):
        attribute_probabilities({"a": ["he"]}, [0], untrained_classifier)
