"""Any metric as a function of references and predictions: its options, and what it gives."""

import reprlib
import warnings
from collections.abc import Callable, Mapping, Set
from functools import cache, partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.inputs import (
    as_list,
    column,
    is_missing,
    scalar,
    sentence_of_missing,
)
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, invalid

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
_NOT_OF_ROWS = ("labels", "multioutput", "rouge_types")
"""Options that are lists, but have no value per row, however many rows there are."""


class NamedMetric(NamedTuple):
    """A metric that is ready to be computed.

    Attributes:
        columns: What a module of `evaluate` reads beside references and predictions, per row.
    """

    name: str
    function: Callable[..., Any]
    worst: Worst
    options: Mapping[str, Any] = MappingProxyType({})
    columns: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What a metric gives."""

    value: float
    problem: str
    notices: list[warnings.WarningMessage]


def read_metric(metric: Any, options: Mapping[str, Any] | None, worst: Worst | None) -> NamedMetric:
    """Read a metric, and which of its values is the worst.

    Args:
        worst: Which value is the worst; None where scikit-learn says so by the function's name.

    Example:
        >>> read_metric("log_loss", None, None).worst
        'highest'
    """
    if isinstance(metric, str):
        known = _of_scikit_learn()
        meant = next((name for name in known if name.startswith(f"{metric}_")), "")
        checks.one_of(
            metric, known, parameter="metric", meant=meant,
            listing="fair_datasets.measures.metric_functions.metric_names()")  # fmt: skip
        metric = known[metric]
    is_module = hasattr(metric, "compute")
    if isinstance(metric, type) or not (is_module or callable(metric)):
        raise invalid(
            "metric must be a function of references and predictions, a module of evaluate, or "
            f"the name of a function of sklearn.metrics, but it is {reprlib.repr(metric)}."
        )
    if options is not None and not isinstance(options, Mapping):
        raise invalid(f"metric_options must be a mapping, but it is {options!r}.")
    settings = dict(options or {})
    while isinstance(metric, partial) and not metric.args:
        # What is fixed may have a value per row, too.
        metric, settings = metric.func, {**metric.keywords, **settings}
    inner = metric
    while isinstance(inner, partial):
        inner = inner.func
    name = str(getattr(inner, "name" if is_module else "__name__", type(inner).__name__))
    if worst is None and str(getattr(inner, "__module__", "")).startswith("sklearn.metrics."):
        worst = next((kind for end, kind in _WORST.items() if name.endswith(end)), None)
    if worst is None:
        raise invalid(f"worst must say which value of {name} is the worst, 'lowest' or 'highest'.")
    checks.one_of(worst, get_args(Worst), parameter="worst")
    if not is_module:
        return NamedMetric(name, metric, worst, settings)
    given, others = _columns_of(metric, name)
    return NamedMetric(name, partial(_of_module, metric, given), worst, settings, others)


def _columns_of(module: Any, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a module calls predictions and references, and what else it reads per row.

    Returns:
        The name of the predictions and, if it reads them, of the references; the other names.
    """
    features = getattr(module, "features", None)
    # Of a module that takes rows of several kinds, all have the same names.
    columns = list((features[0] if isinstance(features, list) else features) or ())
    columns = columns or ["predictions", "references"]
    others = [each for each in columns if each != "references"]
    predicted = [each for each in others if each.startswith("prediction")] or others
    if "predictions" in predicted:
        predicted = ["predictions"]
    if len(predicted) != 1:
        raise invalid(
            f"{name} reads {checks.format_choices(columns)}, and it is not known which of them are "
            "the predictions; give a function of both that calls it instead."
        )
    given = (*predicted, *(each for each in columns if each == "references"))
    return given, tuple(each for each in others if each not in predicted)


