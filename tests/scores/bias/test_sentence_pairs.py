"""Tests of the direction from sentences and their counterfactuals, with a toy encoder."""

from typing import Any

import numpy as np
import pytest
from datasets import Dataset, IterableDataset

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.models import DemographicDirection
from fair_datasets.scores import sentence_direction
from fair_datasets.scores.bias.states import token_states
from fair_datasets.scores.embeddings import sentence_vectors

TEXTS = [
    "the nurse said that she slept .",
    "the miner said that he left .",
    "she ate .",
    "he ate .",
]
SWAP = CounterfactualSwap(columns="text", mode="pair")


def pairs(texts: list[Any] = TEXTS) -> Dataset:
    """Pair texts with their counterfactuals, by our own swap."""
    return SWAP.apply(Dataset.from_dict({"text": texts}))


@pytest.fixture(scope="module")
def encoder(biased_masked: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the states of a small trained model, with its tokenizer."""
    model, tokenizer = biased_masked
    return model.base_model, tokenizer


def test_it_leads_from_man_to_woman(encoder: tuple[Any, Any]) -> None:
    """Also of pairs whose first sentence is the woman's; and says what it was made of."""
    found = sentence_direction(pairs(), encoder)
    assert found.poles == ("man", "woman")
    she, he = sentence_vectors(["she ate .", "he ate ."], encoder, pooling="max")
    assert (she - he) @ found.vector > 0
    told = {"source": "sentences", "encoder": "BertModel", "pooling": "max", "pairs": 4,
            "oriented_by": 4, "left_out": 0}  # fmt: skip
    assert found.provenance == told
    tokens = token_states(pairs()["text"][:] + pairs()["text_counterfactual"][:], encoder, found)
    assert found.offset == pytest.approx(
        np.concatenate([each.cosines for each in tokens]).mean(), abs=1e-5
    )
    assert found.baseline is None


def test_neither_order_nor_size_of_the_batches_changes_it(encoder: tuple[Any, Any]) -> None:
    """Nor whether the rows are a stream."""
    found = sentence_direction(pairs(), encoder)
    stream: IterableDataset = pairs(TEXTS[::-1]).to_iterable_dataset()
    again = sentence_direction(stream, encoder, batch_size=1)
    assert np.allclose(found.vector, again.vector, atol=1e-4)
    turned = sentence_direction(pairs(), encoder, poles=("woman", "man"))
    assert np.allclose(found.vector, -turned.vector, atol=1e-4)


def test_pooling_is_part_of_it(encoder: tuple[Any, Any]) -> None:
    """The mean gives another direction than the published maximum."""
    found = sentence_direction(pairs(), encoder)
    mean = sentence_direction(pairs(), encoder, pooling="mean")
    assert mean.provenance["pooling"] == "mean"
    assert abs(found.vector @ mean.vector) < 0.999


def test_rows_that_do_not_change_are_left_out(encoder: tuple[Any, Any]) -> None:
    """Nulls as well; those that mention both say nothing about the ends."""
    texts = [*TEXTS, None, "the pilot ate .", "she said that he left ."]
    told = sentence_direction(pairs(texts), encoder).provenance
    assert (told["pairs"], told["oriented_by"], told["left_out"]) == (5, 4, 2)


def test_who_is_mentioned_is_asked_of_a_reader(encoder: tuple[Any, Any], nameless: str) -> None:
    """As the swap asked it; the direction tells which, without its folder."""
    rows = pairs([*TEXTS, "Mary ate ."])
    asked = sentence_direction(rows, encoder, reader=nameless).provenance
    assert sentence_direction(rows, encoder).provenance["oriented_by"] == 5
    assert (asked["oriented_by"], asked["reader"]) == (4, "nameless.safetensors")
    with pytest.raises(InputError, match="'en_no_such' is neither an installed spaCy pipeline"):
        sentence_direction(rows, encoder, pipeline="en_no_such")


def test_several_columns_and_texts_inside(encoder: tuple[Any, Any]) -> None:
    """Each text is a sentence of its own."""
    rows = Dataset.from_dict({"a": TEXTS[:2], "talk": [[{"text": text}] for text in TEXTS[2:]]})
    columns = ("a", "talk[].text")
    paired = CounterfactualSwap(columns=columns, mode="pair").apply(rows)
    found = sentence_direction(paired, encoder, columns=columns)
    assert np.allclose(found.vector, sentence_direction(pairs(), encoder).vector, atol=1e-4)


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["it ate .", "she ate ."], "1 pairs have two texts that differ, but a direction needs"),
        (["she said that he left ."] * 3, "do not say which end of the direction is which"),
    ],
)
def test_too_few_pairs(texts: list[str], sentence: str, encoder: tuple[Any, Any]) -> None:
    """No direction without an orientation."""
    with pytest.raises(InputError, match=sentence):
        sentence_direction(pairs(texts), encoder)


def test_what_is_no_pair(encoder: tuple[Any, Any]) -> None:
    """A column that is not there, and an attribute that the axis has not."""
    with pytest.raises(InputError, match="there is no column 'text_counterfactual'"):
        sentence_direction(pairs().remove_columns("text_counterfactual"), encoder)
    with pytest.raises(InputError, match="a pole must be one of 'man', 'woman', 'non-binary'"):
        sentence_direction(pairs(), encoder, poles=("men", "woman"))
    rows = Dataset.from_dict({"a": [["He ran.", "x"]], "b": [["She ran."]]})
    with pytest.raises(InputError, match="a row has 2 texts, but 1 counterfactuals"):
        sentence_direction(rows, encoder, columns="a[]", counterfactual_columns="b[]")


def test_it_is_a_direction(encoder: tuple[Any, Any]) -> None:
    """Of the same class as that of words."""
    assert isinstance(sentence_direction(pairs(), encoder), DemographicDirection)
