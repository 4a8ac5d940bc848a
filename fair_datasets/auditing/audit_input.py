"""Reading all rows once: what they mention along each axis, what the swap writes, their labels."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classes import Classes, ClassReader
from fair_datasets.auditing.findings import BETWEEN, Marked, Sample, column_axis
from fair_datasets.auditing.settings import AuditSettings, axis_title
from fair_datasets.reader.matching.find import attributes_of
from fair_datasets.rows.draws import FAMILY
from fair_datasets.rows.given import batches
from fair_datasets.rows.row_texts import Row, RowTexts
from fair_datasets.swap.counterfactual import CounterfactualSwap, ReadRow
from fair_datasets.swap.placebos import RowDivider
from fair_datasets.swap.rewriting import Rows
from fair_datasets.system import interrupts
from fair_datasets.system.checks import format_choices, invalid
from fair_datasets.system.collection import uncollected

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True)
class Grouping:
    """Which rows mention which attributes of an axis, or belong to which group of a column.

    Attributes:
        title: What the axis is called, or the names of the columns.
        axis: The axis, as it was given; empty for a column.
        rows: The row of each pair of a row and an attribute that it mentions. Shape (M,).
        codes: The attribute of the pair. Shape (M,).
    """

    title: str
    axis: str
    attributes: tuple[str, ...]
    rows: NDArray[np.int64]
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]
    size: int

    @property
    def name(self) -> str:
        """What figures call it: the axis; or `column` and the name of a column."""
        return self.title if self.axis else column_axis(self.title)

    def mask(self, code: int) -> NDArray[np.bool_]:
        """Return which rows mention an attribute. Shape (N,)."""
        mask = np.zeros(self.size, np.bool_)
        mask[self.rows[self.codes == code]] = True
        return mask

    @cached_property
    def any(self) -> NDArray[np.bool_]:
        """Which rows mention any attribute. Shape (N,)."""
        mask = np.zeros(self.size, np.bool_)
        mask[self.rows] = True
        return mask

    @cached_property
    def alone(self) -> NDArray[np.int64]:
        """The attribute of each row that mentions just one; -1 for the others. Shape (N,)."""
        several = np.bincount(self.rows, minlength=self.size)
        codes = np.full(self.size, -1, np.int64)
        codes[self.rows] = self.codes
        codes[several != 1] = -1
        return codes

    @cached_property
    def kinds(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The kind of each row, shape (N,), and which attributes a kind mentions, shape (P, A)."""
        # A sum of random numbers tells which of the attributes are mentioned together.
        numbers = np.random.default_rng(0).integers(
            1 << 63, size=len(self.attributes), dtype=np.uint64
        )
        sums = np.zeros(self.size, np.uint64)
        np.add.at(sums, self.rows, numbers[self.codes])
        known, kinds = np.unique(sums, return_inverse=True)
        holds = np.zeros((len(known), len(self.attributes)), np.bool_)
        holds[kinds[self.rows], self.codes] = True
        return kinds, holds

    def rows_with(self, selected: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Count those of some rows that mention each attribute. Shape (A,)."""
        return np.bincount(self.codes[selected[self.rows]], minlength=len(self.attributes))


class AxisReading(NamedTuple):
    """What was read along one axis.

    Attributes:
        written: A hash of the texts that it writes for them. Shape (K,), uint64.
        divider: What divides rows where the swap changes them, and knows the first ones.
    """

    divider: RowDivider
    grouping: Grouping
    changed: NDArray[np.int64]
    written: NDArray[np.uint64]
    skipped_mentions: int
    skipped: Counter[tuple[str, str]]
    samples: Mapping[str, Sequence[Sample]]


class AxisReader:
    """Reads batches along one axis."""

    def __init__(self, swap: CounterfactualSwap, samples: int, *, room: int = 0) -> None:
        """Set out to read rows, and to keep so many characters of how they are divided."""
        self.swap, self.divider = swap, RowDivider(swap, room)
        self.attributes = attributes_of([swap.table(swap.axes[0])])
        self.number_of = {name: code for code, name in enumerate(self.attributes)}
        self.cells: list[NDArray[np.int64]] = []
        self.counts: list[NDArray[np.int64]] = []
        self.changed: list[int] = []
        self.written: list[int] = []
        self.skipped_mentions = 0
        self.skipped: Counter[tuple[str, str]] = Counter()
        self.samples = _Drawn(samples)

    @uncollected()
    def read(
        self, texts: Sequence[Row], hashes: NDArray[np.uint64], start: int, split: str, first: int
    ) -> None:
        """Read the rows of a batch, the first of which has some number in all and in its split."""
        cells: list[int] = []
        read = self.swap.read(Rows(texts, [None] * len(texts)))
        for row in self.divider.keep(texts, read):
            base = (start + row.number) * len(self.attributes)
            for reading in row.readings:
                if reading is not None:
                    cells += [base + self.number_of[m.term.attribute] for m in reading.mentions]
                    # "She gave birth" mentions a woman, although no man is put in her place.
                    attributes = [
                        skipped.attribute for skipped in reading.skipped if skipped.attribute
                    ]
                    cells += [base + self.number_of[attribute] for attribute in attributes]
                    self.skipped_mentions += len(attributes)
            if row.counterfactual is not None:
                self.changed.append(start + row.number)
                self.written.append(hash_of(row.counterfactual.texts))
            self._count_skipped(row, int(hashes[row.number]), split, first + row.number)
        unique_cells, counts = np.unique(np.array(cells, np.int64), return_counts=True)
        self.cells.append(unique_cells)
        self.counts.append(counts)

    def reading(self, size: int) -> AxisReading:
        """Return what was read of that many rows."""
        cells, counts = np.concatenate(self.cells), np.concatenate(self.counts)
        rows, codes = np.divmod(cells, len(self.attributes))
        axis = self.swap.axes[0]
        return AxisReading(
            self.divider,
            Grouping(axis_title(axis), axis, self.attributes, rows, codes, counts, size),
            np.array(self.changed, np.int64),
            np.array(self.written, np.uint64),
            self.skipped_mentions,
            self.skipped,
            self.samples.samples(),
        )

    def _count_skipped(self, row: ReadRow, key: int, split: str, number: int) -> None:
        """Count the words of a row that are left alone, and keep the row as a sample."""
        for reading in row.readings:
            if reading is None:
                continue
            tokens = reading.tokens
            for first, last, reason, *_ in reading.skipped:
                start, end = tokens.starts[first], tokens.end(last)
                self.skipped[reason.value, tokens.text[start:end].lower()] += 1
                if self.samples.takes(reason.value, key):
                    sample = Sample(
                        axis=axis_title(self.swap.axes[0]), split=split, row=number,
                        note=reason.value,
                        texts=(Marked(tokens.text, ((start, end, reason.value),)),),
                    )  # fmt: skip
                    self.samples.add(reason.value, key, sample)


class _Drawn:
    """A few rows for each reason, drawn by the hash of their texts: the same in any order."""

    def __init__(self, size: int) -> None:
        """Set out to draw that many."""
        self.size = size
        self._drawn: dict[str, dict[int, Sample]] = {}

    def takes(self, reason: str, key: int) -> bool:
        """Whether a row belongs to those that are kept so far."""
        samples = self._drawn.setdefault(reason, {})
        return key not in samples and (
            len(samples) < self.size or (bool(samples) and key < max(samples))
        )

    def add(self, reason: str, key: int, sample: Sample) -> None:
        """Keep a row, and drop another if there are too many."""
        samples = self._drawn[reason]
        samples[key] = sample
        if len(samples) > self.size:
            del samples[max(samples)]

    def samples(self) -> dict[str, Sequence[Sample]]:
        """Return the rows of each reason."""
        return {
            reason: [samples[key] for key in sorted(samples)]
            for reason, samples in self._drawn.items()
        }


def hash_of(texts: Row) -> int:
    """Return a number that stands for the texts of a row, letter case and white space apart."""
    joined = "\0".join(" ".join(text.casefold().split()) if text else "" for text in texts)
    digest = hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


OTHERS = "others"
"""The name of the group of all rows that belong to none of the largest groups."""
_MOST_VALUES = 100_000
"""How many values a column of groups may have: more are texts, or one for each row."""
_MOSTLY = 0.9
"""From which share of counterfactuals among the rows on they are taken to be augmented: of tweets
and reviews that were, 99 % and 94 % are, as not every swap leads back to its origin."""
_CHUNK_ROWS = CounterfactualSwap.default_batch_size
_ROOM = 4_000_000
"""Of how many characters an axis keeps how its swap divides them."""
MOST_GROUPS = 50
"""How many groups of a column are told apart."""


@dataclass(frozen=True, kw_only=True)
class AuditInput:
    """All rows as arrays: the splits one after the other.

    Attributes:
        hashes: A hash of the texts of each row, letter case and white space apart. Shape (N,).
    """

    splits: "Mapping[str, Dataset]"
    starts: Mapping[str, int]
    has_text: NDArray[np.bool_]
    hashes: NDArray[np.uint64]
    axes: tuple[AxisReading, ...]
    labels: Classes | None
    predictions: Classes | None
    groups: tuple[Classes, ...]

    @cached_property
    def families(self) -> NDArray[np.intp]:
        """The family of each row, from 0 on: of copies, counterfactuals and one `family_id`."""
        hashes = families(self.family_keys, self.family_links())
        return np.unique(hashes, return_inverse=True)[1]

    @property
    def family_keys(self) -> NDArray[np.uint64]:
        """The hash of each row's texts; of a row without a text its number, as it copies none."""
        numbers = np.arange(len(self.hashes), dtype=np.uint64)
        return np.where(self.has_text, self.hashes, numbers)

    def family_links(
        self, start: int = 0
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
        """Give what makes rows members of one family, the rows being counted from a number on."""
        for axis in self.axes:
            yield axis.changed + start, axis.written
        for rows, names in named_families(self.splits):
            yield rows + start, names

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
        mask = np.zeros(len(self.has_text), np.bool_)
        mask[self.starts[split] : self.starts[split] + len(self.splits[split])] = True
        return mask

    def place_of(self, row: int) -> tuple[str, int]:
        """Return the split of a row, and its number there."""
        split = next(name for name in reversed(list(self.starts)) if self.starts[name] <= row)
        return split, row - self.starts[split]

    def texts(self, rows: NDArray[np.int64], settings: AuditSettings) -> list[tuple[str, ...]]:
        """Read some rows again: a text for each field, of which several in one row are lines."""
        records: list[tuple[str, ...]] = []
        for split, start in self.starts.items():
            own = rows[(rows >= start) & (rows < start + len(self.splits[split]))] - start
            for batch in batches(self.splits[split].select(own), settings.columns):
                texts = RowTexts.read(
                    batch, settings.columns, roles=tuple(settings.roles)
                ).by_field()
                records += [tuple(text or "" for text in row) for row in zip(*texts, strict=True)]
        return records


def families(
    hashes: NDArray[np.uint64], written: Iterable[tuple[NDArray[np.int64], NDArray[np.uint64]]]
) -> NDArray[np.uint64]:
    """Give a number to each row that it shares with its counterfactuals, whichever way they lead.

    Args:
        hashes: A hash of the texts of each row. Shape (N,).
        written: For each axis the numbers of the rows that its swap changes, shape (K,), and the
            hashes of what it writes, shape (K,). Or of what else a row may share with others.

    Returns:
        The smallest hash of the family of each row; of a row without others its own. Shape (N,).
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    several = list(written)
    rows = np.concatenate([np.zeros(0, np.int64), *(rows for rows, _ in several)])
    known, places = np.unique(
        np.concatenate([hashes, *(keys for _, keys in several)]), return_inverse=True
    )
    own, other = places[: len(hashes)], places[len(hashes) :]
    edges = coo_array((np.ones(len(rows), np.bool_), (own[rows], other)), (len(known),) * 2)
    count, members = connected_components(edges, directed=False)
    smallest = np.full(count, np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(smallest, members, known)
    return np.asarray(smallest[members][own], np.uint64)


def named_families(
    splits: "Mapping[str, Dataset]",
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
    """Read which rows belong together from the column `family_id`, where there is one.

    Yields:
        For a split that has it, what `families` takes: the numbers of the rows that have an id,
        counted over all splits, and hashes of the ids.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"family_id": ["a", None, "b"]})
        >>> [numbers.tolist() for numbers, _ in named_families({"train": rows})]
        [[0, 2]]
    """
    start = 0
    for rows in splits.values():
        if FAMILY in rows.column_names:
            ids = enumerate(rows.with_format(None)[FAMILY], start)
            hashes = {
                number: hash_of((FAMILY, str(each))) for number, each in ids if each is not None
            }
            yield np.array([*hashes], np.int64), np.array([*hashes.values()], np.uint64)
        start += len(rows)


def read_audit_input(splits: "Mapping[str, Dataset]", settings: AuditSettings) -> AuditInput:
    """Read all rows, once."""
    from datasets.utils import tqdm

    named = settings.of_classes
    readers = {
        name: ClassReader(name, most=_MOST_VALUES)
        if name in settings.groups
        else ClassReader(name, names=settings.label_names)
        for name in named
    }
    swaps = settings.swaps() if settings.columns else ()
    # A classifier is asked about many of the rows that are read here.
    is_asked = settings.predictions is None and (settings.label or settings.model)
    room = _ROOM if is_asked else 0
    axes = [AxisReader(swap, settings.samples, room=room) for swap in swaps]
    starts: dict[str, int] = {}
    hashes: list[NDArray[np.uint64]] = []
    filled: list[NDArray[np.bool_]] = []
    total, start = sum(map(len, splits.values())), 0
    with tqdm(total=total, desc="Auditing", unit=" examples") as progress:
        for split, rows in splits.items():
            starts[split] = start
            for batch in batches(rows, [*settings.columns, *named], size=_CHUNK_ROWS):
                interrupts.raise_if_interrupted()
                texts = _texts(batch, settings)
                for name, reader in readers.items():
                    reader.read(batch[name], rows.features and rows.features.get(name))
                filled.append(np.array([any(map(_is_text, row)) for row in texts], np.bool_))
                hashes.append(np.fromiter(map(hash_of, texts), np.uint64, len(texts)))
                for axis in axes:
                    axis.read(texts, hashes[-1], start, split, start - starts[split])
                start += len(texts)
                progress.update(len(texts))
    classes = {name: reader.classes() for name, reader in readers.items()}
    _refuse_other_labels(classes, settings)
    return AuditInput(
        splits=splits,
        starts=starts,
        has_text=np.concatenate(filled),
        hashes=np.concatenate(hashes),
        axes=tuple(axis.reading(start) for axis in axes),
        labels=classes.get(settings.label or ""),
        predictions=classes.get(settings.predictions or ""),
        groups=tuple(classes[name] for name in settings.groups),
    )


def _texts(batch: Mapping[str, Sequence[Any]], settings: AuditSettings) -> list[Row]:
    """Read the texts of a batch; none where only columns about persons are read."""
    if not settings.columns:
        return [()] * len(next(iter(batch.values())))
    return RowTexts.read(batch, settings.columns, roles=tuple(settings.roles)).rows


def _refuse_other_labels(classes: Mapping[str, Classes], settings: AuditSettings) -> None:
    columns = [name for name in (settings.label, settings.predictions) if name is not None]
    written = {name: label for label, name in settings.label_names.items()}
    known = [written.get(name, name) for column in columns for name in classes[column].names]
    for label in settings.label_names:
        if label not in known:
            raise invalid(
                f"label_names names {label!r}, but {' and '.join(map(repr, columns))} "
                f"{'holds' if len(columns) == 1 else 'hold'} "
                f"{format_choices(dict.fromkeys(known))}."
            )


def groupings_of(groups: Sequence[Classes], most: int = MOST_GROUPS) -> tuple[Grouping, ...]:
    """Return the groups of each column, and those of all columns together.

    Args:
        most: How many groups are told apart; of more the others are one.
    """
    several = [[classes] for classes in groups] + [list(groups)] * (len(groups) > 1)
    return tuple(_grouping_of(each, most) for each in several)


def _grouping_of(several: Sequence[Classes], most: int) -> Grouping:
    """Return which rows belong to which group of a column, or of several together."""
    # Of many groups the largest are kept, and the others are one.
    codes = np.stack([classes.codes for classes in several])
    rows = np.flatnonzero((codes >= 0).all(axis=0))
    combinations, groups = np.unique(codes[:, rows], axis=1, return_inverse=True)
    names = tuple(
        " × ".join(classes.names[code] for classes, code in zip(several, group, strict=True))
        for group in combinations.T.tolist()
    )
    groups = groups.ravel()
    if len(names) > most:
        largest = np.sort(np.argsort(-np.bincount(groups), kind="stable")[:most])
        places = np.full(len(names), most, np.int64)
        places[largest] = np.arange(most)
        names = (*(names[code] for code in largest), OTHERS)
        groups = places[groups]
    columns = BETWEEN.join(classes.column for classes in several)
    return Grouping(columns, "", names, rows, groups, np.ones_like(rows), codes.shape[1])


def split_pairs(splits: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give each two splits, those of training first.

    Example:
        >>> list(split_pairs(["test", "train"]))
        [('train', 'test')]
    """
    order = sorted(splits, key=lambda name: not name.startswith("train"))
    for place, name in enumerate(order):
        for other in order[place + 1 :]:
            yield name, other


def _is_text(text: str | None) -> bool:
    return text is not None and bool(text.strip())
