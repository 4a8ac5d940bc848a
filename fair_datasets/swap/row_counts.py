"""The mentions in rows, each of which is read once: by the swap itself, where it reads them all."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.count_terms import attributes_of, count_in_chunk, count_in_rows
from fair_datasets.matching.found import Chunk
from fair_datasets.matching.table import TermTable
from fair_datasets.row_texts import Row


class RowCounts:
    """How often each attribute is mentioned in rows.

    Attributes:
        tables: The axes.

    Example:
        >>> from fair_datasets.matching.find import table_of
        >>> counts = RowCounts([table_of("gender", owner="RowCounts")])
        >>> counts.count([("He ran.",), ("She ran.",), ("He ran.",)]).tolist()
        [2, 1, 0]
    """

    def __init__(self, tables: Sequence[TermTable]) -> None:
        """Have read no row yet."""
        self.tables = tables
        self._numbers: dict[Row, int] = {}
        self._counts: list[NDArray[np.int64]] = []

    def add(self, rows: Sequence[Row], counts: NDArray[np.int64]) -> None:
        """Take up what was counted in rows.

        Args:
            rows: The texts of each, nulls among them.
            counts: The number of mentions of each attribute in each. Shape (N, A).
        """
        for row, own in zip(rows, counts, strict=True):
            if self._numbers.setdefault(row, len(self._counts)) == len(self._counts):
                self._counts.append(own)

    def count(self, rows: Sequence[Row]) -> NDArray[np.int64]:
        """Count the mentions in rows.

        Args:
            rows: The texts of each, nulls among them.

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
    """Pass on what is found in rows, and tell it to the `RowCounts` that watches, if any.

    Args:
        rows: The texts of each row.
        tables: The axes.
        chunks: What is found in them.

    Yields:
        The same.
    """
    known = _watcher.get()
    if known is None or [*map(id, known.tables)] != [*map(id, tables)]:
        yield from chunks
        return
    counts = np.zeros((len(rows), len(attributes_of(tables))), np.int64)
    for chunk in chunks:
        counts += count_in_chunk(chunk, len(rows), tables)
        yield chunk
    known.add(rows, counts)
