"""Reading all rows once: what they mention, what becomes of them, and what they are labelled."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.axes import AxisReader, AxisReading, Grouping, hash_of
from fair_datasets.auditing.classes import Classes, ClassReader
from fair_datasets.auditing.settings import OWNER, AuditSettings
from fair_datasets.rows.given import batches
from fair_datasets.rows.row_texts import Row, RowTexts
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, listed

if TYPE_CHECKING:
    from datasets import Dataset


OTHERS = "others"
"""The name of the group of all rows that belong to none of the largest groups."""
_MOST_VALUES = 100_000
"""How many values a column of groups may have: more are texts, or one for each row."""
_MOSTLY = 0.9
"""From which share of counterfactuals among the rows on they are taken to be augmented: of tweets
and reviews that were, 99 % and 94 % are, as not every swap leads back to its origin."""
MOST_GROUPS = 50
"""How many groups of a column are told apart."""


@dataclass(frozen=True, kw_only=True)
class Material:
    """All rows as arrays: the splits one after the other.

    Attributes:
        splits: Split name to its rows.
        starts: The number of the first row of each split.
        has_text: Which rows have a text. Shape (N,).
        hashes: A hash of the texts of each row, letter case and white space apart. Shape (N,).
        axes: What was read along each axis.
        labels: The labels; None if no column is named.
        predictions: The predictions; None if no column is named.
        groups: The columns of groups.
    """

    splits: "Mapping[str, Dataset]"
    starts: Mapping[str, int]
    has_text: NDArray[np.bool_]
    hashes: NDArray[np.uint64]
    axes: tuple[AxisReading, ...]
    labels: Classes | None
    predictions: Classes | None
    groups: tuple[Classes, ...]

    @property
    def groupings(self) -> tuple[Grouping, ...]:
        """The axes, the columns of groups, and the groups of all these columns together."""
        return (*(axis.grouping for axis in self.axes), *groupings_of(self.groups))

    def augmented(self) -> frozenset[str]:
        """Return the axes along which most counterfactuals are among the rows already."""
        return frozenset(
            axis.grouping.axis
            for axis in self.axes
            if len(axis.written) and np.isin(axis.written, self.hashes).mean() > _MOSTLY
        )

    def rows_of(self, split: str) -> NDArray[np.bool_]:
        """Return which rows are of a split. Shape (N,)."""
        found = np.zeros(len(self.has_text), np.bool_)
        found[self.starts[split] : self.starts[split] + len(self.splits[split])] = True
        return found

    def place_of(self, row: int) -> tuple[str, int]:
        """Return the split of a row, and its number there."""
        split = next(name for name in reversed(list(self.starts)) if self.starts[name] <= row)
        return split, row - self.starts[split]

    def texts(self, rows: NDArray[np.int64], settings: AuditSettings) -> list[tuple[str, ...]]:
        """Read some rows again: a text for each field, of which several in one row are lines.

        Args:
            rows: Their numbers, in ascending order.

        Returns:
            The texts of each row; a field without a text is empty.
        """
        found: list[tuple[str, ...]] = []
        for split, start in self.starts.items():
            own = rows[(rows >= start) & (rows < start + len(self.splits[split]))] - start
            for batch in batches(self.splits[split].select(own), settings.columns, owner=OWNER):
                texts = RowTexts.read(
                    batch, settings.columns, roles=tuple(settings.roles), owner=OWNER
                ).by_field()
                found += [tuple(text or "" for text in row) for row in zip(*texts, strict=True)]
        return found


def read_material(splits: "Mapping[str, Dataset]", settings: AuditSettings) -> Material:
    """Read all rows, once.

    Raises:
        InputError: A column is missing, or holds something else than texts or classes.
    """
    from datasets.utils import tqdm

    named = settings.of_classes
    readers = {
        name: ClassReader(name, most=_MOST_VALUES)
        if name in settings.groups
        else ClassReader(name, names=settings.label_names)
        for name in named
    }
    swaps = settings.swaps() if settings.columns else ()
    axes = [AxisReader(swap, settings.samples) for swap in swaps]
    starts: dict[str, int] = {}
    hashes: list[NDArray[np.uint64]] = []
    filled: list[NDArray[np.bool_]] = []
    total, start = sum(map(len, splits.values())), 0
    with tqdm(total=total, desc="Auditing", unit=" examples") as progress:
        for split, rows in splits.items():
            starts[split] = start
            for batch in batches(rows, [*settings.columns, *named], owner=OWNER):
                interrupts.obey()
                texts = _texts(batch, settings)
                for name, reader in readers.items():
                    reader.read(batch[name], rows.features and rows.features.get(name))
                filled.append(np.array([any(map(_is_text, row)) for row in texts], np.bool_))
                hashes.append(np.fromiter(map(hash_of, texts), np.uint64, len(texts)))
                for axis in axes:
                    axis.read(texts, hashes[-1], start, split, start - starts[split])
                start += len(texts)
                progress.update(len(texts))
    found = {name: reader.classes() for name, reader in readers.items()}
    _refuse_other_labels(found, settings)
    return Material(
        splits=splits,
        starts=starts,
        has_text=np.concatenate(filled),
        hashes=np.concatenate(hashes),
        axes=tuple(axis.reading(start) for axis in axes),
        labels=found.get(settings.label or ""),
        predictions=found.get(settings.predictions or ""),
        groups=tuple(found[name] for name in settings.groups),
    )


def _texts(batch: Mapping[str, Sequence[Any]], settings: AuditSettings) -> list[Row]:
    """Read the texts of a batch; none where only columns about persons are read."""
    if not settings.columns:
        return [()] * len(next(iter(batch.values())))
    return RowTexts.read(batch, settings.columns, roles=tuple(settings.roles), owner=OWNER).rows


def _refuse_other_labels(found: Mapping[str, Classes], settings: AuditSettings) -> None:
    """Raise if a label is named that there is not."""
    columns = [name for name in (settings.label, settings.predictions) if name is not None]
    written = {name: label for label, name in settings.label_names.items()}
    known = [written.get(name, name) for column in columns for name in found[column].names]
    for label in settings.label_names:
        if label not in known:
            raise InputError(
                f"{OWNER}: label_names names {label!r}, but {' and '.join(map(repr, columns))} "
                f"{'holds' if len(columns) == 1 else 'hold'} {listed(dict.fromkeys(known))}."
            )


def groupings_of(groups: Sequence[Classes], most: int = MOST_GROUPS) -> tuple[Grouping, ...]:
    """Return the groups of each column, and those of all columns together.

    Args:
        most: How many groups are told apart; of more the others are one.

    Returns:
        One for each column, and one for all of several.
    """
    several = [[classes] for classes in groups] + [list(groups)] * (len(groups) > 1)
    return tuple(_grouping_of(each, most) for each in several)


def _grouping_of(several: Sequence[Classes], most: int) -> Grouping:
    """Return which rows belong to which group of a column, or of several together.

    Of many groups the largest are kept, and the others are one.
    """
    codes = np.stack([classes.codes for classes in several])
    rows = np.flatnonzero((codes >= 0).all(axis=0))
    found, groups = np.unique(codes[:, rows], axis=1, return_inverse=True)
    names = tuple(
        " × ".join(classes.names[code] for classes, code in zip(several, group, strict=True))
        for group in found.T.tolist()
    )
    groups = groups.ravel()
    if len(names) > most:
        largest = np.sort(np.argsort(-np.bincount(groups), kind="stable")[:most])
        places = np.full(len(names), most, np.int64)
        places[largest] = np.arange(most)
        names = (*(names[code] for code in largest), OTHERS)
        groups = places[groups]
    columns = " × ".join(classes.column for classes in several)
    kind = "column" if len(several) == 1 else "columns"
    return Grouping(
        f"{kind} {columns}", "", names, rows, groups, np.ones_like(rows), codes.shape[1]
    )


def split_pairs(splits: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give each two splits, those of training first.

    Yields:
        The two names.

    Example:
        >>> list(split_pairs(["test", "train"]))
        [('train', 'test')]
    """
    order = sorted(splits, key=lambda name: not name.startswith("train"))
    for place, name in enumerate(order):
        for other in order[place + 1 :]:
            yield name, other


def _is_text(text: str | None) -> bool:
    """Tell whether there is anything in a text."""
    return text is not None and bool(text.strip())
