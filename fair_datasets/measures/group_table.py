"""The table behind every measure of groups: rows by group, reference and prediction.

The rows are read once, into a table of four counts per group; all else is arithmetic on it and
costs nothing in the number of rows.
"""

from collections.abc import Hashable, Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import MissingGroup, group_labels
from fair_datasets.measures.undefined import Undefined, undefined_value

RateName = Literal[
    "selection_rate",
    "true_positive_rate",
    "false_positive_rate",
    "true_negative_rate",
    "false_negative_rate",
    "accuracy",
]
"""The rates of a group."""

REFERENCE_OF = {
    "true_positive_rate": 1,
    "false_negative_rate": 1,
    "false_positive_rate": 0,
    "true_negative_rate": 0,
}
"""The reference of the rows that a rate is a share of, where it is not a share of all rows."""

_SHOWN = 5
"""How many groups a warning names."""


class GroupTable(NamedTuple):
    """How many rows of each group have which reference and prediction.

    Attributes:
        names: The groups' labels. Length G.
        counts: The rows by group, reference and prediction; without references all have
            reference 0. Shape (G, 2, 2), int64.
        has_references: Whether there are references.
    """

    names: tuple[Hashable, ...]
    counts: NDArray[np.int64]
    has_references: bool


def count_groups(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    groups: Any,
    *,
    owner: str,
    missing_group: MissingGroup = "raise",
) -> GroupTable:
    """Count the rows of each group by reference and prediction.

    Args:
        y_true: The references, 0 or 1, or None. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row. Shape (N,).
        owner: The measure, for errors.
        missing_group: What to do where a label is missing.

    Returns:
        The table.

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> table = count_groups([1, 1], [0, 1], ["a", "a"], owner="equalized_odds")
        >>> table.counts.tolist()
        [[[0, 0], [1, 1]]]
    """
    cells = read_cells(y_true, y_pred, owner=owner)
    names, codes = group_labels(groups, owner=owner, missing_group=missing_group)
    inputs.same_length({"predictions": cells, "groups": codes}, owner=owner)
    if 4 * len(names) > np.iinfo(codes.dtype).max:
        codes = codes.astype(np.intp)
    counts = np.bincount(codes * codes.dtype.type(4) + cells, minlength=4 * len(names))
    return GroupTable(names, counts.reshape(-1, 2, 2), y_true is not None)


def read_cells(y_true: ArrayLike | None, y_pred: ArrayLike, *, owner: str) -> NDArray[np.uint8]:
    """Read references and predictions as the cell of each row: twice the one plus the other.

    Args:
        y_true: The references, 0 or 1, or None for 0 throughout. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        owner: The measure, for errors.

    Returns:
        The cells, from 0 to 3. Shape (N,).

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> read_cells([0, 1], [1, 1], owner="equalized_odds").tolist()
        [1, 3]
    """
    predicted = inputs.binary(y_pred, "predictions", owner=owner).view(np.uint8)
    if y_true is None:
        return predicted
    references = inputs.binary(y_true, "references", owner=owner).view(np.uint8)
    inputs.same_length({"predictions": predicted, "references": references}, owner=owner)
    return references * np.uint8(2) + predicted


def rate_of(
    counts: NDArray[np.int64], name: RateName, undefined: Undefined = "nan"
) -> NDArray[np.float64]:
    """Compute one rate from counts.

    Args:
        counts: Rows by reference and prediction. Shape (..., 2, 2).
        name: The rate.
        undefined: `"zero"` gives 0 where the rate is not defined, else it is NaN.

    Returns:
        The rates. Shape (...).

    Example:
        >>> rate_of(np.array([[3, 1], [0, 0]]), "false_positive_rate")
        array(0.25)
    """
    if name == "accuracy":
        share, whole = counts[..., 0, 0] + counts[..., 1, 1], counts.sum((-2, -1))
    elif name == "selection_rate":
        share, whole = counts[..., 1].sum(-1), counts.sum((-2, -1))
    else:
        rows = counts[..., REFERENCE_OF[name], :]
        share, whole = rows[..., int(name.endswith("_positive_rate"))], rows.sum(-1)
    empty = 0.0 if undefined == "zero" else np.nan
    return np.where(whole, share / np.maximum(whole, 1), empty)


def report_undefined(
    table: GroupTable, rates: Iterable[str], undefined: Undefined, *, owner: str
) -> None:
    """Warn or raise once for each reference that some groups lack and a rate needs.

    Args:
        table: The counts.
        rates: The rates that are asked for.
        undefined: What to do.
        owner: The measure.

    Raises:
        InputError: A group lacks rows, and `undefined` is `"raise"`.

    Example:
        >>> table = GroupTable(("a",), np.array([[[3, 1], [0, 0]]]), True)
        >>> report_undefined(table, ["true_positive_rate"], "raise", owner="equal_opportunity")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: equal_opportunity: group 'a' has no rows with reference 1,
        so that its true_positive_rate is not defined.
    """
    for reference in (1, 0, None):
        needed = [name for name in rates if REFERENCE_OF.get(name) == reference]
        rows = table.counts if reference is None else table.counts[:, [reference]]
        lacking = [table.names[row] for row in np.flatnonzero(rows.sum((1, 2)) == 0)]
        if needed and lacking:
            subject, has, its = _named(lacking)
            what = "no rows" if reference is None else f"no rows with reference {reference}"
            are = "are" if len(needed) > 1 else "is"
            undefined_value(
                f"{subject} {has} {what}, so that {its} {' and '.join(needed)} {are} not defined.",
                undefined,
                owner=owner,
            )


def _named(groups: list[Hashable]) -> tuple[str, str, str]:
    """Name some groups as the subject of a sentence, with the words that agree with it."""
    if len(groups) == 1:
        return f"group {groups[0]!r}", "has", "its"
    shown = [repr(group) for group in groups[:_SHOWN]]
    others = [f"{len(groups) - _SHOWN} others"] if len(groups) > _SHOWN else []
    *first, last = shown + others
    return f"groups {', '.join(first)} and {last}", "have", "their"
