"""Reading the rows of a batch; the texts of a row are read together."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import attrgetter, itemgetter

from fair_datasets.matching.context import Context
from fair_datasets.matching.mentions import Mention, NamesOfRow, Reading
from fair_datasets.matching.reader import TextReader
from fair_datasets.matching.scan import Candidates
from fair_datasets.matching.table import TermTable


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


def read_text(text: str, table: TermTable, context: Context | None = None) -> Reading | None:
    """Find the mentions along one axis in one text.

    Args:
        text: Any text.
        table: The terms to look for.
        context: What answers the questions about neighbours; None for that of the table.

    Returns:
        The reading; None if the text has no word of the table.
    """
    reader = TextReader(table, NamesOfRow(), context)
    for _, found in table.wide_scanner.scan([text]):
        return _read_row(reader, [found])[0]
    return None


def _read_rows(
    rows: Sequence[Sequence[str | None]], table: TermTable
) -> Iterator[tuple[int, list[Reading | None]]]:
    """Find the mentions along one axis in many rows."""
    names = NamesOfRow()
    reader = TextReader(table, names)
    if all(len(row) == 1 for row in rows):
        for number, found in table.scanner.scan([row[0] for row in rows]):
            reading = reader.read(found)
            if names.sure or names.protected:
                names.settle([reading])
            yield number, [reading]
        return
    owners = [number for number, row in enumerate(rows) for _ in row]
    scanned = table.scanner.scan([text for row in rows for text in row])
    for number, several in groupby(scanned, key=lambda pair: owners[pair[0]]):
        found_at = dict(several)
        first = bisect_left(owners, number)
        places = range(first, first + len(rows[number]))
        yield number, _read_row(reader, [found_at.get(place) for place in places])


def _read_row(reader: TextReader, row: Sequence[Candidates | None]) -> list[Reading | None]:
    """Find the mentions in the texts of one row."""
    readings = [None if found is None else reader.read(found) for found in row]
    if reader.names.sure or reader.names.protected:
        reader.names.settle(readings)
    return readings


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
