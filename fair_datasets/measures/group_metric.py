"""Any metric by group: the worst group, and how far the groups lie apart."""

import warnings
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.columns import column, is_missing, listed
from fair_datasets.measures.group_labels import MissingGroup, group_labels
from fair_datasets.measures.group_table import Method, lacking_groups, named_groups, spread_of
from fair_datasets.measures.inputs import (
    Undefined,
    check_undefined,
    sentence_of_missing,
    undefined_value,
)
from fair_datasets.measures.metric_functions import (
    NamedMetric,
    Outcome,
    Worst,
    metric_of_all,
    metric_of_group,
    read_metric,
)
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

_OWNER = "group_metric"


class MetricRows(NamedTuple):
    """The rows behind the metric of groups, so that they can be drawn anew.

    Attributes:
        references: Its references. Shape (N, ...).
        predictions: Its predictions. Shape (N, ...).
        codes: The position of each row's group. Shape (N,).
    """

    metric: NamedMetric
    references: NDArray[Any]
    predictions: NDArray[Any]
    codes: NDArray[np.intp]
    n_groups: int
    told: frozenset[str]
    method: Method

    def by_group(self) -> list[Outcome]:
        """Compute the metric of each group."""
        order = np.argsort(self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=self.n_groups)).tolist()
        found = []
        for start, end in zip([0, *ends], ends, strict=False):
            rows = order[start:end]
            given = (self.references[rows], self.predictions[rows])
            outcome = Outcome(np.nan, "it has no rows", [])
            found.append(metric_of_group(self.metric, *given, self.told) if rows.size else outcome)
        return found

    def drawn(self, rows: NDArray[np.intp]) -> tuple[float, float]:
        """Compute the difference and the ratio over other rows, some of them several times.

        Returns:
            The difference and the ratio, NaN where they are not defined.
        """
        other = self._replace(
            references=self.references[rows],
            predictions=self.predictions[rows],
            codes=self.codes[rows],
        )
        values = np.array([np.nan if each.problem else each.value for each in other.by_group()])
        overall = None
        if self.method == "to_overall":
            whole = metric_of_group(self.metric, other.references, other.predictions, self.told)
            overall = np.array(np.nan if whole.problem else whole.value)
        return spread_of_metric(values, overall)


@dataclass(frozen=True, slots=True)
class MetricValue:
    """The metric of one group.

    Attributes:
        count: How many rows the group has.
        value: The metric over these rows.
    """

    count: int
    value: float


@dataclass(frozen=True, slots=True)
class GroupMetric:
    """A metric by group.

    Attributes:
        overall: The metric over all rows.
        worst_group: The label of the group with the worst value, the first of several; None where
            no group has a value.
        worst: Its value.
        difference: The largest value less the smallest, 0 or more. Lower is fairer; 0 means equal
            values. With `"to_overall"`, the largest distance of a group's value from that of all
            rows.
        ratio: The smallest value divided by the largest, in [0, 1]. Higher is fairer; 1 means equal
            values. With `"to_overall"`, the smallest ratio of a group's value and that of all rows,
            the smaller divided by the larger.
        groups: The count and the value of each group, by its label.
        rows: What they were computed from, for `bootstrap_interval`.
    """

    overall: float
    worst_group: Hashable
    worst: float
    difference: float
    ratio: float
    groups: dict[Hashable, MetricValue]
    rows: MetricRows = field(repr=False, compare=False)


