"""Measures by their name: as functions of groups, and as the `evaluate` modules of the package."""

import inspect
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from fair_datasets.measures.group_metric import group_metric
from fair_datasets.measures.metric_functions import metric_names
from fair_datasets.measures.parity import (
    Parity,
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    predictive_parity,
)
from fair_datasets.system import checks

if TYPE_CHECKING:
    from evaluate import EvaluationModule


LISTING = "fair_datasets.measures.available_metrics()"
"""What lists the measures."""


def available_metrics() -> list[str]:
    """List the measures that `load_metric` knows.

    Example:
        >>> "demographic_parity" in available_metrics()
        True
    """
    return sorted(path.parent.name for path in metrics_folder().glob("*/*.py") if _is_module(path))


def load_metric(name: str, **options: Any) -> "EvaluationModule":
    """Load one of the package's measures as an `evaluate` module.

    From a checkout, `evaluate.load("metrics/<name>")` gives the same module; this function also
    works offline, with only the package installed.

    Args:
        **options: What `evaluate.load` takes, such as `num_process`, `process_id`,
            `experiment_id` or `keep_in_memory`.

    Raises:
        InputError: There is no such measure.

    Example:
        >>> parity = load_metric("demographic_parity")
        >>> result = parity.compute(predictions=[1, 0, 1, 1], groups=["a", "a", "b", "b"])
        >>> result["difference"]
        0.5
    """
    import evaluate

    checks.one_of(name, available_metrics(), parameter="name", listing=LISTING)
    return evaluate.load(str(metrics_folder() / name), **options)


@cache
def metrics_folder() -> Path:
    """Return the folder of the modules: inside an installed package, or beside it in a checkout.

    Example:
        >>> (metrics_folder() / "demographic_parity" / "demographic_parity.py").is_file()
        True
    """
    package = Path(__file__).parents[1]
    inside = package / "metrics"
    return inside if inside.is_dir() else package.parent / "metrics"


def _is_module(path: Path) -> bool:
    """Whether a file is the module of its folder; a folder also holds an app."""
    return path.stem == path.parent.name


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


def measure_of_groups(metric: Any, options: Mapping[str, Any]) -> Callable[..., Any]:
    """Return what compares groups by a metric.

    Args:
        metric: A name of `PARITY`, or what `group_metric` takes: a function of references and
            predictions, its name in `sklearn.metrics`, or a module of `evaluate`.

    Returns:
        A function of references, predictions and groups, each of shape (N,), that gives a `Parity`
        or a `GroupMetric`. It can be pickled if the metric can.
    """
    if isinstance(metric, str):
        known = [*PARITY, *metric_names()]
        checks.one_of(
            metric, known, parameter="metric",
            listing="fair_datasets.measures.metric_functions.metric_names()")  # fmt: skip
    function = PARITY.get(metric) if isinstance(metric, str) else None
    shown = demographic_parity if function is _demographic_parity else function or group_metric
    # Families are those of certain rows.
    known = [
        name
        for name, each in inspect.signature(shown).parameters.items()
        if each.kind is each.KEYWORD_ONLY and name != "families"
    ]
    for name in options:
        checks.one_of(name, known, parameter=f"an option of {shown.__name__}")
    return partial(function or partial(group_metric, metric), **options)
