"""The measures that compare groups, by their name: one way to call them all."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from numpy.typing import ArrayLike

from fair_datasets.measures.group_metric import group_metric
from fair_datasets.measures.metric_functions import metric_names
from fair_datasets.measures.parity import (
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    predictive_parity,
)
from fair_datasets.measures.rate_parity import Parity
from fair_datasets.system import checks


def _demographic_parity(
    y_true: ArrayLike, y_pred: ArrayLike, groups: Any, **options: Any
) -> Parity:
    """Compare how often each group is predicted 1, whatever the references are."""
    return demographic_parity(y_pred, groups, **options)


PARITY: Mapping[str, Callable[..., Parity]] = {
    "demographic_parity": _demographic_parity,
    "equal_opportunity": equal_opportunity,
    "equalized_odds": equalized_odds,
    "predictive_parity": predictive_parity,
}
"""The measures that compare rates of one class."""


def measure_of_groups(metric: Any, options: Mapping[str, Any], *, owner: str) -> Callable[..., Any]:
    """Return what compares groups by a metric.

    Args:
        metric: A name of `PARITY`, or what `group_metric` takes: a function of references and
            predictions, its name in `sklearn.metrics`, or a module of `evaluate`.
        owner: Who asks, for errors.

    Returns:
        A function of references, predictions and groups, each of shape (N,), that gives a `Parity`
        or a `GroupMetric`. It can be pickled if the metric can.

    Raises:
        InputError: There is no such metric, or the measure has no such option.

    Example:
        >>> measure = measure_of_groups("demographic_parity", {"positive": "yes"}, owner="scorer")
        >>> measure(["no", "no"], ["yes", "no"], ["a", "b"]).difference
        1.0
    """
    if isinstance(metric, str):
        checks.one_of(metric, [*PARITY, *metric_names()], owner=owner, parameter="metric")
    function = PARITY.get(metric) if isinstance(metric, str) else None
    shown = demographic_parity if function is _demographic_parity else function or group_metric
    known = [
        name
        for name, each in inspect.signature(shown).parameters.items()
        if each.kind is each.KEYWORD_ONLY
    ]
    for name in options:
        checks.one_of(name, known, owner=owner, parameter=f"an option of {shown.__name__}")
    return partial(function or partial(group_metric, metric), **options)
