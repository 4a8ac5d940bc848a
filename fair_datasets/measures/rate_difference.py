"""The signed difference of two groups' true and false positive rates."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from fair_datasets.measures.columns import scalar
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_rates import GroupRates, rates_by_group
from fair_datasets.measures.group_table import (
    GroupTable,
    RateName,
    count_groups,
    rate_of,
    report_undefined,
)
from fair_datasets.measures.undefined import Undefined, check_undefined
from fair_datasets.system.checks import InputError

_OWNER = "rate_difference"
_RATES: tuple[RateName, ...] = ("true_positive_rate", "false_positive_rate")


@dataclass(frozen=True, slots=True)
class RateDifference:
    """How the rates of one group differ from those of another.

    Attributes:
        true_positive_rate_difference: The rate of the first group less that of the second (TPRD),
            in [-1, 1]. 0 means equal rates; above 0 the first group is found more often.
        false_positive_rate_difference: Likewise for false positive rates (FPRD).
        absolute_true_positive_rate_difference: The first without its sign, in [0, 1]. Lower is
            fairer.
        absolute_false_positive_rate_difference: The second without its sign.
        order: The two groups: the first less the second.
        groups: The counts and rates of each group, by its label, also of those not compared.
    """

    true_positive_rate_difference: float
    false_positive_rate_difference: float
    absolute_true_positive_rate_difference: float
    absolute_false_positive_rate_difference: float
    order: tuple[Hashable, Hashable]
    groups: dict[Hashable, GroupRates]


def rate_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    order: Sequence[Hashable] | None = None,
    positive: Hashable = None,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> RateDifference:
    """Subtract the true and the false positive rate of one group from those of another.

    Args:
        y_true: The references, 0 or 1. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row, of any hashable kind. Shape (N,).
        order: The two groups, the second of which is subtracted. It can be left out where there are
            just two; they are then compared in their sorted order.
        positive: The class that counts as 1, all others as 0, where there are texts or more classes
            than 0 and 1.
        undefined: What to give for a rate that is not defined: `"nan"` with a warning that names
            the group, `"zero"` for a rate of 0, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Returns:
        The differences, signed and absolute, with the order that they have.

    Raises:
        InputError: A group of the order does not exist, the lengths differ, a value is missing,
            something is neither 0 nor 1, or no row has the class that counts as 1.

    Example:
        >>> found = rate_difference([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1],
        ...     ["w", "w", "m", "m", "w", "m"], order=("w", "m"))
        >>> found.true_positive_rate_difference, found.false_positive_rate_difference
        (0.5, -1.0)

    Source:
        De-Arteaga et al., Bias in Bios, FAT* 2019 (true positive rates); Tokpo and Calders, 2023.
    """
    check_undefined(undefined, owner=_OWNER)
    table = count_groups(
        y_true, y_pred, groups, positive=positive, missing_group=missing_group, owner=_OWNER
    )
    rows = _compared(table, order)
    counts = table.counts[rows]
    pair = GroupTable(tuple(table.names[row] for row in rows), counts, True)
    report_undefined(pair, _RATES, undefined, owner=_OWNER)
    rates = [rate_of(counts, rate, undefined).tolist() for rate in _RATES]
    true_positive, false_positive = (first - second for first, second in rates)
    return RateDifference(
        true_positive,
        false_positive,
        abs(true_positive),
        abs(false_positive),
        (pair.names[0], pair.names[1]),
        rates_by_group(table, undefined),
    )


def _compared(table: GroupTable, order: Sequence[Hashable] | None) -> list[int]:
    """Return the positions of the two groups that are compared."""
    names = list(table.names)
    found = ", ".join(map(repr, names)) or "none"
    if order is None and len(names) != 2:
        raise InputError(
            f"{_OWNER}: order must name the two groups to compare, because there are not exactly "
            f"two; the groups are {found}."
        )
    chosen = names if order is None else order
    if (
        isinstance(chosen, str | Mapping)
        or not hasattr(chosen, "__getitem__")
        or len(chosen) != 2
        or chosen[0] == chosen[1]
    ):
        raise InputError(f"{_OWNER}: order must be two different groups, but it is {order!r}.")
    chosen = [scalar(name) for name in chosen]
    for name in chosen:
        if name not in names:
            raise InputError(f"{_OWNER}: there is no group {name!r}; the groups are {found}.")
    return [names.index(name) for name in chosen]
