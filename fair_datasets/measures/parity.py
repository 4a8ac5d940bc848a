"""Parity between groups: demographic and predictive parity, equal opportunity, equalized odds.

Each compares rates between all groups: the difference is the largest rate less the smallest, the
ratio the smallest divided by the largest, and the score 1 less the difference.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_table import (
    FamilyRows,
    GroupRates,
    GroupTable,
    Method,
    RateName,
    count_groups,
    lacking_groups,
    rate_of,
    rates_by_group,
    report_undefined,
    spread_of,
)
from fair_datasets.measures.inputs import Rows, Undefined, check_undefined, undefined_value
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

Aggregation = Literal["mean", "worst_case"]
"""How the differences of several rates become one: their mean, or the largest of them."""

OPPORTUNITY: tuple[RateName, RateName] = ("false_positive_rate", "true_positive_rate")
"""What equal opportunity compares for outcome 0 and for outcome 1."""


class Criterion(NamedTuple):
    """What a parity measure compares.

    Attributes:
        agg: How the differences and the ratios of several rates become one.
    """

    rates: tuple[RateName, ...]
    agg: Aggregation = "worst_case"
    method: Method = "between_groups"


@dataclass(frozen=True, slots=True)
class Parity:
    """How far apart the groups' rates are.

    Attributes:
        score: 1 less the difference, in [0, 1]. Higher is fairer; 1 means equal rates.
        difference: The largest rate less the smallest, in [0, 1]. Lower is fairer; 0 means equal
            rates, 1 that a group has rate 0 and another rate 1. With `"to_overall"`, the largest
            distance of a group's rate from the rate of all rows.
        ratio: The smallest rate divided by the largest, in [0, 1]. Higher is fairer; 1 means equal
            rates. With `"to_overall"`, the smallest ratio of a group's rate and that of all rows,
            the smaller divided by the larger.
        criterion: Which rates are compared.
        rows: The rows, where they belong to families, for `confidence_interval`.
    """

    score: float
    difference: float
    ratio: float
    groups: dict[Hashable, GroupRates]
    overall: GroupRates
    criterion: Criterion
    rows: FamilyRows | None = field(default=None, repr=False, compare=False)


def criterion_of(
    *rates: RateName, agg: Aggregation = "worst_case", method: Method = "between_groups"
) -> Criterion:
    """Return what a parity measure compares, as it was asked for.

    Example:
        >>> criterion_of("selection_rate", method="to_overall").method
        'to_overall'
    """
    checks.one_of(agg, get_args(Aggregation), parameter="agg")
    checks.one_of(method, get_args(Method), parameter="method")
    return Criterion(rates, agg, method)


def rate_of_outcome(outcome: int, rates: tuple[RateName, RateName]) -> RateName:
    """Return the rate that is compared for an outcome.

    Example:
        >>> rate_of_outcome(0, OPPORTUNITY)
        'false_positive_rate'
    """
    if checks.whole_number(outcome, parameter="outcome") not in (0, 1):
        raise invalid(f"outcome must be 0 or 1, but it is {outcome!r}.")
    return rates[outcome]


def parity_of(table: GroupTable, criterion: Criterion, undefined: Undefined) -> Parity:
    """Compare the rates of a table's groups.

    Example:
        >>> table = GroupTable(("a", "b"), np.array([[[1, 1], [0, 0]], [[0, 2], [0, 0]]]), False)
        >>> parity_of(table, Criterion(("selection_rate",)), "nan").difference
        0.5
    """
    check_undefined(undefined)
    report_undefined(table, criterion.rates, undefined)
    counts = table.counts if table.names else np.zeros((1, 2, 2), np.int64)
    difference, ratio = (float(value) for value in spread(counts, criterion, undefined))
    lacking = lacking_groups(table.names, undefined)
    difference, ratio = difference + lacking, ratio + lacking
    if undefined == "zero":
        # Of a ratio of zeros, fairlearn gives NaN.
        ratio = float(np.nan_to_num(ratio))
    elif len(table.names) > 1 and np.isnan(ratio) and not np.isnan(difference):
        zero = [name for name in criterion.rates if not rate_of(counts, name).any()]
        reason = f"{' and '.join(zero)} is 0 in all groups, so the ratio is not defined."
        ratio = undefined_value(reason, undefined)
    groups = rates_by_group(table, undefined)
    whole = GroupTable(("all rows",), counts.sum(0, keepdims=True), table.has_references)
    overall = rates_by_group(whole, undefined)["all rows"]
    return Parity(1 - difference, difference, ratio, groups, overall, criterion, table.rows)


def spread(
    counts: NDArray[np.int64], criterion: Criterion, undefined: Undefined = "nan"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute differences and ratios from the counts of groups. Each of shape (...).

    Args:
        counts: Rows by group, reference and prediction. Shape (..., G, 2, 2).
        undefined: `"zero"` computes what fairlearn computes; else what rests on an undefined rate
            or ratio is NaN.
    """
    rates = np.stack([rate_of(counts, name, undefined) for name in criterion.rates])
    overall = None
    if criterion.method == "to_overall":
        whole = counts.sum(-3)
        overall = np.stack([rate_of(whole, name, undefined) for name in criterion.rates])
    difference, ratio = spread_of(rates, overall)
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


