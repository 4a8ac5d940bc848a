"""Any metric by group: the worst group, and how far the groups lie apart."""

import warnings
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures.group_labels import MissingGroup, family_codes, group_labels
from fair_datasets.measures.group_table import Method, lacking_groups, named_groups, spread_of
from fair_datasets.measures.inputs import Rows, Undefined, check_undefined, undefined_value
from fair_datasets.measures.metric_functions import (
    NamedMetric,
    Outcome,
    Worst,
    metric_of_all,
    metric_of_group,
    observations,
    options_of_rows,
    read_metric,
)
from fair_datasets.system import checks


class MetricRows(NamedTuple):
    """The rows behind the metric of groups, so that they can be drawn anew."""

    metric: NamedMetric
    references: NDArray[Any]
    predictions: NDArray[Any]
    codes: NDArray[np.intp]
    n_groups: int
    known_warnings: frozenset[str]
    method: Method
    options: Mapping[str, NDArray[Any]]
    families: NDArray[np.intp] | None

    def of_group(self, places: NDArray[np.intp] | slice) -> Outcome:
        """Compute the metric of some rows."""
        options = {name: values[places] for name, values in self.options.items()}
        given = (self.references[places], self.predictions[places])
        return metric_of_group(self.metric, *given, self.known_warnings, options)

    def by_group(self) -> list[Outcome]:
        """Compute the metric of each group."""
        lacking = Outcome(np.nan, "it has no rows", [])
        return [self.of_group(rows) if rows.size else lacking for rows in self._rows_by_group()]

    def values(self) -> NDArray[np.float64]:
        """Return the value of each group, and last that of all rows if groups are compared with it.

        Those that are not defined are NaN.
        """
        outcomes = self.by_group()
        if self.method == "to_overall":
            outcomes.append(self.of_group(slice(None)))
        return np.array([np.nan if each.problem else each.value for each in outcomes])

    def classes(self) -> list[tuple[Hashable, ...] | None]:
        """Return over which classes the metric of each group is a mean, if it is one."""
        options = self.metric.options
        is_of_classes = all(
            column.ndim == 1 and column.dtype.kind in "biuOUS"
            for column in (self.references, self.predictions)
        )
        if options.get("average") not in ("macro", "weighted") or not is_of_classes:
            return [None] * self.n_groups
        if (labels := options.get("labels")) is not None:
            return [tuple(np.asarray(labels).tolist())] * self.n_groups
        own = ((self.references[rows], self.predictions[rows]) for rows in self._rows_by_group())
        return [tuple(np.unique(np.concatenate(columns)).tolist()) for columns in own]

    def _rows_by_group(self) -> list[NDArray[np.intp]]:
        """Return the places of the rows of each group."""
        order = np.argsort(self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=self.n_groups))
        return np.split(order, ends[:-1]) if self.n_groups else []

    def taken(self, places: NDArray[np.intp]) -> "MetricRows":
        """Return some rows, which may be there several times."""
        return self._replace(
            references=self.references[places],
            predictions=self.predictions[places],
            codes=self.codes[places],
            options={name: values[places] for name, values in self.options.items()},
        )


@dataclass(frozen=True, slots=True)
class MetricValue:
    """The metric of one group.

    Attributes:
        classes: Over which classes the value is a mean, for `average="macro"` and `"weighted"`: the
            `labels` of the metric, or else those among the references and predictions of the group,
            which may be others in another group. None for other metrics.
    """

    count: int
    value: float
    classes: tuple[Hashable, ...] | None = None


