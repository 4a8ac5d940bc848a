"""Intervals of shares, and of the differences between shares: of groups, or of the same rows."""

import itertools
import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.findings import Figure
from fair_datasets.measures.controls import padded_mean
from fair_datasets.measures.intervals import Shares, difference_ends, estimates_of, pairs_of

_NORMAL = NormalDist()
_LEVEL = 0.05
QUANTILE = _NORMAL.inv_cdf(0.975)
"""That of the normal distribution for an interval of 95 %."""


class Difference(NamedTuple):
    """How far shares lie apart.

    Attributes:
        value: The largest share less the smallest, in [0, 1]; NaN where it is not defined.
    """

    value: float
    low: float
    high: float
    p_value: float


UNDEFINED = Difference(math.nan, math.nan, math.nan, math.nan)


def wilson(
    count: int, rows: int, quantile: float = QUANTILE, *, independent: float | None = None
) -> tuple[float, float]:
    """Return the interval of a share; NaN without rows.

    Args:
        quantile: That of the normal distribution; by default for an interval of 95 %.
        independent: As many rows as these are worth; see `independent_rows`. None: all of them.

    Source:
        Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    if not rows:
        return math.nan, math.nan
    share, square = count / rows, quantile**2
    size = rows if independent is None else independent
    middle = share + square / (2 * size)
    reach = quantile * (share * (1 - share) / size + square / (4 * size**2)) ** 0.5
    scale = 1 + square / size
    # Rounding must not move an end past the share itself.
    low = 0.0 if not count else (middle - reach) / scale
    high = 1.0 if count == rows else (middle + reach) / scale
    return max(0.0, low), min(1.0, high)


def independent_rows(values: NDArray[Any], families: NDArray[np.intp]) -> float:
    """Return how many independent rows a share, or a mean, of rows in families is as sure as.

    Args:
        values: Which rows are counted, or how far each changes. Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).

    Example:
        >>> counted, families = np.array([1, 0, 0, 1, 1, 0]), np.array([0, 1, 1, 0, 2, 3])
        >>> round(independent_rows(counted, families), 3), independent_rows(counted, np.arange(6))
        (3.6, 6.0)

    Source:
        Kish, Survey Sampling, 1965, for the design effect; Korn and Graubard, Confidence Intervals
        for Proportions with Small Expected Number of Positive Counts, 1998, for its use.
    """
    if not values.size:
        return 0.0
    size, numbers = values.size, values.astype(np.float64)
    sizes, sums = np.bincount(families).astype(np.float64), np.bincount(families, numbers)
    mean = numbers.sum() / size
    # Where all rows are alike, families are taken to be so as wholes.
    effect = (sizes**2).sum() / size
    if numbers.max() > numbers.min():
        # Sums of whole numbers do not depend on the order of the rows.
        effect = ((sums - mean * sizes) ** 2).sum() / ((numbers**2).sum() - size * mean**2)
    return float(size / max(1.0, effect))


def share_of(
    measure: str,
    count: int,
    total: int,
    *,
    axis: str = "",
    attribute: str = "",
    label: str = "",
    split: str = "",
    independent: float | None = None,
) -> Figure:
    """Return a share of rows with its interval; NaN without rows.

    Args:
        independent: See `wilson`.

    Example:
        >>> str(share_of("selection_rate", 3, 10, axis="gender", attribute="man"))
        '0.3 [0.108, 0.603]'
    """
    low, high = wilson(count, total, independent=independent)
    return Figure(
        measure=measure, value=count / total if total else math.nan, rows=total, low=low,
        high=high, axis=axis, attribute=attribute, label=label, split=split,
    )  # fmt: skip


def groups_difference(
    counts: Sequence[int],
    rows: Sequence[int],
    *,
    comparisons: int = 1,
    independent: Sequence[float] | None = None,
) -> Difference:
    """Compare the shares of groups of different rows.

    The interval is that of the measures: its lower end holds for all pairs of groups together, and
    for as many comparisons; its upper end for the pair that lies apart most.

    Args:
        independent: As many rows as those of each group are worth; see `independent_rows`. None:
            all of them.

    Returns:
        The difference; undefined of fewer than two groups. Its test is Fisher's of two groups, else
        the chi-squared one; where it finds no difference, the interval holds none.

    Source:
        Rao and Scott, A Simple Method for the Analysis of Clustered Binary Data, Biometrics 1992,
        for groups that count for fewer rows; those of one family in two groups make it wider than
        it need be.
    """
    if len(rows) < 2:
        return UNDEFINED
    total = np.array(rows, np.float64)
    worth = total if independent is None else np.array(independent)
    events = np.array(counts) * worth / total
    value = float(np.ptp(np.array(counts) / total))
    p_value = _p_of_groups(np.rint(events), np.rint(worth))
    shares = Shares(events[None], worth[None])
    (low,), (high,) = difference_ends(
        estimates_of(shares, None, 0), pairs_of(len(rows), "between_groups"), 1 - _LEVEL,
        comparisons=comparisons,
    )  # fmt: skip
    low = 0.0 if p_value > _LEVEL else max(0.0, min(float(low), value))
    return Difference(value, low, min(1.0, max(float(high), value)), p_value)


def versions_difference(
    counted: NDArray[np.bool_], *, comparisons: int = 1, families: NDArray[np.intp] | None = None
) -> Difference:
    """Compare the shares of versions of the same rows.

    Of more than two versions, the intervals of all pairs hold together, as in `groups_difference`.

    Args:
        counted: Which rows are counted in each version. Shape (N, A).
        families: The family of each row, from 0 on, whose rows are drawn together. Shape (N,).

    Returns:
        The difference; undefined without rows, or with one version. Its test is McNemar's exact
        one, of more than two versions the surest of all pairs' (Bonferroni); of families, of as
        many rows as are independent.

    Source:
        Bonett and Price, Adjusted Wald Confidence Interval for a Difference of Binomial Proportions
        Based on Paired Data, Journal of Educational and Behavioral Statistics 2012.
    """
    rows, versions = counted.shape
    if not rows or versions < 2:
        return UNDEFINED
    only = counted.T.astype(np.int64) @ ~counted
    middle, error = np.zeros((2, versions, versions))
    p_values = []
    for a, b in itertools.combinations(range(versions), 2):
        change = counted[:, a].astype(np.float64) - counted[:, b]
        mean, variance = padded_mean(change, families)
        middle[a, b], middle[b, a], error[a, b] = mean, -mean, math.sqrt(variance)
        share = 1.0 if families is None else independent_rows(change, families) / rows
        p_values.append(mcnemar(round(only[a, b] * share), round(only[b, a] * share)))
    reach = pairs_quantile(versions, comparisons) * (error + error.T)
    p_value = min(1.0, len(p_values) * min(p_values))
    return _extremes((only - only.T) / rows, middle - reach, middle + reach, p_value)


def worst_of(differences: Sequence[Difference]) -> Difference:
    """Return the largest of several differences.

    Returns:
        The largest, with the interval and the test (Bonferroni) that it has as the largest of them.
        Undefined where one of them is.
    """
    if any(math.isnan(each.value) for each in differences):
        return UNDEFINED
    values, lows, highs, p_values = zip(*differences, strict=True)
    return Difference(max(values), max(lows), max(highs), min(1.0, len(values) * min(p_values)))


def pairs_quantile(size: int, comparisons: int = 1) -> float:
    """Return the quantile with which the intervals of all pairs hold together at 95 % (Bonferroni).

    Example:
        >>> round(pairs_quantile(2), 2), round(pairs_quantile(7), 2)
        (1.96, 3.04)
    """
    return _NORMAL.inv_cdf(1 - 0.025 / (comparisons * math.comb(size, 2)))


def _extremes(
    change: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64], p_value: float
) -> Difference:
    """Return the largest difference of all pairs, each of which stands there both ways round."""
    is_pair = ~np.eye(len(change), dtype=np.bool_)
    return Difference(
        float(change.max()), max(0.0, float(low[is_pair].max())),
        min(1.0, float(high[is_pair].max())), p_value,
    )  # fmt: skip


def _p_of_groups(counts: NDArray[np.float64], rows: NDArray[np.float64]) -> float:
    """Test whether groups have the same share."""
    from scipy.stats import chi2_contingency, fisher_exact

    table = np.column_stack([counts, rows - counts])
    if not table.sum(axis=0).all():
        return 1.0
    test = fisher_exact if len(table) == 2 else chi2_contingency
    # Rounding may put the p-value of Fisher's test a little above 1.
    return float(min(1.0, test(table).pvalue))


def mcnemar(first: int, second: int) -> float:
    """Test whether two versions have the same share, by the rows that are counted in just one.

    Source:
        McNemar, Note on the Sampling Error of the Difference Between Correlated Proportions, 1947.
    """
    from scipy.stats import binomtest

    return float(binomtest(first, first + second).pvalue) if first + second else 1.0


def two_sided(deviation: float) -> float:
    """Return the p-value of a deviation from no difference.

    Example:
        >>> round(two_sided(1.96), 4), two_sided(20.0) > 0
        (0.05, True)
    """
    return math.erfc(abs(deviation) / math.sqrt(2))
