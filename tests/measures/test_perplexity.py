"""Tests of the perplexity."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gmean

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.perplexity import counterfactual_perplexity, perplexity
from fair_datasets.system.checks import InputError

losses = st.floats(0, 20)
some = st.lists(losses, min_size=1, max_size=20)


@given(some)
def test_it_is_the_geometric_mean_of_the_perplexities(values: list[float]) -> None:
    """The exponential of a mean is the geometric mean of exponentials."""
    result = perplexity(values)
    assert result.perplexity == pytest.approx(gmean(np.exp(values)), rel=1e-9)
    assert result.perplexity >= 1
    assert (result.texts, result.skipped) == (len(values), 0)


@given(some, st.integers(0, 5), st.randoms(use_true_random=False))
def test_order_repetition_and_gaps_do_not_matter(
    values: list[float], gaps: int, random: Any
) -> None:
    """Texts without a loss are counted and change nothing else, wherever they stand."""
    expected = perplexity(values).perplexity
    assert perplexity(values * 2).perplexity == pytest.approx(expected, rel=1e-12)
    mixed = [*values, *([None, math.nan] * gaps)]
    random.shuffle(mixed)
    result = perplexity(mixed)
    assert result.perplexity == expected
    assert (result.texts, result.skipped) == (len(values), 2 * gaps)
    assert perplexity(np.array(mixed, dtype=float)) == result


@given(st.lists(st.tuples(losses, losses), min_size=1, max_size=20))
def test_the_ratio(pairs: list[tuple[float, float]]) -> None:
    """The ratio is of the counterfactuals' perplexity by the originals'."""
    before, after = zip(*pairs, strict=True)
    result = counterfactual_perplexity(before, after)
    assert result.factual == perplexity(before).perplexity
    assert result.counterfactual == perplexity(after).perplexity
    assert result.ratio == pytest.approx(math.exp(np.mean(after) - np.mean(before)), rel=1e-9)
    assert counterfactual_perplexity(before, before).ratio == 1


def test_a_row_counts_with_both_losses() -> None:
    """Where one text has no loss, its partner is left out as well."""
    result = counterfactual_perplexity([1.0, None, 2.0], [1.0, 9.0, math.nan])
    assert result.factual == result.counterfactual == math.e
    assert (result.texts, result.skipped) == (1, 2)


def test_no_text_has_a_loss() -> None:
    """Then there is no perplexity."""
    with pytest.warns(UndefinedMeasureWarning, match="no text of losses has a loss"):
        result = perplexity([None])
    assert math.isnan(result.perplexity)
    assert result.skipped == 1
    with pytest.warns(UndefinedMeasureWarning):
        assert math.isnan(counterfactual_perplexity([], []).ratio)
    assert counterfactual_perplexity([], [], undefined="zero").ratio == 0
    with pytest.raises(InputError, match="has a loss"):
        perplexity([], undefined="raise")


@pytest.mark.parametrize(("values", "sentence"), [
    ([1.0, -3.2], "losses must be mean negative log-likelihoods, .* row 1 is -3.2"),
    ([1.0, math.inf], "losses must be finite, but row 1 is inf"),
    ([None, "a"], "losses must be numbers"),
    ("a text", "losses must be a list or array with one value per row, but it is 'a text'"),
    (3.5, "losses must be a list or array with one value per row, but it is 3.5"),
    (None, "losses must be a list or array with one value per row, but it is None"),
    ([1.0, 1e6], "losses must be means per token in nats"),
    ([[1.0], [2.0]], "losses must"),
])  # fmt: skip
def test_wrong_losses(values: Any, sentence: str) -> None:
    """Log-likelihoods of the other sign and sums over tokens are told apart."""
    with pytest.raises(InputError, match=f"^perplexity: {sentence}"):
        perplexity(values)


def test_lengths() -> None:
    """The texts are in pairs."""
    with pytest.raises(InputError, match="factual has 1 row, but counterfactual has 2"):
        counterfactual_perplexity([1.0], [1.0, 2.0])
