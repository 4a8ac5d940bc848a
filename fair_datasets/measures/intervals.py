"""Intervals of the largest difference and of the smallest ratio between groups.

A percentile bootstrap of the largest less the smallest rate leaves zero out by construction. Here
all pairs of groups are compared: the lower end of a difference holds for all of them at once, and
its upper end for the pair that lies apart most.
"""

import itertools
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.group_table import Method

Floats = NDArray[np.float64]
Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]
"""The places of the two values of each pair. Each of shape (C,)."""

DRAWS = 50_000
_FEWEST_DRAWS = 1000
_MOST = 1 << 24
"""Of so many groups that there would be more distances, fewer draws are made."""
_ROUNDING = 1e-15
"""A variance below it is none."""
_TINY = 1e-300
"""In place of 0, which has no logarithm."""


class Estimates(NamedTuple):
    """Values of groups, and how sure they are.

    Attributes:
        values: The value of each group by R rates. Shape (R, G).
        covariance: Their covariance; rates of one kind are compared with each other alone. Shape
            (R, G, G).
        draws: How far the values lie from these in other rows of the same kind, or None for normal
            deviates. Shape (D, R, G).
    """

    values: Floats
    covariance: Floats
    draws: Floats | None = None
    seed: int = 0


class Shares(NamedTuple):
    """What rates are shares of.

    Attributes:
        events: How many rows are counted. Shape (R, G).
        rows: Of how many rows. Shape (R, G).
    """

    events: Floats
    rows: Floats

    def rates(self) -> Floats:
        """Return the rates; 0 of no rows. Shape (R, G)."""
        return self.events / np.maximum(self.rows, 1)


def pairs_of(size: int, method: Method) -> Pairs:
    """Return which values are compared: all groups with each other, or each with the last value.

    Example:
        >>> [places.tolist() for places in pairs_of(3, "between_groups")]
        [[0, 0, 1], [1, 2, 2]]
        >>> [places.tolist() for places in pairs_of(3, "to_overall")]
        [[0, 1], [2, 2]]
    """
    if method == "to_overall":
        return np.arange(size - 1), np.full(size - 1, size - 1)
    first, second = np.triu_indices(size, 1)
    return first, second


def estimates_of(shares: Shares, covariance: Floats | None, seed: int) -> Estimates:
    """Return rates of groups of different rows, or of versions of the same ones.

    One event and one other row are added to each group (Agresti and Caffo).

    Args:
        covariance: That of the versions of the same rows; None where the groups are of different
            rows. Shape (R, G, G).
    """
    values = (shares.events + 1) / (shares.rows + 2)
    if covariance is None:
        covariance = _diagonal(values * (1 - values) / (shares.rows + 2))
    return Estimates(values, covariance, None, seed)


def with_overall(estimates: Estimates, shares: Shares) -> tuple[Estimates, Shares]:
    """Add the values of all rows behind those of the groups."""
    values, covariance, draws, seed = estimates
    rates, size = values.shape
    weights = shares.rows / np.maximum(shares.rows.sum(-1, keepdims=True), 1)
    every = np.concatenate(
        [np.broadcast_to(np.eye(size), (rates, size, size)), weights[:, None]], 1
    )
    return (
        Estimates(
            np.einsum("rhg,rg->rh", every, values),
            every @ covariance @ every.transpose(0, 2, 1),
            None if draws is None else np.einsum("rhg,drg->drh", every, draws),
            seed,
        ),
        Shares(*(np.concatenate([each, each.sum(-1, keepdims=True)], 1) for each in shares)),
    )


def difference_ends(
    estimates: Estimates, pairs: Pairs, confidence: float, *, comparisons: int = 1
) -> tuple[Floats, Floats]:
    """Return the interval of the largest distance between two values. Each of shape (R,).

    Args:
        comparisons: With those of how many such values the lower end holds together.

    Source:
        Agresti and Caffo, Simple and Effective Confidence Intervals for Proportions and Differences
        of Proportions, The American Statistician 2000; the lower end holds for all pairs together,
        as in Tukey's studentised range.
    """
    first, second = pairs
    distance = np.abs(estimates.values[:, first] - estimates.values[:, second])
    errors = _errors(estimates.covariance, pairs)
    several = critical_value(estimates, pairs, 1 - (1 - confidence) / comparisons)
    low = (distance - several * errors).max(-1)
    high = (distance + _quantile(confidence) * errors).max(-1)
    return low, high