def demographic_parity(
    y_pred: ArrayLike,
    groups: Any,
    *,
    positive: Hashable = None,
    method: Method = "between_groups",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
    families: Rows = None,
) -> Parity:
    """Compare how often each group is predicted 1.

    With one group there is nothing to compare, and the ratio is not defined where no row is
    predicted 1.

    Args:
        y_pred: The predicted classes, 0 or 1, or others with `positive`; not probabilities or
            logits. Shape (N,).
        groups: A group label per row: strings, whole numbers or booleans, or tuples of them.
            Shape (N,).
        positive: The class that counts as 1, if classes are texts or there are more than two; all
            others count as 0. None if the classes are 0 and 1.
        method: What each group is compared with: `"between_groups"` the other groups, or
            `"to_overall"` all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for 0, as in fairlearn, or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.
        families: The family of each row, such as `family_id`, for intervals: its rows are drawn and
            permuted together. None where no row depends on another. Shape (N,).

    Raises:
        InputError: The lengths differ, a value is missing, a prediction is neither 0 nor 1, or no
            row has the class that counts as 1.

    Example:
        >>> parity = demographic_parity([1, 0, 1, 1], ["a", "a", "b", "b"])
        >>> parity.score, parity.difference, parity.ratio
        (0.5, 0.5, 0.5)

    Source:
        Dwork et al., Fairness Through Awareness, ITCS 2012.
    """
    criterion = criterion_of("selection_rate", method=method)
    table = count_groups(
        None, y_pred, groups,
        positive=positive, missing_group=missing_group, families=families)  # fmt: skip
    return parity_of(table, criterion, undefined)


def equal_opportunity(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    outcome: int = 1,
    positive: Hashable = None,
    method: Method = "between_groups",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
    families: Rows = None,
) -> Parity:
    """Compare how often each group is predicted 1 among rows of one true class.

    The rate of a group without such rows is not defined, and then neither is any comparison: no
    group is left out in silence.

    Args:
        y_true: The true classes, 0 or 1, or others with `positive`. Shape (N,).
        y_pred: The predicted classes, 0 or 1, or others with `positive`; not probabilities or
            logits. Shape (N,).
        groups: A group label per row: strings, whole numbers or booleans, or tuples of them.
            Shape (N,).
        outcome: 1 to compare true positive rates, 0 to compare false positive rates.
        positive: The class that counts as 1, if classes are texts or there are more than two; all
            others count as 0. None if the classes are 0 and 1.
        method: What each group is compared with: `"between_groups"` the other groups, or
            `"to_overall"` all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for 0, as in fairlearn, or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.
        families: The family of each row, such as `family_id`, for intervals: its rows are drawn and
            permuted together. None where no row depends on another. Shape (N,).

    Raises:
        InputError: The lengths differ, a value is missing, something is neither 0 nor 1, or no row
            has the class that counts as 1.

    Example:
        >>> parity = equal_opportunity([1, 1, 1, 1], [1, 0, 1, 1], ["a", "a", "b", "b"])
        >>> parity.score
        0.5

    Source:
        Hardt, Price and Srebro, Equality of Opportunity in Supervised Learning, NeurIPS 2016.
    """
    rate = rate_of_outcome(outcome, OPPORTUNITY)
    criterion = criterion_of(rate, method=method)
    table = count_groups(
        y_true, y_pred, groups,
        positive=positive, missing_group=missing_group, families=families)  # fmt: skip
    return parity_of(table, criterion, undefined)


