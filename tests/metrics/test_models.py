"""The modules that ask a model give what their functions give of its likelihoods and vectors."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.measures.crows_pairs import crows_pairs
from fair_datasets.measures.holistic_bias import likelihood_bias
from fair_datasets.measures.holistic_sentences import HATE, LOVE, plain_templates
from fair_datasets.measures.results import plain
from fair_datasets.measures.rewrites import counterfactual_perplexity, transfer_accuracy
from fair_datasets.measures.weat import plain_weat, weat_from_rows
from fair_datasets.scores.classifiers import class_probabilities
from fair_datasets.scores.embeddings import sentence_vectors
from fair_datasets.scores.likelihoods import (
    causal_likelihoods,
    pseudo_likelihoods,
    sentence_scores,
    shared_token_scores,
)

Model = tuple[Any, Any]

REWRITES: dict[str, Any] = {"predictions": ["the nurse she left .", "the pilot she slept .", "she",
    ""], "references": ["the nurse he left .", "the pilot he slept .", "he", ""]}  # fmt: skip


@pytest.mark.parametrize("max_tokens", [200, 3, None])
def test_perplexity(causal_model: Model, max_tokens: int | None) -> None:
    """Rows of which a text is empty or of one token are skipped."""
    losses = {name: causal_likelihoods(texts, causal_model, max_tokens=max_tokens).losses
        for name, texts in REWRITES.items()}  # fmt: skip
    expected = counterfactual_perplexity(losses["references"], losses["predictions"])
    found = load_metric("counterfactual_perplexity").compute(
        **REWRITES, model=causal_model, max_tokens=max_tokens
    )
    assert (found["texts"], found["skipped"]) == (2, 2)
    assert found == pytest.approx(asdict(expected), rel=1e-5)
    assert found["factual"] == pytest.approx(np.exp(losses["references"][:2].mean()), rel=1e-5)


MARKS = {"stereo_antistereo": ["stereo", "antistereo", "stereo", "antistereo"],
    "bias_type": ["gender", "gender", "age", "age"]}  # fmt: skip
PAIRS: dict[str, Any] = {
    "sent_more": ["the nurse she left .", "the pilot he left .", "he slept .", "she left"],
    "sent_less": ["the nurse he left .", "the pilot she left .", "she slept .", "he left"],
}


def test_crows_pairs(masked_model: Model, causal_model: Model) -> None:
    """A masked model scores the shared tokens, as published; a causal one whole sentences."""
    module = load_metric("crows_pairs")
    scores = shared_token_scores(*PAIRS.values(), masked_model)
    found = module.compute(**PAIRS, **MARKS, model=masked_model, undefined="zero")
    assert found == plain(crows_pairs(*scores.T, **MARKS, undefined="zero"))
    scores = sentence_scores(*PAIRS.values(), causal_model)
    found = module.compute(**PAIRS, **MARKS, model=causal_model, scoring="sentence", decimals=None)
    assert found == plain(crows_pairs(*scores.T, **MARKS, decimals=None))


SENTENCES = [f"the {descriptor} {verb} {end}".strip()
    for descriptor in ("nurse", "pilot", "nurse pilot") for verb in ("slept", "left")
    for end in ("", ".", "he", "she")]  # fmt: skip
COLUMNS: dict[str, Any] = {"axes": ["job"] * 24, "templates": ([LOVE] * 4 + [HATE] * 4) * 3,
    "descriptors": ["nurse"] * 8 + ["pilot"] * 8 + ["both"] * 8}  # fmt: skip


@pytest.mark.parametrize("per_token", [False, True])
def test_holistic_bias(masked_model: Model, causal_model: Model, per_token: bool) -> None:
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
    with pytest.raises(InputError, match="not a causal language model"):
        module.compute(data=SENTENCES, **COLUMNS, model=masked_model, head="causal")


TEXTS = [f"the {word}" for word in ("pilot", "nurse .", "he", "she", "slept", "left", "the", ".")]


def test_seat(masked_model: Model) -> None:
    """Another pooling gives another effect size."""
    asked = {"texts": TEXTS, "sets": list("XXYYAABB"), "model": masked_model}
    module = load_metric("seat")
    expected = weat_from_rows(sentence_vectors(TEXTS, masked_model), list("XXYYAABB"))
    assert module.compute(**asked, batch_size=32) == plain_weat(expected)
    ways = ("mean", "max", "cls", "last")
    assert len({module.compute(**asked, pooling=way)["effect_size"] for way in ways}) == 4


OTHERS = {"predictions": ["she left .", "he slept .", "the nurse she left"],
    "references": ["he left .", "she slept .", "the nurse he left"]}  # fmt: skip


@pytest.mark.parametrize("attributes", [["man", "woman", "man"], [0, 1, 0]])
def test_transfer_accuracy(classifier: Model, attributes: list[Any]) -> None:
    """Probabilities of the original attribute, for rewrites and originals."""
    rows = np.arange(3), [0, 1, 0]
    chosen = [class_probabilities(texts, classifier)[rows] for texts in OTHERS.values()]
    found = load_metric("transfer_accuracy").compute(
        **OTHERS, model=classifier, attributes=attributes
    )
    assert found == pytest.approx(asdict(transfer_accuracy(*chosen)))


PERSONS = {**OTHERS, "attributes": ["man", "woman", "man"]}
WRONG: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
    ("counterfactual_perplexity", "causal_model", REWRITES,
     {"predictions": ["he left", None, "she", ""]}, "predictions has no text in row 1"),
    ("counterfactual_perplexity", "causal_model", REWRITES,
     {"references": ["he left", None, "she", ""]}, "references has no text in row 1"),
    ("crows_pairs", "masked_model", {**PAIRS, **MARKS},
     {"sent_less": ["she", None, "she", "she"]}, "sent_less has no text in row 1"),
    ("transfer_accuracy", "classifier", PERSONS, {"attributes": None}, "attributes is missing"),
    ("transfer_accuracy", "classifier", PERSONS, {"attributes": ["man"] * 2}, "attributes has 2"),
    ("transfer_accuracy", "classifier", PERSONS, {"attributes": ["man", "king", "man"]},
     "'man', 'woman' or .* row 1 is 'king'"),
    ("transfer_accuracy", "classifier", PERSONS, {"attributes": [0, 2, 0]}, "row 1 is 2"),
    ("transfer_accuracy", "classifier", PERSONS, {"predictions": ["she", None, "she"]},
     "predictions has no text in row 1"),
    ("transfer_accuracy", "classifier", PERSONS, {"model": None},
     "predictions has texts, so it needs a model"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "model", "given", "wrong", "sentence"), WRONG)
def test_what_a_model_cannot_be_asked_is_told(
    request: pytest.FixtureRequest,
    name: str,
    model: str,
    given: dict[str, Any],
    wrong: dict[str, Any],
    sentence: str,
) -> None:
    """With the argument and its row; a missing text is not an empty one."""
    asked = {**given, "model": request.getfixturevalue(model), **wrong}
    with pytest.raises(InputError, match=sentence):
        load_metric(name).compute(**asked)
