"""The table behind every measure of groups: rows by group, reference and prediction.

The rows are read once, into a table of four counts per group; all else is arithmetic on it and
costs nothing in the number of rows.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.class_labels import one_against_rest
from fair_datasets.measures.group_labels import MissingGroup, group_labels
from fair_datasets.measures.undefined import Undefined, undefined_value

RateName = Literal[
    "selection_rate",
    "true_positive_rate",
    "false_positive_rate",
    "true_negative_rate",
    "false_negative_rate",
    "false_discovery_rate",
    "false_omission_rate",
    "accuracy",
]
"""The rates of a group."""


class Share(NamedTuple):
    """What a rate is the share of.

    Attributes:
        column: The column that tells which rows it is a share of.
        given: The value that those rows have there.
        counted: The value in the other column of the rows that are counted.
    """

    column: Literal["reference", "prediction"]
    given: int
    counted: int


SHARES = {
    "true_positive_rate": Share("reference", 1, 1),
    "false_negative_rate": Share("reference", 1, 0),
    "false_positive_rate": Share("reference", 0, 1),
    "true_negative_rate": Share("reference", 0, 0),
    "false_discovery_rate": Share("prediction", 1, 0),
    "false_omission_rate": Share("prediction", 0, 1),
}
"""The rates that are shares of some rows; the others are shares of all rows."""

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
    positive: Hashable = None,
    missing_group: MissingGroup = "raise",
) -> GroupTable:
    """Count the rows of each group by reference and prediction.

    Args:
        y_true: The references, 0 or 1, or None. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        groups: A group label per row. Shape (N,).
        owner: The measure, for errors.
        positive: The class that counts as 1, all others as 0; None where the classes are 0 and 1.

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> table = count_groups([1, 1], [0, 1], ["a", "a"], owner="equalized_odds")
        >>> table.counts.tolist()
        [[[0, 0], [1, 1]]]
    """
    cells = read_cells(y_true, y_pred, owner=owner, positive=positive)
    names, codes = group_labels(groups, owner=owner, missing_group=missing_group)
    inputs.same_length({"predictions": cells, "groups": codes}, owner=owner)
    if 4 * len(names) > np.iinfo(codes.dtype).max:
        codes = codes.astype(np.intp)
    counts = np.bincount(codes * codes.dtype.type(4) + cells, minlength=4 * len(names))
    return GroupTable(names, counts.reshape(-1, 2, 2), y_true is not None)


def read_cells(
    y_true: ArrayLike | None, y_pred: ArrayLike, *, owner: str, positive: Hashable = None
) -> NDArray[np.uint8]:
    """Read references and predictions as the cell of each row: twice the one plus the other.

    Args:
        y_true: The references, 0 or 1, or None for 0 throughout. Shape (N,).
        y_pred: The predictions, 0 or 1. Shape (N,).
        owner: The measure, for errors.
        positive: The class that counts as 1, all others as 0; None where the classes are 0 and 1.

    Returns:
        The cells, from 0 to 3. Shape (N,).

    Raises:
        InputError: The lengths differ, a value is missing, or something is neither 0 nor 1.

    Example:
        >>> read_cells([0, 1], [1, 1], owner="equalized_odds").tolist()
        [1, 3]
    """
    columns = {"predictions": y_pred} | ({} if y_true is None else {"references": y_true})
    read = one_against_rest(columns, positive, owner=owner)
    inputs.same_length(read, owner=owner)
    predicted = read["predictions"].view(np.uint8)
    if y_true is None:
        return predicted
    return read["references"].view(np.uint8) * np.uint8(2) + predicted


def rate_of(
    counts: NDArray[np.int64], name: RateName, undefined: Undefined = "nan"
) -> NDArray[np.float64]:
    """Compute one rate from counts.

    Args:
        counts: Rows by reference and prediction. Shape (..., 2, 2).
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
        rows = _rows_of(counts, SHARES[name])
        share, whole = rows[..., SHARES[name].counted], rows.sum(-1)
    empty = 0.0 if undefined == "zero" else np.nan
    return np.where(whole, share / np.maximum(whole, 1), empty)


def report_undefined(
    table: GroupTable, rates: Iterable[str], undefined: Undefined, *, owner: str
) -> None:
    """Warn or raise once for each reference or prediction that some groups lack and a rate needs.

    Raises:
        InputError: A group lacks rows, and `undefined` is `"raise"`.

    Example:
        >>> table = GroupTable(("a",), np.array([[[3, 1], [0, 0]]]), True)
        >>> report_undefined(table, ["true_positive_rate"], "raise", owner="equal_opportunity")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: equal_opportunity: group 'a' has no rows with reference 1,
        so that its true_positive_rate is not defined.
    """
    needed: dict[str, list[str]] = {}
    sizes: dict[str, NDArray[np.int64]] = {}
    for name in rates:
        share = SHARES.get(name)
        what = f"no rows with {share.column} {share.given}" if share else "no rows"
        needed.setdefault(what, []).append(name)
        sizes[what] = (_rows_of(table.counts, share) if share else table.counts.sum(-1)).sum(-1)
    for what, names in needed.items():
        lacking = [table.names[row] for row in np.flatnonzero(sizes[what] == 0)]
        if lacking:
            several = len(lacking) > 1
            undefined_value(
                f"{named_groups(lacking)} {'have' if several else 'has'} {what}, so that "
                f"{'their' if several else 'its'} {' and '.join(names)} "
                f"{'are' if len(names) > 1 else 'is'} not defined.",
                undefined,
                owner=owner,
            )


def _rows_of(counts: NDArray[np.int64], share: Share) -> NDArray[np.int64]:
    """Return the counts of the rows that a rate is a share of, by the other column."""
    if share.column == "reference":
        return counts[..., share.given, :]
    return counts[..., share.given]


def named_groups(groups: Sequence[Hashable]) -> str:
    """Name some groups in a sentence.

    Args:
        groups: Their labels; one or more.

    Example:
        >>> named_groups("a"), named_groups("abcdefg")
        ("group 'a'", "groups 'a', 'b', 'c', 'd', 'e' and 2 others")
    """
    if len(groups) == 1:
        return f"group {groups[0]!r}"
    shown = [repr(group) for group in groups[:_SHOWN]]
    others = len(groups) - len(shown)
    *first, last = [*shown, f"{others} others"] if others else shown
    return f"groups {', '.join(first)} and {last}"
