"""Error rate equality: how far each group's error rates lie from those of all rows."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_rates import GroupRates, rates_by_group
from fair_datasets.measures.group_table import (
    GroupTable,
    RateName,
    rate_of,
    read_cells,
    report_undefined,
)
from fair_datasets.measures.subgroups import subgroup_masks
from fair_datasets.measures.undefined import Undefined, check_undefined, undefined_value

_OWNER = "error_rate_equality"


@dataclass(frozen=True, slots=True)
class ErrorRateEquality:
    """How far each group's error rates lie from those of all rows.

    The two sums grow with the number of groups; compare them only over the same groups.

    Attributes:
        false_positive_equality_difference: The sum over groups of the distances between the group's
            false positive rate and that of all rows (FPED), 0 or more. Lower is fairer; 0 means
            that every group has the rate of all rows.
        false_negative_equality_difference: Likewise for false negative rates (FNED).
        false_positive_terms: Each group's term of the first sum, by its label.
        false_negative_terms: Each group's term of the second sum.
        overall: The counts and rates of all rows.
        groups: The counts and rates of each group, by its label.
    """

    false_positive_equality_difference: float
    false_negative_equality_difference: float
    false_positive_terms: dict[Hashable, float]
    false_negative_terms: dict[Hashable, float]
    overall: GroupRates
    groups: dict[Hashable, GroupRates]


def error_rate_equality(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    positive: Hashable = None,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> ErrorRateEquality:
    """Sum the distances between each group's error rates and those of all rows.

    Groups may overlap, and rows may belong to none; such rows count among all rows. A group without
    rows of one reference has no such rate, and the sum is then not defined.

    Args:
        y_true: The references, 0 or 1. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A label per row, a list of labels per row, or a mapping of labels to masks of shape
            (N,).
        positive: The class that counts as 1, all others as 0, where there are texts or more classes
            than 0 and 1.
        undefined: What to give for a rate that is not defined: `"nan"` with a warning that names
            the groups, `"zero"` for a rate of 0, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The two sums, their terms, and the counts and rates of all rows and of each group.

    Raises:
        InputError: The lengths differ, a value is missing, something is neither 0 nor 1, or no row
            has the class that counts as 1.

    Example:
        >>> found = error_rate_equality([0, 0, 1, 0, 0, 1], [1, 0, 1, 0, 0, 1],
        ...     ["a", "a", "a", "b", "b", "b"])
        >>> found.false_positive_equality_difference
        0.5
        >>> found.false_positive_terms
        {'a': 0.25, 'b': 0.25}

    Source:
        Dixon et al., Measuring and Mitigating Unintended Bias in Text Classification, AIES 2018.
    """
    check_undefined(undefined, owner=_OWNER)
    cells = read_cells(y_true, y_pred, positive=positive, owner=_OWNER)
    masks = subgroup_masks(groups, owner=_OWNER, missing_group=missing_group)
    for mask in masks.values():
        inputs.same_length({"predictions": cells, "groups": mask}, owner=_OWNER)
    counts = np.array([np.bincount(cells[mask], minlength=4) for mask in masks.values()], np.int64)
    table = GroupTable(tuple(masks), counts.reshape(-1, 2, 2), True)
    whole = GroupTable(("all rows",), np.bincount(cells, minlength=4).reshape(1, 2, 2), True)
    report_undefined(table, ("false_negative_rate", "false_positive_rate"), undefined, owner=_OWNER)
    lacking = 0.0
    if not masks or (len(masks) == 1 and (counts.sum() == len(cells))):
        reason = "the only group is all rows; a comparison needs a smaller one."
        lacking = undefined_value(reason, undefined, owner=_OWNER)
    false_positive = _terms(table, whole, "false_positive_rate", undefined)
    false_negative = _terms(table, whole, "false_negative_rate", undefined)
    return ErrorRateEquality(
        sum(false_positive.values()) + lacking,
        sum(false_negative.values()) + lacking,
        false_positive,
        false_negative,
        rates_by_group(whole, undefined)["all rows"],
        rates_by_group(table, undefined),
    )


def _terms(
    table: GroupTable, whole: GroupTable, rate: RateName, undefined: Undefined
) -> dict[Hashable, float]:
    """Return the distance of each group's rate from that of all rows."""
    distances = np.abs(
        rate_of(table.counts, rate, undefined) - rate_of(whole.counts, rate, undefined)
    )
    return dict(zip(table.names, distances.tolist(), strict=True))
