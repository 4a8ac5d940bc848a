"""Reading the rows of a batch; the texts of a row are read together."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.found import Found, merged
from fair_datasets.matching.mentions import Reading
from fair_datasets.matching.reading import read_words
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.vocabulary import Numbers
from fair_datasets.matching.words import Asked, Mask, Words

# Rows are read together up to about this many characters, which bounds the memory.
_CHUNK = 1 << 19


def read_rows(
    rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable]
) -> Iterator[list[Reading | None]]:
    """Find the mentions in many rows; the texts of a row are read together.

    Args:
        rows: The texts of each row, or nulls.
        tables: The terms to look for, by axis. A word that several of them read is a mention of
            the first.

    Yields:
        For each row an empty list if none of its texts has any word of the tables; else for each
        text its reading, or None.

    Example:
        >>> from fair_datasets.matching.table import build_table, table_files
        >>> from fair_datasets.digests import file_digests
        >>> digests = file_digests(table_files("gender", names=False))
        >>> table = build_table("gender", digests)
        >>> row, nothing = read_rows([["She saw her brother."], ["No one."]], [table])
        >>> [(mention.first, mention.term.attribute) for mention in row[0].mentions], nothing
        ([(0, 'woman'), (2, 'woman'), (3, 'man')], [])
    """
    following = 0
    for number, readings in found_in_rows(rows, tables):
        for _ in range(following, number):
            yield []
        yield readings
        following = number + 1
    for _ in range(following, len(rows)):
        yield []


def found_in_rows(
    rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable]
) -> Iterator[tuple[int, list[Reading | None]]]:
    """Find the mentions in those of many rows that have any word of the tables.

    Args:
        rows: As for `read_rows`.
        tables: As for `read_rows`.

    Yields:
        The number of each such row, and for each of its texts the reading, or None.
    """
    for chunk in chunks(rows, tables):
        yield from chunk.readings(rows)


def read_text(text: str, table: TermTable) -> Reading | None:
    """Find the mentions along one axis in one text.

    Args:
        text: Any text.
        table: The terms to look for.

    Returns:
        The reading; None if the text has no word of the table.
    """
    for _, (reading,) in found_in_rows([[text]], [table]):
        return reading
    return None


class Chunk(NamedTuple):
    """Rows that are read together.

    Attributes:
        found: What is found in their texts, of which those without any candidate may be left out.
        row_of: The row of each text. Shape (T,).
        which: Which text of its row each is. Shape (T,).
    """

    found: Found
    row_of: NDArray[np.int64]
    which: NDArray[np.int64]

    def by_row(self) -> Iterator[tuple[int, list[tuple[int, Reading]]]]:
        """Give the readings of texts, with the numbers of the texts, row by row."""
        row_of = self.row_of.tolist()
        found = ((row_of[text], text, reading) for text, reading in self.found.by_text())
        for row, several in groupby(found, itemgetter(0)):
            yield row, [(text, reading) for _, text, reading in several]

    def readings(
        self, rows: Sequence[Sequence[str | None]]
    ) -> Iterator[tuple[int, list[Reading | None]]]:
        """Give what is found in the rows that have any candidate.

        Args:
            rows: All rows.

        Yields:
            The number of each such row, and for each of its texts the reading, or None.
        """
        which = self.which.tolist()
        for row, found in self.by_row():
            readings: list[Reading | None] = [None] * len(rows[row])
            for text, reading in found:
                readings[which[text]] = reading
            yield row, readings


def chunks(rows: Sequence[Sequence[str | None]], tables: Sequence[TermTable]) -> Iterator[Chunk]:
    """Find the mentions in many rows, some rows at a time.

    Args:
        rows: As for `read_rows`.
        tables: As for `read_rows`.

    Yields:
        What is found in some of them, in order.
    """
    widths = np.fromiter(map(len, rows), np.int64, len(rows))
    row_of = np.repeat(np.arange(len(rows)), widths)
    which = np.arange(len(row_of)) - np.repeat(np.cumsum(widths) - widths, widths)
    texts = [text or "" for row in rows for text in row]
    for first, last in _parts(texts, row_of):
        words = Words(texts[first:last], _asked_by(tables))
        if not words.texts:
            continue
        kept = words.kept + first
        found = merged([read_words(words, row_of[kept], table) for table in tables])
        yield Chunk(found, row_of[kept], which[kept])


def _asked_by(tables: Sequence[TermTable]) -> Asked | None:
    """Return what tells the words that some tables look for; None where any text may have some."""
    if any(table.reads_ages for table in tables):
        return None

    def asks_for(numbers: Numbers, is_capital: Mask) -> Mask:
        held: Mask = np.logical_or.reduce(
            [table.columns.asks_for(numbers, is_capital) for table in tables]
        )
        return held

    return asks_for


def _parts(texts: Sequence[str], row_of: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Divide texts into those that are read together, by their characters; no row is divided."""
    part = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts))) // _CHUNK
    is_last = np.diff(row_of, append=-1) != 0
    ends = np.flatnonzero(is_last)
    cuts = ends[np.diff(part[ends], append=-1) != 0] + 1
    yield from pairwise([0, *cuts.tolist()])
