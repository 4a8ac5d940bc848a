"""Measures of groups for the `Trainer` of transformers."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.load import PARITY, measure_of_groups
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

_OWNER = "group_metrics"
_OF_SCORES = ("average_precision_score", "brier_score_loss", "log_loss", "roc_auc_score")


def group_metrics(
    groups: Any, metrics: str | Sequence[str] = "accuracy_score", **options: Any
) -> Callable[[Any], dict[str, float]]:
    """Return a `compute_metrics` for `Trainer` that compares groups.

    Of `"f1_score"` it gives `f1_score` of all rows, `f1_score_difference`, `f1_score_ratio` and
    `f1_score_worst`, and `f1_score_GROUP` of each group; of a parity its difference and ratio.

    Args:
        groups: The group of each row of the evaluation set, in its order. Shape (N,).
        metrics: One or several of `"demographic_parity"`, `"equal_opportunity"`,
            `"equalized_odds"`, `"predictive_parity"`, and the functions of `sklearn.metrics`.
        **options: What all these measures take, such as `undefined="zero"`.
    """
    names = checks.strings(metrics, owner=_OWNER, parameter="metrics")
    measures = {name: measure_of_groups(name, options, owner=_OWNER) for name in names}

    def compute_metrics(said: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Compare the groups by each measure."""
        if compute_result is not None:
            raise InputError(f"{_OWNER}: it needs all rows at once; leave batch_eval_metrics out.")
        of_scores = [name for name in names if name in _OF_SCORES]
        if of_scores and (isinstance(said.predictions, tuple) or said.predictions.ndim != 1):
            raise InputError(
                f"{_OWNER}: {of_scores[0]} needs a probability of each row, not its class; "
                "preprocess_logits_for_metrics can make one."
            )
        classes, found = classes_of(said.predictions, owner=_OWNER), dict[str, float]()
        for name, measure in measures.items():
            result = measure(said.label_ids, classes, groups)
            parts = ["difference", "ratio"]
            if name not in PARITY:
                parts.append("worst")
                found[name] = result.overall
                found |= {f"{name}_{group}": each.value for group, each in result.groups.items()}
            found |= {f"{name}_{part}": getattr(result, part) for part in parts}
        return found

    return compute_metrics


def classes_of(predictions: Any, *, owner: str) -> NDArray[Any]:
    """Return the class that a model says of each row.

    Args:
        predictions: Logits, shape (N, C); with hidden states behind them, a tuple that begins with
            the logits; or what `preprocess_logits_for_metrics` made of them, shape (N,).

    Returns:
        The classes, or what was made of the logits. Shape (N,).

    Example:
        >>> classes_of(np.array([[0.1, 0.9], [0.8, 0.2]]), owner="group_metrics")
        array([1, 0])
    """
    found = np.asarray(predictions[0] if isinstance(predictions, tuple) else predictions)
    if found.ndim == 1:
        return found
    if found.ndim != 2 or found.shape[1] < 2:
        raise InputError(
            f"{owner}: the model must say one class of each row, but its answers have the shape "
            f"{found.shape}; preprocess_logits_for_metrics can make classes of them."
        )
    classes: NDArray[Any] = found.argmax(axis=1)
    return classes
