"""Tests of the states of an encoder: importance and cosine of tokens, in batches."""

from typing import Any

import numpy as np
import pytest
import torch
import transformers

from fair_datasets import InputError
from fair_datasets.models import DemographicDirection
from fair_datasets.models.vectors import load_word_vectors
from fair_datasets.scores.bias.parts import (
    Listing,
    WordCosines,
    maxpool_importance,
    token_parts,
    uniform_parts,
    word_parts,
)
from fair_datasets.scores.bias.states import TokenStates, token_states

TEXTS = ["the nurse said that she slept .", "pilot", "", "the miner left", "... nurse"]


@pytest.fixture
def encoder(untrained_classifier: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return a small BERT with random weights."""
    model, tokenizer = untrained_classifier
    return model.base_model, tokenizer


@pytest.fixture
def direction() -> DemographicDirection:
    """Return a direction in its states."""
    vector = np.random.default_rng(0).normal(size=32)
    return DemographicDirection(
        vector / np.linalg.norm(vector), axis="gender", poles=("man", "woman")
    )


def alone(encoder: tuple[Any, Any], text: str) -> Any:
    """Return the states of one text, markers among them."""
    model, tokenizer = encoder
    with torch.inference_mode():
        return model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].double().numpy()


def test_a_batch_is_its_texts_one_by_one(
    encoder: tuple[Any, Any], direction: DemographicDirection
) -> None:
    """Padding takes no part; markers compete for the maximum, and are left out of the result."""
    found = token_states(TEXTS, encoder, direction)
    for text, tokens in zip(TEXTS, found, strict=True):
        states = alone(encoder, text)
        importance = maxpool_importance(states)
        assert tokens.importance == pytest.approx(importance[1:-1])
        assert tokens.cosines == pytest.approx(direction.cosines(states)[1:-1], abs=1e-5)
        assert [text[start:end] for start, end in tokens.spans] == text.split()
        assert importance[[0, -1]].sum() > 0


def test_a_words_importance_is_that_of_its_pieces(encoder: tuple[Any, Any]) -> None:
    """And of punctuation there is none, though it keeps its share."""
    text = "the nurse said ..."
    states = token_states([text], encoder)[0]
    pieces = states._replace(
        spans=np.array([[0, 3], [4, 6], [6, 9], [10, 14], [15, 18]]),
        importance=np.array([0.1, 0.2, 0.3, 0.1, 0.2]),
    )
    vectors = load_word_vectors({"the": [0, 1], "nurse": [3, 4], "said": [1, 0]})
    unit = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))
    cosines = WordCosines(vectors, unit, Listing(frozenset({"the"})))
    parts = word_parts(uniform_parts([text, "", "nurse"], cosines, spans=True), [pieces] * 3)
    assert parts.importance.tolist()[:3] == pytest.approx([0.1, 0.5, 0.1])
    assert parts.products.tolist()[:3] == pytest.approx([0, 0.4, 0])
    assert parts.texts.tolist() == [0, 0, 0, 2]


def test_a_piece_is_listed_by_its_word() -> None:
    """As the pieces of a name are no words of the list."""
    spans = np.array([[0, 3], [3, 6], [7, 11], [11, 12]])
    states = TokenStates(spans, np.array([0.25, 0.25, 0.3, 0.1]), np.array([0.5, -0.5, -0.2, 0.9]))
    parts = token_parts(["Louisa left."], Listing(frozenset({"Louisa"})), [states], 0.1)
    assert parts.cosines.tolist() == pytest.approx([0, 0, -0.3])
    assert parts.sums()[1].tolist() == pytest.approx([-0.09])


def test_long_texts_are_cut(encoder: tuple[Any, Any]) -> None:
    """To what is asked for, and to what the model reads."""
    text = " ".join(["nurse"] * 30)
    assert len(token_states([text], encoder, max_length=5)[0].spans) == 3
    assert len(token_states([text], encoder)[0].spans) == 14


def test_what_is_refused(encoder: tuple[Any, Any], direction: DemographicDirection) -> None:
    """A direction of another width, a slow tokenizer, and states that are no numbers."""
    model, tokenizer = encoder
    small = DemographicDirection([0.0, 1.0], axis="gender", poles=("man", "woman"))
    with pytest.raises(InputError, match="has 2 numbers, but the encoder's states have 32; make"):
        token_states(["nurse"], encoder, small)

    class Slow:
        """A tokenizer that is no fast one."""

        is_fast, pad_token_id, model_max_length = False, 0, 16

    with pytest.raises(InputError, match="does not say where its tokens stand in a text; give"):
        token_states(["nurse"], (model, Slow()))
    broken = transformers.BertModel(model.config)
    with torch.no_grad():
        broken.embeddings.word_embeddings.weight.fill_(float("nan"))
    with pytest.raises(InputError, match="states are not finite"):
        token_states(["nurse", "the nurse left"], (broken, tokenizer))
