"""Tests of the states of an encoder: importance and cosine of tokens, in batches."""

from typing import Any

import numpy as np
import pytest
import torch
import transformers
from datasets import Dataset, IterableDataset

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.models import DemographicDirection
from fair_datasets.models.load import load_word_vectors
from fair_datasets.scores import sentence_direction
from fair_datasets.scores.bias.parts import (
    Listing,
    WordCosines,
    maxpool_importance,
    token_parts,
    uniform_parts,
    word_parts,
)
from fair_datasets.scores.bias.states import TokenStates, token_states
from fair_datasets.scores.embeddings import sentence_vectors

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
    pieces = states._replace(spans=np.array([[0, 3], [4, 6], [6, 9], [10, 14], [15, 18]]),
        importance=np.array([0.1, 0.2, 0.3, 0.1, 0.2]))  # fmt: skip
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


TEXTS_SENTENCE_PAIRS = [
    "the nurse said that she slept .", "the miner said that he left .", "she ate .", "he ate .",
]  # fmt: skip
SWAP = CounterfactualSwap(columns="text", mode="pair")


def pairs(texts: list[Any] = TEXTS_SENTENCE_PAIRS) -> Dataset:
    """Pair texts with their counterfactuals, by our own swap."""
    return SWAP.apply(Dataset.from_dict({"text": texts}))


@pytest.fixture(scope="module")
def encoder_sentence_pairs(biased_masked: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the states of a small trained model, with its tokenizer."""
    model, tokenizer = biased_masked
    return model.base_model, tokenizer


def test_it_leads_from_man_to_woman(encoder_sentence_pairs: tuple[Any, Any]) -> None:
    """Also of pairs whose first sentence is the woman's; and says what it was made of."""
    found = sentence_direction(pairs(), encoder_sentence_pairs)
    assert found.poles == ("man", "woman")
    she, he = sentence_vectors(["she ate .", "he ate ."], encoder_sentence_pairs, pooling="max")
    assert (she - he) @ found.vector > 0
    told = {"source": "sentences", "encoder": "BertModel", "pooling": "max", "pairs": 4,
            "oriented_by": 4, "left_out": 0}  # fmt: skip
    assert found.provenance == told
    tokens = token_states(
        pairs()["text"][:] + pairs()["text_counterfactual"][:], encoder_sentence_pairs, found
    )
    assert found.offset == pytest.approx(
        np.concatenate([each.cosines for each in tokens]).mean(), abs=1e-5
    )
    assert found.baseline is None


def test_neither_order_nor_size_of_the_batches_changes_it(
    encoder_sentence_pairs: tuple[Any, Any],
) -> None:
    """Nor whether the rows are a stream."""
    found = sentence_direction(pairs(), encoder_sentence_pairs)
    stream: IterableDataset = pairs(TEXTS_SENTENCE_PAIRS[::-1]).to_iterable_dataset()
    again = sentence_direction(stream, encoder_sentence_pairs, batch_size=1)
    assert np.allclose(found.vector, again.vector, atol=1e-4)
    turned = sentence_direction(pairs(), encoder_sentence_pairs, poles=("woman", "man"))
    assert np.allclose(found.vector, -turned.vector, atol=1e-4)


def test_pooling_is_part_of_it(encoder_sentence_pairs: tuple[Any, Any]) -> None:
    """The mean gives another direction than the published maximum."""
    found = sentence_direction(pairs(), encoder_sentence_pairs)
    mean = sentence_direction(pairs(), encoder_sentence_pairs, pooling="mean")
    assert mean.provenance["pooling"] == "mean"
    assert abs(found.vector @ mean.vector) < 0.999


def test_rows_that_do_not_change_are_left_out(encoder_sentence_pairs: tuple[Any, Any]) -> None:
    """Nulls as well; those that mention both say nothing about the ends."""
    texts = [*TEXTS_SENTENCE_PAIRS, None, "the pilot ate .", "she said that he left ."]
    told = sentence_direction(pairs(texts), encoder_sentence_pairs).provenance
    assert (told["pairs"], told["oriented_by"], told["left_out"]) == (5, 4, 2)


def test_who_is_mentioned_is_asked_of_a_reader(
    encoder_sentence_pairs: tuple[Any, Any], nameless: str
) -> None:
    """As the swap asked it; the direction tells which, without its folder."""
    rows = pairs([*TEXTS_SENTENCE_PAIRS, "Mary ate ."])
    asked = sentence_direction(rows, encoder_sentence_pairs, reader=nameless).provenance
    assert sentence_direction(rows, encoder_sentence_pairs).provenance["oriented_by"] == 5
    assert (asked["oriented_by"], asked["reader"]) == (4, "nameless.safetensors")
    with pytest.raises(InputError, match="'en_no_such' is neither an installed spaCy pipeline"):
        sentence_direction(rows, encoder_sentence_pairs, pipeline="en_no_such")


def test_several_columns_and_texts_inside(encoder_sentence_pairs: tuple[Any, Any]) -> None:
    """Each text is a sentence of its own."""
    talk = [[{"text": text}] for text in TEXTS_SENTENCE_PAIRS[2:]]
    rows = Dataset.from_dict({"a": TEXTS_SENTENCE_PAIRS[:2], "talk": talk})
    columns = ("a", "talk[].text")
    paired = CounterfactualSwap(columns=columns, mode="pair").apply(rows)
    found = sentence_direction(paired, encoder_sentence_pairs, columns=columns)
    assert np.allclose(
        found.vector, sentence_direction(pairs(), encoder_sentence_pairs).vector, atol=1e-4
    )


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["it ate .", "she ate ."], "it found 1 pair of texts that differ, but a direction needs"),
        (["she said that he left ."] * 3, "do not say which end of the direction is which"),
    ],
)
def test_too_few_pairs(
    texts: list[str], sentence: str, encoder_sentence_pairs: tuple[Any, Any]
) -> None:
    """No direction without an orientation."""
    with pytest.raises(InputError, match=sentence):
        sentence_direction(pairs(texts), encoder_sentence_pairs)


def test_what_is_no_pair(encoder_sentence_pairs: tuple[Any, Any]) -> None:
    """A column that is not there, and an attribute that the axis has not."""
    with pytest.raises(InputError, match="there is no column 'text_counterfactual'"):
        sentence_direction(pairs().remove_columns("text_counterfactual"), encoder_sentence_pairs)
    with pytest.raises(InputError, match="a pole must be one of 'man', 'woman', 'non-binary'"):
        sentence_direction(pairs(), encoder_sentence_pairs, poles=("men", "woman"))
    rows = Dataset.from_dict({"a": [["He ran.", "x"]], "b": [["She ran."]]})
    with pytest.raises(InputError, match="a row has 2 texts, but 1 counterfactual;"):
        sentence_direction(
            rows, encoder_sentence_pairs, columns="a[]", counterfactual_columns="b[]"
        )
