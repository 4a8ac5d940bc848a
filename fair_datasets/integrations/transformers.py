"""What the `Trainer` of transformers asks: measures of groups, and flips while it trains."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from datasets import Dataset, concatenate_datasets
from numpy.typing import NDArray

from fair_datasets.measures.controls import flip_rate_control
from fair_datasets.measures.load import PARITY, measure_of_groups
from fair_datasets.rows.column_checks import present
from fair_datasets.rows.given import one_dataset
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import placebos_of
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, require

require("training", owner="FlipCallback")

from transformers import Trainer, TrainerCallback  # noqa: E402

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
    names = checks.strings(metrics, parameter="metrics")
    measures = {name: measure_of_groups(name, options) for name in names}

    def compute_metrics(prediction: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Compare the groups by each measure."""
        if compute_result is not None:
            raise invalid("it needs all rows at once; leave batch_eval_metrics out.")
        of_scores = [name for name in names if name in _OF_SCORES]
        if of_scores and (
            isinstance(prediction.predictions, tuple) or prediction.predictions.ndim != 1
        ):
            raise invalid(
                f"{of_scores[0]} needs a probability of each row, not its class; "
                "preprocess_logits_for_metrics can make one."
            )
        classes, values = classes_of(prediction.predictions), dict[str, float]()
        for name, measure in measures.items():
            result = measure(prediction.label_ids, classes, groups)
            parts = ["difference", "ratio"]
            if name not in PARITY:
                parts.append("worst")
                values[name] = result.overall
                values |= {f"{name}_{group}": each.value for group, each in result.groups.items()}
            values |= {f"{name}_{part}": getattr(result, part) for part in parts}
        return values

    return compute_metrics


def classes_of(predictions: Any) -> NDArray[Any]:
    """Return the class that a model says of each row.

    Args:
        predictions: Logits, shape (N, C); with hidden states behind them, a tuple that begins with
            the logits; or what `preprocess_logits_for_metrics` made of them, shape (N,).

    Returns:
        The classes, or what was made of the logits. Shape (N,).

    Example:
        >>> classes_of(np.array([[0.1, 0.9], [0.8, 0.2]]))
        array([1, 0])
    """
    outputs = np.asarray(predictions[0] if isinstance(predictions, tuple) else predictions)
    if outputs.ndim == 1:
        return outputs
    if outputs.ndim != 2 or outputs.shape[1] < 2:
        raise invalid(
            f"the model must say one class of each row, but its answers have the shape "
            f"{outputs.shape}; preprocess_logits_for_metrics can make classes of them."
        )
    classes: NDArray[Any] = outputs.argmax(axis=1)
    return classes


class FlipCallback(TrainerCallback):
    """Ask at each evaluation how often answers change between texts and their counterfactuals.

    It adds `flip_rate` to the metrics, and logs it: the share of the rows that the swap changes, in
    [0, 1], lower is fairer. Beside it stand `flip_rate_control`, how often answers change if other
    words do, and `flip_rate_excess`, of the rows that have such words.

    Args:
        trainer: The trainer, which is then given it: `trainer.add_callback(FlipCallback(...))`.
        rows: Rows with the text columns of the swap, of which those are asked that it changes.
        encode: What makes the inputs of the model of a batch of rows, as for `Dataset.map`.
        draws: How many placebo changes the control has. Each asks as many texts as the flips do.
    """

    def __init__(
        self,
        trainer: Trainer,
        rows: Dataset,
        swap: CounterfactualSwap,
        encode: Callable[[Any], Any],
        *,
        draws: int = 3,
    ) -> None:
        """Write and encode the texts."""
        names = one_dataset(rows, rows=True).column_names
        present(swap.columns, names)
        if trainer.args.train_sampling_strategy == "group_by_length":
            raise invalid(
                "train_sampling_strategy='group_by_length' mixes the rows of "
                "evaluations too, so that no text would stand beside its counterfactual."
            )
        columns = [["" if text is None else text for text in rows[name]] for name in swap.columns]
        placebos = placebos_of(list(zip(*columns, strict=True)), swap, count=draws, seed=swap.seed)
        if not placebos.rows:
            raise invalid(f"the swap changes none of the {len(rows):,} rows.")
        selected = rows.select(placebos.numbers)
        controlled = selected.select(placebos.controlled.nonzero()[0])
        versions = [(selected, texts) for texts in placebos.versions()]
        for draw in range(draws):
            versions += [(controlled, texts) for texts in placebos.placebo_versions(draw)]
        labels = {"label", "labels", "label_ids", *trainer.label_names}
        made = concatenate_datasets([_with(texts, part, swap) for part, texts in versions])
        made = made.map(encode, batched=True)
        # Without labels, the metrics of the evaluation set are not asked of these rows.
        self.twins = made.remove_columns(sorted(labels & {*made.column_names}))
        self.trainer, self.placebos = trainer, placebos

    def on_evaluate(self, args: Any, state: Any, control: Any, **given: Any) -> None:
        """Ask the model, and add what it says to the metrics and the log."""
        metrics = given["metrics"]
        predicted = classes_of(self.trainer.predict(self.twins).predictions)
        size = len(self.placebos.rows)
        own, drawn = predicted[: 2 * size].reshape(2, size), predicted[2 * size :]
        flips = own[0] != own[1]
        pairs = drawn.reshape(self.placebos.draws, 2, -1)
        rates = flip_rate_control(
            flips[self.placebos.controlled], (pairs[:, 0] != pairs[:, 1]).transpose()
        )
        prefix = next(name for name in metrics if name.endswith("_runtime")).removesuffix("runtime")
        values = {
            f"{prefix}flip_rate": float(flips.mean()),
            f"{prefix}flip_rate_control": rates.flip_rate_control,
            f"{prefix}flip_rate_excess": rates.flip_rate_excess,
        }
        metrics |= values
        self.trainer.log(values)


def _with(texts: list[tuple[str, ...]], rows: Dataset, swap: CounterfactualSwap) -> Dataset:
    """Put other texts into the columns of rows."""
    for name, values in zip(swap.columns, zip(*texts, strict=True), strict=False):
        rows = rows.remove_columns(name).add_column(name, list(values))
    return rows
