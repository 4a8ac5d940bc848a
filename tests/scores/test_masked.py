"""Tests of likelihoods by masked models, against a loop over one mask at a time."""

from difflib import SequenceMatcher
from typing import Any

import numpy as np
import pytest
import torch

from fair_datasets.scores.likelihoods import pseudo_likelihoods, shared_token_scores
from fair_datasets.scores.models import TruncatedTextWarning
from fair_datasets.system.checks import InputError

TEXTS = ["the nurse said that she left .", "", "the", "he ate zebras", "the pilot slept ."]


def log_probability(pair: tuple[Any, Any], ids: list[int], position: int) -> float:
    """Mask one token and return the log-probability of the true one."""
    masked = torch.tensor([ids])
    masked[0, position] = pair[1].mask_token_id
    with torch.no_grad():
        logits = pair[0](input_ids=masked).logits[0, position]
    return float(torch.log_softmax(logits, dim=-1)[ids[position]])


def published_scores(pair: tuple[Any, Any], more: str, less: str) -> tuple[float, float]:
    """Score a pair as the published code does, by the opcodes of difflib."""
    first, second = pair[1](more)["input_ids"], pair[1](less)["input_ids"]
    matcher = SequenceMatcher(None, [str(x) for x in first], [str(x) for x in second])
    spans: list[tuple[int, int]] = []
    for operation, i1, i2, j1, j2 in matcher.get_opcodes():
        if operation == "equal":
            spans += zip(range(i1, i2), range(j1, j2), strict=True)
    inner = spans[1:-1]
    return (sum(log_probability(pair, first, position) for position, _ in inner),
        sum(log_probability(pair, second, position) for _, position in inner))  # fmt: skip


@pytest.mark.parametrize("batch_size", [1, 4, 64])
def test_pseudo_likelihoods_mask_one_token_at_a_time(
    biased_masked: tuple[Any, Any], batch_size: int
) -> None:
    """Each token but those that the tokenizer adds is scored; an unknown word is."""
    found = pseudo_likelihoods(TEXTS, biased_masked, batch_size=batch_size)
    assert found.tokens.tolist() == [7, 0, 1, 3, 4]
    assert found.skipped == 1
    assert np.isnan(found.log_likelihoods[1])
    for row in (0, 2, 3, 4):
        ids = biased_masked[1](TEXTS[row])["input_ids"]
        expected = sum(log_probability(biased_masked, ids, i) for i in range(1, len(ids) - 1))
        assert found.log_likelihoods[row] == pytest.approx(expected, abs=1e-4)
        assert found.per_token[row] == found.log_likelihoods[row] / found.tokens[row]


def test_pair_scores_are_those_of_the_published_code(
    biased_masked: tuple[Any, Any], pairs: dict[str, list[str]]
) -> None:
    """Also where one sentence is longer, and where nothing inner is shared."""
    more = [*pairs["sent_more"][:4], "the nurse left .", "he ate", "the nurse said that she left ."]
    less = [*pairs["sent_less"][:4], "the old nurse left .", "she sang",
        "nurse said she ate left ."]  # fmt: skip
    found = shared_token_scores(more, less, biased_masked, batch_size=3)
    assert found.shape == (7, 2)
    for row, pair in enumerate(zip(more, less, strict=True)):
        assert found[row] == pytest.approx(published_scores(biased_masked, *pair), abs=1e-4)
    assert found[5].tolist() == [0.0, 0.0]


def test_long_texts_are_cut_or_refused(biased_masked: tuple[Any, Any]) -> None:
    """A text alone is cut with a warning; a pair that is cut could not be compared."""
    long = "the nurse " * 20
    with pytest.warns(TruncatedTextWarning, match="1 of 1 texts"):
        assert pseudo_likelihoods([long], biased_masked).tokens.tolist() == [14]
    with (
        pytest.warns(TruncatedTextWarning),
        pytest.raises(InputError, match=r"sentences of row 1 are longer than the 16 tokens"),
    ):
        shared_token_scores(["he ate", "he ate"], ["he ate", long], biased_masked)


def test_no_texts_have_no_scores(biased_masked: tuple[Any, Any]) -> None:
    """Empty lists give empty arrays."""
    assert pseudo_likelihoods([], biased_masked).per_token.shape == (0,)
    assert shared_token_scores([], [], biased_masked).shape == (0, 2)