@dataclass(frozen=True, slots=True)
class GroupMetric:
    """A metric by group.

    Attributes:
        worst_group: The label of the group with the worst value, the first of several; None where
            no group has a value.
        difference: The largest value less the smallest, 0 or more. Lower is fairer; 0 means equal
            values. With `"to_overall"`, the largest distance of a group's value from that of all
            rows.
        ratio: The smallest value divided by the largest, in [0, 1]. Higher is fairer; 1 means equal
            values. With `"to_overall"`, the smallest ratio of a group's value and that of all rows,
            the smaller divided by the larger.
        rows: What they were computed from, for `confidence_interval`.
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
    metric_options: dict[str, Any] | None = None,
    worst: Worst | None = None,
    method: Method = "between_groups",
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
    families: Rows = None,
) -> GroupMetric:
    """Compute any metric of each group, and compare the groups by it.

    The metric of a group is not defined where the metric refuses its rows, gives no finite number,
    or warns of them and not of all rows: so a precision without predictions, or the balanced
    accuracy of a group that lacks a class. Neither is a comparison then, but the worst group is
    that of the others. A mean over classes (`average="macro"`) is one over those of the group,
    which `classes` of its value names; `labels` in `metric_options` sets them for all groups.

    Args:
        metric: The name of a function of `sklearn.metrics`; a function of references and
            predictions that gives a number; or a module of `evaluate`.
        y_true: The references, of any kind that the metric takes. Shape (N, ...).
        y_pred: The predictions likewise: classes, texts, scores, or a vector per row, such as the
            probability of each class. Shape (N, ...).
        groups: A group label per row: strings, whole numbers or booleans, or tuples of them.
            Shape (N,).
        metric_options: What else the metric takes, by name, such as {"average": "macro"}. What has
            a value per row, as `sample_weight`, or a column of a module as `sources`, is cut by
            group.
        worst: Which value is the worst, `"lowest"` or `"highest"`; None for functions of
            scikit-learn, whose names say so: a score, or a loss, error or deviance.
        method: What each group is compared with: `"between_groups"` the other groups, or
            `"to_overall"` all rows.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the groups and says why; `"zero"` for the number that the metric gives all the same, as
            in fairlearn, and 0 where it gives none; or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.
        families: The family of each row, such as `family_id`, for intervals: its rows are drawn and
            permuted together. None where no row depends on another. Shape (N,).

    Raises:
        InputError: The metric cannot be computed of these rows or does not give one number, the
            lengths differ, or a value is missing.

    Example:
        >>> from sklearn.metrics import precision_score
        >>> found = group_metric(precision_score, [1, 0, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"])
        >>> found.overall, found.worst_group, found.worst, found.difference, found.ratio
        (0.75, 'a', 0.5, 0.5, 0.5)
    """
    check_undefined(undefined)
    checks.one_of(method, get_args(Method), parameter="method")
    named = read_metric(metric, metric_options, worst)
    predictions = observations(y_pred, "predictions")
    references = observations(y_true, "references")
    names, codes = group_labels(groups, missing_group=missing_group)
    columns = {"predictions": predictions, "references": references, "groups": codes}
    own = family_codes(families, columns)
    options = options_of_rows(named, len(predictions))
    codes = codes.astype(np.intp)
    whole = Outcome(np.nan, "there are no rows", [])
    if names:
        whole = metric_of_all(named, references, predictions, options)
    for each in whole.notices:
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    messages = frozenset(str(each.message) for each in whole.notices)
    rows = MetricRows(
        named, references, predictions, codes, len(names), messages, method, options, own
    )
    overall = _defined(named, [whole], "all rows", undefined)[0]
    values = _by_group(rows, names, undefined)
    difference, ratio = _compared(rows, names, np.array(values), overall, undefined)
    place = _place_of_worst(np.array(values), named.worst)
    counts = np.bincount(codes, minlength=len(names)).tolist()
    return GroupMetric(
        overall=overall,
        worst_group=None if place is None else names[place],
        worst=(0.0 if undefined == "zero" else np.nan) if place is None else values[place],
        difference=difference,
        ratio=ratio,
        groups=dict(zip(names, map(MetricValue, counts, values, rows.classes()), strict=True)),
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

    Example:
        >>> spread_of_metric(np.array([-0.25, 0.5]), None)
        (0.75, nan)
    """
    difference, ratio = map(float, spread_of(values, overall))
    is_below = bool((values < 0).any()) or (overall is not None and bool(overall < 0))
    return difference, np.nan if is_below else ratio


def _by_group(rows: MetricRows, names: Sequence[Hashable], undefined: Undefined) -> list[float]:
    """Return the value of each group, and say once which are not defined."""
    outcomes = rows.by_group()
    lacking = [name for name, each in zip(names, outcomes, strict=True) if each.problem]
    return _defined(rows.metric, outcomes, named_groups(lacking) if lacking else "", undefined)


def _defined(
    metric: NamedMetric, outcomes: Sequence[Outcome], whose: str, undefined: Undefined
) -> list[float]:
    """Return values, with what stands for those that are not defined."""
    problem = next((each.problem for each in outcomes if each.problem), "")
    if not problem:
        return [each.value for each in outcomes]
    reason = f"{metric.name} is not defined for {whose}: {problem.rstrip('.')}."
    lacking = undefined_value(reason, undefined)
    return [
        each.value
        if not each.problem or (undefined == "zero" and np.isfinite(each.value))
        else lacking
        for each in outcomes
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
    lacking = lacking_groups(names, undefined)
    whole = np.array(overall) if rows.method == "to_overall" else None
    difference, ratio = spread_of_metric(values, whole)
    if len(names) > 1 and np.isnan(ratio) and not np.isnan(difference):
        is_below = bool((values < 0).any()) or (whole is not None and overall < 0)
        which = "lies below 0" if is_below else "is 0"
        reason = f"{rows.metric.name} {which} where it is compared, so there is no ratio."
        ratio = undefined_value(reason, undefined)
    if undefined == "zero":
        ratio = float(np.nan_to_num(ratio))
    return difference + lacking, ratio + lacking


def _place_of_worst(values: NDArray[np.float64], worst: Worst) -> int | None:
    """Return the position of the worst value, the first of several, if there is a value."""
    if np.isnan(values).all():
        return None
    return int(np.nanargmin(values) if worst == "lowest" else np.nanargmax(values))
