"""Tests of the likelihood bias as an `evaluate` module."""

import json
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import InputError, load_metric
from fair_datasets.measures.holistic_bias import below_median, likelihood_bias
from fair_datasets.scores.causal import causal_likelihoods
from fair_datasets.scores.masked import pseudo_likelihoods

SENTENCES = [
    f"the {descriptor} {verb} {end}".strip()
    for descriptor in ("nurse", "pilot", "nurse pilot")
    for verb in ("slept", "left")
    for end in ("", ".", "he", "she")
]
COLUMNS: dict[str, Any] = {
    "axes": ["job"] * 24,
    "templates": ["s", "s", "s", "s", "t", "t", "t", "t"] * 3,
    "descriptors": ["nurse"] * 8 + ["pilot"] * 8 + ["both"] * 8,
}
VALUES = np.random.default_rng(0).normal(size=24)


def test_it_is_the_function(tmp_path: Path) -> None:
    """The module adds nothing, whatever holds the inputs, and its result can be saved."""
    module = load_metric("holistic_bias")
    expected = likelihood_bias(VALUES, **COLUMNS)
    assert isinstance(module, evaluate.Measurement)
    found = module.compute(data=VALUES, **COLUMNS, with_pairs=True)
    assert found["axes"] == expected.axes
    assert found["templates"] == expected.templates
    assert found["below_median"] == below_median(VALUES, COLUMNS["templates"])
    assert found["pairs"] == {name: column.tolist() for name, column in expected.pairs.items()}
    assert (found["comparisons"], found["skipped"], found["values"]) == (6, [], "given")
    rows = Dataset.from_dict({"data": VALUES, **COLUMNS})
    assert module.compute(**{name: rows[name] for name in rows.features}, with_pairs=True) == found
    for part in (slice(0, 5), slice(5, 24)):
        parts = {name: column[part] for name, column in COLUMNS.items()}
        module.add_batch(data=VALUES[part], **parts)
    result = module.compute(with_pairs=True)
    assert result == found
    evaluate.save(tmp_path / "result.json", **result)
    assert json.loads((tmp_path / "result.json").read_text()).items() >= result.items()


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


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"data": [1.0, None]}, "holistic_bias: data has no value in row 1"),
        ({"data": ["a", "b"]}, "data has texts, so that it needs a model"),
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
    with pytest.raises(InputError, match="no causal language model"):
        load_metric("holistic_bias").compute(
            data=SENTENCES, **COLUMNS, model=masked_model, head="causal"
        )
