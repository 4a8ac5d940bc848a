"""Counting how often each attribute of an axis is mentioned, and which rows a swap leaves."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.find import (
    attributes_of,
    count_in_chunk,
    count_in_rows,
    table_of,
)
from fair_datasets.reader.matching.found import Chunk
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rows import column_checks
from fair_datasets.rows.given import batches, refuse_absent_roles, splits_of
from fair_datasets.rows.text_fields import Row, RowTexts
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.whole_rows import reasons_in
from fair_datasets.system import checks

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict


_OWNER = "count_mentions"
_TOGETHER = 4000


def count_mentions(
    dataset: "Dataset | DatasetDict | IterableDataset | IterableDatasetDict",
    columns: "str | tuple[str, ...]",
    *,
    axis: tuple[str, ...] | str = "gender",
    roles: tuple[str, ...] | str = (),
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    reader: str | None = None,
) -> dict[str, int]:
    """Count the terms of an axis in text columns, by the attribute that they mention.

    A neutral word that is too general to be a mention ("they", "parent") is not counted.

    Args:
        columns: The text column or columns, or paths into them; see `CounterfactualSwap`.
        axis: A shipped lexicon's name, the path of a user's own `.tsv` file, or several of them.
        roles: Whose texts of a conversation are read; none for everybody's.
        names: Whether names count, where they have the axis's attributes; None for first names of
            men and women alone.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.
        reader: A token classifier, as for `find_terms`.

    Returns:
        Each attribute of the axes to its number of mentions.

    Raises:
        InputError: A parameter is not what it must be, or a column is missing or holds something
            else than text.

    Example:
        >>> from datasets import Dataset
        >>> count_mentions(Dataset.from_dict({"text": ["He saw Mary.", "She left."]}), "text")
        {'man': 1, 'woman': 2, 'non-binary': 0}
    """
    columns = column_checks.column_names(columns, owner=_OWNER)
    roles = checks.strings(roles, owner=_OWNER, parameter="roles")
    refuse_absent_roles(dataset, columns, roles, owner=_OWNER)
    tables = [
        table_of(each, names=names, protect=protect, pipeline=pipeline, reader=reader, owner=_OWNER)
        for each in (axis if isinstance(axis, list | tuple) else [axis])
    ]
    return mentions_in_part(
        dataset, columns, roles, tables, lambda rows: count_in_rows(rows, tables).sum(axis=0)
    )


def mentions_in_part(
    dataset: Any,
    columns: tuple[str, ...],
    roles: tuple[str, ...],
    tables: Sequence[TermTable],
    count: Callable[[Sequence[Row]], NDArray[np.int64]],
) -> dict[str, int]:
    """Count as `count_mentions` does, in a part of a dataset: perhaps none of the roles speaks."""
    from datasets.utils import tqdm

    attributes = attributes_of(tables)
    counts = np.zeros(len(attributes), np.int64)
    with tqdm(total=_rows(dataset), desc="Counting mentions", unit=" examples") as progress:
        for batch in batches(dataset, columns, owner=_OWNER, size=_TOGETHER):
            rows = RowTexts.read(batch, columns, roles=roles, owner=_OWNER).rows
            counts += count(rows)
            progress.update(len(rows))
    return dict(zip(attributes, counts.tolist(), strict=True))


def _rows(dataset: Any) -> int | None:
    """Return the number of rows, which a stream does not know."""
    splits = splits_of(dataset, owner=_OWNER)
    if not all(hasattr(split, "num_rows") for split in splits):
        return None
    return sum(int(split.num_rows) for split in splits)


class RowCounts:
    """How often each attribute is mentioned in rows."""

    def __init__(self, tables: Sequence[TermTable]) -> None:
        """Have read no row yet."""
        self.tables = tables
        self._numbers: dict[Row, int] = {}
        self._counts: list[NDArray[np.int64]] = []

    def add(self, rows: Sequence[Row], counts: NDArray[np.int64]) -> None:
        """Take up what was counted in rows."""
        for row, own in zip(rows, counts, strict=True):
            if self._numbers.setdefault(row, len(self._counts)) == len(self._counts):
                self._counts.append(own)

    def count(self, rows: Sequence[Row]) -> NDArray[np.int64]:
        """Count the mentions in rows.

        Returns:
            The number of mentions of each attribute in all rows. Shape (A,).
        """
        new = [row for row in dict.fromkeys(rows) if row not in self._numbers]
        self.add(new, count_in_rows(new, self.tables))
        # How often each row is there, so that all are added at once.
        listed = np.array([self._numbers[row] for row in rows], np.int64)
        numbers, often = np.unique(listed, return_counts=True)
        if not len(numbers):
            return np.zeros(len(attributes_of(self.tables)), np.int64)
        total: NDArray[np.int64] = often @ np.array([self._counts[k] for k in numbers.tolist()])
        return total

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Take up the rows that are read for a swap meanwhile, along the same axes together."""
        token = _watcher.set(self)
        try:
            yield
        finally:
            _watcher.reset(token)


_watcher: ContextVar[RowCounts | None] = ContextVar("watcher", default=None)


def watched(
    rows: Sequence[Row], tables: Sequence[TermTable], chunks: Iterable[Chunk]
) -> Iterator[Chunk]:
    """Pass on what is found in rows, and tell it to the `RowCounts` that watches, if any."""
    known = _watcher.get()
    if known is None or [*map(id, known.tables)] != [*map(id, tables)]:
        yield from chunks
        return
    counts = np.zeros((len(rows), len(attributes_of(tables))), np.int64)
    for chunk in chunks:
        counts += count_in_chunk(chunk, len(rows), tables)
        yield chunk
    known.add(rows, counts)


Notes = dict[tuple[str | None, Row], str]
"""Why rows are left, by the id and the texts of each."""
_Askers = tuple[Counter[str] | None, Notes | None]
_askers: ContextVar[_Askers] = ContextVar("left", default=(None, None))


@contextmanager
def telling_left(
    *, counts: Counter[str] | None = None, notes: Notes | None = None
) -> Iterator[None]:
    """Count the rows that swaps leave as a whole meanwhile, and note why they leave words alone.

    Args:
        notes: What takes the reason for each row with such a word: what leaves all of the row, or
            else what leaves its first such word.
    """
    token = _askers.set((counts, notes))
    try:
        yield
    finally:
        _askers.reset(token)


def count_left(read: Sequence[Chunk], rows: Rows) -> None:
    """Count and note the rows of a swap that are left, if anybody asks for it."""
    counts, notes = _askers.get()
    if notes is not None:
        of_rows = chain.from_iterable(map(reasons_in, read))
        of_words = (each for chunk in read for each in reasons_in(chunk, of_words=True))
        for number, reason in chain(of_rows, of_words):
            notes.setdefault((rows.ids[number], rows.texts[number]), reason.value)
    if counts is not None:
        left = {each for chunk in read for each in reasons_in(chunk)}
        counts.update(reason.value for _, reason in left)


def count_others(reasons: Mapping[int, str], rows: Rows) -> None:
    """Count and note rows that are left for another reason than their words, if anybody asks."""
    counts, notes = _askers.get()
    if notes is not None:
        for number, reason in reasons.items():
            notes.setdefault((rows.ids[number], rows.texts[number]), reason)
    if counts is not None:
        counts.update(reasons.values())
