"""What a correction is told, checked before scoring, how rows are divided anew, what it returns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import floor
from numbers import Integral, Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.draws import row_key
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.bias.bias_score import BiasScore, figure_name
from fair_datasets.selection.correction.techniques import SwapAbove
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid, suggestion, typed
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
    def named(cls, name: Any) -> "Correction":
        """Read the name of a correction.

        Args:
            name: The name, such as `Sub95` or `Aug92.5`.

        Raises:
            InputError: There is no such correction.

        Example:
            >>> Correction.named("Aug92.5")
            Correction(kind='Aug', percentile=92.5)
            >>> Correction.named("sub95")
            Traceback (most recent call last):
            ...
            fair_datasets.InputError: Correction: correction must be Sub, Aug, Rep or RepSub
            with a percentile between 0 and 100, such as 'Sub95' or 'Aug92.5', but it is 'sub95'.
            Did you mean 'Sub95'?
        """
        parts = _NAME.fullmatch(name) if isinstance(name, str) else None
        if parts is None or parts[1] not in KINDS or not 0 < float(parts[2]) < 100:
            *kinds, last = KINDS
            raise invalid(
                f"{typed('correction')} must be {', '.join(kinds)} or {last} with a percentile "
                f"between 0 and 100, such as 'Sub95' or 'Aug92.5', but it is {name!r}."
                + _meant(name)
            )
        return cls(parts[1], float(parts[2]))

    @property
    def name(self) -> str:
        """The name."""
        return f"{self.kind}{self.percentile:.12g}"


def _meant(name: Any) -> str:
    """Write which correction may have been meant."""
    number = re.search(r"[0-9]+(\.[0-9]+)?", str(name))
    percentile = number[0] if number and 0 < float(number[0]) < 100 else "95"
    hint = suggestion(name, [f"{kind}{percentile}" for kind in KINDS])
    by_letters = {f"{kind}{percentile}".lower(): f"{kind}{percentile}" for kind in KINDS}
    exact = by_letters.get(str(name).lower())
    return f" Did you mean {exact!r}?" if exact else hint


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


SWAP = ("axis", "names", "protect", "pipeline", "reader", "pronouns", "source", "target",
        "leave_facts", "unlisted_names", "provenance", "family", "id_column")  # fmt: skip
"""The parameters of `CounterfactualSwap` that are left to choose."""
_READERS = ("pipeline", "reader")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The checked settings of `correct`.

    Attributes:
        score: What scores rows; None where they have scores.
        sizes: The sizes of splits that are divided anew; empty where they stay.
        group_split: Whether rows with the same first text are in one split.
    """

    correction: Correction
    columns: tuple[str, ...]
    roles: tuple[str, ...]
    label: str | None
    score: BiasScore | None
    score_column: str
    swap: Mapping[str, Any]
    sizes: Mapping[str, float]
    group_split: bool
    seed: int

    @classmethod
    def checked(
        cls,
        *,
        correction: str,
        columns: Any,
        roles: Any,
        label: str | None,
        score_column: str | None,
        swap: Mapping[str, Any] | None,
        sizes: Mapping[str, float] | None,
        group_split: bool,
        seed: int,
        scoring: Mapping[str, Any],
    ) -> "Settings":
        """Check what `correct` was given."""
        named = Correction.named(correction)
        names = column_checks.column_names(columns)
        whose = checks.strings(roles, parameter="roles")
        if label is not None:
            column_checks.column_name(label, parameter="label")
        if score_column is None:
            score_column = figure_name(centred=bool(scoring.get("centred")))
        column_checks.column_name(score_column, parameter="score_column")
        score = _score(scoring, named, columns=names, roles=whose, output_column=score_column)
        made = cls(
            correction=named,
            columns=names,
            roles=whose,
            label=label,
            score=score,
            score_column=score_column,
            swap=_swap(swap, named, scoring),
            sizes={} if sizes is None else checked_sizes(sizes),
            group_split=checks.switch(group_split, parameter="group_split"),
            seed=checks.whole_number(seed, parameter="seed"),
        )
        if named.kind != "Sub":
            made.swap_above(0.0)  # A wrong setting of the swap is told before rows are scored.
        return made

    def config(self) -> dict[str, Any]:
        """Return the settings as JSON data, with the digests of the files that they name."""
        named = {item.name: getattr(self, item.name) for item in fields(self)}
        swap = None if self.correction.kind == "Sub" else self.swap_above(0.0).config()
        score = None if self.score is None else self.score.config()
        return {**named, "correction": self.correction.name, "score": score, "swap": swap}

    def swap_above(self, threshold: float) -> SwapAbove:
        """Return what rewrites the rows above a threshold."""
        return SwapAbove(
            columns=self.columns,
            roles=self.roles,
            score_column=self.score_column,
            threshold=threshold,
            mode="augment" if self.correction.kind == "Aug" else "replace",
            **self.swap,
        )


def _score(scoring: Mapping[str, Any], correction: Correction, **others: Any) -> BiasScore | None:
    """Return what scores rows; None where nothing is said of it."""
    taken = {"columns", "explain", "roles", "output_column", "version", "digests"}
    known = [item.name for item in fields(BiasScore) if item.name not in taken]
    for name in scoring:
        checks.one_of(name, known, parameter="a setting of the score")
    if set(scoring) - {"axis", *_READERS}:
        return BiasScore(**others, **scoring, explain=correction.kind == "RepSub")
    if correction.kind == "RepSub":
        raise invalid(
            f"{correction.name} scores the rewritten rows again; give vectors (a file of "
            "word vectors) or encoder (a model), even if the rows have scores."
        )
    useless = [name for name in _READERS if scoring.get(name) is not None]
    if correction.kind == "Sub" and useless:
        raise invalid(
            f"{useless[0]} says how texts are read, but the rows have scores, and "
            f"{correction.name} rewrites none; leave it out."
        )
    return None