def metric_of_all(
    metric: NamedMetric,
    references: NDArray[Any],
    predictions: NDArray[Any],
    options: Mapping[str, NDArray[Any]] = MappingProxyType({}),
) -> Outcome:
    """Compute a metric over all rows.

    Args:
        options: The options of the metric that have a value per row. Each of shape (N, ...).

    Example:
        >>> metric = NamedMetric("mean", lambda _, predictions: predictions.mean(), "lowest")
        >>> metric_of_all(metric, np.zeros(2), np.ones(2)).value
        1.0
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            # Copies, as these may be the arrays of the user, and the groups are read after it.
            own = {name: values.copy() for name, values in options.items()}
            result = metric.function(
                references.copy(), predictions.copy(), **{**metric.options, **own}
            )
        except (ValueError, TypeError, ArithmeticError, LookupError) as error:
            raise invalid(
                f"{metric.name} cannot be computed for these rows: {error} {_OPTIONS}"
            ) from error
    value = _number(result, metric.name)
    if value is None:
        advice = _OPTIONS
        if isinstance(result, Mapping):
            advice = (
                "To choose one of its values, give a function of references and predictions, such "
                "as `lambda y, p: module.compute(references=y.tolist(), predictions=p.tolist())"
                f"[{next(iter(result), '')!r}]`."
            )
        raise invalid(
            f"{metric.name} must give one number, but it gives {reprlib.repr(result)}. {advice}"
        )
    problems = [each for each in caught if each.category.__name__ == "UndefinedMetricWarning"]
    return _outcome(value, problems, [each for each in caught if each not in problems])


def metric_of_group(
    metric: NamedMetric,
    references: NDArray[Any],
    predictions: NDArray[Any],
    messages: frozenset[str],
    options: Mapping[str, NDArray[Any]] = MappingProxyType({}),
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
            result = metric.function(references, predictions, **{**metric.options, **options})
            value = _number(result, metric.name)
        except (ValueError, ArithmeticError) as error:
            return Outcome(np.nan, str(error) or type(error).__name__, [])
    problems = [
        each
        for each in caught
        if issubclass(each.category, UserWarning | RuntimeWarning)
        and str(each.message) not in messages
    ]
    return _outcome(np.nan if value is None else value, problems, [])


def _outcome(
    value: float, problems: list[warnings.WarningMessage], notices: list[warnings.WarningMessage]
) -> Outcome:
    """Return the value, or why it is not defined."""
    if problems:
        return Outcome(value, str(problems[0].message), notices)
    return Outcome(value, "" if np.isfinite(value) else f"its value is {value}", notices)


def _number(result: Any, name: str) -> float | None:
    """Return the one number that a metric gives: of several, that of its own name, or its score."""
    if isinstance(result, Mapping):
        keys = [*result] if len(result) == 1 else [name, "score"]
        result = next((result[key] for key in keys if key in result), None)
    value = scalar(result)
    return float(value) if isinstance(value, int | float) else None


def _of_module(
    module: Any,
    names: tuple[str, ...],
    references: NDArray[Any],
    predictions: NDArray[Any],
    **options: Any,
) -> Any:
    """Compute a module of `evaluate`, which takes texts as lists, and columns by its own names."""
    rows = dict(zip(names, (predictions, references), strict=False)) | options
    given = {
        name: values.tolist()
        if isinstance(values, np.ndarray) and values.dtype.kind not in "biuf"
        else values
        for name, values in rows.items()
    }
    return module.compute(**given)


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

    functions: dict[str, Callable[..., Any]] = {}
    for name in metrics.__all__:
        function = getattr(metrics, name)
        if inspect.isfunction(function) and name.endswith(tuple(_WORST)):
            first, *_ = inspect.signature(function).parameters
            if first in ("y_true", "y1"):
                functions[name] = function
    return functions


def options_of_rows(metric: NamedMetric, size: int) -> dict[str, NDArray[Any]]:
    """Return the options of a metric that have a value or vector per row. Each of shape (N, ...).

    Example:
        >>> options = {"sample_weight": [1, 2], "average": "macro", "labels": ["a", "b"]}
        >>> metric = NamedMetric("f1_score", max, "lowest", options)
        >>> list(options_of_rows(metric, 2))
        ['sample_weight']
    """
    lacking = [name for name in metric.columns if metric.options.get(name) is None]
    if lacking:
        raise invalid(
            f"{metric.name} reads {lacking[0]} as well; give a value per row, as "
            f"metric_options={{{lacking[0]!r}: [...]}}."
        )
    named = ("sample_weight", *metric.columns)
    options = {}
    for name, values in metric.options.items():
        if (name in named and values is not None) or _has_a_value_per_row(name, values, size):
            argument = f"metric_options[{name!r}]"
            options[name] = observations(values, argument)
            inputs.same_length({"predictions": range(size), argument: options[name]})
    return options


def _has_a_value_per_row(name: str, values: Any, size: int) -> bool:
    """Whether an option is a list, an array or a column as long as the rows are many."""
    if name in _NOT_OF_ROWS or isinstance(values, str | bytes | tuple | Mapping | Set):
        return False
    if not hasattr(values, "__len__") or not hasattr(values, "__iter__"):
        return False
    return getattr(values, "ndim", 1) > 0 and len(values) == size


_SHORT = 64
"""Up to so many letters, texts are an array of fixed width, which scikit-learn sorts far faster."""


def observations(values: ArrayLike, argument: str) -> NDArray[Any]:
    """Read one value or vector per row: numbers, texts, or whatever a metric takes.

    Returns:
        An array of numbers or of texts where all are such, else of objects. Shape (N, ...).

    Example:
        >>> observations(["a", "b"], "predictions").dtype.kind
        'U'
        >>> observations([[0.5, 0.5], [1, 0]], "predictions").shape
        (2, 2)
    """
    read = column(values, argument, tables=True)
    rows = read if isinstance(read, np.ndarray) and read.dtype.kind in "biufU" else _array(read)
    if rows.dtype.kind == "O":
        places = [row for row, value in enumerate(rows) if _is_missing(value)]
    else:
        gaps = np.isnan(rows) if rows.dtype.kind == "f" else np.zeros(len(rows), np.bool_)
        places = np.unique(np.nonzero(gaps)[0]).tolist()
    if places:
        value = as_list(read)[places[0]]
        raise InputError(sentence_of_missing(argument, "value", places[0], value))
    return rows


def _array(values: Any) -> NDArray[Any]:
    """Make an array of a list: of numbers, of short texts, or of the objects themselves."""
    rows = as_list(values)
    if all(isinstance(row, str) for row in rows) and rows:
        return np.array(rows, str if max(map(len, rows)) <= _SHORT else object)
    try:
        array = np.array(rows)
    except ValueError:
        array = np.empty(0, str)
    if array.dtype.kind in "biuf":
        return array
    objects = np.empty(len(rows), object)
    for place, row in enumerate(rows):
        # At once, lists of one length would be taken for a table.
        objects[place] = row
    return objects


def _is_missing(value: Any) -> bool:
    """Whether a value is missing, or a part of a vector is."""
    return any(map(is_missing, value)) if isinstance(value, list) else is_missing(value)
