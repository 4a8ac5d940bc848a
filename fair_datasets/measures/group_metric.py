"""Any metric by group: the worst group, and how far the groups lie apart."""

import reprlib
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import MissingGroup, group_labels
from fair_datasets.measures.group_table import Method, lacking_groups, named_groups, spread_of
from fair_datasets.measures.inputs import (
    Undefined,
    check_undefined,
    column,
    is_missing,
    listed,
    scalar,
    sentence_of_missing,
    undefined_value,
)
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

Worst = Literal["lowest", "highest"]
"""Which value of a metric is the worst."""

_WORST: dict[str, Worst] = {
    "_score": "lowest",
    "_corrcoef": "lowest",
    "_loss": "highest",
    "_error": "highest",
    "_deviance": "highest",
}
"""How scikit-learn says by the names of its functions which of their values are bad."""

_OPTIONS = "(Give its options as metric_options, such as {'average': 'macro'}.)"


class NamedMetric(NamedTuple):
    """A metric that is ready to be computed."""

    name: str
    function: Callable[[NDArray[Any], NDArray[Any]], Any]
    worst: Worst


class Outcome(NamedTuple):
    """What a metric gives."""

    value: float
    problem: str
    told: list[warnings.WarningMessage]


def read_metric(
    metric: Any, options: Mapping[str, Any] | None, worst: Worst | None, *, owner: str
) -> NamedMetric:
    """Read a metric, and which of its values is the worst.

    Args:
        worst: Which value is the worst; None where scikit-learn says so by the function's name.

    Example:
        >>> read_metric("log_loss", None, None, owner="group_metric").worst
        'highest'
    """
    if isinstance(metric, str):
        known = _of_scikit_learn()
        meant = next((name for name in known if name.startswith(f"{metric}_")), "")
        checks.one_of(
            metric, known, owner=owner, parameter="metric", meant=meant,
            listing="fair_datasets.measures.group_metric.metric_names()",
        )  # fmt: skip
        metric = known[metric]
    is_module = hasattr(metric, "compute")
    if isinstance(metric, type) or not (is_module or callable(metric)):
        raise InputError(
            f"{owner}: metric must be a function of references and predictions, a module of "
            "evaluate, or the name of a function of sklearn.metrics, but it is "
            f"{reprlib.repr(metric)}."
        )
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"{owner}: metric_options must be a mapping, but it is {options!r}.")
    inner = metric
    while isinstance(inner, partial):
        inner = inner.func
    name = str(getattr(inner, "name" if is_module else "__name__", type(inner).__name__))
    if worst is None and str(getattr(inner, "__module__", "")).startswith("sklearn.metrics."):
        worst = next((kind for end, kind in _WORST.items() if name.endswith(end)), None)
    if worst is None:
        raise InputError(
            f"{owner}: worst must say which value of {name} is the worst, 'lowest' or 'highest'."
        )
    checks.one_of(worst, get_args(Worst), owner=owner, parameter="worst")
    settings = dict(options or {})
    if is_module:
        return NamedMetric(name, partial(_of_module, metric, settings), worst)
    return NamedMetric(name, partial(metric, **settings), worst)


def metric_of_all(
    metric: NamedMetric, references: NDArray[Any], predictions: NDArray[Any], *, owner: str
) -> Outcome:
    """Compute a metric over all rows.

    Example:
        >>> metric = NamedMetric("mean", lambda _, predictions: predictions.mean(), "lowest")
        >>> metric_of_all(metric, np.zeros(2), np.ones(2), owner="group_metric").value
        1.0
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            # Copies, as these may be the arrays of the user, and the groups are read after it.
            result = metric.function(references.copy(), predictions.copy())
        except (ValueError, TypeError, ArithmeticError) as error:
            raise InputError(
                f"{owner}: {metric.name} cannot be computed for these rows: {error} {_OPTIONS}"
            ) from error
    value = _number(result)
    if value is None:
        raise InputError(
            f"{owner}: {metric.name} must give one number, but it gives {reprlib.repr(result)}. "
            f"{_OPTIONS}"
        )
    problems = [each for each in caught if each.category.__name__ == "UndefinedMetricWarning"]
    return _outcome(value, problems, [each for each in caught if each not in problems])


def metric_of_group(
    metric: NamedMetric, references: NDArray[Any], predictions: NDArray[Any], told: frozenset[str]
) -> Outcome:
    """Compute a metric over the rows of a group.

    A metric that can be computed of all rows, but refuses those of a group or warns of them, is not
    defined for the group: scikit-learn warns where a precision has no predictions to be a share of,
    and goes on with 0.

    Example:
        >>> def share(references, predictions):
        ...     return int(sum(predictions[references == 1])) / int(sum(references))
        >>> metric = NamedMetric("share", share, "lowest")
        >>> metric_of_group(metric, np.zeros(2), np.ones(2), frozenset()).problem
        'division by zero'
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = _number(metric.function(references, predictions))
        except (ValueError, ArithmeticError) as error:
            return Outcome(np.nan, str(error) or type(error).__name__, [])
    problems = [
        each
        for each in caught
        if issubclass(each.category, UserWarning | RuntimeWarning) and str(each.message) not in told
    ]
    return _outcome(np.nan if value is None else value, problems, [])


def _outcome(
    value: float, problems: list[warnings.WarningMessage], told: list[warnings.WarningMessage]
) -> Outcome:
    """Say why a value is not defined, if it is not."""
    if problems:
        return Outcome(value, str(problems[0].message), told)
    return Outcome(value, "" if np.isfinite(value) else f"its value is {value}", told)


def _number(result: Any) -> float | None:
    """Return the one number that a metric gives, if it does."""
    if isinstance(result, Mapping) and len(result) == 1:
        (result,) = result.values()
    value = scalar(result)
    return float(value) if isinstance(value, int | float) else None


def _of_module(
    module: Any, options: dict[str, Any], references: NDArray[Any], predictions: NDArray[Any]
) -> Any:
    """Compute a module of `evaluate`, which takes texts as lists."""
    rows = {"references": references, "predictions": predictions}
    given = {
        name: values if values.dtype.kind in "biuf" else values.tolist()
        for name, values in rows.items()
    }
    return module.compute(**given, **options)


def metric_names() -> list[str]:
    """Return the names of the functions of scikit-learn that can be metrics.

    Example:
        >>> "f1_score" in metric_names()
        True
    """
    return list(_of_scikit_learn())


@cache
def _of_scikit_learn() -> dict[str, Callable[..., Any]]:
    """Return the functions of scikit-learn that compare predictions with references."""
    import inspect

    from sklearn import metrics

    found: dict[str, Callable[..., Any]] = {}
    for name in metrics.__all__:
        function = getattr(metrics, name)
        if inspect.isfunction(function) and name.endswith(tuple(_WORST)):
            first, *_ = inspect.signature(function).parameters
            if first in ("y_true", "y1"):
                found[name] = function
    return found


_OWNER = "group_metric"


class MetricRows(NamedTuple):
    """The rows behind the metric of groups, so that they can be drawn anew."""

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
        """Compute the difference and the ratio over other rows, some of them several times."""
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
    """The metric of one group."""

    count: int
    value: float


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
