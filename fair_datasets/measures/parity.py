"""Parity between groups: demographic and predictive parity, equal opportunity, equalized odds.

Each compares rates between all groups: the difference is the largest rate less the smallest, the
ratio the smallest divided by the largest, and the score 1 less the difference.
"""

from collections.abc import Hashable
from typing import Any

from numpy.typing import ArrayLike

from fair_datasets.measures.comparison import Method
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_table import count_groups
from fair_datasets.measures.rate_parity import (
    OPPORTUNITY,
    Aggregation,
    Parity,
    criterion_of,
    parity_of,
    rate_of_outcome,
)
from fair_datasets.measures.undefined import Undefined


def demographic_parity(
    y_pred: ArrayLike,
    groups: Any,
    *,
    positive: Hashable = None,
    method: Method = "between_groups",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> Parity:
    """Compare how often each group is predicted 1.

    With one group there is nothing to compare, and the ratio is not defined where no row is
    predicted 1.

    Args:
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        positive: The class that counts as 1, all others as 0, where there are texts or more classes
            than 0 and 1.
        method: What the rate of each group is compared with: the other groups', or with
            `"to_overall"` that of all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for what fairlearn gives, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The score, difference and ratio of the selection rates, and each group's counts.

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
    owner = "demographic_parity"
    criterion = criterion_of("selection_rate", method=method, owner=owner)
    table = count_groups(
        None, y_pred, groups, positive=positive, missing_group=missing_group, owner=owner
    )
    return parity_of(table, criterion, undefined, owner=owner)


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
) -> Parity:
    """Compare how often each group is predicted 1 among rows of one reference.

    The rate of a group without such rows is not defined, and then neither is any comparison: no
    group is left out in silence.

    Args:
        y_true: The references, 0 or 1. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        outcome: 1 to compare true positive rates, 0 to compare false positive rates.
        positive: The class that counts as 1, all others as 0, where there are texts or more classes
            than 0 and 1.
        method: What the rate of each group is compared with: the other groups', or with
            `"to_overall"` that of all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the groups, `"zero"` for what fairlearn gives, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The score, difference and ratio of the rates, and each group's counts.

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
    owner = "equal_opportunity"
    rate = rate_of_outcome(outcome, OPPORTUNITY, owner=owner)
    criterion = criterion_of(rate, method=method, owner=owner)
    table = count_groups(
        y_true, y_pred, groups, positive=positive, missing_group=missing_group, owner=owner
    )
    return parity_of(table, criterion, undefined, owner=owner)


def equalized_odds(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    agg: Aggregation = "mean",
    positive: Hashable = None,
    method: Method = "between_groups",
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
        positive: The class that counts as 1, all others as 0, where there are texts or more classes
            than 0 and 1.
        method: What the rate of each group is compared with: the other groups', or with
            `"to_overall"` that of all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the groups, `"zero"` for what fairlearn gives, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The score, difference and ratio of the rates, and each group's counts.

    Raises:
        InputError: The lengths differ, a value is missing, something is neither 0 nor 1, or no row
            has the class that counts as 1.

    Example:
        >>> odds = equalized_odds([1, 0, 1, 0], [1, 1, 1, 0], ["a", "a", "b", "b"])
        >>> odds.score, odds.ratio
        (0.5, 0.5)

    Source:
        Hardt, Price and Srebro, Equality of Opportunity in Supervised Learning, NeurIPS 2016; the
        mean is that of Zayed et al., Deep Learning on a Healthy Data Diet, AAAI 2023.
    """
    owner = "equalized_odds"
    criterion = criterion_of(*OPPORTUNITY[::-1], agg=agg, method=method, owner=owner)
    table = count_groups(
        y_true, y_pred, groups, positive=positive, missing_group=missing_group, owner=owner
    )
    return parity_of(table, criterion, undefined, owner=owner)


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
) -> Parity:
    """Compare how often each group's predictions of one outcome are wrong.

    For outcome 1 these are the false discovery rates, 1 less the precision; for outcome 0 the false
    omission rates. Differences and scores are those of the precision, too, but not ratios: a rate
    twice as high is a ratio of 0.5, however seldom a prediction is wrong.

    Args:
        y_true: The references, 0 or 1. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        outcome: 1 to compare false discovery rates, 0 to compare false omission rates.
        positive: The class that counts as 1, all others as 0, where there are texts or more classes
            than 0 and 1.
        method: What the rate of each group is compared with: the other groups', or with
            `"to_overall"` that of all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the groups, `"zero"`, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The score, difference and ratio of the rates, and each group's counts.

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
    owner = "predictive_parity"
    rate = rate_of_outcome(outcome, ("false_omission_rate", "false_discovery_rate"), owner=owner)
    criterion = criterion_of(rate, method=method, owner=owner)
    table = count_groups(
        y_true, y_pred, groups, positive=positive, missing_group=missing_group, owner=owner
    )
    return parity_of(table, criterion, undefined, owner=owner)
