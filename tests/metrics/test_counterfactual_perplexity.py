"""Tests of the perplexity of rewrites as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.measures.perplexity import counterfactual_perplexity
from fair_datasets.scores.causal import causal_likelihoods

LOSSES: dict[str, Any] = {"predictions": [4.1, 3.9, None], "references": [4.0, 4.0, 4.0]}
TEXTS: dict[str, Any] = {
    "predictions": ["the nurse she left .", "the pilot she slept .", "she", ""],
    "references": ["the nurse he left .", "the pilot he slept .", "he", ""],
}


@pytest.mark.parametrize("max_tokens", [200, 3, None])
def test_a_model_gives_the_losses(causal_model: tuple[Any, Any], max_tokens: int | None) -> None:
    """Rows of which a text is empty or of one token are skipped."""
    losses = {
        name: causal_likelihoods(texts, causal_model, max_tokens=max_tokens).losses
        for name, texts in TEXTS.items()
    }
    expected = counterfactual_perplexity(losses["references"], losses["predictions"])
    found = load_metric("counterfactual_perplexity").compute(
        **TEXTS, model=causal_model, max_tokens=max_tokens
    )
    assert (found["texts"], found["skipped"]) == (2, 2)
    for name, value in asdict(expected).items():
        assert found[name] == pytest.approx(value, rel=1e-5)
    first = np.exp(losses["references"][:2].mean())
    assert found["factual"] == pytest.approx(first, rel=1e-5)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": [1.0, -2.0, 3.0]}, "not below 0, but row 1 is -2.0"),
        ({"predictions": ["a", "b", "c"], "references": ["a", "b", "c"]}, "it needs a model"),
        ({"model": "gpt2"}, "predictions has no texts"),
        ({"undefined": "none"}, "undefined must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    good = {"predictions": [None, None, None], "references": [1.0, 2.0, 3.0]}
    with pytest.raises(InputError, match=sentence):
        load_metric("counterfactual_perplexity").compute(**{**good, **wrong})


@pytest.mark.parametrize("name", ["predictions", "references"])
def test_a_missing_text_is_told(causal_model: tuple[Any, Any], name: str) -> None:
    """With its row; a missing text is not an empty one."""
    wrong = {**TEXTS, name: ["he left", None, "she", ""]}
    with pytest.raises(InputError, match=f"{name} has no text in row 1"):
        load_metric("counterfactual_perplexity").compute(**wrong, model=causal_model)
