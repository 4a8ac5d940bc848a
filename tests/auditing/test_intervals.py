"""Intervals beside scipy and fairlearn."""

import math

import numpy as np
import pytest
from fairlearn.metrics import (
    demographic_parity_difference,
    equal_opportunity_difference,
    equalized_odds_difference,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from fair_datasets.auditing.intervals import versions_difference, wilson
from fair_datasets.measures import bootstrap_interval, counterfactual_demographic_parity
from fair_datasets.measures.rate_parity import Criterion

ORACLES = {
    ("selection_rate",): demographic_parity_difference,
    ("true_positive_rate",): equal_opportunity_difference,
    ("true_positive_rate", "false_positive_rate"): equalized_odds_difference,
}


@given(st.integers(1, 3000).flatmap(lambda rows: st.tuples(st.integers(0, rows), st.just(rows))))
def test_wilson_is_that_of_scipy(drawn: tuple[int, int]) -> None:
    """And the share lies within."""
    count, rows = drawn
    low, high = wilson(count, rows)
    expected = binomtest(count, rows).proportion_ci(0.95, method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert low <= count / rows <= high


def test_no_rows_have_no_interval() -> None:
    """Neither 0 nor 1 is known of them."""
    assert all(math.isnan(end) for end in wilson(0, 0))


@pytest.mark.parametrize("rates", ORACLES)
def test_differences_of_versions_are_those_of_fairlearn(rates: tuple[str, ...]) -> None:
    """Of the same rows once for each attribute."""
    generator = np.random.default_rng(1)
    predicted = generator.random((60, 3)) < [0.3, 0.5, 0.6]
    references = generator.random(60) < 0.5
    criterion = Criterion(rates, "worst_case")  # type: ignore[arg-type]
    value, low, high = versions_difference(predicted, references, criterion, seed=0)
    expected = ORACLES[rates](
        np.repeat(references, 3), predicted.ravel(), sensitive_features=np.tile([0, 1, 2], 60)
    )
    assert value == pytest.approx(expected)
    assert low < value < high


def test_pairs_vary_as_those_of_the_measures_do() -> None:
    """Two versions are a pair: the interval is that of counterfactual parity, draws apart."""
    generator = np.random.default_rng(2)
    first = generator.random(400) < 0.4
    second = first ^ (generator.random(400) < 0.1)
    parity = counterfactual_demographic_parity(first, second).all_rows
    expected = bootstrap_interval(parity, n_resamples=4000)
    value, low, high = versions_difference(
        np.column_stack([first, second]), None, Criterion(("selection_rate",)), seed=0
    )
    assert value == pytest.approx(parity.difference)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.01)


def test_versions_that_never_differ_are_not_surely_alike() -> None:
    """Three rows may all be predicted alike by chance: the upper end says so."""
    predicted = np.ones((3, 2), bool)
    value, low, high = versions_difference(predicted, None, Criterion(("selection_rate",)), seed=0)
    assert (value, low) == (0, 0)
    assert high == pytest.approx(wilson(0, 3)[1])
    references = np.array([True, False, False])
    odds = Criterion(("true_positive_rate", "false_positive_rate"), "worst_case")
    assert versions_difference(predicted, references, odds, seed=0)[2] == wilson(0, 1)[1]


def test_what_is_not_defined_is_nan() -> None:
    """There are no true positives without positives, and nothing of no rows."""
    rates = Criterion(("true_positive_rate",))
    found = versions_difference(np.ones((3, 2), bool), np.zeros(3, bool), rates, seed=0)
    assert all(map(math.isnan, found))
    assert all(map(math.isnan, versions_difference(np.ones((0, 2), bool), None, rates, seed=0)))
