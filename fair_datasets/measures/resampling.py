"""Rows and families drawn anew, and groups permuted: what shows how sure a comparison is."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.group_table import SHARES, FamilyRows, Method, RateName, share_of
from fair_datasets.measures.intervals import (
    Estimates,
    Floats,
    Pairs,
    Shares,
    largest_distances,
    pairs_of,
)

_ROUNDING = 1e-9
"""Sums in another order differ in the last bits: that is a tie."""


def rate_shares(counts: NDArray[np.int64], rates: Sequence[RateName]) -> Shares:
    """Return what the rates of groups are shares of. Each of shape (R, G).

    Args:
        counts: Rows by group, reference and prediction. Shape (G, 2, 2).
    """
    events, rows = zip(*(share_of(counts, name) for name in rates), strict=True)
    return Shares(np.stack(events).astype(float), np.stack(rows).astype(float))


def paired_tables(pairs: NDArray[np.int64], rates: Sequence[RateName]) -> NDArray[np.int64]:
    """Count the pairs of each rate by their two predictions. Shape (R, 2, 2).

    Args:
        pairs: Rows by reference, factual and counterfactual prediction. Shape (2, 2, 2).
    """
    given = [SHARES[name].given if name in SHARES else None for name in rates]
    return np.stack([pairs.sum(0) if each is None else pairs[each] for each in given])


def paired_covariance(tables: NDArray[np.int64]) -> Floats:
    """Return the covariance of the rates of two versions of the same rows. Shape (R, 2, 2).

    Source:
        Bonett and Price, Adjusted Wald Confidence Interval for a Difference of Binomial Proportions
        Based on Paired Data, Journal of Educational and Behavioral Statistics 2012: two pairs are
        added, which differ one way and the other.
    """
    shares = (tables + np.array([[0, 1], [1, 0]])) / (tables.sum((1, 2), keepdims=True) + 2)
    rates = np.stack([shares[:, 1].sum(-1), shares[:, :, 1].sum(-1)], -1)
    both = shares[:, 1, 1, None, None] - rates[:, :, None] * rates[:, None]
    every: Floats = np.eye(2) * (rates * (1 - rates))[:, None] + (1 - np.eye(2)) * both
    scaled: Floats = every / (tables.sum((1, 2))[:, None, None] + 2)
    return scaled


def family_estimates(
    rows: FamilyRows, size: int, rates: Sequence[RateName], count: int, seed: int
) -> tuple[Estimates, Shares]:
    """Draw families anew, and return the rates of groups with how they vary.

    To each group two families of its mean size are added, one of events alone and one without any,
    as one row each is added where rows do not depend on each other.

    Args:
        size: How many groups there are.
        count: How many times families are drawn. Draws in which a group has no row are left out.
    """
    generator = np.random.default_rng(seed)
    cells = rows.codes * 4 + rows.cells
    number = int(rows.families.max()) + 1
    shares = rate_shares(np.bincount(cells, minlength=4 * size).reshape(-1, 2, 2), rates)
    mean = _mean_sizes(rows, size, rates)
    resamples = np.empty((count, *mean.shape))
    everyone = number + 2 * mean.size
    for draw in range(count):
        weights = np.bincount(generator.integers(0, everyone, everyone), minlength=everyone)
        counts = np.bincount(cells, weights[rows.families], 4 * size).reshape(-1, 2, 2)
        drawn = rate_shares(counts, rates)
        # The families that are added: those of events, and the others.
        own, others = weights[number:].reshape(2, *mean.shape) * mean
        with np.errstate(divide="ignore", invalid="ignore"):
            resamples[draw] = (drawn.events + own) / (drawn.rows + own + others)
    values = (shares.events + mean) / (shares.rows + 2 * mean)
    return estimates_of_draws(values, resamples), shares


def families_of(
    codes: NDArray[np.intp], families: NDArray[np.intp], size: int
) -> NDArray[np.int64]:
    """Count the families that have rows of each group. Shape (G,).

    Example:
        >>> families_of(np.array([0, 0, 1, 0]), np.array([0, 0, 0, 1]), 2).tolist()
        [2, 1]
    """
    each = np.unique(np.column_stack([families, codes]), axis=0)
    return np.bincount(each[:, 1], minlength=size)


def students_widths(sizes: Floats, confidence: float) -> Floats:
    """Return how much wider an interval of few rows is than draws of them say. Shape (G,).

    Example:
        >>> students_widths(np.array([5.0, 1000.0]), 0.95).round(2).tolist()
        [1.58, 1.0]

    Source:
        Student, The Probable Error of a Mean, Biometrika 1908.
    """
    from scipy.stats import norm, t

    others, tail = np.maximum(sizes - 1, 1), (1 + confidence) / 2
    widths: Floats = t.ppf(tail, others) / norm.ppf(tail) * np.sqrt(sizes / others)
    return widths


def _mean_sizes(rows: FamilyRows, size: int, rates: Sequence[RateName]) -> Floats:
    """Return how many rows of a group a family has that has any, by rate. Shape (R, G)."""
    means = np.ones((len(rates), size))
    for place, name in enumerate(rates):
        among = _among(rows.cells, name)[1]
        totals = np.bincount(rows.codes[among], minlength=size)
        families = families_of(rows.codes[among], rows.families[among], size)
        means[place] = np.where(families, totals / np.maximum(families, 1), 1.0)
    return means


def _among(cells: NDArray[np.intp], name: RateName) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which rows a rate counts, and of which rows it is a share. Each of shape (N,)."""
    table = np.eye(4, dtype=np.int64).reshape(4, 2, 2)
    counted, among = share_of(table, name)
    return counted.astype(bool)[cells], among.astype(bool)[cells]


