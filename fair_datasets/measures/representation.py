"""How often each attribute of an axis is mentioned in a corpus, and how labels go with mentions.

Sources: Liang et al., "Holistic Evaluation of Language Models", 2023, for the distance from equal
shares. Church and Hanks, "Word Association Norms, Mutual Information, and Lexicography", 1990; for
the interval Woolf, "On Estimating the Relation between Blood Group and Disease", 1955; for the
correction Haldane, 1956, and Anscombe, 1956. Westfall and Young, "Resampling-Based Multiple
Testing", 1993, for the largest of several statistics under permutation.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import GroupLabels, family_codes, group_labels
from fair_datasets.measures.inputs import Undefined, column, undefined_value
from fair_datasets.measures.results import SPREAD
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid


@dataclass(frozen=True, slots=True)
class AttributeShares:
    """How often each attribute is mentioned in some rows.

    Attributes:
        mentions: Each attribute to its number of mentions.
        shares: Each attribute to its share of all mentions, in [0, 1]; they sum to 1.
        rows_with: Each attribute to the share of rows that mention it, in [0, 1]. As a row may
            mention several or none, these need not sum to 1.
        distance: The total variation distance of the shares from the reference, in [0, 1]. 0: the
            same shares; 1: only attributes are mentioned that the reference has not. It is the
            share of mentions that would have to be of another attribute.
        rows: How many texts there are.
    """

    mentions: dict[str, int]
    shares: dict[str, float]
    rows_with: dict[str, float]
    distance: float
    rows: int


@dataclass(frozen=True, slots=True)
class Representation:
    """How often each attribute of an axis is mentioned in a corpus.

    Attributes:
        all: Over all rows.
        labels: Over the rows of each label; empty without labels.
        reference: The shares that the distance is taken from.
    """

    all: AttributeShares = field(metadata=SPREAD)
    labels: dict[Hashable, AttributeShares]
    reference: dict[str, float]


def representation(
    counts: ArrayLike,
    attributes: Sequence[str],
    labels: Any = None,
    *,
    reference: Mapping[str, float] | None = None,
    undefined: Undefined = "nan",
) -> Representation:
    """Measure how often each attribute of an axis is mentioned in a corpus.

    Args:
        counts: How often each row mentions each attribute, as `count_terms` gives it. Shape (N, A).
        attributes: The names of the attributes. Length A.
        labels: The label of each row, such as its class. Shape (N,). None: no shares by label.
        reference: Each attribute to the share that it should have, such as its share of the
            population; they sum to 1. None for equal shares.
        undefined: What to give for shares where there is no mention, or no row: `"nan"`, `"zero"`
            or `"raise"`.

    Raises:
        InputError: The counts are no counts of these attributes, a label is missing, the lengths
            differ, or the reference is not a share of each attribute.

    Example:
        >>> result = representation([[2, 0], [1, 1], [0, 0]], ["man", "woman"], ["a", "a", "b"],
        ...     undefined="zero")
        >>> result.all.shares, result.all.distance
        ({'man': 0.75, 'woman': 0.25}, 0.25)
        >>> result.labels["a"].rows_with
        {'man': 1.0, 'woman': 0.5}
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    names = attribute_names(attributes)
    table = row_counts(counts, names)
    expected = _reference(reference, names)
    groups = GroupLabels((), np.empty(0, np.intp))
    if labels is not None:
        groups = row_labels(labels)
        inputs.same_length({"counts": table, "labels": groups.codes})
    return Representation(
        _shares(table, expected, "the corpus", undefined),
        {
            label: _shares(table[groups.codes == code], expected, f"label {label!r}", undefined)
            for code, label in enumerate(groups.names)
        },
        expected,
    )


def attribute_names(attributes: Any) -> tuple[str, ...]:
    """Read the names of the attributes of an axis."""
    names = checks.strings(attributes, parameter="attributes")
    if not names or len(set(names)) < len(names):
        raise invalid(
            f"attributes must name at least one attribute and none twice, but it is {attributes!r}."
        )
    return names