def ratio_ends(
    estimates: Estimates, shares: Shares, pairs: Pairs, confidence: float
) -> tuple[Floats, Floats]:
    """Return the interval of the smallest ratio of two rates. Each of shape (R,).

    On the log scale, the ends of each ratio come from those of its two rates. Their upper end holds
    for all pairs together, the lower end for the pair that lies apart most.

    Source:
        Donner and Zou, Closed-form confidence intervals for functions of the normal mean and
        standard deviation, Statistical Methods in Medical Research 2012, from the intervals of
        Clopper and Pearson, 1934; Zou, Biometrics 2009, for rates of the same rows.
    """
    values, covariance, draws, seed = estimates
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    logs = Estimates(
        np.log(values),
        covariance / values[:, None] / values[:, :, None],
        None if draws is None else draws / values,
        seed,
    )
    # Rows of one family count as fewer rows that are independent.
    rows = np.clip(values * (1 - values) / variance - 2, np.minimum(0.5, shares.rows), shares.rows)
    counted = Shares(shares.rates() * rows, rows)
    first, second = (np.concatenate(each) for each in (pairs, pairs[::-1]))
    errors = np.sqrt(variance)
    correlation = covariance[:, first, second] / errors[:, first] / errors[:, second]
    middle = np.log(np.maximum(counted.events, 0.5) / np.maximum(counted.rows, 0.5))
    change = middle[:, first] - middle[:, second]

    def reach(quantile: float, up: bool) -> Floats:
        below, above = clopper_pearson(counted, quantile)
        below = np.maximum(0, middle - np.log(np.maximum(below, _TINY)))
        above = np.maximum(0, np.log(above) - middle)
        one, other = (above, below) if up else (below, above)
        one, other = one[:, first], other[:, second]
        squares: Floats = one**2 - 2 * correlation * one * other + other**2
        return np.sqrt(np.maximum(0, squares))

    several = critical_value(logs, pairs, confidence)
    low = (change - reach(several, up=False)).max(-1)
    high = (change + reach(_quantile(confidence), up=True)).max(-1)
    return np.exp(-high), np.exp(-np.maximum(0, low))


def critical_value(estimates: Estimates, pairs: Pairs, confidence: float) -> float:
    """Return how many standard errors all distances stay within together."""
    errors = _errors(estimates.covariance, pairs)
    if errors.size == 1:
        return _quantile(confidence)
    draws = _normal(estimates) if estimates.draws is None else estimates.draws
    if not len(draws):
        return np.nan
    largest = largest_distances(draws, errors, pairs)
    return max(_quantile(confidence), float(np.quantile(largest, confidence)))


