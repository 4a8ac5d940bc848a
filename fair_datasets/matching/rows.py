"""Reading the rows of a batch; the texts of a row are read together."""

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter

import numpy as np

from fair_datasets.matching.mentions import Mention, Reading
from fair_datasets.matching.reading import read_words
from fair_datasets.matching.table import TermTable
from fair_datasets.matching.words import Words

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
    by_table = [_read_rows(rows, table) for table in tables]
    if len(by_table) == 1:
        yield from by_table[0]
        return
    number_of = itemgetter(0)
    for number, found in groupby(merge(*by_table, key=number_of), key=number_of):
        yield number, _merged_row([readings for _, readings in found])


def read_text(text: str, table: TermTable) -> Reading | None:
    """Find the mentions along one axis in one text.

    Args:
        text: Any text.
        table: The terms to look for.

    Returns:
        The reading; None if the text has no word of the table.
    """
    for _, (reading,) in _read_rows([[text]], table):
        return reading
    return None


def _read_rows(
    rows: Sequence[Sequence[str | None]], table: TermTable
) -> Iterator[tuple[int, list[Reading | None]]]:
    """Find the mentions along one axis in many rows."""
    for first, last in _chunks(rows):
        owners = [
            (number, which)
            for number in range(first, last)
            for which, text in enumerate(rows[number])
            if text
        ]
        if not owners:
            continue
        words = Words([rows[number][which] or "" for number, which in owners])
        row_of = np.array([number for number, _ in owners], np.int64)
        found: dict[int, list[Reading | None]] = {}
        for k, (mentions, left) in read_words(words, row_of, table).items():
            number, which = owners[k]
            readings = found.setdefault(number, [None] * len(rows[number]))
            readings[which] = Reading(words.tokens(k), mentions, left)
        yield from sorted(found.items())


def _chunks(rows: Sequence[Sequence[str | None]]) -> Iterator[tuple[int, int]]:
    """Divide rows into those that are read together, by the number of their characters."""
    sizes = np.fromiter(
        (sum(len(text) for text in row if text) for row in rows), np.int64, len(rows)
    )
    cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // _CHUNK)) + 1
    yield from pairwise([0, *cuts.tolist(), len(rows)])


def _merged_row(several: Sequence[Sequence[Reading | None]]) -> list[Reading | None]:
    """Put the readings of one row along several axes together."""
    return [_merged(list(filter(None, texts))) for texts in zip(*several, strict=True)]


def _merged(readings: Sequence[Reading]) -> Reading | None:
    """Put the readings of one text together."""
    mentions: list[Mention] = []
    taken: set[int] = set()
    for reading in readings:
        free = [m for m in reading.mentions if taken.isdisjoint(range(m.first, m.last + 1))]
        mentions += free
        taken.update(index for m in free for index in range(m.first, m.last + 1))
    if not readings:
        return None
    left = [left for reading in readings for left in reading.left]
    return Reading(readings[0].tokens, sorted(mentions, key=attrgetter("first")), left)
