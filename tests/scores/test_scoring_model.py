"""Tests of a model with its tokenizer: cutting, padding and leaving the model as it was."""

from typing import Any

import pytest

from fair_datasets.scores.models import load_model
from fair_datasets.scores.scoring_model import TruncatedTextWarning
from fair_datasets.scores.sentences import pseudo_likelihoods
from fair_datasets.system.checks import InputError
from tests.small_models import small_model


def test_texts_are_cut_with_the_tokens_that_the_tokenizer_adds(
    biased_masked: tuple[Any, Any],
) -> None:
    """A start and an end stay; which texts were cut is told."""
    loaded = load_model(biased_masked, "masked", owner="demonstration")
    assert loaded.limit == 16
    encoded = loaded.encode(["the nurse left .", "he"], max_tokens=4)
    assert encoded.ids[0] == biased_masked[1]("the nurse")["input_ids"]
    assert encoded.special == [[True, False, False, True], [True, False, True]]
    assert encoded.truncated.tolist() == [True, False]
    assert encoded.lengths.tolist() == [4, 3]
    with pytest.raises(InputError, match="demonstration: max_tokens must be at least 1"):
        loaded.encode(["he"], max_tokens=0)


def test_the_end_of_a_text_stands_in_for_padding(biased_causal: tuple[Any, Any]) -> None:
    """GPT-2 has no token for padding."""
    loaded = load_model(biased_causal, "causal", owner="demonstration")
    assert loaded.tokenizer.pad_token_id is None
    assert loaded.padding == loaded.tokenizer.eos_token_id


def test_scoring_ends_as_it_began(biased_masked: tuple[Any, Any]) -> None:
    """Also after an error."""
    loaded = load_model(biased_masked, "masked", owner="demonstration")
    loaded.model.train()
    with pytest.raises(ZeroDivisionError), loaded.scoring():
        _ = 1 / loaded.model.training
    assert loaded.model.training
    loaded.model.eval()


def test_positions_behind_that_of_padding_count(masked_tokenizer: Any) -> None:
    """RoBERTa has as many positions less as its id of padding says."""
    sizes = {"max_position_embeddings": 12, "pad_token_id": 0, "initializer_range": 0.5}
    pair = small_model("RobertaForMaskedLM", len(masked_tokenizer), **sizes), masked_tokenizer
    with pytest.warns(TruncatedTextWarning, match="longer than the 11 tokens"):
        found = pseudo_likelihoods(["the " * 30], pair)
    assert found.tokens.tolist() == [9]
