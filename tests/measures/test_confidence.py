"""Intervals and tests of how far groups lie apart: how often they hold, and what they are."""

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom, studentized_range
from sklearn.metrics import accuracy_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from fair_datasets.measures.confidence import (
    confidence_interval,
    confidence_intervals,
    group_rows,
    plain_group_metric,
    plain_parity,
)
from fair_datasets.measures.counterfactual_parity import (
    counterfactual_demographic_parity,
    counterfactual_equalized_odds,
)
from fair_datasets.measures.group_metric import group_metric
from fair_datasets.measures.group_table import GroupTable
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.intervals import (
    Shares,
    critical_value,
    difference_ends,
    estimates_of,
    pairs_of,
    ratio_ends,
)
from fair_datasets.measures.parity import (
    Criterion,
    Parity,
    demographic_parity,
    equalized_odds,
    parity_of,
)
from fair_datasets.system.checks import InputError

GENERATOR = np.random.default_rng(0)
GROUPS = GENERATOR.choice(["a", "b", "c"], 600, p=[0.5, 0.3, 0.2])
Y_TRUE = GENERATOR.integers(0, 2, 600)
Y_PRED = (GENERATOR.random(600) < np.where(GROUPS == "a", 0.7, 0.4)).astype(int)


def of_counts(events: Sequence[int], rows: Sequence[int], **options: Any) -> Parity:
    """Return the demographic parity of groups with so many events."""
    counts = np.zeros((len(rows), 2, 2), np.int64)
    counts[:, 0, 1] = events
    counts[:, 0, 0] = np.subtract(rows, events)
    names = tuple(range(len(rows)))
    criterion = Criterion(("selection_rate",), **options)
    return parity_of(GroupTable(names, counts, False), criterion, "zero")


@pytest.mark.parametrize(("events", "rows", "critical", "low", "high"), [
    ((30, 40), (100, 100), 1.96, 0, 0.2285),
    ((30, 31, 29, 33, 28, 50), (100,) * 6, 2.85, 0.0255, 0.3464),
    ((2, 5, 9), (10, 50, 200), 2.29, 0, 0.447),
])  # fmt: skip
def test_worked_examples(
    events: tuple[int, ...], rows: tuple[int, ...], critical: float, low: float, high: float
) -> None:
    """The lower end is that of all pairs together, the upper one of the pair furthest apart."""
    shares = Shares(np.array([events], float), np.array([rows], float))
    pairs = pairs_of(len(rows), "between_groups")
    found = critical_value(estimates_of(shares, None, 0), pairs, 0.95)
    assert found == pytest.approx(critical, abs=0.012)
    interval = confidence_interval(of_counts(events, rows))
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-3)


def test_the_critical_value_of_groups_of_one_size_is_tukeys() -> None:
    """That of the studentised range; with two groups, of the normal distribution."""
    for size in (2, 4, 12):
        shares = Shares(np.full((1, size), 30.0), np.full((1, size), 100.0))
        for confidence in (0.5, 0.95):
            expected = studentized_range.ppf(confidence, size, np.inf) / math.sqrt(2)
            found = critical_value(
                estimates_of(shares, None, 1), pairs_of(size, "between_groups"), confidence
            )
            assert found == pytest.approx(expected, abs=0.02)


SHARES = st.integers(1, 300).flatmap(lambda rows: st.tuples(st.integers(0, rows), st.just(rows)))
TWO = pairs_of(2, "between_groups")


