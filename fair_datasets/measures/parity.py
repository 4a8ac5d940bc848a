"""Parity between groups: demographic parity, equal opportunity and equalized odds.

Each compares rates between all groups: the difference is the largest rate less the smallest, the
ratio the smallest divided by the largest, and the score 1 less the difference.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets import checks
from fair_datasets.checks import InputError
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_rates import GroupRates, rates_by_group
from fair_datasets.measures.group_table import (
    GroupTable,
    RateName,
    count_groups,
    rate_of,
    report_undefined,
)
from fair_datasets.measures.undefined import Undefined, check_undefined, undefined_value

Aggregation = Literal["mean", "worst_case"]
"""How the differences of several rates become one: their mean, or the worst of them."""


class Criterion(NamedTuple):
    """What a parity measure compares.

    Attributes:
        rates: The rates that are compared between the groups.
        agg: How the differences and the ratios of several rates become one.
    """

    rates: tuple[RateName, ...]
    agg: Aggregation = "mean"


@dataclass(frozen=True, slots=True)
class Parity:
    """How far the groups' rates lie apart.

    Attributes:
        score: 1 less the difference, in [0, 1]. Higher is fairer; 1 means equal rates.
        difference: The largest rate less the smallest, in [0, 1]. Lower is fairer; 0 means equal
            rates, 1 that a group has rate 0 and another rate 1.
        ratio: The smallest rate divided by the largest, in [0, 1]. Higher is fairer; 1 means equal
            rates.
        groups: The counts and rates of each group, by its label.
        criterion: Which rates are compared.
    """

    score: float
    difference: float
    ratio: float
    groups: dict[Hashable, GroupRates]
    criterion: Criterion


def demographic_parity(
    y_pred: ArrayLike,
    groups: Any,
    *,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> Parity:
    """Compare how often each group is predicted 1.

    With one group there is nothing to compare, and the ratio is not defined where no row is
    predicted 1.

    Args:
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for what fairlearn gives, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The score, difference and ratio of the selection rates, and each group's counts.

    Raises:
        InputError: The lengths differ, a value is missing, or a prediction is neither 0 nor 1.

    Example:
        >>> parity = demographic_parity([1, 0, 1, 1], ["a", "a", "b", "b"])
        >>> parity.score, parity.difference, parity.ratio
        (0.5, 0.5, 0.5)

    Source:
        Dwork et al., Fairness Through Awareness, ITCS 2012.
    """
    owner = "demographic_parity"
    table = count_groups(None, y_pred, groups, missing_group=missing_group, owner=owner)
    return parity_of(table, Criterion(("selection_rate",)), undefined, owner=owner)


def equal_opportunity(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    outcome: int = 1,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> Parity:
    """Compare how often each group is predicted 1 among rows of one reference.

    The rate of a group without such rows is not defined, and then neither is any comparison: no
    group is left out in silence.

    Args:
        y_true: The references, 0 or 1. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        outcome: 1 to compare true positive rates, 0 to compare false positive rates.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the groups, `"zero"` for what fairlearn gives, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The score, difference and ratio of the rates, and each group's counts.

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> parity = equal_opportunity([1, 1, 1, 1], [1, 0, 1, 1], ["a", "a", "b", "b"])
        >>> parity.score
        0.5

    Source:
        Hardt, Price and Srebro, Equality of Opportunity in Supervised Learning, NeurIPS 2016.
    """
    owner = "equal_opportunity"
    criterion = opportunity_criterion(outcome, owner=owner)
    table = count_groups(y_true, y_pred, groups, missing_group=missing_group, owner=owner)
    return parity_of(table, criterion, undefined, owner=owner)


def equalized_odds(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    agg: Aggregation = "mean",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> Parity:
    """Compare both how often each group is rightly and how often it is wrongly predicted 1.

    With `"mean"` the score is the mean of the scores of equal opportunity for outcome 1 and 0; with
    `"worst_case"` it is the lower of the two, as in fairlearn.

    Args:
        y_true: The references, 0 or 1. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        agg: How the true and false positive rates become one value: `"mean"` or `"worst_case"`.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the groups, `"zero"` for what fairlearn gives, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The score, difference and ratio of the rates, and each group's counts.

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> odds = equalized_odds([1, 0, 1, 0], [1, 1, 1, 0], ["a", "a", "b", "b"])
        >>> odds.score, odds.ratio
        (0.5, 0.5)

    Source:
        Hardt, Price and Srebro, Equality of Opportunity in Supervised Learning, NeurIPS 2016; the
        mean is that of Zayed et al., Deep Learning on a Healthy Data Diet, AAAI 2023.
    """
    owner = "equalized_odds"
    criterion = odds_criterion(agg, owner=owner)
    table = count_groups(y_true, y_pred, groups, missing_group=missing_group, owner=owner)
    return parity_of(table, criterion, undefined, owner=owner)


def opportunity_criterion(outcome: int, *, owner: str) -> Criterion:
    """Return what equal opportunity compares.

    Args:
        outcome: 1 for true positive rates, 0 for false positive rates.
        owner: The measure, for errors.

    Returns:
        The criterion.

    Raises:
        InputError: The outcome is neither 0 nor 1.

    Example:
        >>> opportunity_criterion(0, owner="equal_opportunity").rates
        ('false_positive_rate',)
    """
    if checks.whole_number(outcome, owner=owner, parameter="outcome") not in (0, 1):
        raise InputError(f"{owner}: outcome must be 0 or 1, but it is {outcome!r}.")
    return Criterion(("true_positive_rate",) if outcome else ("false_positive_rate",))


def odds_criterion(agg: Aggregation, *, owner: str) -> Criterion:
    """Return what equalized odds compares.

    Args:
        agg: How the two rates become one value.
        owner: The measure, for errors.

    Returns:
        The criterion.

    Raises:
        InputError: `agg` is something else.

    Example:
        >>> odds_criterion("mean", owner="equalized_odds").rates
        ('true_positive_rate', 'false_positive_rate')
    """
    checks.one_of(agg, ("mean", "worst_case"), owner=owner, parameter="agg")
    return Criterion(("true_positive_rate", "false_positive_rate"), agg)


def parity_of(
    table: GroupTable, criterion: Criterion, undefined: Undefined, *, owner: str
) -> Parity:
    """Compare the rates of a table's groups.

    Args:
        table: The counts.
        criterion: Which rates to compare.
        undefined: What to give for a value that is not defined.
        owner: The measure, for warnings and errors.

    Returns:
        The comparison.

    Raises:
        InputError: A value is not defined, and `undefined` is `"raise"`.

    Example:
        >>> table = GroupTable(("a", "b"), np.array([[[1, 1], [0, 0]], [[0, 2], [0, 0]]]), False)
        >>> parity_of(table, Criterion(("selection_rate",)), "nan", owner="parity").difference
        0.5
    """
    check_undefined(undefined, owner=owner)
    report_undefined(table, criterion.rates, undefined, owner=owner)
    counts = table.counts if table.names else np.zeros((1, 2, 2), np.int64)
    difference, ratio = (float(value) for value in spread(counts, criterion, undefined))
    if len(table.names) < 2:
        found = f"there is one group, {table.names[0]!r}" if table.names else "there are no rows"
        reason = f"{found}; a comparison needs two groups."
        lacking = undefined_value(reason, undefined, owner=owner)
        difference, ratio = difference + lacking, ratio + lacking
    elif np.isnan(ratio) and not np.isnan(difference) and undefined != "zero":
        zero = [name for name in criterion.rates if not rate_of(counts, name).any()]
        reason = f"{' and '.join(zero)} is 0 in all groups, so that the ratio is not defined."
        ratio = undefined_value(reason, undefined, owner=owner)
    groups = rates_by_group(table, undefined)
    return Parity(1 - difference, difference, ratio, groups, criterion)


def spread(
    counts: NDArray[np.int64], criterion: Criterion, undefined: Undefined = "nan"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute differences and ratios from the counts of groups.

    Args:
        counts: Rows by group, reference and prediction. Shape (..., G, 2, 2).
        criterion: Which rates to compare.
        undefined: `"zero"` computes what fairlearn computes; else what rests on an undefined rate
            or ratio is NaN.

    Returns:
        The differences and the ratios. Each of shape (...).

    Example:
        >>> counts = np.array([[[[1, 1], [0, 0]], [[0, 2], [0, 0]]]])
        >>> spread(counts, Criterion(("selection_rate",)))
        (array([0.5]), array([0.5]))
    """
    rates = np.stack([rate_of(counts, name, undefined) for name in criterion.rates])
    largest, smallest = rates.max(-1), rates.min(-1)
    difference = largest - smallest
    ratio = np.where(largest == 0, np.nan, smallest / np.where(largest == 0, 1, largest))
    if criterion.agg == "worst_case":
        return difference.max(0), _lowest(ratio) if undefined == "zero" else ratio.min(0)
    return difference.mean(0), _mean_of_defined(ratio) if undefined == "zero" else ratio.mean(0)


def _lowest(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the lowest ratio as fairlearn does: NaN counts only where it comes first."""
    lowest: NDArray[np.float64] = ratio[0]
    for other in ratio[1:]:
        lowest = np.where(other < lowest, other, lowest)
    return lowest


def _mean_of_defined(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the mean of the ratios as fairlearn does: NaN is left out."""
    defined = ~np.isnan(ratio)
    count = defined.sum(0)
    total = np.where(defined, ratio, 0).sum(0)
    return np.where(count, total / np.maximum(count, 1), np.nan)
