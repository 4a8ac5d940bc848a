"""The table behind every measure of groups, rows by group, reference and prediction, and rates.

The rows are read once, into a table of four counts per group; all else is arithmetic on it and
costs nothing in the number of rows.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import (
    MissingGroup,
    family_codes,
    group_labels,
    one_against_rest,
)
from fair_datasets.measures.inputs import Undefined, check_undefined, undefined_value

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


class FamilyRows(NamedTuple):
    """Rows that belong to families, each of which is drawn as a whole.

    Attributes:
        cells: Twice the reference plus the prediction of each row. Shape (N,).
        codes: The group of each row. Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).
    """

    cells: NDArray[np.intp]
    codes: NDArray[np.intp]
    families: NDArray[np.intp]


class GroupTable(NamedTuple):
    """How many rows of each group have which reference and prediction.

    Attributes:
        counts: The rows by group, reference and prediction; without references all have
            reference 0. Shape (G, 2, 2), int64.
        rows: The rows themselves, where they belong to families.
    """

    names: tuple[Hashable, ...]
    counts: NDArray[np.int64]
    has_references: bool
    rows: FamilyRows | None = None


def count_groups(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    groups: Any,
    *,
    positive: Hashable = None,
    missing_group: MissingGroup = "raise",
    families: Any = None,
) -> GroupTable:
    """Count the rows of each group by reference and prediction.

    Args:
        families: The family of each row, or None where each row is one of its own. Shape (N,).

    Example:
        >>> table = count_groups([1, 1], [0, 1], ["a", "a"])
        >>> table.counts.tolist()
        [[[0, 0], [1, 1]]]
    """
    cells = read_cells(y_true, y_pred, positive=positive)
    names, codes = group_labels(groups, missing_group=missing_group)
    own = family_codes(families, {"predictions": cells, "groups": codes})
    if 4 * len(names) > np.iinfo(codes.dtype).max:
        codes = codes.astype(np.intp)
    counts = np.bincount(codes * codes.dtype.type(4) + cells, minlength=4 * len(names))
    rows = None
    if own is not None:
        rows = FamilyRows(cells.astype(np.intp), codes.astype(np.intp), own)
    return GroupTable(names, counts.reshape(-1, 2, 2), y_true is not None, rows)


def read_cells(
    y_true: ArrayLike | None, y_pred: ArrayLike, *, positive: Hashable = None
) -> NDArray[np.uint8]:
    """Read references and predictions as the cell of each row: twice the one plus the other.

    Returns:
        The cells, from 0 to 3. Shape (N,).

    Example:
        >>> read_cells([0, 1], [1, 1]).tolist()
        [1, 3]
    """
    columns = {"predictions": y_pred} | ({} if y_true is None else {"references": y_true})
    read = one_against_rest(columns, positive)
    inputs.same_length(read)
    predicted = read["predictions"].view(np.uint8)
    if y_true is None:
        return predicted
    return read["references"].view(np.uint8) * np.uint8(2) + predicted


def rate_of(
    counts: NDArray[np.int64], name: RateName, undefined: Undefined = "nan"
) -> NDArray[np.float64]:
    """Compute one rate from counts. Shape (...).

    Args:
        counts: Rows by reference and prediction. Shape (..., 2, 2).

    Example:
        >>> rate_of(np.array([[3, 1], [0, 0]]), "false_positive_rate")
        array(0.25)
    """
    share, whole = share_of(counts, name)
    empty = 0.0 if undefined == "zero" else np.nan
    return np.where(whole, share / np.maximum(whole, 1), empty)


def share_of(
    counts: NDArray[np.int64], name: RateName
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many rows a rate counts, and of how many it is a share. Each of shape (...).

    Args:
        counts: Rows by reference and prediction. Shape (..., 2, 2).

    Example:
        >>> [int(count) for count in share_of(np.array([[3, 1], [0, 0]]), "false_positive_rate")]
        [1, 4]
    """
    if name == "accuracy":
        return counts[..., 0, 0] + counts[..., 1, 1], counts.sum((-2, -1))
    if name == "selection_rate":
        return counts[..., 1].sum(-1), counts.sum((-2, -1))
    rows = _rows_of(counts, SHARES[name])
    return rows[..., SHARES[name].counted], rows.sum(-1)