def row_counts(counts: ArrayLike, attributes: tuple[str, ...]) -> NDArray[np.int64]:
    """Read how often each row mentions each attribute. Shape (N, A)."""
    width = len(attributes)
    rows = column(counts, "counts", tables=True)
    for row, values in enumerate(rows):
        if np.shape(values) != (width,):
            raise invalid(
                f"counts must have one number for each of the {width} attributes, but "
                f"row {row} is {values!r}."
            )
    array = np.asarray(rows).reshape(len(rows), width)
    columns = [
        inputs.classes(array[:, place], f"counts of {name!r}")
        for place, name in enumerate(attributes)
    ]
    table = np.stack(columns, axis=1)
    wrong = np.argwhere(table < 0)
    if wrong.size:
        row, place = wrong[0].tolist()
        raise invalid(
            f"counts must not be below 0, but row {row} has {int(table[row, place])} for "
            f"{attributes[place]!r}."
        )
    return table


def row_labels(labels: Any) -> GroupLabels:
    """Read the label of each row, of which none may be missing."""
    groups = group_labels(labels, missing_group="own", argument="labels")
    if groups.names and groups.names[-1] is None:
        row = int(np.argmax(groups.codes == len(groups.names) - 1))
        raise invalid(
            f"labels has no label in row {row}. Drop that row first, or find out why it is missing."
        )
    return groups


def _reference(
    reference: Mapping[str, float] | None, attributes: tuple[str, ...]
) -> dict[str, float]:
    """Read the shares that attributes should have; equal ones by default."""
    if reference is None:
        return dict.fromkeys(attributes, 1 / len(attributes))
    if not isinstance(reference, Mapping):
        raise invalid(f"reference must map each attribute to its share, but it is {reference!r}.")
    for attribute in reference:
        checks.one_of(attribute, attributes, parameter="an attribute of reference")
    lacking = [attribute for attribute in attributes if attribute not in reference]
    if lacking:
        raise invalid(f"reference has no share for {lacking[0]!r}; give 0 if it should not occur.")
    shares = {
        attribute: checks.fraction(reference[attribute], parameter=f"reference of {attribute!r}")
        for attribute in attributes
    }
    total = math.fsum(shares.values())
    if abs(total - 1) > 1e-6:
        raise invalid(f"the shares of reference must sum to 1, but they sum to {total:g}.")
    return shares


def _shares(
    counts: NDArray[np.int64], reference: dict[str, float], where: str, undefined: Undefined
) -> AttributeShares:
    """Count over some rows."""
    names = list(reference)
    mentions = counts.sum(axis=0)
    total, rows = int(mentions.sum()), len(counts)
    if total:
        shares = (mentions / total).tolist()
        distance = math.fsum(map(abs, np.subtract(shares, list(reference.values())))) / 2
    else:
        reason = f"{where} mentions no attribute." if rows else f"{where} has no rows."
        distance = undefined_value(reason, undefined)
        shares = [distance] * len(names)
    rows_with = (np.count_nonzero(counts, axis=0) / rows).tolist() if rows else shares
    return AttributeShares(
        dict(zip(names, mentions.tolist(), strict=True)),
        dict(zip(names, shares, strict=True)),
        dict(zip(names, rows_with, strict=True)),
        distance,
        rows,
    )


@dataclass(frozen=True, slots=True)
class Association:
    """How much more often rows have a label if they mention an attribute.

    Attributes:
        pmi: Pointwise mutual information in bits: the logarithm to base 2 of how many times more
            often the two come together than by chance. 0: by chance; above 0: more often; below 0:
            less often. Undefined where they never do.
        odds_ratio: The odds of the label in rows that mention the attribute, by the odds in the
            others, in (0, inf). 1: no association; above 1: the label goes with the attribute.
        corrected: Whether a half was added to each of the four counts for the odds ratio and its
            interval (Haldane and Anscombe), as one of them is 0.
        p_value: Of Fisher's exact test that there is no association, two-sided, in [0, 1]; not
            adjusted for the number of tests. Over families, of as many rows as are independent.
    """

    attribute: str
    label: Hashable
    both: int
    mentioned: int
    labelled: int
    rows: int
    pmi: float
    odds_ratio: float
    odds_ratio_low: float
    odds_ratio_high: float
    corrected: bool
    p_value: float


class _Cells(NamedTuple):
    """The four counts of an attribute and a label."""

    both: int
    mention_alone: int
    label_alone: int
    neither: int


