"""What a correction found and made."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from fair_datasets.selection.correction.names import Correction
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict


@dataclass(frozen=True, kw_only=True)
class CorrectedSplit:
    """What happened to the rows of a split.

    `rows_after` is `rows_before` less `unlabelled` and `dropped`, and more by `rewritten` where
    copies are added. `above` is `rewritten` and `unchanged` together where rows are rewritten.

    Attributes:
        rows_before: The rows that there were.
        unlabelled: The rows left out before all else, as they have no label.
        unscored: The rows without a score, which are kept.
        above: The rows whose score is above the threshold.
        rewritten: Those of them that got a copy, or were replaced.
        unchanged: Those of them in which there is nothing to swap.
        dropped: The rows left out for their score.
        rows_after: The rows that there are, before they are divided anew.
    """

    rows_before: int
    unlabelled: int
    unscored: int
    above: int
    rewritten: int
    unchanged: int
    dropped: int
    rows_after: int


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """What `correct` returns.

    Attributes:
        dataset: The corrected rows: of the kind that was given, or divided anew.
        correction: What was done.
        threshold: The score above which rows were corrected.
        word_threshold: The part of a word above which rows were left out; None but for `RepSub`.
        highest_before: The highest score before.
        highest_after: The highest score afterwards; None where rows were rewritten whose scores
            were given, so that those of their swaps are not known, and where no row has a score.
        coverage: The share of words with a vector among those of some rows; None where no word
            vectors were given.
        splits: The split that was given to what happened to its rows.
        techniques: What was applied, in order.
    """

    dataset: "Dataset | DatasetDict"
    correction: Correction
    threshold: float
    word_threshold: float | None
    highest_before: float
    highest_after: float | None
    coverage: float | None
    splits: Mapping[str, CorrectedSplit]
    techniques: tuple[Technique, ...]

    @property
    def total(self) -> CorrectedSplit:
        """What happened to the rows of all splits together."""
        names = [item.name for item in fields(CorrectedSplit)]
        return CorrectedSplit(
            **{name: sum(getattr(split, name) for split in self.splits.values()) for name in names}
        )

    @property
    def rows(self) -> dict[str, int]:
        """The number of rows of each split that was made."""
        if isinstance(self.dataset, dict):
            return {name: len(rows) for name, rows in self.dataset.items()}
        return {name: len(self.dataset) for name in self.splits}

    def summary(self) -> dict[str, Any]:
        """Return the figures as JSON data.

        Returns:
            The correction, its thresholds and scores, and the counts of rows.
        """
        return {
            "correction": self.correction.name,
            "percentile": self.correction.percentile,
            "threshold": self.threshold,
            "word_threshold": self.word_threshold,
            "highest_before": self.highest_before,
            "highest_after": self.highest_after,
            "coverage": self.coverage,
            "splits": {name: asdict(split) for name, split in self.splits.items()},
            "total": asdict(self.total),
            "rows": self.rows,
        }
