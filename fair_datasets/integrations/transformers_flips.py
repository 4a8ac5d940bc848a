"""Flips between texts and their counterfactuals while a `Trainer` of transformers trains."""

from collections.abc import Callable
from typing import Any

from fair_datasets.integrations.transformers import classes_of
from fair_datasets.measures.controls import flip_rate_control
from fair_datasets.rows.column_checks import present
from fair_datasets.rows.given import one_dataset
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import placebos_of
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

_OWNER = "FlipCallback"

require("training", owner=_OWNER)

from datasets import Dataset, concatenate_datasets  # noqa: E402
from transformers import Trainer, TrainerCallback  # noqa: E402


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
        names = one_dataset(rows, owner=_OWNER, rows=True).column_names
        present(swap.columns, names, owner=_OWNER)
        if trainer.args.train_sampling_strategy == "group_by_length":
            raise InputError(
                f"{_OWNER}: train_sampling_strategy='group_by_length' mixes the rows of "
                "evaluations too, so that no text would stand beside its counterfactual."
            )
        columns = [["" if text is None else text for text in rows[name]] for name in swap.columns]
        placebos = placebos_of(list(zip(*columns, strict=True)), swap, count=draws, seed=swap.seed)
        if not placebos.rows:
            raise InputError(f"{_OWNER}: the swap changes none of the {len(rows):,} rows.")
        kept = rows.select(placebos.numbers)
        controlled = kept.select(placebos.controlled.nonzero()[0])
        versions = [(kept, texts) for texts in placebos.versions()]
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
        said = classes_of(self.trainer.predict(self.twins).predictions, owner=_OWNER)
        size = len(self.placebos.rows)
        own, drawn = said[: 2 * size].reshape(2, size), said[2 * size :]
        flips = own[0] != own[1]
        pairs = drawn.reshape(self.placebos.draws, 2, -1)
        found = flip_rate_control(
            flips[self.placebos.controlled], (pairs[:, 0] != pairs[:, 1]).transpose()
        )
        prefix = next(name for name in metrics if name.endswith("_runtime")).removesuffix("runtime")
        values = {
            f"{prefix}flip_rate": float(flips.mean()),
            f"{prefix}flip_rate_control": found.flip_rate_control,
            f"{prefix}flip_rate_excess": found.flip_rate_excess,
        }
        metrics |= values
        self.trainer.log(values)


def _with(texts: list[tuple[str, ...]], rows: Dataset, swap: CounterfactualSwap) -> Dataset:
    """Put other texts into the columns of rows."""
    for name, values in zip(swap.columns, zip(*texts, strict=True), strict=False):
        rows = rows.remove_columns(name).add_column(name, list(values))
    return rows