def _swap(
    swap: Mapping[str, Any] | None, correction: Correction, scoring: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings of the swap, which reads as the score does unless it is told."""
    given = {} if swap is None else swap
    if not isinstance(given, Mapping):
        raise invalid(
            f"swap must be a mapping of parameters of CounterfactualSwap, such as "
            f"{{'names': False}}, but it is {given!r}."
        )
    for name in given:
        checks.one_of(name, SWAP, parameter="a setting of swap")
    if given and correction.kind == "Sub":
        raise invalid(
            f"swap says how rows are rewritten, but {correction.name} rewrites none; leave it out."
        )
    taken = ("axis",) if set(_READERS) & set(given) else ("axis", *_READERS)
    read = {name: scoring[name] for name in taken if name in scoring}
    settings = {"axis": "gender", **read, **given}
    # Of several axes each would have a copy of its own.
    return {**settings, "axis": checks.axis_name(settings["axis"])}


TRAIN = "train"

Integers = NDArray[np.int64]


def checked_sizes(sizes: Any) -> dict[str, float]:
    """Return the sizes of the splits that are held out, or raise.

    Args:
        sizes: Split name to its number of rows, or to its share of them below 1.

    Example:
        >>> checked_sizes({"test": 0})
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: checked_sizes: the size of 'test' must be a number of rows, or
        a share of them below 1, but it is 0.
    """
    if not isinstance(sizes, Mapping) or not sizes or TRAIN in sizes:
        raise invalid(
            f"sizes must be a mapping of split names to numbers of rows, such as "
            f"{{'validation': 10000, 'test': 10000}}, but it is {sizes!r}; {TRAIN!r} gets the rest."
        )
    split_sizes: dict[str, float] = {}
    for name, size in sizes.items():
        is_number = isinstance(size, Real) and not isinstance(size, bool)
        value = float(size) if is_number else 0.0
        is_count = isinstance(size, Integral)
        if value <= 0 or not (is_count or value < 1):
            raise invalid(
                f"the size of {name!r} must be a number of rows, or a share of them below "
                f"1, but it is {size!r}."
            )
        split_sizes[name] = int(value) if is_count else value
    shares = sum(size for size in split_sizes.values() if size < 1)
    if shares > 1 - 1e-9:
        raise invalid(
            f"the shares of sizes sum to {shares:.6g}, which leaves nothing for "
            f"{TRAIN!r}; lower them to sum to less than 1."
        )
    return split_sizes


def group_keys(
    batch: Mapping[str, Sequence[Any]], *, columns: Sequence[str], roles: Sequence[str], output: str
) -> dict[str, list[int]]:
    """Give each row of a batch a number for its first text.

    Args:
        columns: The text columns; rows are alike that have the same text in the first. A row
            without it is alike to those with the same texts in the others.
    """
    rows = RowTexts.read(batch, columns, roles=roles).by_field()
    keys = (row_key(row if row[0] is None else row[:1]) for row in zip(*rows, strict=True))
    return {output: [int(key[:15], 16) for key in keys]}


def divided(
    rows: "Dataset", sizes: Mapping[str, float], *, seed: int, groups: Integers | None
) -> "DatasetDict":
    """Divide rows into the training rows and the splits that are held out.

    Args:
        groups: The number of each row's group, which is in one split alone: a split has the rows
            that it was to have, or more by less than a group. None to shuffle the rows one by one.

    Returns:
        `train` with the rest, then the others. In groups, rows keep their order.
    """
    from datasets import DatasetDict

    wanted = [size if size >= 1 else floor(size * len(rows) + 1e-9) for size in sizes.values()]
    generator = np.random.default_rng(int(row_key([seed, "correct"]), 16))
    if groups is None:
        order, ends = generator.permutation(len(rows)), np.cumsum(wanted)
        parts = np.split(order, ends) if ends[-1] < len(rows) else []
    else:
        place = _places(np.bincount(groups), wanted, generator)[groups]
        parts = [np.flatnonzero(place == number) for number in range(len(wanted) + 1)]
    if not parts or not all(map(len, parts)):
        raise invalid(
            f"{len(rows):,} row{' is' if len(rows) == 1 else 's are'} too few for the "
            f"sizes {', '.join(f'{name}={size:g}' for name, size in sizes.items())} and a rest to "
            "train on; lower the sizes."
        )
    *held_out, train = parts
    splits = {TRAIN: train, **dict(zip(sizes, held_out, strict=True))}
    return DatasetDict({name: rows.select(numbers) for name, numbers in splits.items()})


def _places(counts: Integers, wanted: Sequence[float], generator: np.random.Generator) -> Integers:
    """Draw for each group the split that it is in: each is filled, one behind the other."""
    drawn = generator.permutation(len(counts))
    ends = np.cumsum(counts[drawn])
    places = np.full(len(counts), len(wanted))
    first, filled = 0, 0
    for number, size in enumerate(wanted):
        last = min(int(np.searchsorted(ends, filled + size)), len(ends) - 1)
        places[drawn[first : last + 1]] = number
        first, filled = last + 1, int(ends[last])
    return places