def estimates_of_draws(values: Floats, resamples: Floats) -> Estimates:
    """Return values with how they vary over resamples, of those in which all are defined.

    Args:
        values: Shape (R, G).
        resamples: The values of each resample, NaN where one is not defined. Shape (D, R, G).
    """
    draws = resamples[~np.isnan(resamples).any((1, 2))] - values
    if len(draws) < 2:
        return Estimates(values, np.full((*values.shape, values.shape[-1]), np.nan), draws)
    deviations = draws - draws.mean(0)
    covariance = np.einsum("drg,drh->rgh", deviations, deviations) / (len(draws) - 1)
    return Estimates(values, covariance, draws)


def resample_rows(
    size: int, families: NDArray[np.intp] | None, count: int, generator: np.random.Generator
) -> Iterator[NDArray[np.intp]]:
    """Yield the places of rows that are drawn with replacement, or of all rows of drawn families.

    Example:
        >>> families, generator = np.array([0, 1, 0]), np.random.default_rng(1)
        >>> [rows.tolist() for rows in resample_rows(3, families, 2, generator)]
        [[0, 2, 1], [1, 1]]
    """
    if families is None:
        for _ in range(count):
            yield generator.integers(0, size, size)
        return
    members = np.split(np.argsort(families, kind="stable"), np.cumsum(np.bincount(families))[:-1])
    for _ in range(count):
        chosen = generator.integers(0, len(members), len(members))
        yield np.concatenate([members[family] for family in chosen])


def permute_groups(
    codes: NDArray[np.intp],
    families: NDArray[np.intp] | None,
    count: int,
    generator: np.random.Generator,
) -> Iterator[NDArray[np.intp]]:
    """Yield the groups of rows, permuted as if groups did not matter.

    Families that lie in one group each exchange their groups with each other; within a family that
    has rows of several groups, the rows exchange theirs.

    Example:
        >>> codes, families = np.array([0, 0, 1, 0, 1]), np.array([0, 0, 1, 2, 2])
        >>> for each in permute_groups(codes, families, 3, np.random.default_rng(3)):
        ...     print(each.tolist())
        [1, 1, 0, 0, 1]
        [0, 0, 1, 0, 1]
        [0, 0, 1, 1, 0]
    """
    if families is None:
        for _ in range(count):
            yield generator.permutation(codes)
        return
    order = np.argsort(families, kind="stable")
    own = codes[order]
    is_first = np.diff(families[order], prepend=-1) > 0
    place = np.cumsum(is_first) - 1
    first = own[is_first]
    starts = np.flatnonzero(is_first)
    is_mixed = np.minimum.reduceat(own, starts) != np.maximum.reduceat(own, starts)
    for _ in range(count):
        groups = first.copy()
        groups[~is_mixed] = generator.permutation(first[~is_mixed])
        within = own[np.argsort(place + generator.random(len(own)))]
        permutation = np.empty_like(codes)
        permutation[order] = np.where(is_mixed[place], within, groups[place])
        yield permutation


def permutation_test_rates(shares: Shares, method: Method, count: int, seed: int) -> float:
    """Test whether all groups have the same rates, by permuting groups over rows.

    Those rows exchange their groups that a rate is a share of, so that sizes stay as they are.
    """
    generator = np.random.default_rng(seed)
    rows = shares.rows.astype(np.int64)
    events = shares.events.sum(-1).astype(np.int64)
    drawn = [
        generator.multivariate_hypergeometric(own, int(total), count, method="marginals")
        for own, total in zip(rows, events, strict=True)
    ]
    every = np.stack(drawn, 1).astype(float)
    return p_value(_statistic(*shares, method), _statistic(every, shares.rows, method))


