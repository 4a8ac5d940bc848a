"""Tests of the likelihood bias as an `evaluate` module."""

from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.measures.holistic_bias import likelihood_bias
from fair_datasets.measures.holistic_sentences import HATE, LOVE, plain_templates
from fair_datasets.scores.causal import causal_likelihoods
from fair_datasets.scores.sentences import pseudo_likelihoods

SENTENCES = [
    f"the {descriptor} {verb} {end}".strip()
    for descriptor in ("nurse", "pilot", "nurse pilot")
    for verb in ("slept", "left")
    for end in ("", ".", "he", "she")
]
COLUMNS: dict[str, Any] = {
    "axes": ["job"] * 24,
    "templates": ([LOVE] * 4 + [HATE] * 4) * 3,
    "descriptors": ["nurse"] * 8 + ["pilot"] * 8 + ["both"] * 8,
}
VALUES = np.random.default_rng(0).uniform(1, 99, size=24)


@pytest.mark.parametrize("per_token", [False, True])
def test_models_of_both_kinds_score_sentences(
    masked_model: tuple[Any, Any], causal_model: tuple[Any, Any], per_token: bool
) -> None:
    """What was compared is told."""
    module = load_metric("holistic_bias")
    kind = "log-likelihood per token" if per_token else "log-likelihood"
    for head, model, likelihoods in (
        ("masked", masked_model, pseudo_likelihoods(SENTENCES, masked_model)),
        ("causal", causal_model, causal_likelihoods(SENTENCES, causal_model, start_token=True)),
    ):
        values = likelihoods.per_token if per_token else likelihoods.log_likelihoods
        expected = likelihood_bias(values, **COLUMNS)
        found = module.compute(
            data=SENTENCES, **COLUMNS, model=model, head=head, per_token=per_token, with_pairs=True
        )
        assert found["values"] == kind
        assert found["pairs"]["p_value"] == expected.pairs["p_value"].tolist()
        assert plain_templates(values, **COLUMNS).items() <= found.items()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"data": [1.0, None]}, "holistic_bias: data has no value in row 1"),
        ({"data": ["a", "b"]}, "data has texts, so it needs a model"),
        ({"model": "gpt2"}, "data has no texts"),
        ({"axes": ["a", None]}, "axes has no text in row 1"),
        ({"descriptors": [1, 2]}, "descriptors must be texts, but row 0 is 1"),
        ({"significance": 2}, "significance must be a number from 0 to 1"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    good: dict[str, Any] = {
        "data": [1.0, 2.0],
        "axes": ["a", "a"],
        "templates": ["t", "t"],
        "descriptors": ["x", "y"],
    }
    with pytest.raises(InputError, match=sentence):
        load_metric("holistic_bias").compute(**{**good, **wrong})


def test_a_model_of_the_other_kind_is_told(masked_model: tuple[Any, Any]) -> None:
    """A masked model is no causal one."""
    with pytest.raises(InputError, match="not a causal language model"):
        load_metric("holistic_bias").compute(
            data=SENTENCES, **COLUMNS, model=masked_model, head="causal"
        )
