"""Loading the `evaluate` modules that travel with the package, offline."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.system import checks

if TYPE_CHECKING:
    from evaluate import EvaluationModule


def available_metrics() -> list[str]:
    """List the measures that `load_metric` knows.

    Returns:
        Their names, sorted.

    Example:
        >>> "demographic_parity" in available_metrics()
        True
    """
    return sorted(path.parent.name for path in metrics_folder().glob("*/*.py") if _is_module(path))


def load_metric(name: str, **options: Any) -> "EvaluationModule":
    """Load one of the package's measures as an `evaluate` module.

    From a checkout, `evaluate.load("metrics/<name>")` gives the same module; this function also
    works where only the package is installed, and asks no network.

    Args:
        name: One of `available_metrics()`.
        **options: What `evaluate.load` takes, such as `num_process`, `process_id`,
            `experiment_id` or `keep_in_memory`.

    Returns:
        The module: a metric, comparison or measurement.

    Raises:
        InputError: There is no such measure.

    Example:
        >>> parity = load_metric("demographic_parity")
        >>> result = parity.compute(predictions=[1, 0, 1, 1], groups=["a", "a", "b", "b"])
        >>> result["difference"]
        0.5
    """
    import evaluate

    checks.one_of(name, available_metrics(), owner="load_metric", parameter="name")
    return evaluate.load(str(metrics_folder() / name), **options)


@cache
def metrics_folder() -> Path:
    """Return the folder of the modules: inside an installed package, or beside it in a checkout.

    Returns:
        The folder; it holds one for each measure.

    Example:
        >>> (metrics_folder() / "demographic_parity" / "demographic_parity.py").is_file()
        True
    """
    package = Path(__file__).parents[1]
    inside = package / "metrics"
    return inside if inside.is_dir() else package.parent / "metrics"


def _is_module(path: Path) -> bool:
    """Tell whether a file is the module of its folder; a folder also holds an app."""
    return path.stem == path.parent.name
