"""The names of corrections, and what a correction found and made."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import InputError, suggestion
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "Sub": "the rows above are left out",
        "Aug": "the rows above get a swapped copy",
        "Rep": "the rows above are replaced by their swap",
        "RepSub": "the rows above are replaced by their swap, and rows that are still above are "
        "left out if only one of their words is among the most biased",
    }
)
"""What each kind of correction does; `Sub` and `Aug` are those of the paper."""

PUBLISHED = tuple(f"{kind}{number}" for kind in ("Sub", "Aug") for number in (97, 95, 93, 90))
"""The eight corrected corpora of the paper."""

_NAME = re.compile(r"([A-Za-z]+?)([0-9]+(?:\.[0-9]+)?)")


@dataclass(frozen=True)
class Correction:
    """A correction: its kind and the percentile of the scores.

    Attributes:
        kind: One of `KINDS`.
        percentile: The percentile above which rows are corrected, between 0 and 100.
    """

    kind: str
    percentile: float

    @classmethod
    def named(cls, name: Any, *, owner: str) -> "Correction":
        """Read the name of a correction.

        Args:
            name: The name, such as `Sub95` or `Aug92.5`.

        Returns:
            The correction.

        Raises:
            InputError: There is no such correction.

        Example:
            >>> Correction.named("Aug92.5", owner="correct")
            Correction(kind='Aug', percentile=92.5)
            >>> Correction.named("sub95", owner="correct")
            Traceback (most recent call last):
            ...
            fair_datasets.InputError: correct: correction must be Sub, Aug, Rep or RepSub
            with a percentile between 0 and 100, such as 'Sub95' or 'Aug92.5', but it is 'sub95'.
            Did you mean 'Sub95'?
        """
        found = _NAME.fullmatch(name) if isinstance(name, str) else None
        if found is None or found[1] not in KINDS or not 0 < float(found[2]) < 100:
            *kinds, last = KINDS
            raise InputError(
                f"{owner}: correction must be {', '.join(kinds)} or {last} with a percentile "
                f"between 0 and 100, such as 'Sub95' or 'Aug92.5', but it is {name!r}."
                + _meant(name)
            )
        return cls(found[1], float(found[2]))

    @property
    def name(self) -> str:
        """The name."""
        return f"{self.kind}{self.percentile:.12g}"


def _meant(name: Any) -> str:
    """Write which correction may have been meant."""
    number = re.search(r"[0-9]+(\.[0-9]+)?", str(name))
    percentile = number[0] if number and 0 < float(number[0]) < 100 else "95"
    found = suggestion(name, [f"{kind}{percentile}" for kind in KINDS])
    by_letters = {f"{kind}{percentile}".lower(): f"{kind}{percentile}" for kind in KINDS}
    exact = by_letters.get(str(name).lower())
    return f" Did you mean {exact!r}?" if exact else found


@dataclass(frozen=True, kw_only=True)
class CorrectedSplit:
    """What happened to the rows of a split.

    `rows_after` is `rows_before` less `unlabelled` and `dropped`, and more by `rewritten` where
    copies are added. `above` is `rewritten` and `unchanged` together where rows are rewritten.

    Attributes:
        unlabelled: The rows left out before all else, as they have no label.
        unscored: The rows without a score, which are kept.
        above: The rows whose score is above the threshold.
        rewritten: Those of them that got a copy, or were replaced.
        unchanged: Those of them in which there is nothing to swap.
        dropped: The rows left out for their score.
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
        word_threshold: The part of a word above which rows were left out; None but for `RepSub`.
        highest_after: The highest score afterwards; None where rows were rewritten whose scores
            were given, so that those of their swaps are not known, and where no row has a score.
        coverage: The share of words with a vector among those of some rows; None where no word
            vectors were given.
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
