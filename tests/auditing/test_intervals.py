"""Intervals beside scipy, statsmodels and published examples."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2_contingency, fisher_exact
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep

from fair_datasets.auditing.intervals import (
    Difference,
    groups_difference,
    independent_rows,
    versions_difference,
    wilson,
    worst_of,
)

SHARES = st.integers(1, 300).flatmap(lambda rows: st.tuples(st.integers(0, rows), st.just(rows)))


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


@given(SHARES, SHARES)
def test_the_interval_of_two_groups_is_that_of_agresti_and_caffo(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    """As statsmodels has it, of the distance; where Fisher's test finds none, it holds 0."""
    most, least = sorted([first, second], key=lambda each: each[0] / each[1], reverse=True)
    found = groups_difference([first[0], second[0]], [first[1], second[1]])
    low, high = confint_proportions_2indep(*most, *least, compare="diff", method="agresti-caff")
    assert found.value == pytest.approx(most[0] / most[1] - least[0] / least[1])
    low, high = max(low, -high), min(1, max(high, -low))
    low = max(0, low) if found.p_value <= 0.05 else 0
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)
    # Shares of nothing and of everything are not surely so: 11 of 11 and 8 of 8, say.
    assert found.low < found.high


def test_the_tests_of_groups_are_those_of_scipy() -> None:
    """Fisher's of two groups, the chi-squared one of more; 1 where all are counted alike."""
    counts, rows = [30, 12, 44], [50, 40, 60]
    table = np.column_stack([counts, np.subtract(rows, counts)])
    assert groups_difference(counts, rows).p_value == pytest.approx(chi2_contingency(table).pvalue)
    found = groups_difference(counts[:2], rows[:2])
    assert found.p_value == pytest.approx(fisher_exact(table[:2]).pvalue)
    assert groups_difference([11, 8], [11, 8]).p_value == 1


def test_intervals_of_several_groups_hold_together() -> None:
    """With 40 groups of the same rate the largest difference is that of no two groups alone."""
    generator = np.random.default_rng(3)
    lows = [groups_difference(generator.binomial(60, 0.4, 40), [60] * 40).low for _ in range(100)]
    assert np.mean(np.array(lows) > 0) <= 0.05
    assert groups_difference([30, 12], [50, 40], comparisons=3).low < (
        groups_difference([30, 12], [50, 40]).low
    )


def versions_of(first: int, second: int, both: int, rows: int) -> np.ndarray:
    """Return rows that are counted in the first version alone, the second alone, and in both."""
    found = np.zeros((rows, 2), bool)
    found[:first, 0] = found[first : first + second, 1] = True
    found[first + second : first + second + both] = True
    return found


def test_the_interval_of_two_versions_is_bonett_and_prices() -> None:
    """Worked by hand: 10 and 1 of 40 rows are counted in one version alone."""
    found = versions_difference(versions_of(10, 1, 9, 40))
    shares = 11 / 42, 2 / 42
    reach = 1.959964 * math.sqrt((sum(shares) - (shares[0] - shares[1]) ** 2) / 42)
    expected = shares[0] - shares[1] - reach, shares[0] - shares[1] + reach
    assert found.value == pytest.approx(9 / 40)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-6)
    assert found.p_value == pytest.approx(mcnemar([[9, 10], [1, 20]], exact=True).pvalue)


def test_the_surest_pair_of_versions_decides() -> None:
    """Of three versions there are three pairs, whose tests are made together."""
    two = versions_of(10, 1, 9, 40)
    found = versions_difference(np.column_stack([two, two[:, 1]]))
    alone = versions_difference(two)
    assert found.value == alone.value
    assert found.p_value == pytest.approx(3 * alone.p_value)
    assert found.low < alone.low


def test_versions_that_never_differ_are_not_surely_alike() -> None:
    """Three rows may all be predicted alike by chance: the upper end says so."""
    found = versions_difference(np.ones((3, 2), bool))
    assert (found.value, found.low, found.p_value) == (0, 0, 1)
    assert found.high > 0.3


def test_the_worst_of_two_differences_keeps_their_intervals() -> None:
    """Its test is made of two; without one of them, it is not defined."""
    two = [Difference(0.1, 0.0, 0.3, 0.7), Difference(0.2, 0.1, 0.25, 0.01)]
    assert worst_of(two) == Difference(0.2, 0.1, 0.3, 0.02)
    lacking = versions_difference(np.ones((0, 2), bool))
    assert all(map(math.isnan, worst_of([*two, lacking])))
    assert all(map(math.isnan, groups_difference([3], [4])))


@pytest.mark.parametrize("shares", [(0.3, 0.5), (0.0, 1.0)])
def test_copies_of_rows_in_families_tell_no_more_than_the_rows(shares: tuple[float, float]) -> None:
    """As families, five copies of each row have the interval of one; apart, a narrower one."""
    generator = np.random.default_rng(2)
    counted = generator.random((60, 2)) < shares
    copied, families = np.repeat(counted, 5, axis=0), np.repeat(np.arange(60), 5)
    assert independent_rows(copied[:, 0], families) == pytest.approx(60)
    assert independent_rows(copied[:, 0], np.arange(300)) == pytest.approx(300)
    once = versions_difference(counted)
    whole = versions_difference(copied, families=families)
    apart = versions_difference(copied)
    assert whole == pytest.approx(once)
    assert apart.low > whole.low
    assert apart.p_value < whole.p_value


def test_rows_in_families_are_as_sure_as_families_drawn_anew() -> None:
    """Of families of many sizes, whose rows are often alike."""
    generator = np.random.default_rng(3)
    families = np.repeat(np.arange(200), generator.integers(1, 8, 200))
    counted = (generator.random(200) < 0.3)[families] ^ (generator.random(families.size) < 0.15)
    drawn = []
    for _ in range(2000):
        weights = np.bincount(generator.integers(0, 200, 200), minlength=200)[families]
        drawn.append(np.average(counted, weights=weights))
    share = counted.mean()
    error = math.sqrt(share * (1 - share) / independent_rows(counted, families))
    assert error == pytest.approx(np.std(drawn), rel=0.1)
