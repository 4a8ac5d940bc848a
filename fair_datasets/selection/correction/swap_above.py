"""Swapping the rows whose score is above a threshold."""

from collections.abc import Sequence
from dataclasses import dataclass

from fair_datasets.rows import column_checks, columns
from fair_datasets.selection.thresholds import score_values, threshold_value
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.technique.contract import Batch


@dataclass(frozen=True, kw_only=True)
class SwapAbove(CounterfactualSwap):
    """Rewrite the rows whose score is strictly above a threshold, for `datasets.map`.

    All text columns of a row are rewritten together; the label and every other column, the score
    too, stay as they are. A row in which nothing is to be swapped has no copy; a row without a
    score is left alone. Take the threshold from `fit_threshold(...).threshold`.

    Attributes:
        score_column: The column with the scores.
        threshold: The score above which rows are rewritten.

    All else is as for `CounterfactualSwap`: with `mode="augment"` a swapped copy stands behind its
    row, with `mode="replace"` in its place.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> swap = SwapAbove(columns="text", threshold=0.5)
        >>> swap({"text": ["He wore pink.", "He ran."], "bias_score": [0.9, 0.1]})["text"]
        ['He wore pink.', 'She wore pink.', 'He ran.']

    Source:
        Dolci, Azzalini and Tanelli: their augmentation.
    """

    score_column: str = "bias_score"
    threshold: float

    def __post_init__(self) -> None:
        """Check the parameters."""
        owner = type(self).__name__
        column_checks.column_name(self.score_column, owner=owner, parameter="score_column")
        threshold = threshold_value(self.threshold, owner=owner)
        object.__setattr__(self, "threshold", threshold)
        super().__post_init__()

    def other_columns(self) -> tuple[str, ...]:
        """Name the columns that are read besides the texts: that of the scores too."""
        return (*super().other_columns(), self.score_column)

    def chosen(self, batch: Batch) -> Sequence[int]:
        """Choose the rows above; see `Rewriter.chosen`."""
        owner = type(self).__name__
        values = columns.values(batch, self.score_column, owner=owner)
        what = f"column {self.score_column!r} of the batch"
        scores = score_values(values, what, owner=owner, missing=True)
        above: list[int] = (scores > self.threshold).nonzero()[0].tolist()
        return above