def _normal(estimates: Estimates) -> Floats:
    """Draw normal deviates of the estimates' covariance. Shape (D, R, G)."""
    rates, groups = estimates.values.shape
    count = max(_FEWEST_DRAWS, min(DRAWS, _MOST // (rates * groups**2)))
    drawn = np.random.default_rng(estimates.seed).standard_normal((count, rates, groups))
    # Cholesky's factor of a diagonal is its root; a little more keeps rounding above 0.
    least = np.diagonal(estimates.covariance, axis1=1, axis2=2) * 1e-9
    roots = np.linalg.cholesky(estimates.covariance + _diagonal(least))
    deviates: Floats = np.einsum("drg,rhg->drh", drawn, roots)
    return deviates


def largest_distances(values: Floats, errors: Floats, pairs: Pairs) -> Floats:
    """Return the largest distance of each draw, in standard errors. Shape (D,).

    Args:
        values: Shape (D, R, G).
        errors: The standard error of each distance. Shape (R, C) or (D, R, C).
    """
    first, second = pairs
    largest = np.zeros(len(values))
    bounds = np.flatnonzero(np.diff(first, prepend=-1, append=len(first) + 1))
    for start, end in itertools.pairwise(bounds.tolist()):
        # One value after the other, so that many pairs do not fill the memory.
        one, scale = values[..., first[start], None], errors[..., start:end]
        distance = np.abs(one - values[..., second[start:end]])
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = np.where(scale > 0, distance / scale, 0.0)
        largest = np.maximum(largest, scaled.max((1, 2)))
    return largest


def _errors(covariance: Floats, pairs: Pairs) -> Floats:
    """Return the standard error of each distance. Shape (R, C)."""
    first, second = pairs
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    squares = variance[:, first] + variance[:, second] - 2 * covariance[:, first, second]
    return np.sqrt(np.maximum(squares, 0))


def clopper_pearson(shares: Shares, quantile: float) -> tuple[Floats, Floats]:
    """Return the exact interval of each rate, also of a number of rows that is not whole.

    Args:
        quantile: That of the normal distribution for the interval.

    Example:
        >>> low, high = clopper_pearson(Shares(np.array([[5.0]]), np.array([[10.0]])), 1.96)
        >>> low.round(3).item(), high.round(3).item()
        (0.187, 0.813)
    """
    from scipy.special import betaincinv

    events, others = shares.events, shares.rows - shares.events
    tail = NormalDist().cdf(-quantile)
    # Of no events, and of nothing but events, the end is known.
    low = betaincinv(np.maximum(events, _TINY), others + 1, tail)
    high = betaincinv(events + 1, np.maximum(others, _TINY), 1 - tail)
    return np.where(events > 0, low, 0.0), np.where(others > 0, high, 1.0)


def share_ends(
    counted: NDArray[np.bool_], families: NDArray[np.intp] | None, confidence: float
) -> tuple[float, float]:
    """Return the interval of the share of rows that are counted: the exact one, or over families.

    Args:
        counted: Which rows are counted, of one at least. Shape (N,).
        families: The family of each row, from 0 on; None where each row is one. Shape (N,).

    Example:
        >>> low, high = share_ends(np.array([True, False]), None, 0.95)
        >>> round(low, 3), round(high, 3)
        (0.013, 0.987)
    """
    if families is not None:
        events, rows = (np.bincount(families, each).astype(float) for each in (counted, None))
        return family_share_ends(events, rows, confidence)
    shares = Shares(np.array([[float(counted.sum())]]), np.array([[float(counted.size)]]))
    low, high = clopper_pearson(shares, _quantile(confidence))
    return low.item(), high.item()


def family_share_ends(events: Floats, rows: Floats, confidence: float) -> tuple[float, float]:
    """Return the interval of a share of rows that come in families.

    It is the exact interval of as many independent rows as would vary as much as the share does
    where one family after the other is left out. Of families that do not vary, those of events
    alone, or of none, count as one row each, and others as all their rows.

    Args:
        events: How many rows of each family are counted; also parts of them. Shape (F,).
        rows: Of how many rows, at least one in all. Shape (F,).

    Returns:
        The ends, in [0, 1].

    Example:
        >>> events, rows = np.array([1.0, 4.0, 2.0, 1.0, 3.0] * 4), np.full(20, 4.0)
        >>> low, high = family_share_ends(events, rows, 0.95)
        >>> round(low, 2), round(high, 2)
        (0.4, 0.69)

    Source:
        Korn and Graubard, Confidence Intervals for Proportions with Small Expected Number of
        Positive Counts Estimated from Survey Data, Survey Methodology 1998; Kish, Survey Sampling,
        1965, for as how many families those of unlike size count.
    """
    from scipy.stats import norm, t

    rows, events = rows[rows > 0], events[rows > 0]
    size, total = len(rows), rows.sum()
    share = float(events.sum() / total)
    counted = float(size)
    if size > 1 and 0 < share < 1:
        without = (events.sum() - events) / (total - rows)
        variance = (size - 1) / size * float(((without - share) ** 2).sum())
        freedom = max(1.0, total**2 / (rows**2).sum() - 1)
        tail = (1 + confidence) / 2
        shrunk = (norm.ppf(tail) / t.ppf(tail, freedom)) ** 2
        counted = share * (1 - share) / variance * shrunk if variance > _ROUNDING else total
    shares = Shares(np.array([[share * counted]]), np.array([[counted]]))
    low, high = clopper_pearson(shares, _quantile(confidence))
    return low.item(), high.item()


def _quantile(confidence: float) -> float:
    """Return the quantile of the normal distribution for an interval of its own."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _diagonal(values: Floats) -> Floats:
    """Return a matrix of each row of values. Shape (R, G, G)."""
    return values[..., None] * np.eye(values.shape[-1])
