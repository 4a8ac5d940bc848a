"""Tests of CrowS-Pairs as an `evaluate` module."""

from typing import Any

import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.measures.crows_pairs import crows_pairs, plain_crows_pairs
from fair_datasets.scores.causal import sentence_scores
from fair_datasets.scores.sentences import shared_token_scores

MARKS = {
    "stereo_antistereo": ["stereo", "antistereo", "stereo", "antistereo"],
    "bias_type": ["gender", "gender", "age", "age"],
}
SCORES: dict[str, Any] = {
    "sent_more": [-1.0, -2, -3, -4],
    "sent_less": [-2.0, -1, -4, -5],
    **MARKS,
}
SENTENCES: dict[str, Any] = {
    "sent_more": ["the nurse she left .", "the pilot he left .", "he slept .", "she left"],
    "sent_less": ["the nurse he left .", "the pilot she left .", "she slept .", "he left"],
    **MARKS,
}


def test_a_masked_model_scores_the_shared_tokens(masked_model: tuple[Any, Any]) -> None:
    """As published."""
    pair = SENTENCES["sent_more"], SENTENCES["sent_less"]
    scores = shared_token_scores(*pair, masked_model)
    expected = crows_pairs(*scores.T, **MARKS, undefined="zero")
    found = load_metric("crows_pairs").compute(**SENTENCES, model=masked_model, undefined="zero")
    assert found == plain_crows_pairs(expected)


def test_a_causal_model_scores_whole_sentences(causal_model: tuple[Any, Any]) -> None:
    """Under a name of its own."""
    pair = SENTENCES["sent_more"], SENTENCES["sent_less"]
    scores = sentence_scores(*pair, causal_model)
    found = load_metric("crows_pairs").compute(
        **SENTENCES, model=causal_model, scoring="sentence", decimals=None
    )
    assert found == plain_crows_pairs(crows_pairs(*scores.T, **MARKS, decimals=None))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"sent_more": [1.0, None, 2.0, 3.0]}, "sent_more has no value in row 1"),
        ({"sent_more": ["a", "b", "c", "d"]}, "sent_more has texts, so it needs a model"),
        ({"model": "gpt2"}, "sent_more has no texts, so there is nothing for a model"),
        ({"stereo_antistereo": ["stereo", "x", "stereo", "stereo"]}, "row 1 of stereo_antistereo"),
        ({"bias_type": ["age", None, "age", "age"]}, "bias_type has no text in row 1"),
        ({"scoring": "tokens"}, "scoring must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=sentence):
        load_metric("crows_pairs").compute(**{**SCORES, **wrong})


def test_a_missing_sentence_is_told(masked_model: tuple[Any, Any]) -> None:
    """With its row."""
    wrong = {**SENTENCES, "sent_less": ["she", None, "she", "she"]}
    with pytest.raises(InputError, match="sent_less has no text in row 1"):
        load_metric("crows_pairs").compute(**wrong, model=masked_model)
