"""Reading scores, and keeping the rows whose score is above or below a threshold."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from math import isnan, nan
from numbers import Real
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName, is_null, number_in
from fair_datasets.rows.given import batches
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.validate import OneOf, validate_fields
from fair_datasets.technique.contract import Batch, Technique

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict


def score_values(values: Iterable[Any], what: str, *, missing: bool = False) -> NDArray[np.float64]:
    """Return scores as an array, or raise; NaN for a row that has none.

    Args:
        values: The scores, one per row; infinite ones are fine, and so are numbers that are
            written as text, as in a CSV file.

    Example:
        >>> score_values([0.5, float("nan")], "column 'el2n'")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: score_values: in row 1 (counted from 0), column 'el2n' holds
        nan, which is not a score; remove the row, or fill the score in.
    """
    given = values if isinstance(values, np.ndarray) else list(values)
    array = np.asarray(given)
    if array.ndim == 1 and array.dtype.kind in "iuf":
        lacking = np.flatnonzero(np.isnan(array))
        if lacking.size and not missing:
            raise _missing(what, int(lacking[0]), given[lacking[0]])
        return array.astype(np.float64)
    given = list(map(number_in, given))
    for row, value in enumerate(given):
        if is_null(value):
            if missing:
                continue
            raise _missing(what, row, value)
        if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
            raise invalid(
                f"{what} must hold numbers, but row {row} (counted from 0) holds "
                f"{value!r} ({type(value).__name__}); give one score per row."
            )
    return np.array([nan if is_null(value) else float(value) for value in given], dtype=np.float64)


def scores_of(batch: Batch, column: str, *, missing: bool) -> NDArray[np.float64]:
    """Return the scores of a batch as an array, or raise; see `score_values`."""
    values = column_checks.values(batch, column)
    return score_values(values, f"column {column!r} of the batch", missing=missing)


def _missing(what: str, row: int, value: Any) -> InputError:
    return invalid(
        f"in row {row} (counted from 0), {what} holds {None if value is None else float(value)}, "
        "which is not a score; remove the row, or fill the score in."
    )


MISSING = ("refuse", "keep", "drop")
"""What can be done with a row without a score."""


def threshold_value(value: Any, *, parameter: str = "threshold") -> float:
    """Return a threshold as a float, or raise.

    Example:
        >>> threshold_value(1)
        1.0
    """
    if not isinstance(value, Real) or isinstance(value, bool) or isnan(value):
        raise invalid(f"{parameter} must be a number, but it is {value!r}.")
    return float(value)


Threshold = Annotated[float, threshold_value]


@dataclass(frozen=True, kw_only=True)
class _Keep(Technique):
    """Compare the scores of a column with a threshold."""

    method: ClassVar[Literal["map", "filter"]] = "filter"

    column: ColumnName = field(kw_only=False)
    threshold: Threshold
    missing: Annotated[str, OneOf(MISSING)] = "refuse"

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        validate_fields(self)

    def _selected(self, batch: Batch, *, above: bool) -> list[bool]:
        """Return which scores are strictly above the threshold, or which are not."""
        missing = self.missing != "refuse"
        scores = scores_of(batch, self.column, missing=missing)
        is_selected = np.where(
            np.isnan(scores), self.missing == "keep", (scores > self.threshold) == above
        )
        mask: list[bool] = is_selected.tolist()
        return mask


@dataclass(frozen=True, kw_only=True)
class KeepAbove(_Keep):
    """Keep the rows whose score is strictly above a threshold, for `datasets.filter`.

    A row without a score (a null or NaN) is neither above nor below.

    Attributes:
        column: The column with the scores.
        threshold: The score to compare with.
        missing: What is done with a row without a score: `refuse` (the error names it), `keep` or
            `drop`.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> KeepAbove(column="el2n", threshold=0.5)({"el2n": [0.2, 0.5, 0.9]})
        [False, False, True]
    """

    reads: ClassVar[tuple[str, ...]] = ("column",)

    def process(self, batch: Batch) -> list[bool]:
        """Return which rows of a batch to keep."""
        return self._selected(batch, above=True)


@dataclass(frozen=True, kw_only=True)
class KeepBelow(_Keep):
    """Keep the rows whose score is at or below a threshold, for `datasets.filter`.

    It keeps just those rows with a score that `KeepAbove` drops.

    Attributes:
        column: The column with the scores.
        threshold: The score to compare with.
        missing: What is done with a row without a score, a null or NaN: `refuse` (the error names
            it), `keep` or `drop`.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> KeepBelow(column="el2n", threshold=0.5)({"el2n": [0.2, 0.5, 0.9]})
        [True, True, False]
    """

    reads: ClassVar[tuple[str, ...]] = ("column",)

    def process(self, batch: Batch) -> list[bool]:
        """Return which rows of a batch to keep."""
        return self._selected(batch, above=False)


def fit_threshold(
    dataset: "Dataset | IterableDataset | DatasetDict | IterableDatasetDict",
    column: str,
    *,
    keep: str,
    quantile: float | None = None,
    share: float | None = None,
    missing: str = "refuse",
) -> KeepAbove | KeepBelow:
    """Take a threshold from the scores of a dataset, and make the technique that applies it.

    Percentiles are interpolated linearly. A score equal to the threshold is below it, so that with
    many equal scores more rows, or fewer, are kept than were asked for. A threshold that is known
    needs no fitting: `KeepBelow(column="bias_score", threshold=0.1)`.

    Args:
        dataset: The rows; with several splits their scores are taken together. A stream is read
            once.
        keep: `above` to keep the highest scores, `below` to keep the lowest.
        quantile: The share of the scores that the threshold is to have below it, from 0 to 1.
        share: The share of the rows to keep, from 0 to 1; in place of `quantile`.
        missing: What is done with a row without a score, a null or NaN: `refuse`, `keep` or `drop`.
            The threshold is that of the scores that there are.

    Raises:
        InputError: It is no dataset, the column is missing or empty, a row has no score and that is
            refused, or not exactly one of `quantile` and `share` is given.

    Example:
        >>> from datasets import Dataset
        >>> scored = Dataset.from_dict({"bias_score": [0.4, 0.1, 0.3, 0.2]})
        >>> below = fit_threshold(scored, "bias_score", keep="below", quantile=0.5)
        >>> below
        KeepBelow(column='bias_score', threshold=0.25, missing='refuse')
        >>> scored.filter(below, batched=True)["bias_score"][:]
        [0.1, 0.2]

    Source:
        Dolci, Azzalini and Tanelli drop the sentence pairs above the 90th to 97th percentile.
    """
    column_checks.column_name(column, parameter="column")
    checks.one_of(keep, ["above", "below"], parameter="keep")
    checks.one_of(missing, MISSING, parameter="missing")
    if (quantile is None) == (share is None):
        raise invalid(
            f"exactly one of quantile and share must be given, but they are {quantile!r} "
            f"and {share!r}."
        )
    if share is not None:
        share = checks.fraction(share, parameter="share")
        quantile = share if keep == "below" else 1 - share
    quantile = checks.fraction(quantile, parameter="quantile")
    columns = (batch[column] for batch in batches(dataset, [column]))
    scores = score_values(
        chain.from_iterable(columns), f"column {column!r}", missing=missing != "refuse"
    )
    if not scores.size:
        raise invalid(f"column {column!r} has no rows, so it has no threshold.")
    scores = scores[~np.isnan(scores)]
    if not scores.size:
        raise invalid(
            f"no row has a score in column {column!r}, so it has no threshold; look at "
            "what the scores were made from."
        )
    technique = KeepAbove if keep == "above" else KeepBelow
    threshold = float(np.quantile(scores, quantile))
    return technique(column=column, threshold=threshold, missing=missing)