def equalized_odds(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    agg: Aggregation = "worst_case",
    positive: Hashable = None,
    method: Method = "between_groups",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
    families: Rows = None,
) -> Parity:
    """Compare how often each group is rightly predicted 1, and how often wrongly.

    With `"worst_case"` the difference is the larger of those of equal opportunity for outcome 1 and
    0, as in fairlearn; with `"mean"` it is their mean. `criterion.agg` names which.

    Args:
        y_true: The true classes, 0 or 1, or others with `positive`. Shape (N,).
        y_pred: The predicted classes, 0 or 1, or others with `positive`; not probabilities or
            logits. Shape (N,).
        groups: A group label per row: strings, whole numbers or booleans, or tuples of them.
            Shape (N,).
        agg: How the true and the false positive rates become one value: `"worst_case"` for the
            larger difference, as in fairlearn, or `"mean"`.
        positive: The class that counts as 1, if classes are texts or there are more than two; all
            others count as 0. None if the classes are 0 and 1.
        method: What each group is compared with: `"between_groups"` the other groups, or
            `"to_overall"` all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for 0, as in fairlearn, or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.
        families: The family of each row, such as `family_id`, for intervals: its rows are drawn and
            permuted together. None where no row depends on another. Shape (N,).

    Raises:
        InputError: The lengths differ, a value is missing, something is neither 0 nor 1, or no row
            has the class that counts as 1.

    Example:
        >>> odds = equalized_odds([1, 0, 1, 0], [1, 1, 1, 0], ["a", "a", "b", "b"])
        >>> odds.score, odds.ratio
        (0.0, 0.0)

    Source:
        Hardt, Price and Srebro, Equality of Opportunity in Supervised Learning, NeurIPS 2016; the
        mean is that of Zayed et al., Deep Learning on a Healthy Data Diet, AAAI 2023.
    """
    criterion = criterion_of(*OPPORTUNITY[::-1], agg=agg, method=method)
    table = count_groups(
        y_true, y_pred, groups,
        positive=positive, missing_group=missing_group, families=families)  # fmt: skip
    return parity_of(table, criterion, undefined)


def predictive_parity(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    outcome: int = 1,
    positive: Hashable = None,
    method: Method = "between_groups",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
    families: Rows = None,
) -> Parity:
    """Compare how often each group's predictions of one outcome are wrong.

    For outcome 1 these are the false discovery rates, 1 less the precision; for outcome 0 the false
    omission rates. Differences and scores are those of the precision, too, but not ratios: a rate
    twice as high is a ratio of 0.5, however seldom a prediction is wrong.

    Args:
        y_true: The true classes, 0 or 1, or others with `positive`. Shape (N,).
        y_pred: The predicted classes, 0 or 1, or others with `positive`; not probabilities or
            logits. Shape (N,).
        groups: A group label per row: strings, whole numbers or booleans, or tuples of them.
            Shape (N,).
        outcome: 1 to compare false discovery rates, among rows of prediction 1; 0 to compare false
            omission rates, among rows of prediction 0.
        positive: The class that counts as 1, if classes are texts or there are more than two; all
            others count as 0. None if the classes are 0 and 1.
        method: What each group is compared with: `"between_groups"` the other groups, or
            `"to_overall"` all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for 0, as in fairlearn, or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.
        families: The family of each row, such as `family_id`, for intervals: its rows are drawn and
            permuted together. None where no row depends on another. Shape (N,).

    Raises:
        InputError: The lengths differ, a value is missing, something is neither 0 nor 1, or no row
            has the class that counts as 1.

    Example:
        >>> parity = predictive_parity([1, 0, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"])
        >>> parity.difference, parity.groups["a"].false_discovery_rate
        (0.5, 0.5)

    Source:
        Chouldechova, Fair Prediction with Disparate Impact, Big Data 2017.
    """
    rate = rate_of_outcome(outcome, ("false_omission_rate", "false_discovery_rate"))
    criterion = criterion_of(rate, method=method)
    table = count_groups(
        y_true, y_pred, groups,
        positive=positive, missing_group=missing_group, families=families)  # fmt: skip
    return parity_of(table, criterion, undefined)