def permutation_test_pairs(tables: NDArray[np.int64], count: int, seed: int) -> float:
    """Test whether two versions have the same rates, by exchanging the versions of rows."""
    differ = tables[:, 0, 1] + tables[:, 1, 0]
    drawn = np.random.default_rng(seed).binomial(differ, 0.5, (count, len(tables)))
    errors = np.sqrt(np.maximum(differ, 1))
    every = np.concatenate([tables[None, :, 0, 1], drawn])
    statistics = (np.abs(2 * every - differ) / errors).max(-1)
    return p_value(statistics[:1], statistics[1:])


def permutation_test_pair_families(
    rows: FamilyRows, rates: Sequence[RateName], count: int, seed: int
) -> float:
    """Test whether two versions have the same rates, by exchanging the versions of families."""
    generator = np.random.default_rng(seed)
    number = int(rows.families.max()) + 1
    changes = np.empty((len(rates), number))
    for place, name in enumerate(rates):
        counted, among = _among(rows.cells, name)
        change = np.where(rows.codes, -1.0, 1.0) * counted
        changes[place] = np.bincount(rows.families[among], change[among], number)
    errors = np.sqrt(np.maximum((changes**2).sum(-1), 1))
    drawn = [changes @ generator.choice([-1.0, 1.0], number) for _ in range(count)]
    statistics = (np.abs(np.stack([changes.sum(-1), *drawn])) / errors).max(-1)
    return p_value(statistics[:1], statistics[1:])


def permutation_test_families(
    rows: FamilyRows, size: int, rates: Sequence[RateName], method: Method, count: int, seed: int
) -> float:
    """Test whether all groups have the same rates, by permuting groups over families."""
    generator = np.random.default_rng(seed)
    events, totals = np.empty((2, count + 1, len(rates), size))
    for place, name in enumerate(rates):
        counted, among = _among(rows.cells, name)
        codes = rows.codes[among]
        drawn = permute_groups(codes, rows.families[among], count, generator)
        for draw, each in enumerate(chain([codes], drawn)):
            events[draw, place] = np.bincount(each, counted[among], size)
            totals[draw, place] = np.bincount(each, minlength=size)
    pairs = zip(events, totals, strict=True)
    statistics = np.concatenate([_statistic(*each, method) for each in pairs])
    return p_value(statistics[:1], statistics[1:])


def p_value(observed: Floats, drawn: Floats) -> float:
    """Return the share of permutations that lie as far apart, the one that was observed included.

    Example:
        >>> p_value(np.array([2.0]), np.array([0.0, 1.0, 2.0]))
        0.5
    """
    defined = drawn[~np.isnan(drawn)]
    return float((1 + (defined >= observed - _ROUNDING).sum()) / (1 + defined.size))


def distance_scale(rows: Floats, method: Method) -> tuple[Floats, Pairs]:
    """Return how unsure the difference of two groups is by their sizes alone, and the pairs.

    Args:
        rows: How many rows each group has. Shape (..., G).
    """
    with np.errstate(divide="ignore"):
        inverse = 1 / rows
    if method == "to_overall":
        # All rows include those of the group.
        inverse = np.concatenate([inverse, -1 / np.maximum(rows.sum(-1, keepdims=True), 1)], -1)
    pairs = pairs_of(inverse.shape[-1], method)
    return np.sqrt(np.maximum(0, inverse[..., pairs[0]] + inverse[..., pairs[1]])), pairs


def _statistic(events: Floats, rows: Floats, method: Method) -> Floats:
    """Return the largest distance of two rates, in errors of the pooled rate. Shape (D,).

    Args:
        events: Shape (D, R, G) or (R, G).
        rows: Shape (R, G).
    """
    rates = events / np.maximum(rows, 1)
    pooled = events.sum(-1, keepdims=True) / np.maximum(rows.sum(-1, keepdims=True), 1)
    if method == "to_overall":
        rates = np.concatenate([rates, pooled], -1)
    scale, pairs = distance_scale(rows, method)
    with np.errstate(invalid="ignore"):
        errors = np.sqrt(pooled * (1 - pooled)) * scale
    return largest_distances(rates.reshape(-1, *rates.shape[-2:]), errors, pairs)