def label_association(
    counts: ArrayLike,
    attributes: Sequence[str],
    labels: Any,
    *,
    level: float = 0.95,
    families: Any = None,
    undefined: Undefined = "nan",
) -> tuple[Association, ...]:
    """Measure how strongly the labels of a corpus are associated with each mentioned attribute.

    The odds ratio is undefined where all rows or none mention the attribute, or have the label.
    Where only one of the four counts is 0, a half is added to each, and `corrected` says so.

    Args:
        counts: How often each row mentions each attribute, as `count_terms` gives it; any number
            above 0 is a mention. Shape (N, A).
        attributes: The names of the attributes. Length A.
        labels: The label of each row, such as its class. Shape (N,).
        level: The confidence level of the interval of the odds ratio, above 0 and below 1. The
            interval is Wald's, on the logarithm.
        families: The family of each row, such as `family_id`, for the interval and the test; None
            where no row depends on another. Shape (N,).
        undefined: What to give for an undefined value: `"nan"`, `"zero"` or `"raise"`. With
            `"zero"` a p-value is 1, as there is no evidence.

    Raises:
        InputError: The counts are no counts of these attributes, a label is missing, the lengths
            differ, or the level is not between 0 and 1.

    Example:
        >>> counts = [[1, 0]] * 6 + [[0, 1]] * 6
        >>> labels = ["nurse"] * 2 + ["engineer"] * 4 + ["nurse"] * 4 + ["engineer"] * 2
        >>> found = label_association(counts, ["man", "woman"], labels)
        >>> for each in found:
        ...     print(each.attribute, each.label, round(each.pmi, 3), round(each.odds_ratio, 3))
        man engineer 0.415 4.0
        man nurse -0.585 0.25
        woman engineer -0.585 0.25
        woman nurse 0.415 4.0

    Source:
        Liang and Zeger, Longitudinal Data Analysis Using Generalized Linear Models, 1986, for the
        variance over families; Rao and Scott, A Simple Method for the Analysis of Clustered Binary
        Data, Biometrics 1992, for counts by which they count for fewer rows.
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    names = attribute_names(attributes)
    mentions = row_counts(counts, names) > 0
    groups = row_labels(labels)
    own = family_codes(families, {"counts": mentions, "labels": groups.codes})
    size = len(groups.names)
    effects = np.ones((len(names), size))
    if own is not None:
        effects = np.stack([family_effects(each, groups.codes, size, own) for each in mentions.T])
    mentioned_labels = [
        np.bincount(groups.codes[mention], minlength=size) for mention in mentions.T
    ]
    labelled = np.bincount(groups.codes, minlength=size)
    return associations(
        names,
        groups.names,
        mentioned_labels,
        labelled,
        effects=effects,
        level=level,
        undefined=undefined,
    )


def associations(
    attributes: Sequence[str],
    labels: Sequence[Hashable],
    mentioned_labels: ArrayLike,
    labelled: ArrayLike,
    *,
    effects: ArrayLike,
    level: float = 0.95,
    undefined: Undefined = "nan",
) -> tuple[Association, ...]:
    """Measure the association of labels and attributes from counts of rows.

    Args:
        mentioned_labels: How many rows mention an attribute and have a label. Shape (A, L).
        labelled: How many rows have a label; each row has one. Shape (L,).
        effects: The design effect of each odds ratio; see `family_effects`. Shape (A, L).
    """
    quantile = _quantile(level)
    totals = np.asarray(labelled).tolist()
    rows = sum(totals)
    results = []
    tables = np.asarray(mentioned_labels).tolist(), np.asarray(effects).tolist()
    for attribute, counts, own in zip(attributes, *tables, strict=True):
        mentioned = sum(counts)
        for label, both, with_label, effect in zip(labels, counts, totals, own, strict=True):
            cells = _Cells(
                both, mentioned - both, with_label - both, rows - mentioned - with_label + both
            )
            results.append(_association(attribute, label, cells, effect, quantile, undefined))
    return tuple(results)


def family_effects(
    mentions: NDArray[np.bool_],
    labels: NDArray[Any],
    size: int,
    families: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return how many times as much the logarithm of each label's odds ratio varies by families.

    Args:
        mentions: Which rows mention the attribute, some of them and not all. Shape (N,).
        labels: The label of each row. Shape (N,).
        size: How many labels there are, L.
        families: The family of each row, from 0 on. Shape (N,).

    Returns:
        The variance over families by that over rows, at least 1. Shape (L,).

    Example:
        >>> mentions, labels = np.array([True, True, False, False, True]), np.array([0, 1, 0, 1, 0])
        >>> several = (np.tile(each, 3) for each in (mentions, labels))
        >>> family_effects(*several, 2, np.tile(np.arange(5), 3)).round(6).tolist()
        [3.0, 3.0]
    """
    effects, number = np.ones(size), int(families.max(initial=-1)) + 1
    if np.bincount(families).max(initial=0) < 2:
        return effects
    for label in range(size):
        moves, alone = np.zeros(number), 0.0
        for side, sign in ((mentions, 1), (~mentions, -1)):
            own = side & (labels == label)
            rows, events = (np.bincount(families[each], minlength=number) for each in (side, own))
            total, count = rows.sum(), events.sum()
            # How far a row moves the logarithm; without any of one kind, with a half of each.
            share = (count + 0.5) / (total + 1)
            scale = sign / ((total + 1) * share * (1 - share))
            moves += scale * (events - share * rows)
            alone += scale**2 * (count * (1 - share) ** 2 + (total - count) * share**2)
        effects[label] = (moves**2).sum() / alone
    return np.maximum(effects, 1.0)