@given(SHARES, SHARES)
def test_two_groups_have_the_interval_of_statsmodels(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    """That of Agresti and Caffo, of the distance."""
    shares = Shares(*(np.array([each], float) for each in zip(first, second, strict=True)))
    (low,), (high,) = difference_ends(estimates_of(shares, None, 0), TWO, 0.95)
    least, most = confint_proportions_2indep(*first, *second, compare="diff", method="agresti-caff")
    assert (low, high) == pytest.approx((max(least, -most), max(most, -least)), abs=1e-9)


@given(SHARES, SHARES)
def test_the_ratio_of_two_groups_comes_from_the_exact_intervals_of_both(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    """Put together on the log scale (Donner and Zou), where all of them have logarithms."""
    (x, n), (y, m) = sorted([first, second], key=lambda each: each[0] / each[1])
    if not x:
        return
    shares = Shares(np.array([[x, y]], float), np.array([[n, m]], float))
    (low,), (high,) = ratio_ends(estimates_of(shares, None, 0), shares, TWO, 0.95)
    ends = [np.log(proportion_confint(*each, method="beta")) for each in ((x, n), (y, m))]
    middle = math.log(x / n), math.log(y / m)
    change = middle[0] - middle[1]
    below = math.hypot(middle[0] - ends[0][0], ends[1][1] - middle[1])
    above = math.hypot(ends[0][1] - middle[0], middle[1] - ends[1][0])
    # The other way round, the larger rate may be the smaller one.
    least, most = change - below, change + above
    assert low == pytest.approx(math.exp(min(least, -most)), rel=1e-6)
    assert high == pytest.approx(min(1, math.exp(most)), rel=1e-6)


@pytest.mark.parametrize("rows", [(15, 15), (24, 6)])
def test_coverage_of_two_groups_of_30_rows(rows: tuple[int, int]) -> None:
    """Counted over everything that can happen, of equal rates, small gaps and large ones."""
    counts = [(x, y) for x in range(rows[0] + 1) for y in range(rows[1] + 1)]
    parities = [of_counts(each, rows) for each in counts]
    found = [confidence_intervals(each, confidence=0.95, n_resamples=99, seed=0)
             for each in parities]  # fmt: skip
    for base in (0.05, 0.3, 0.5):
        for gap in (0.0, 0.05, 0.2):
            for rates in ((base, base + gap), (base + gap, base)):
                chances = [binom.pmf(each, rows, rates).prod() for each in counts]
                for name, true in (("difference", gap), ("ratio", base / (base + gap))):
                    holds = [each[name].low <= true + 1e-9 and true - 1e-9 <= each[name].high
                             for each in found]  # fmt: skip
                    assert np.dot(holds, chances) >= 0.93, (name, rates)


COUNTS = st.lists(SHARES, min_size=2, max_size=5)


@given(COUNTS, st.floats(0.01, 0.99), st.sampled_from(["between_groups", "to_overall"]))
@settings(deadline=None, max_examples=40)
def test_an_interval_holds_its_own_estimate(
    groups: list[tuple[int, int]], confidence: float, method: Any
) -> None:
    """And equal groups, unless the test finds a difference; the score is the other side of it."""
    parity = of_counts(*zip(*groups, strict=True), method=method)
    found = confidence_intervals(parity, confidence=confidence, n_resamples=50, seed=0)
    for name, each in found.items():
        assert 0 <= each.low <= getattr(parity, name) <= each.high <= 1
        assert each.p_value == found["score"].p_value
    is_alike = found["difference"].p_value > 1 - confidence
    assert not is_alike or found["difference"].low == 0
    assert not is_alike or found["ratio"].high == 1
    assert found["score"].low == 1 - found["difference"].high
    assert found["score"].high == 1 - found["difference"].low


def test_two_rates_hold_together() -> None:
    """The larger difference has the larger ends; the critical value is that of both rates."""
    worst, mean = (confidence_intervals(equalized_odds(Y_TRUE, Y_PRED, GROUPS, agg=agg),
        confidence=0.95, n_resamples=99, seed=0) for agg in ("worst_case", "mean"))  # fmt: skip
    alone = [confidence_interval(demographic_parity(Y_PRED[kept], GROUPS[kept]), n_resamples=99)
        for kept in (Y_TRUE == 1, Y_TRUE == 0)]  # fmt: skip
    assert worst["difference"].high == pytest.approx(max(each.high for each in alone))
    assert worst["difference"].low < max(each.low for each in alone)
    assert mean["difference"].high == pytest.approx(np.mean([each.high for each in alone]))
    assert mean["difference"].low <= worst["difference"].low
    assert worst["ratio"].low <= mean["ratio"].low


def test_the_test_permutes_groups_over_rows() -> None:
    """Of two groups, that is the chance of so large a distance with the margins as they are."""
    events, rows = (12, 3), (30, 20)
    expected = sum(
        hypergeom.pmf(x, 50, 15, 30)
        for x in range(16)
        if abs(x / 30 - (15 - x) / 20) >= abs(12 / 30 - 3 / 20) - 1e-12
    )
    found = confidence_interval(of_counts(events, rows), n_resamples=20_000).p_value
    assert found == pytest.approx(expected, abs=0.01)
    one = np.repeat([0, 1], rows)
    said = np.concatenate(
        [np.arange(size) < count for count, size in zip(events, rows, strict=True)]
    )
    metric = group_metric(share_of_1, said, said * 1.0, one, worst="lowest")
    assert confidence_interval(metric, n_resamples=500).p_value == pytest.approx(expected, abs=0.05)
    families = demographic_parity(said, one, families=np.arange(50))
    assert confidence_interval(families, n_resamples=1000).p_value == pytest.approx(
        expected, abs=0.04
    )


def share_of_1(references: Any, predictions: Any) -> Any:
    """Return the share of predictions of 1."""
    return predictions.mean()


def pairs_of_rows(first: int, second: int, both: int, rows: int) -> Parity:
    """Compare versions of which the first alone, the second alone, and both are predicted 1."""
    said = np.zeros((2, rows), int)
    said[0, :first] = said[1, first : first + second] = 1
    said[:, first + second : first + second + both] = 1
    return counterfactual_demographic_parity(*said).all_rows


def test_pairs_have_the_interval_of_bonett_and_price() -> None:
    """Worked by hand: 10 and 1 of 40 rows are predicted 1 in one version alone."""
    found = confidence_interval(pairs_of_rows(10, 1, 9, 40), n_resamples=20_000)
    shares = 11 / 42, 2 / 42
    reach = 1.959964 * math.sqrt((sum(shares) - (shares[0] - shares[1]) ** 2) / 42)
    middle = shares[0] - shares[1]
    assert (found.low, found.high) == pytest.approx((middle - reach, middle + reach), abs=1e-6)
    expected = mcnemar([[9, 10], [1, 20]], exact=True).pvalue
    assert found.p_value == pytest.approx(expected, abs=0.005)


def test_what_never_differs_is_not_surely_alike() -> None:
    """Three pairs, or 15 rows of each group, may be predicted alike by chance."""
    for parity, high in ((pairs_of_rows(0, 0, 2, 3), 0.5), (of_counts((0, 0), (15, 15)), 0.15)):
        found = confidence_interval(parity)
        assert (found.low, found.p_value) == (0, 1)
        assert found.high > high


def test_both_rates_of_pairs_are_compared() -> None:
    """Each over the pairs of one reference."""
    y_true, factual = GENERATOR.integers(0, 2, (2, 300))
    counterfactual = np.where((GENERATOR.random(300) < 0.3) & (y_true == 1), 1, factual)
    sides = factual, counterfactual
    found = confidence_interval(counterfactual_equalized_odds(y_true, *sides).all_rows)
    alone = confidence_interval(counterfactual_demographic_parity(factual[y_true == 1],
        counterfactual[y_true == 1]).all_rows)  # fmt: skip
    assert found.high == pytest.approx(alone.high)
    assert 0 < found.low < alone.low
    assert found.p_value < 0.01


def test_families_are_drawn_as_wholes() -> None:
    """Each row four times says no more than the rows; taken for four rows, it would."""
    said, groups, families = Y_PRED[:100], GROUPS[:100], np.arange(100)
    once = confidence_interval(demographic_parity(said, groups))
    four = (np.repeat(each, 4) for each in (said, groups, families))
    columns = dict(zip(("y_pred", "groups", "families"), four, strict=True))
    found = confidence_intervals(
        demographic_parity(**columns), confidence=0.95, n_resamples=1000, seed=0
    )
    assert found["difference"].high == pytest.approx(once.high, abs=0.04)
    assert found["difference"].p_value == pytest.approx(once.p_value, abs=0.04)
    assert found["difference"].n_undefined == 0
    ratio = confidence_interval(demographic_parity(said, groups), statistic="ratio")
    assert found["ratio"].low == pytest.approx(ratio.low, abs=0.06)
    narrow = confidence_interval(demographic_parity(columns["y_pred"], columns["groups"]))
    assert narrow.high < once.high - 0.05


def test_families_of_both_groups_are_compared_within() -> None:
    """A text and its counterfactual share a family: the interval is that of the pairs."""
    pairs = pairs_of_rows(12, 3, 40, 100)
    said = np.zeros((2, 100), int)
    said[0, :12] = said[1, 12:15] = said[:, 15:55] = 1
    groups, families = np.repeat(["man", "woman"], 100), np.tile(np.arange(100), 2)
    parity = demographic_parity(said.ravel(), groups, families=families)
    found, expected = confidence_interval(parity), confidence_interval(pairs)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.02)
    assert found.p_value == pytest.approx(expected.p_value, abs=0.02)
    alone = confidence_interval(demographic_parity(said.ravel(), groups))
    assert found.high < alone.high - 0.02


@pytest.mark.parametrize("method", ["between_groups", "to_overall"])
def test_any_metric_is_drawn_by_its_rows(method: Any) -> None:
    """A rate as a metric has nearly the interval of the rate."""
    found = group_metric(share_of_1, Y_TRUE, Y_PRED, GROUPS, worst="lowest", method=method)
    intervals = confidence_intervals(found, confidence=0.9, n_resamples=400, seed=1)
    parity = demographic_parity(Y_PRED, GROUPS, method=method)
    expected = confidence_intervals(parity, confidence=0.9, n_resamples=400, seed=0)
    assert list(intervals) == ["difference", "ratio"]
    for name, interval in intervals.items():
        ends = (expected[name].low, expected[name].high)
        assert (interval.low, interval.high) == pytest.approx(ends, abs=0.04)
    again = confidence_interval(found, confidence=0.9, n_resamples=400, seed=1)
    assert again == intervals["difference"]
    with pytest.raises(InputError, match="statistic must be one of 'difference', 'ratio'"):
        confidence_interval(found, statistic="score")


def test_weights_and_families_of_a_metric_are_drawn_with_their_rows() -> None:
    """A weight of nearly 0 takes a row away; rows that are there twice say no more than once."""

    def accuracy(references: Any, predictions: Any, sample_weight: Any = None) -> float:
        return float(np.average(references == predictions, weights=sample_weight))

    weights = {"sample_weight": (np.arange(200) < 100) + 1e-9}
    rows = (Y_TRUE[:100], Y_PRED[:100], GROUPS[:100])
    twice = [np.concatenate([each, each]) for each in rows]
    once = confidence_interval(group_metric(accuracy, *rows, worst="lowest"), n_resamples=300)
    for more in ({"metric_options": weights}, {"families": np.tile(np.arange(100), 2)}):
        metric = group_metric(accuracy, *twice, worst="lowest", **more)
        found = confidence_interval(metric, n_resamples=300)
        assert found.high == pytest.approx(once.high, abs=0.06), more
    narrow = confidence_interval(group_metric(accuracy, *twice, worst="lowest"), n_resamples=300)
    assert narrow.high < once.high - 0.04


def test_a_metric_that_is_not_defined_in_a_draw() -> None:
    """A group of one row is missing from about 37 of 100 draws."""
    found = group_metric(share_of_1, [0] * 101, [1, 0] * 50 + [1], ["a"] * 100 + ["b"],
                         worst="lowest")  # fmt: skip
    interval = confidence_interval(found, n_resamples=400)
    assert interval.n_undefined / 400 == pytest.approx(math.exp(-1), abs=0.08)
    assert 0 <= interval.low <= 0.5 <= interval.high


def test_a_metric_of_0_has_no_logarithm() -> None:
    """The ratio is 0, and nothing is known of its upper end."""
    found = group_metric(accuracy_score, [1] * 40, [1, 0] * 10 + [0] * 20, ["a"] * 20 + ["b"] * 20)
    interval = confidence_interval(found, statistic="ratio", n_resamples=50)
    assert (interval.low, interval.high) == (0, 1)


def test_the_seed_decides() -> None:
    """The same seed gives the same interval."""
    parity = demographic_parity(Y_PRED, GROUPS)
    assert confidence_interval(parity, seed=5) == confidence_interval(parity, seed=5)
    assert confidence_interval(parity, seed=5) != confidence_interval(parity, seed=6)
    family = demographic_parity(Y_PRED, GROUPS, families=np.arange(600) // 3)
    assert confidence_interval(family, n_resamples=20) == confidence_interval(
        family, n_resamples=20
    )


ALIKE = group_metric(accuracy_score, [1, 0] * 4, [1, 0] * 4, [*"aabb"] * 2)


@pytest.mark.parametrize("found", [
    demographic_parity([1, 0], ["a", "a"], undefined="zero"),
    demographic_parity([], [], undefined="zero"), ALIKE,
])  # fmt: skip
def test_no_interval(found: Any) -> None:
    """Of one group, of no rows, and of a metric that no draw of rows changes: NaN, and why."""
    with pytest.warns(UndefinedMeasureWarning, match="so there is no interval"):
        interval = confidence_interval(found, n_resamples=10)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


def test_values_are_plain() -> None:
    """They survive JSON, labels and all, and say how two rates became one."""
    parity = equalized_odds(
        [1, 0, 0, 1, 0], [1, 1, 0, 1, 0], [2, 2, 2, None, None], missing_group="own"
    )
    plain = plain_parity(parity, confidence=0.9, n_resamples=50, seed=3)
    assert json.loads(json.dumps(plain)) == plain
    assert [row["group"] for row in plain["groups"]] == [2, None]
    assert set(plain["intervals"]) == {"score", "difference", "ratio"}
    assert plain["intervals"]["score"]["n_resamples"] == 50
    assert plain["agg"] == "worst_case"


def test_all_rows_stand_beside_the_groups_that_are_compared_with_them() -> None:
    """Without references there are no error rates of theirs either."""
    plain = plain_parity(demographic_parity([1, 0, 1], ["a", "b", "b"], method="to_overall"))
    assert plain["overall"] == {"count": 3, "predicted_positives": 2,
        "selection_rate": pytest.approx(2 / 3)}  # fmt: skip
    assert plain["difference"] == pytest.approx(1 / 3)


def test_a_metric_by_group_is_plain() -> None:
    """Its intervals are those that it has."""
    found = group_metric("accuracy_score", [1, 0, 1, 0], [1, 0, 0, 0], [2, 2, None, None],
                         missing_group="own")  # fmt: skip
    plain = plain_group_metric(found, confidence=0.9, n_resamples=10)
    assert json.loads(json.dumps(plain)) == plain
    assert (plain["worst_group"], plain["worst"]) == (None, 0.5)
    assert set(plain["intervals"]) == {"difference", "ratio"}


def test_what_is_not_known_is_left_out() -> None:
    """Without references there are no error rates; without confidence no intervals."""
    plain = plain_parity(demographic_parity([1, 0], ["a", "b"]))
    assert set(plain) == {"score", "difference", "ratio", "groups"}
    assert set(plain["groups"][0]) == {"group", "count", "predicted_positives", "selection_rate"}
    assert group_rows({}) == []
