"""Reading the rows of a batch; the texts of a row are read together."""

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter

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
        rows: The texts of each row, or nulls; all rows have the same number of texts.
        tables: The terms to look for, by axis. A word that several of them read is a mention of
            the first.

    Yields:
        For each row an empty list if none of its texts has any word of the tables; else for each
        text its reading, or None.

    Example:
        >>> from fair_datasets.matching.table import build_table, table_files
        >>> from fair_datasets.technique import file_digests
        >>> digests = file_digests(table_files("gender", names=False))
        >>> table = build_table("gender", digests)
        >>> row, nothing = read_rows([["She saw her brother."], ["No one."]], [table])
        >>> [(mention.first, mention.term.attribute) for mention in row[0].mentions], nothing
        ([(0, 'woman'), (2, 'woman'), (3, 'man')], [])
    """
    if len(tables) == 1:
        return _read_rows(rows, tables[0])
    by_table = [_read_rows(rows, table) for table in tables]
    return map(_merged_row, zip(*by_table, strict=True))


def read_text(text: str, table: TermTable, context: Context | None = None) -> Reading | None:
    """Find the mentions along one axis in one text.

    Args:
        text: Any text.
        table: The terms to look for.
        context: What answers the questions about neighbours; None for that of the table.

    Returns:
        The reading; None if the text has no word of the table.
    """
    found = next(table.scanner.scan([text]))
    return _read_row([found], table, context)[0]


def _read_rows(
    rows: Sequence[Sequence[str | None]], table: TermTable
) -> Iterator[list[Reading | None]]:
    """Find the mentions along one axis in many rows."""
    width = len(rows[0]) if rows else 0
    texts = [row[0] for row in rows] if width == 1 else [text for row in rows for text in row]
    scanned = table.scanner.scan(texts)
    for _ in rows:
        row = list(islice(scanned, width))
        yield _read_row(row, table) if any(row) else []


def _read_row(
    row: Sequence[Candidates | None], table: TermTable, context: Context | None = None
) -> list[Reading | None]:
    """Find the mentions in the texts of one row."""
    names = NamesOfRow()
    readings = [
        None if found is None else TextReader(found, table, names, context).read() for found in row
    ]
    if names.protected or not all(names.sure.values()):
        for reading in filter(None, readings):
            names.settle(reading)
    return readings


def _merged_row(several: Sequence[Sequence[Reading | None]]) -> list[Reading | None]:
    """Put the readings of one row along several axes together."""
    found = [readings for readings in several if readings]
    return [_merged(list(filter(None, texts))) for texts in zip(*found, strict=True)]


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
