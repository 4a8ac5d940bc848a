"""Tests of the values of sentences, and of telling texts from values."""

from typing import Any

import numpy as np
import pytest

from fair_datasets.scores.causal import are_texts, causal_likelihoods
from fair_datasets.scores.sentences import pseudo_likelihoods, sentence_values
from fair_datasets.system.checks import InputError

TEXTS = ["the nurse said that she left .", "he ate"]


def test_each_kind_of_model_has_its_values(
    biased_masked: tuple[Any, Any], biased_causal: tuple[Any, Any]
) -> None:
    """Sums, or means per token, and the name of what they are."""
    masked = pseudo_likelihoods(TEXTS, biased_masked)
    causal = causal_likelihoods(TEXTS, biased_causal, start_token=True)
    for found, expected, name in (
        (sentence_values(TEXTS, biased_masked), masked.log_likelihoods, "log-likelihood"),
        (
            sentence_values(TEXTS, biased_masked, per_token=True),
            masked.log_likelihoods / [7, 2],
            "log-likelihood per token",
        ),
        (sentence_values(TEXTS, biased_causal, "causal"), causal.log_likelihoods, "log-likelihood"),
    ):
        np.testing.assert_allclose(found[0], expected, atol=1e-5)
        assert found[1] == name


def test_texts_need_a_model_and_values_none() -> None:
    """Whatever else there is, one text makes texts."""
    assert are_texts(["a", None], "gpt2", "data", owner="demonstration")
    assert not are_texts([1.0, None], None, "data", owner="demonstration")
    assert not are_texts([], "gpt2", "data", owner="demonstration")
    with pytest.raises(InputError, match="demonstration: data has texts, so it needs a model"):
        are_texts(["a"], None, "data", owner="demonstration")
    with pytest.raises(InputError, match="demonstration: data has no texts"):
        are_texts([1.0], "gpt2", "data", owner="demonstration")
