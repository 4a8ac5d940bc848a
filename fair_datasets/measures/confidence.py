"""Intervals and tests of parity measures and of any metric by group, and both as plain data."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from fair_datasets.measures.counterfactual_parity import PairedParity
from fair_datasets.measures.group_metric import GroupMetric, MetricValue
from fair_datasets.measures.group_table import GroupRates, counts_of
from fair_datasets.measures.inputs import undefined_value
from fair_datasets.measures.intervals import (
    Floats,
    Pairs,
    difference_ends,
    estimates_of,
    largest_distances,
    pairs_of,
    ratio_ends,
    with_overall,
)
from fair_datasets.measures.parity import Parity
from fair_datasets.measures.resampling import (
    distance_scale,
    estimates_of_draws,
    families_of,
    family_estimates,
    p_value,
    paired_covariance,
    paired_tables,
    permutation_test_families,
    permutation_test_pair_families,
    permutation_test_pairs,
    permutation_test_rates,
    permute_groups,
    rate_shares,
    resample_rows,
    students_widths,
)
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

Statistic = Literal["score", "difference", "ratio"]
"""Which value of a parity measure the interval is for. Any other metric has no score."""

_MOST_GROUPS = 500
"""Of more groups, the pairs would fill the memory."""


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """An interval of a difference, ratio or score, and the test whether groups differ at all.

    It always contains the measured value. The end that is nearer to equality allows for the fact
    that all pairs of groups were compared; the other end is valid only for the pair that is
    farthest apart. With two groups, this is an ordinary interval. With six, it contains the true
    value slightly more often than `confidence` says.

    Attributes:
        confidence: How often such an interval contains the true value, in (0, 1).
        p_value: The share of permutations of the groups in which they lie as far apart as they do,
            in (0, 1]. If it is above 1 - confidence, the interval contains the value of equality.
        n_resamples: How many permutations there were, and how many times rows or families were
            drawn where they were.
        n_undefined: In how many of these draws the value was not defined. They are left out; if
            there are many, the interval says little.
    """

    low: float
    high: float
    confidence: float
    p_value: float
    n_resamples: int
    n_undefined: int


class _IntervalEnds(NamedTuple):
    """The ends of both intervals, and in how many draws they were not defined."""

    difference: tuple[float, float]
    ratio: tuple[float, float]
    p_value: float
    n_undefined: tuple[int, int] = (0, 0)


_NOTHING = (np.nan, np.nan)


def confidence_interval(
    parity: Parity | GroupMetric,
    *,
    statistic: Statistic = "difference",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> ConfidenceInterval:
    """Return the interval of a parity measure or a metric by group, with a permutation test.

    The rates of groups are compared in pairs, as normal deviates with one row of each kind added;
    of ratios, on the log scale. Families, where the measure was given them, are drawn anew with
    replacement and permuted as wholes. So are the rows of any other metric, which has to be
    computed anew for each draw and each permutation, group by group, and takes as long as that.

    Args:
        parity: What a parity measure returned, or `group_metric`.
        statistic: `"difference"`, `"ratio"`, or of a parity measure `"score"`.
        confidence: How often such an interval contains the true value, in (0, 1).
        n_resamples: How many permutations there are, and draws of families or rows. Fewer than
            1 / (1 - confidence) cannot show that groups differ.

    Returns:
        The ends and the p-value; NaN where the value is not defined.

    Raises:
        InputError: A parameter is out of range, or there are more than 500 groups.

    Example:
        >>> from fair_datasets.measures.parity import demographic_parity
        >>> parity = demographic_parity([0, 1] * 50, ["a"] * 50 + ["b"] * 50)
        >>> interval = confidence_interval(parity)
        >>> interval.low, round(interval.high, 3), interval.p_value
        (0.0, 0.192, 1.0)

    Source:
        Agresti and Caffo (2000) for differences of two rates, Donner and Zou (2012) for ratios,
        Tukey's studentised range for all pairs.
    """
    known = [name for name in get_args(Statistic) if hasattr(parity, name)]
    if known:
        checks.one_of(statistic, known, parameter="statistic")
    return confidence_intervals(
        parity, confidence=confidence, n_resamples=n_resamples, seed=seed, statistics=[statistic]
    )[statistic]


def confidence_intervals(
    parity: Parity | GroupMetric,
    *,
    confidence: float,
    n_resamples: int,
    seed: int,
    statistics: Sequence[Statistic] = get_args(Statistic),
) -> dict[Statistic, ConfidenceInterval]:
    """Compute the intervals of several statistics from the same draws and permutations."""
    if not isinstance(parity, Parity | GroupMetric):
        raise invalid(
            f"parity must be what a parity measure returned, but it is {type(parity).__name__!r}."
        )
    confidence = checks.fraction(confidence, parameter="confidence")
    n_resamples = checks.positive_whole_number(n_resamples, parameter="n_resamples")
    seed = checks.whole_number(seed, parameter="seed", least=0)
    if confidence in (0, 1):
        raise invalid(f"confidence must lie between 0 and 1, but it is {confidence!r}.")
    if len(parity.groups) > _MOST_GROUPS:
        raise invalid(
            f"an interval compares all pairs of at most {_MOST_GROUPS:,} groups, but "
            f"there are {len(parity.groups):,}; join small groups first."
        )
    limits = _IntervalEnds(_NOTHING, _NOTHING, np.nan)
    if len(parity.groups) > 1 and not np.isnan(parity.difference):
        how = confidence, n_resamples, seed
        limits = _of_rates(parity, *how) if isinstance(parity, Parity) else _of_metric(parity, *how)

    def interval(name: Statistic) -> ConfidenceInterval:
        ends = _interval_around(name, parity, limits, confidence)
        undefined = limits.n_undefined[name == "ratio"]
        return ConfidenceInterval(*ends, confidence, limits.p_value, n_resamples, undefined)

    return {name: interval(name) for name in statistics if hasattr(parity, name)}


def _interval_around(
    name: Statistic, parity: Parity | GroupMetric, limits: _IntervalEnds, confidence: float
) -> tuple[float, float]:
    """Return ends that contain the estimate, and equality unless the test finds a difference."""
    value = getattr(parity, name)
    low, high = limits.ratio if name == "ratio" else limits.difference
    if np.isnan([value, low]).any():
        reason = f"the {name} is not defined, or no draw has one, so there is no interval."
        lacking = undefined_value(reason, "nan")
        return lacking, lacking
    is_alike = limits.p_value > 1 - confidence
    if name == "ratio":
        return min(low, value), 1.0 if is_alike else max(high, value)
    if name == "score":
        value = 1 - value
    low, high = 0.0 if is_alike else max(0.0, min(low, value)), max(high, value)
    return (1 - high, 1 - low) if name == "score" else (low, high)


def _of_rates(parity: Parity, confidence: float, count: int, seed: int) -> _IntervalEnds:
    """Compare the rates of groups, of families of rows, or of two versions of the same rows."""
    rates, agg, method = parity.criterion
    size = len(parity.groups)
    if parity.rows is not None:
        estimates, shares = family_estimates(parity.rows, size, rates, count, seed)
        if isinstance(parity, PairedParity):
            p_of_groups = permutation_test_pair_families(parity.rows, rates, count, seed)
        else:
            p_of_groups = permutation_test_families(parity.rows, size, rates, method, count, seed)
    elif isinstance(parity, PairedParity):
        tables = paired_tables(np.array(parity.pairs), rates)
        shares = rate_shares(counts_of(parity.groups), rates)
        estimates = estimates_of(shares, paired_covariance(tables), seed)
        p_of_groups = permutation_test_pairs(tables, count, seed)
    else:
        shares = rate_shares(counts_of(parity.groups), rates)
        estimates = estimates_of(shares, None, seed)
        p_of_groups = permutation_test_rates(shares, method, count, seed)
    lacking = 0 if estimates.draws is None else count - len(estimates.draws)
    if method == "to_overall":
        estimates, shares = with_overall(estimates, shares)
    pairs = pairs_of(estimates.values.shape[1], method)
    differences = difference_ends(estimates, pairs, confidence)
    ratios = ratio_ends(estimates, shares, pairs, confidence)
    joined = (np.mean, np.mean) if agg == "mean" else (np.max, np.min)
    low, high = (float(np.clip(joined[0](end), 0, 1)) for end in differences)
    least, most = (float(joined[1](end)) for end in ratios)
    return _IntervalEnds((low, high), (least, most), p_of_groups, (lacking, lacking))


def _of_metric(metric: GroupMetric, confidence: float, count: int, seed: int) -> _IntervalEnds:
    """Compare any metric of groups by drawing and permuting their rows."""
    generator = np.random.default_rng(seed)
    rows, total = metric.rows, len(metric.rows.codes)
    group_values = [each.value for each in metric.groups.values()]
    values = np.array([group_values + [metric.overall] * (rows.method == "to_overall")])
    drawn = [
        rows.taken(places).values()
        for places in resample_rows(total, rows.families, count, generator)
    ]
    shuffled = [
        rows._replace(codes=codes).values()
        for codes in permute_groups(rows.codes, rows.families, count, generator)
    ]
    sizes = np.array([float(each.count) for each in metric.groups.values()])
    scale, pairs = distance_scale(sizes, rows.method)
    statistics = largest_distances(np.stack([values[0], *shuffled])[:, None], scale[None], pairs)
    draws = np.stack(drawn)[:, None]
    if rows.families is not None:
        sizes = families_of(rows.codes, rows.families, len(sizes)).astype(float)
    widths = np.append(students_widths(sizes, confidence), 1.0)[: values.shape[1]]
    difference, lacking = _ends_of_draws(values, draws, widths, pairs, confidence)
    ratio, without = (0.0, 1.0), lacking
    if (values > 0).all():
        # What is 0 in a draw has no logarithm.
        logs = np.log(np.where(draws > 0, draws, np.nan))
        (low, high), without = _ends_of_draws(np.log(values), logs, widths, pairs, confidence)
        ratio = float(np.exp(-high)), float(np.exp(-np.maximum(0, low)))
    return _IntervalEnds(
        difference, ratio, p_value(statistics[:1], statistics[1:]), (lacking, without)
    )


def _ends_of_draws(
    values: Floats, draws: Floats, widths: Floats, pairs: Pairs, confidence: float
) -> tuple[tuple[float, float], int]:
    """Return the ends of the largest distance, and how many draws have no value.

    What no draw changes, such as an accuracy of 1, is not known to be sure: there are no ends.

    Args:
        widths: How much more each value varies than its draws. Shape (G,).
    """
    estimates = estimates_of_draws(values, values + widths * (draws - values))
    lacking = int(np.isnan(draws).any((1, 2)).sum())
    if not (np.abs(estimates.covariance) > 0).any():
        return _NOTHING, lacking
    low, high = difference_ends(estimates, pairs, confidence)
    return (float(low[0]), float(high[0])), lacking


def group_rows(groups: Mapping[Hashable, GroupRates | MetricValue]) -> list[dict[str, Any]]:
    """Write the values of each group as a row, ready for a table.

    Returns:
        One dictionary per group: its label as `"group"`, then its values; those that are None are
        left out.
    """
    return [{"group": label} | _known(values) for label, values in groups.items()]


def plain_parity(
    parity: Parity, *, confidence: float | None = None, n_resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Write a parity measure as a dictionary, with intervals if they are asked for.

    Returns:
        score: 1 less the difference, from 0 to 1. Higher is fairer.
        difference: The largest rate less the smallest, from 0 to 1, or the largest distance of a
            rate from that of all rows. Lower is fairer.
        ratio: The smallest rate divided by the largest, from 0 to 1, or the smallest ratio of a
            rate and that of all rows. Higher is fairer.
        agg: Where two rates are compared, how they became one: the larger difference or the mean.
        overall: The counts and rates of all rows, where each group is compared with these.
        groups: One dictionary per group: its label as "group", its counts and its rates.
        intervals: For score, difference and ratio an interval, where confidence is given: "low",
            "high", "confidence"; "p_value" of a permutation test that all groups are alike;
            "n_resamples", and "n_undefined", in how many draws of families the value was not
            defined. The end nearer to equality allows for the fact that all pairs of groups were
            compared; the other end is valid only for the pair that is farthest apart.
    """
    plain: dict[str, Any] = {name: getattr(parity, name) for name in get_args(Statistic)}
    if len(parity.criterion.rates) > 1:
        plain["agg"] = parity.criterion.agg
    if parity.criterion.method == "to_overall":
        plain["overall"] = _known(parity.overall)
    return plain | _groups_and_intervals(parity, confidence, n_resamples, seed)


