"""Tests of likelihoods by causal models, against the loss that transformers gives."""

from typing import Any

import numpy as np
import pytest
import torch

from fair_datasets.scores.likelihoods import (
    are_texts,
    causal_likelihoods,
    causal_losses,
    pseudo_likelihoods,
    sentence_scores,
    sentence_values,
)
from fair_datasets.scores.models import TruncatedTextWarning
from fair_datasets.system.checks import InputError

TEXTS = ["the nurse said that she left .", "", "the", "he ate", "the pilot said that he slept ."]


def own_loss(pair: tuple[Any, Any], ids: list[int]) -> float:
    """Return the loss of one text as transformers computes it."""
    table = torch.tensor([ids])
    with torch.no_grad():
        return float(pair[0](input_ids=table, labels=table).loss)


@pytest.mark.parametrize("batch_size", [1, 3, 32])
def test_losses_are_those_of_transformers(biased_causal: tuple[Any, Any], batch_size: int) -> None:
    """Batching and padding change nothing, though the tokenizer has no token for padding."""
    found = causal_likelihoods(TEXTS, biased_causal, batch_size=batch_size)
    assert found.tokens.tolist() == [6, 0, 0, 1, 6]
    assert found.skipped == 2
    assert np.isnan(found.losses[[1, 2]]).all()
    for row in (0, 3, 4):
        expected = own_loss(biased_causal, biased_causal[1](TEXTS[row])["input_ids"])
        assert found.losses[row] == pytest.approx(expected, abs=1e-5)
        assert found.log_likelihoods[row] == -found.losses[row] * found.tokens[row]
    assert not found.truncated.any()


def test_with_a_start_token_every_token_is_scored(biased_causal: tuple[Any, Any]) -> None:
    """The token before the text is given, not scored."""
    found = causal_likelihoods(TEXTS, biased_causal, start_token=True)
    assert found.tokens.tolist() == [7, 0, 1, 2, 7]
    ids = [0, *biased_causal[1](TEXTS[3])["input_ids"]]
    assert found.losses[3] == pytest.approx(own_loss(biased_causal, ids), abs=1e-5)


def test_long_texts_are_cut_with_a_warning(biased_causal: tuple[Any, Any]) -> None:
    """The model reads 16 tokens; the count and the first row are told."""
    long = "the nurse " * 20
    with pytest.warns(TruncatedTextWarning, match=r"1 of 2 texts .* 16 tokens .* is row 1\."):
        found = causal_likelihoods(["he ate", long], biased_causal)
    assert found.tokens.tolist() == [1, 15]
    assert found.truncated.tolist() == [False, True]
    with pytest.warns(TruncatedTextWarning):
        assert causal_likelihoods([long], biased_causal, start_token=True).tokens.tolist() == [15]


def test_cutting_that_was_asked_for_needs_no_warning(biased_causal: tuple[Any, Any]) -> None:
    """The first five tokens alone give the same score."""
    found = causal_likelihoods([TEXTS[0], "he ate"], biased_causal, max_tokens=5)
    assert found.truncated.tolist() == [True, False]
    alone = causal_likelihoods(["the nurse said that she"], biased_causal)
    assert found.losses[0] == pytest.approx(alone.losses[0], abs=1e-6)


def test_several_lists_are_scored_with_one_model(biased_causal: tuple[Any, Any]) -> None:
    """Each list gets its own losses back; a missing text is told by the name of its list."""
    found = causal_losses({"a": TEXTS[:2], "b": [], "c": TEXTS[2:]}, biased_causal)
    expected = causal_likelihoods(TEXTS, biased_causal).losses
    assert [len(losses) for losses in found] == [2, 0, 3]
    np.testing.assert_allclose(np.concatenate(found), expected, atol=1e-6)
    with pytest.raises(InputError, match="causal_losses: b has no text in row 0"):
        causal_losses({"a": TEXTS, "b": [None]}, biased_causal)  # type: ignore[list-item]


def test_pairs_are_scored_whole(
    biased_causal: tuple[Any, Any], pairs: dict[str, list[str]]
) -> None:
    """Each column has the likelihoods of its sentences."""
    found = sentence_scores(pairs["sent_more"], pairs["sent_less"], biased_causal)
    for column, name in enumerate(("sent_more", "sent_less")):
        expected = causal_likelihoods(pairs[name], biased_causal, start_token=True)
        np.testing.assert_allclose(found[:, column], expected.log_likelihoods, atol=1e-5)
    assert sentence_scores([], [], biased_causal).shape == (0, 2)


def test_pairs_that_cannot_be_compared_are_refused(biased_causal: tuple[Any, Any]) -> None:
    """An empty sentence, or one that is longer than the model reads."""
    with pytest.raises(InputError, match="a sentence of row 1 is empty"):
        sentence_scores(["he", "he"], ["she", ""], biased_causal)
    with (
        pytest.warns(TruncatedTextWarning),
        pytest.raises(InputError, match="a sentence of row 0 is cut"),
    ):
        sentence_scores(["he"], ["she " * 20], biased_causal)
    with pytest.raises(InputError, match="sent_more has 1 row, but sent_less has 2"):
        sentence_scores(["he"], ["she", "she"], biased_causal)


def test_each_kind_of_model_has_its_values(
    biased_masked: tuple[Any, Any], biased_causal: tuple[Any, Any]
) -> None:
    """Sums, or means per token, and the name of what they are."""
    texts = ["the nurse said that she left .", "he ate"]
    masked = pseudo_likelihoods(texts, biased_masked).log_likelihoods
    causal = causal_likelihoods(texts, biased_causal, start_token=True).log_likelihoods
    per_token = sentence_values(texts, biased_masked, per_token=True)
    for found, expected, name in (
        (sentence_values(texts, biased_masked), masked, "log-likelihood"),
        (per_token, masked / [7, 2], "log-likelihood per token"),
        (sentence_values(texts, biased_causal, "causal"), causal, "log-likelihood"),
    ):
        np.testing.assert_allclose(found[0], expected, atol=1e-5)
        assert found[1] == name


def test_texts_need_a_model_and_values_none() -> None:
    """Whatever else there is, one text makes texts."""
    assert are_texts(["a", None], "gpt2", "data")
    assert not are_texts([1.0, None], None, "data")
    assert not are_texts([], "gpt2", "data")
