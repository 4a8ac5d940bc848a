"""The techniques that corrections are made of: rows are left out or swapped by score and label."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.draws import plain
from fair_datasets.rows.given import batches
from fair_datasets.selection.thresholds import Threshold, scores_of
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import invalid
from fair_datasets.system.validate import validate_fields
from fair_datasets.technique.contract import Batch, Technique

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict


@dataclass(frozen=True, kw_only=True)
class KeepWordsBelow(Technique):
    """Drop rows whose score and strongest word are each above a threshold, for `datasets.filter`.

    A row is left out if its score is strictly above `threshold` and the part of one of its words
    (importance times cosine, without its sign) is strictly above `word_threshold`: its score comes
    from that word, and not from many that lean a little. A row without a score is kept.

    Attributes:
        column: The column with the scores; the words are in `<column>_words`, as
            `BiasScore(explain=True)` writes them.
        threshold: The score of a row to compare with.
        word_threshold: The part of a word to compare with.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> keep = KeepWordsBelow(threshold=0.3, word_threshold=0.2)
        >>> strong, mild = [{"product": -0.4}], [{"product": 0.2}, {"product": 0.2}]
        >>> keep({"bias_score": [0.4, 0.4, None], "bias_score_words": [strong, mild, None]})
        [False, True, True]
    """

    method: ClassVar[Literal["map", "filter"]] = "filter"
    reads: ClassVar[tuple[str, ...]] = ("column",)

    column: ColumnName = field(default="bias_score", kw_only=False)
    threshold: Threshold
    word_threshold: Threshold

    def __post_init__(self) -> None:
        """Check the parameters."""
        validate_fields(self)
        super().__post_init__()

    def input_columns(self, existing: Sequence[str]) -> Sequence[str]:
        """Name the columns of the scores and of the words."""
        return [name for name in (self.column, words_column(self.column)) if name in existing]

    def process(self, batch: Batch) -> list[bool]:
        """Return which rows of a batch to keep."""
        scores = scores_of(batch, self.column, missing=True)
        words = column_checks.values(batch, words_column(self.column))
        strongest = np.array(list(_strongest(words, words_column(self.column))), np.float64)
        is_left_out = (scores > self.threshold) & (strongest > self.word_threshold)
        return [not is_out for is_out in is_left_out.tolist()]


def strongest_words(dataset: "Dataset | DatasetDict", column: str) -> NDArray[np.float64]:
    """Return the part of the most biased word of each row.

    Returns:
        The largest part without its sign: 0 for a row without words, NaN for one without a score.
        Shape (N,).

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"bias_score_words": [[{"product": -0.4}, {"product": 0.1}]]})
        >>> strongest_words(rows, "bias_score").tolist()
        [0.4]
    """
    name = words_column(column)
    given = (batch[name] for batch in batches(dataset, [name]))
    parts = chain.from_iterable(_strongest(words, name) for words in given)
    return np.fromiter(parts, np.float64)


def words_column(column: str) -> str:
    """Name the column in which `BiasScore` explains the scores of another."""
    return f"{column}_words"


def _strongest(rows: Sequence[Any], column: str) -> Iterator[float]:
    """Yield the largest part of a word of each row."""
    for number, words in enumerate(rows):
        if column_checks.is_null(words):
            yield nan
            continue
        try:
            yield max((abs(float(word["product"])) for word in words), default=0.0)
        except (TypeError, KeyError, ValueError) as error:
            raise invalid(
                f"column {column!r} must hold the words of BiasScore(explain=True), but "
                f"row {number} (counted from 0) holds {column_checks.shortened(words)}; score the "
                "rows again."
            ) from error


@dataclass(frozen=True, kw_only=True)
class KeepLabelled(Technique):
    """Keep the rows that have a gold label, for `datasets.filter`.

    SNLI writes "-", or -1 where labels are numbers, for a pair on whose label no three of five
    people agreed. Nulls, NaN and empty texts are no labels either.

    Attributes:
        column: The column with the label.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> KeepLabelled(column="gold_label")({"gold_label": ["neutral", "-", None]})
        [True, False, False]

    Source:
        Bowman, Angeli, Potts and Manning (2015), section 2.2.
    """

    reads: ClassVar[tuple[str, ...]] = ("column",)

    method: ClassVar[Literal["map", "filter"]] = "filter"

    column: ColumnName = field(kw_only=False)

    def __post_init__(self) -> None:
        """Check the parameter."""
        validate_fields(self)
        super().__post_init__()

    def process(self, batch: Batch) -> list[bool]:
        """Return which rows of a batch to keep."""
        values = column_checks.values(batch, self.column)
        return [not _is_none(value) for value in values]


def _is_none(value: Any) -> bool:
    """Whether a value stands for no label."""
    if column_checks.is_null(value):
        return True
    label = plain(value)
    return label.strip() in ("", "-", "-1") if isinstance(label, str) else label == -1


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

    score_column: ColumnName = "bias_score"
    threshold: Threshold

    def __post_init__(self) -> None:
        """Check the parameters."""
        validate_fields(self)
        super().__post_init__()

    def other_columns(self) -> tuple[str, ...]:
        """Name the columns that are read besides the texts: that of the scores too."""
        return (*super().other_columns(), self.score_column)

    def chosen(self, batch: Batch) -> Sequence[int]:
        """Choose the rows above; see `Rewriter.chosen`."""
        scores = scores_of(batch, self.score_column, missing=True)
        above: list[int] = (scores > self.threshold).nonzero()[0].tolist()
        return above
