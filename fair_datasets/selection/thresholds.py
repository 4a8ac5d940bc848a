"""Keeping the rows whose score is above or below a threshold, for `filter`."""

from dataclasses import dataclass
from itertools import chain
from math import isnan
from numbers import Real
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from fair_datasets import checks, columns
from fair_datasets.checks import InputError
from fair_datasets.given import batches
from fair_datasets.selection.score_values import score_values
from fair_datasets.technique import Batch, Technique

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict


@dataclass(frozen=True, kw_only=True)
class _Keep(Technique):
    """Compare the scores of a column with a threshold.

    Attributes:
        column: The column with the scores; a null or NaN in it is refused.
        threshold: The score to compare with.
    """

    method: ClassVar[Literal["map", "filter"]] = "filter"

    column: str
    threshold: float

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        owner = type(self).__name__
        checks.column_name(self.column, owner=owner, parameter="column")
        is_number = isinstance(self.threshold, Real) and not isinstance(self.threshold, bool)
        if not is_number or isnan(self.threshold):
            raise InputError(f"{owner}: threshold must be a number, but it is {self.threshold!r}.")
        object.__setattr__(self, "threshold", float(self.threshold))

    def _is_above(self, batch: Batch) -> list[bool]:
        """Tell which scores are strictly above the threshold."""
        owner = type(self).__name__
        values = columns.values(batch, self.column, owner=owner)
        scores = score_values(values, f"column {self.column!r} of the batch", owner=owner)
        above: list[bool] = (scores > self.threshold).tolist()
        return above


@dataclass(frozen=True, kw_only=True)
class KeepAbove(_Keep):
    """Keep the rows whose score is strictly above a threshold, for `datasets.filter`.

    A row without a score (a null or NaN) is neither above nor below; it is refused, and the error
    names it.

    Attributes:
        column: The column with the scores.
        threshold: The score to compare with.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> KeepAbove(column="el2n", threshold=0.5)({"el2n": [0.2, 0.5, 0.9]})
        [False, False, True]
    """

    def process(self, batch: Batch) -> list[bool]:
        """Tell which rows of a batch to keep.

        Args:
            batch: Column name to values.

        Returns:
            One bool per row.

        Raises:
            InputError: The column is missing, or a row has no score.
        """
        return self._is_above(batch)


@dataclass(frozen=True, kw_only=True)
class KeepBelow(_Keep):
    """Keep the rows whose score is at or below a threshold, for `datasets.filter`.

    It keeps just what `KeepAbove` drops. A row without a score (a null or NaN) is refused, and the
    error names it.

    Attributes:
        column: The column with the scores.
        threshold: The score to compare with.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> KeepBelow(column="el2n", threshold=0.5)({"el2n": [0.2, 0.5, 0.9]})
        [True, True, False]
    """

    def process(self, batch: Batch) -> list[bool]:
        """Tell which rows of a batch to keep.

        Args:
            batch: Column name to values.

        Returns:
            One bool per row.

        Raises:
            InputError: The column is missing, or a row has no score.
        """
        return [not is_above for is_above in self._is_above(batch)]


def fit_threshold(
    dataset: "Dataset | IterableDataset | DatasetDict | IterableDatasetDict",
    column: str,
    *,
    keep: str,
    quantile: float | None = None,
    share: float | None = None,
) -> KeepAbove | KeepBelow:
    """Take a threshold from the scores of a dataset, and make the technique that applies it.

    Percentiles are interpolated linearly. A score equal to the threshold is below it, so that with
    many equal scores more rows, or fewer, are kept than were asked for. A threshold that is known
    needs no fitting: `KeepBelow(column="bias_score", threshold=0.1)`.

    Args:
        dataset: The rows; with several splits their scores are taken together. A stream is read
            once.
        column: The column with the scores.
        keep: `above` to keep the highest scores, `below` to keep the lowest.
        quantile: The share of the scores that the threshold is to have below it, from 0 to 1.
        share: The share of the rows to keep, from 0 to 1; in place of `quantile`.

    Returns:
        The technique for `filter(..., batched=True)`.

    Raises:
        InputError: It is no dataset, the column is missing or empty, a row has no score, or not
            exactly one of `quantile` and `share` is given.

    Example:
        >>> from datasets import Dataset
        >>> scored = Dataset.from_dict({"bias_score": [0.4, 0.1, 0.3, 0.2]})
        >>> below = fit_threshold(scored, "bias_score", keep="below", quantile=0.5)
        >>> below
        KeepBelow(column='bias_score', threshold=0.25)
        >>> scored.filter(below, batched=True)["bias_score"][:]
        [0.1, 0.2]

    Source:
        Dolci, Azzalini and Tanelli drop the sentence pairs above the 90th to 97th percentile.
    """
    owner = "fit_threshold"
    checks.column_name(column, owner=owner, parameter="column")
    checks.one_of(keep, ["above", "below"], owner=owner, parameter="keep")
    if (quantile is None) == (share is None):
        raise InputError(
            f"{owner}: exactly one of quantile and share must be given, but they are {quantile!r} "
            f"and {share!r}."
        )
    if share is not None:
        share = checks.fraction(share, owner=owner, parameter="share")
        quantile = share if keep == "below" else 1 - share
    quantile = checks.fraction(quantile, owner=owner, parameter="quantile")
    found = (batch[column] for batch in batches(dataset, [column], owner=owner))
    scores = score_values(chain.from_iterable(found), f"column {column!r}", owner=owner)
    if not scores.size:
        raise InputError(f"{owner}: column {column!r} has no rows, so it has no threshold.")
    technique = KeepAbove if keep == "above" else KeepBelow
    return technique(column=column, threshold=float(np.quantile(scores, quantile)))