def plain_group_metric(
    metric: GroupMetric, *, confidence: float | None = None, n_resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Write a metric by group as a dictionary, with intervals if they are asked for.

    Returns:
        overall: The metric over all rows.
        worst_group: The group with the worst value; None where no group has one.
        worst: Its value.
        difference: The largest value less the smallest, or the largest distance of a value from
            that of all rows. Lower is fairer.
        ratio: The smallest value divided by the largest, or the smallest ratio of a value and that
            of all rows. Higher is fairer.
        groups: One dictionary per group: its label as "group", its "count" and its "value"; and for
            an average over classes, the "classes" that it is of.
        intervals: For difference and ratio an interval, where confidence is given: "low", "high",
            "confidence"; "p_value" of a permutation test that all groups are alike; "n_resamples",
            and "n_undefined", in how many draws of rows the value was not defined.
    """
    names = ("overall", "worst_group", "worst", "difference", "ratio")
    plain = {name: getattr(metric, name) for name in names}
    return plain | _groups_and_intervals(metric, confidence, n_resamples, seed)


def _known(values: GroupRates | MetricValue) -> dict[str, Any]:
    """Write values as a dictionary without those that are None."""
    return {name: value for name, value in asdict(values).items() if value is not None}


def _groups_and_intervals(
    parity: Parity | GroupMetric, confidence: float | None, n_resamples: int, seed: int
) -> dict[str, Any]:
    """Write the rows of the groups, and the interval of each statistic that there is."""
    plain: dict[str, Any] = {"groups": group_rows(parity.groups)}
    if confidence is not None:
        intervals = confidence_intervals(
            parity, confidence=confidence, n_resamples=n_resamples, seed=seed
        )
        plain["intervals"] = {name: asdict(interval) for name, interval in intervals.items()}
    return plain