def group_metric(
    metric: Any,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    metric_options: Mapping[str, Any] | None = None,
    worst: Worst | None = None,
    method: Method = "between_groups",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> GroupMetric:
    """Compute any metric of each group, and compare the groups by it.

    The metric of a group is not defined where the metric refuses its rows, gives no finite number,
    or warns of them and not of all rows: so a precision without predictions, or the balanced
    accuracy of a group that lacks a class. Neither is a comparison then, but the worst group is
    that of the others.

    Args:
        metric: A function of references and predictions that gives a number, such as those of
            scikit-learn; a module of `evaluate`; or the name of a function of `sklearn.metrics`.
        y_true: The references, of any kind that the metric takes; a value or vector per row.
            Shape (N, ...).
        y_pred: The predictions likewise: classes, texts, scores, or probabilities of each class.
            Shape (N, ...).
        groups: A group label per row, of any hashable kind. Shape (N,).
        metric_options: What else the metric takes, such as `{"average": "macro"}`.
        worst: Which value is the worst, `"lowest"` or `"highest"`. It can be left out for functions
            of scikit-learn, whose names say so: a score, or a loss, error or deviance.
        method: What the value of each group is compared with: the other groups', or with
            `"to_overall"` that of all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the groups and says why; `"zero"` for the number that the metric gives all the same, as
            in fairlearn, and 0 where it gives none; or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Raises:
        InputError: The metric cannot be computed of these rows or does not give one number, the
            lengths differ, or a value is missing.

    Example:
        >>> from sklearn.metrics import precision_score
        >>> found = group_metric(precision_score, [1, 0, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"])
        >>> found.overall, found.worst_group, found.worst, found.difference, found.ratio
        (0.75, 'a', 0.5, 0.5, 0.5)
    """
    check_undefined(undefined, owner=_OWNER)
    checks.one_of(method, get_args(Method), owner=_OWNER, parameter="method")
    named = read_metric(metric, metric_options, worst, owner=_OWNER)
    predictions = observations(y_pred, "predictions", owner=_OWNER)
    references = observations(y_true, "references", owner=_OWNER)
    names, codes = group_labels(groups, owner=_OWNER, missing_group=missing_group)
    columns = {"predictions": predictions, "references": references, "groups": codes}
    inputs.same_length(columns, owner=_OWNER)
    codes = codes.astype(np.intp)
    whole = Outcome(np.nan, "there are no rows", [])
    if names:
        whole = metric_of_all(named, references, predictions, owner=_OWNER)
    for each in whole.told:
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    told = frozenset(str(each.message) for each in whole.told)
    rows = MetricRows(named, references, predictions, codes, len(names), told, method)
    overall = _defined(named, [whole], "all rows", undefined)[0]
    values = _by_group(rows, names, undefined)
    difference, ratio = _compared(rows, names, np.array(values), overall, undefined)
    place = _place_of_worst(np.array(values), named.worst)
    counts = np.bincount(codes, minlength=len(names)).tolist()
    return GroupMetric(
        overall=overall,
        worst_group=None if place is None else names[place],
        worst=np.nan if place is None else values[place],
        difference=difference,
        ratio=ratio,
        groups=dict(zip(names, map(MetricValue, counts, values), strict=True)),
        rows=rows,
    )


def spread_of_metric(
    values: NDArray[np.float64], overall: NDArray[np.float64] | None
) -> tuple[float, float]:
    """Compare the values of groups, which may be below 0: then there is no ratio.

    Args:
        values: The value of each group. Shape (G,), G > 0.
        overall: The value of all rows, without an axis, or None to compare the groups with each
            other.

    Returns:
        The difference and the ratio, NaN where they are not defined.

    Example:
        >>> spread_of_metric(np.array([-0.25, 0.5]), None)
        (0.75, nan)
    """
    difference, ratio = map(float, spread_of(values, overall))
    is_below = bool((values < 0).any()) or (overall is not None and bool(overall < 0))
    return difference, np.nan if is_below else ratio


def _by_group(rows: MetricRows, names: Sequence[Hashable], undefined: Undefined) -> list[float]:
    """Return the value of each group, and say once which are not defined."""
    found = rows.by_group()
    lacking = [name for name, each in zip(names, found, strict=True) if each.problem]
    return _defined(rows.metric, found, named_groups(lacking) if lacking else "", undefined)


def _defined(
    metric: NamedMetric, found: Sequence[Outcome], whose: str, undefined: Undefined
) -> list[float]:
    """Return values, with what stands for those that are not defined."""
    problem = next((each.problem for each in found if each.problem), "")
    if not problem:
        return [each.value for each in found]
    reason = f"{metric.name} is not defined for {whose}: {problem.rstrip('.')}."
    lacking = undefined_value(reason, undefined, owner=_OWNER)
    return [
        each.value
        if not each.problem or (undefined == "zero" and np.isfinite(each.value))
        else lacking
        for each in found
    ]


def _compared(
    rows: MetricRows,
    names: Sequence[Hashable],
    values: NDArray[np.float64],
    overall: float,
    undefined: Undefined,
) -> tuple[float, float]:
    """Return the difference and the ratio, and say why one is not defined."""
    if not names:
        # That there are no rows has been said of all rows.
        return overall, overall
    lacking = lacking_groups(names, undefined, owner=_OWNER)
    whole = np.array(overall) if rows.method == "to_overall" else None
    difference, ratio = spread_of_metric(values, whole)
    if len(names) > 1 and np.isnan(ratio) and not np.isnan(difference):
        is_below = bool((values < 0).any()) or (whole is not None and overall < 0)
        which = "lies below 0" if is_below else "is 0"
        reason = f"{rows.metric.name} {which} where it is compared, so there is no ratio."
        # As in fairlearn, a ratio of zeros stays undefined.
        if is_below or undefined != "zero":
            ratio = undefined_value(reason, undefined, owner=_OWNER)
    return difference + lacking, ratio + lacking


def _place_of_worst(values: NDArray[np.float64], worst: Worst) -> int | None:
    """Return the position of the worst value, the first of several, if there is a value."""
    if np.isnan(values).all():
        return None
    return int(np.nanargmin(values) if worst == "lowest" else np.nanargmax(values))


_SHORT = 64
"""Up to so many letters, texts are an array of fixed width, which scikit-learn sorts far faster."""


def observations(values: ArrayLike, argument: str, *, owner: str) -> NDArray[Any]:
    """Read one value or vector per row: numbers, texts, or whatever a metric takes.

    Args:
        values: The values, or a table of numbers. Shape (N, ...).

    Returns:
        An array of numbers or of texts where all are such, else of objects. Shape (N, ...).

    Example:
        >>> observations(["a", "b"], "predictions", owner="group_metric").dtype.kind
        'U'
        >>> observations([[0.5, 0.5], [1, 0]], "predictions", owner="group_metric").shape
        (2, 2)
    """
    read = column(values, argument, owner=owner, tables=True)
    rows = read if isinstance(read, np.ndarray) and read.dtype.kind in "biufU" else _array(read)
    if rows.dtype.kind == "O":
        places = [row for row, value in enumerate(rows) if _is_missing(value)]
    else:
        gaps = np.isnan(rows) if rows.dtype.kind == "f" else np.zeros(len(rows), np.bool_)
        places = np.unique(np.nonzero(gaps)[0]).tolist()
    if places:
        value = listed(read)[places[0]]
        raise InputError(sentence_of_missing(owner, argument, "value", places[0], value))
    return rows


def _array(values: Any) -> NDArray[Any]:
    """Make an array of a list: of numbers, of short texts, or of the objects themselves."""
    rows = listed(values)
    if all(isinstance(row, str) for row in rows) and rows:
        return np.array(rows, str if max(map(len, rows)) <= _SHORT else object)
    try:
        found = np.array(rows)
    except ValueError:
        found = np.empty(0, str)
    if found.dtype.kind in "biuf":
        return found
    objects = np.empty(len(rows), object)
    objects[:] = rows
    return objects


def _is_missing(value: Any) -> bool:
    """Tell whether a value is missing, or a part of a vector is."""
    return any(map(is_missing, value)) if isinstance(value, list) else is_missing(value)