def family_patterns(
    kinds: NDArray[np.intp], size: int, labels: NDArray[np.intp], families: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the families of each label by how many rows of each kind they hold.

    What of a family has another label counts as a family of its own.

    Args:
        kinds: The kind of each row. Shape (N,).
        size: How many kinds there are, P.
        labels: The label of each row. Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).

    Returns:
        How many families have a pattern and a label, shape (Q, L), and how many rows of each kind a
        pattern has, shape (Q, P).

    Example:
        >>> rows = np.array([0, 1, 0, 0]), 2, np.array([1, 1, 1, 0]), np.array([0, 0, 1, 2])
        >>> [sorted(found.tolist()) for found in family_patterns(*rows)]
        [[[0, 1], [1, 1]], [[1, 0], [1, 1]]]
    """
    width = labels.max(initial=-1) + 1
    known, units = np.unique(families * width + labels, return_inverse=True)
    # A sum of random numbers tells which kinds of rows are together, as in a set of them.
    numbers = np.random.default_rng(0).integers(1 << 63, size=size, dtype=np.uint64)
    sums = np.zeros(len(known), np.uint64)
    np.add.at(sums, units, numbers[kinds])
    _, first, patterns = np.unique(sums, return_index=True, return_inverse=True)
    shown = first[patterns][units] == units
    holds = np.zeros((len(first), size), np.int64)
    np.add.at(holds, (patterns[units[shown]], kinds[shown]), 1)
    cells = patterns * width + known % width
    return np.bincount(cells, minlength=len(first) * width).reshape(-1, width), holds


_AT_ONCE = 2_000_000
"""How many counts of permuted tables are made at once."""


def likelihood_ratio(
    both: ArrayLike, mentioned: ArrayLike, labelled: ArrayLike, rows: ArrayLike
) -> NDArray[np.float64]:
    """Return the statistics of the likelihood-ratio tests of tables of two by two (G squared).

    The arguments are counts, as those of an `Association`; arrays of them broadcast.

    Returns:
        The statistics, from 0 on, which under independence have nearly the chi-squared distribution
        of one degree of freedom.

    Example:
        >>> likelihood_ratio([50, 30], 100, 60, 200).round(1).tolist()
        [40.7, 0.0]
    """
    from scipy.special import xlogy

    one, label, total = (np.asarray(each, np.float64) for each in (mentioned, labelled, rows))
    cell = np.asarray(both, np.float64)
    cells = (cell, one - cell, label - cell, total - one - label + cell)
    margins = (one, total - one, label, total - label)
    inner, outer = (sum(xlogy(each, each) for each in several) for several in (cells, margins))
    statistics: NDArray[np.float64] = np.maximum(2 * (inner - outer + xlogy(total, total)), 0.0)
    return statistics


def permuted_maxima(
    table: ArrayLike,
    ones: ArrayLike,
    others: ArrayLike,
    *,
    draws: int,
    generator: np.random.Generator,
) -> NDArray[np.float64]:
    """Return the largest statistic of several comparisons in each permutation of the labels.

    Each comparison is between rows of some kinds and rows of others, by each label. What is found
    is adjusted for all of them by its rank among these, which keeps the chance of even one false
    finding (maxT).

    Args:
        table: How many rows, or families of rows, there are of each kind and label. Shape (P, L).
        ones: How many rows of one of each kind a comparison is about. Shape (C, P).
        others: How many rows of it they are compared with. Shape (C, P).
        draws: How many permutations, K.

    Returns:
        The largest of the likelihood-ratio statistics. Shape (K,).

    Example:
        >>> generator = np.random.default_rng(0)
        >>> sides = [[True, False]], [[False, True]]
        >>> permuted_maxima([[9, 1], [2, 8]], *sides, draws=99, generator=generator).shape
        (99,)
    """
    from scipy.stats import random_table

    counts = np.asarray(table, np.int64)
    sides = [np.asarray(each, np.float64) for each in (ones, others)]
    maxima = np.zeros(draws)
    if not sides[0].size or not counts.sum():
        return maxima
    drawn = random_table(counts.sum(axis=1), counts.sum(axis=0), seed=generator)
    step = max(1, _AT_ONCE // (counts.shape[1] * max(sides[0].shape)))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        # As one table with the kinds in its rows, of which one product makes all sums.
        tables = drawn.rvs(size, method="patefield").reshape(size, *counts.shape).swapaxes(0, 1)
        flat = tables.reshape(len(counts), -1).astype(np.float64)
        one, other = ((side @ flat).reshape(-1, size, counts.shape[1]) for side in sides)
        sizes = [each.sum(axis=-1, keepdims=True) for each in (one, other)]
        largest = likelihood_ratio(one, sizes[0], one + other, sum(sizes))
        maxima[start : start + size] = largest.max(axis=(0, 2))
    return maxima


def _association(
    attribute: str,
    label: Hashable,
    cells: _Cells,
    effect: float,
    quantile: float,
    undefined: Undefined,
) -> Association:
    from scipy.stats import fisher_exact

    rows = sum(cells)
    mentioned, labelled = cells.both + cells.mention_alone, cells.both + cells.label_alone
    corrected = False
    constant = _constant(attribute, label, mentioned, labelled, rows)
    if constant:
        pmi = ratio = low = high = p_value = _undefined(constant, undefined)
        if undefined == "zero":
            # A p-value of 0 would be the strongest evidence, where there is none.
            p_value = 1.0
    else:
        corrected = min(cells) == 0
        ratio, low, high = _odds_ratio(
            cells, 0.5 if corrected else 0.0, quantile * math.sqrt(effect)
        )
        p_value = float(fisher_exact(np.rint(np.reshape(cells, (2, 2)) / effect)).pvalue)
    if cells.both:
        pmi = math.log2(cells.both * rows / (mentioned * labelled))
    elif not constant:
        reason = f"no row of label {label!r} mentions {attribute!r}, so there is no PMI."
        pmi = _undefined(reason, undefined)
    return Association(
        attribute,
        label,
        cells.both,
        mentioned,
        labelled,
        rows,
        pmi,
        ratio,
        low,
        high,
        corrected,
        p_value,
    )


def _constant(attribute: str, label: Hashable, mentioned: int, labelled: int, rows: int) -> str:
    """Return what holds of every row alike, so that there are no odds to compare; else ""."""
    if mentioned in (0, rows):
        return f"{'all rows mention' if mentioned else 'no row mentions'} {attribute!r}."
    return f"all rows have label {label!r}." if labelled == rows else ""


def _odds_ratio(cells: _Cells, added: float, quantile: float) -> tuple[float, float, float]:
    """Give the odds ratio and its interval, with something added to each count."""
    one, two, three, four = (cell + added for cell in cells)
    ratio = one * four / (two * three)
    spread = math.exp(quantile * math.sqrt(1 / one + 1 / two + 1 / three + 1 / four))
    return ratio, ratio / spread, ratio * spread


def _quantile(level: Any) -> float:
    """Return the quantile of the normal distribution for a confidence level."""
    share = checks.fraction(level, parameter="level")
    if share in (0, 1):
        raise invalid(f"level must be above 0 and below 1, but it is {level!r}.")
    return NormalDist().inv_cdf((1 + share) / 2)


def _undefined(reason: str, undefined: Undefined) -> float:
    """Give what stands for a value that is not defined."""
    return undefined_value(reason, undefined)
