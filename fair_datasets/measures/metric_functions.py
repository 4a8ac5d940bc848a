"""Metrics of others: functions of references and predictions, whatever gives them."""

import reprlib
import warnings
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.columns import scalar
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
    """A metric that is ready to be computed.

    Attributes:
        function: References and predictions to whatever the metric gives.
    """

    name: str
    function: Callable[[NDArray[Any], NDArray[Any]], Any]
    worst: Worst


class Outcome(NamedTuple):
    """What a metric gives.

    Attributes:
        value: The value; NaN where there is none.
        problem: Why the value is not defined; empty where it is.
    """

    value: float
    problem: str
    told: list[warnings.WarningMessage]


def read_metric(
    metric: Any, options: Mapping[str, Any] | None, worst: Worst | None, *, owner: str
) -> NamedMetric:
    """Read a metric, and which of its values is the worst.

    Args:
        metric: A function of references and predictions, a module of `evaluate`, or the name of a
            function of `sklearn.metrics`.
        worst: Which value is the worst; None where scikit-learn says so by the function's name.

    Example:
        >>> read_metric("log_loss", None, None, owner="group_metric").worst
        'highest'
    """
    if isinstance(metric, str):
        known = _of_scikit_learn()
        meant = next((name for name in known if name.startswith(f"{metric}_")), "")
        checks.one_of(metric, known, owner=owner, parameter="metric", meant=meant)
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

    Args:
        references: Its references. Shape (N, ...).
        predictions: Its predictions. Shape (N, ...).

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

    Args:
        references: The references of the group. Shape (N, ...).
        predictions: Its predictions. Shape (N, ...).

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

    Returns:
        The names, those of `sklearn.metrics`.

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
