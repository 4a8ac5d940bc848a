"""The rates of each group: how often it is predicted 1, rightly and wrongly."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_table import (
    SHARES,
    GroupTable,
    RateName,
    count_groups,
    rate_of,
    report_undefined,
)
from fair_datasets.measures.undefined import Undefined, check_undefined


@dataclass(frozen=True, slots=True)
class GroupRates:
    """The counts and rates of one group.

    All but the first three are None where there are no references.

    Attributes:
        count: How many rows the group has.
        predicted_positives: How many of them are predicted 1.
        selection_rate: The share that is predicted 1, in [0, 1].
        positives: How many have reference 1.
        true_positives: How many have reference 1 and prediction 1.
        false_positives: How many have reference 0 and prediction 1.
        true_negatives: How many have reference 0 and prediction 0.
        false_negatives: How many have reference 1 and prediction 0.
        true_positive_rate: The share of prediction 1 among reference 1, in [0, 1].
        false_positive_rate: The share of prediction 1 among reference 0, in [0, 1].
        true_negative_rate: The share of prediction 0 among reference 0, in [0, 1].
        false_negative_rate: The share of prediction 0 among reference 1, in [0, 1].
        false_discovery_rate: The share of reference 0 among prediction 1, in [0, 1]: how often a
            prediction of 1 is wrong.
        false_omission_rate: The share of reference 1 among prediction 0, in [0, 1]: how often a
            prediction of 0 is wrong.
        accuracy: The share whose prediction is the reference, in [0, 1].
    """

    count: int
    predicted_positives: int
    selection_rate: float
    positives: int | None = None
    true_positives: int | None = None
    false_positives: int | None = None
    true_negatives: int | None = None
    false_negatives: int | None = None
    true_positive_rate: float | None = None
    false_positive_rate: float | None = None
    true_negative_rate: float | None = None
    false_negative_rate: float | None = None
    false_discovery_rate: float | None = None
    false_omission_rate: float | None = None
    accuracy: float | None = None


def group_rates(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    groups: Any,
    *,
    positive: Hashable = None,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> dict[Hashable, GroupRates]:
    """Count the predictions of each group, and how many are right.

    A rate is not defined where a group has no row to be a share of, such as the true positive rate
    of a group without reference 1.

    Args:
        y_true: The references, 0 or 1, or None. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        positive: The class that counts as 1, all others as 0, where there are texts or more classes
            than 0 and 1.
        undefined: What to give for a rate that is not defined: `"nan"` with a warning that names
            the groups, `"zero"` as fairlearn does, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The counts and rates of each group, by its label; sorted where labels can be compared, else
        by first appearance.

    Raises:
        InputError: The lengths differ, a value is missing, something is neither 0 nor 1, or no row
            has the class that counts as 1.

    Example:
        >>> rates = group_rates([1, 1, 0, 1], [1, 0, 0, 1], ["a", "a", "a", "b"], undefined="zero")
        >>> rates["a"].true_positive_rate
        0.5
        >>> rates["b"].count, rates["b"].false_positive_rate
        (1, 0.0)
    """
    owner = "group_rates"
    check_undefined(undefined, owner=owner)
    table = count_groups(
        y_true, y_pred, groups, positive=positive, missing_group=missing_group, owner=owner
    )
    if table.has_references:
        report_undefined(table, SHARES, undefined, owner=owner)
    return rates_by_group(table, undefined)


def rates_by_group(table: GroupTable, undefined: Undefined) -> dict[Hashable, GroupRates]:
    """Compute the rates of each group from the counts.

    Args:
        undefined: `"zero"` gives 0 for a rate that is not defined, else it is NaN; nothing is said.

    Returns:
        The counts and rates of each group, by its label.

    Example:
        >>> table = count_groups([1, 1, 0], [1, 0, 0], ["a", "a", "a"], owner="equalized_odds")
        >>> rates_by_group(table, "nan")["a"].true_positives
        1
    """
    rates = {name: rate_of(table.counts, name, undefined).tolist() for name in get_args(RateName)}
    found: dict[Hashable, GroupRates] = {}
    for row, (name, cells) in enumerate(zip(table.names, table.counts.tolist(), strict=True)):
        (true_negatives, false_positives), (false_negatives, true_positives) = cells
        group = GroupRates(
            count=sum(map(sum, cells)),
            predicted_positives=false_positives + true_positives,
            selection_rate=rates["selection_rate"][row],
        )
        if table.has_references:
            group = replace(
                group,
                positives=false_negatives + true_positives,
                true_positives=true_positives,
                false_positives=false_positives,
                true_negatives=true_negatives,
                false_negatives=false_negatives,
                **{rate: values[row] for rate, values in rates.items()},
            )
        found[name] = group
    return found


def counts_of(groups: Mapping[Hashable, GroupRates]) -> NDArray[np.int64]:
    """Return the counts behind the rates of groups.

    Returns:
        Rows by group, reference and prediction; without references all have reference 0. Shape
        (G, 2, 2).

    Example:
        >>> counts_of(group_rates(None, [1, 0, 1], ["a", "a", "a"])).tolist()
        [[[1, 2], [0, 0]]]
    """
    counts = [
        [
            [group.count - group.predicted_positives, group.predicted_positives, 0, 0]
            if group.true_positives is None
            else [
                group.true_negatives,
                group.false_positives,
                group.false_negatives,
                group.true_positives,
            ]
        ]
        for group in groups.values()
    ]
    return np.array(counts, np.int64).reshape(-1, 2, 2)