def report_undefined(table: GroupTable, rates: Iterable[str], undefined: Undefined) -> None:
    """Warn or raise once for each reference or prediction that a group lacks and a rate needs."""
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
            )


def _rows_of(counts: NDArray[np.int64], share: Share) -> NDArray[np.int64]:
    """Return the counts of the rows that a rate is a share of, by the other column."""
    if share.column == "reference":
        return counts[..., share.given, :]
    return counts[..., share.given]


def named_groups(groups: Sequence[Hashable]) -> str:
    """Name some groups in a sentence.

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
        positive: The class that counts as 1, all others as 0. None: they are 0 and 1 already.
        undefined: For what is not defined: `"nan"` with a warning, `"zero"` or `"raise"`.
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
    check_undefined(undefined)
    table = count_groups(y_true, y_pred, groups, positive=positive, missing_group=missing_group)
    if table.has_references:
        report_undefined(table, SHARES, undefined)
    return rates_by_group(table, undefined)


def rates_by_group(table: GroupTable, undefined: Undefined) -> dict[Hashable, GroupRates]:
    """Compute the rates of each group from the counts.

    Example:
        >>> table = count_groups([1, 1, 0], [1, 0, 0], ["a", "a", "a"])
        >>> rates_by_group(table, "nan")["a"].true_positives
        1
    """
    rates = {name: rate_of(table.counts, name, undefined).tolist() for name in get_args(RateName)}
    groups: dict[Hashable, GroupRates] = {}
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
        groups[name] = group
    return groups


def counts_of(groups: Mapping[Hashable, GroupRates]) -> NDArray[np.int64]:
    """Return the counts behind the rates of groups.

    Returns:
        Rows by group, reference and prediction; without references all have reference 0. Shape
        (G, 2, 2).
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


Method = Literal["between_groups", "to_overall"]
"""What the values of groups are compared with: each other, or the value of all rows."""


def spread_of(
    values: NDArray[np.float64], overall: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute how far the values of groups lie apart, or from that of all rows.

    Args:
        values: The value of each group, NaN where it is not defined. Shape (..., G).

    Returns:
        The largest difference, and the smallest ratio of the smaller to the larger value; NaN where
        a value is not defined, and for the ratio of zeros. Each of shape (...).

    Example:
        >>> spread_of(np.array([[0.25, 0.5]]), None)
        (array([0.25]), array([0.5]))
        >>> spread_of(np.array([[0.25, 0.5]]), np.array([0.375]))
        (array([0.125]), array([0.66666667]))

    Source:
        The two methods of `MetricFrame.difference` and `MetricFrame.ratio` in fairlearn.
    """
    if overall is None:
        largest, smallest = values.max(-1), values.min(-1)
        return largest - smallest, _ratio(smallest, largest)
    whole = overall[..., None]
    ratios = _ratio(np.minimum(values, whole), np.maximum(values, whole))
    return np.abs(values - whole).max(-1), ratios.min(-1)


def lacking_groups(names: Sequence[Hashable], undefined: Undefined) -> float:
    """Return the value for fewer than two groups, with which there is nothing to compare.

    Returns:
        0, or NaN for a comparison that is not defined.

    Example:
        >>> lacking_groups(["a", "b"], "raise")
        0.0
    """
    if len(names) > 1:
        return 0.0
    reason = f"there is one group, {names[0]!r}" if names else "there are no rows"
    return undefined_value(f"{reason}; a comparison needs two groups.", undefined)


def _ratio(smaller: NDArray[np.float64], larger: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the smaller by the larger, where that is not 0."""
    return np.where(larger == 0, np.nan, smaller / np.where(larger == 0, 1, larger))
