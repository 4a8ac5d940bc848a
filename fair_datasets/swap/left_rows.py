"""Which rows the swap leaves: for what counts them, says why, or writes mentions by itself."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain

import numpy as np

from fair_datasets.matching.found import OF_ROW, Chunk, Reason
from fair_datasets.matching.rows import chunks
from fair_datasets.matching.table import TermTable
from fair_datasets.rewriting import Rows
from fair_datasets.row_texts import Row
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.whole_rows import leave_rows, may_leave


def left_rows(
    rows: Sequence[Sequence[str | None]],
    targets: Callable[[int], Targets] | Targets,
    table: TermTable,
) -> Mapping[int, Reason]:
    """Say which rows are left as a whole along an axis, and why.

    Args:
        rows: The texts of each row, or nulls.
        targets: Axis and attribute to the attribute that its terms are rewritten to; or what
            returns them for a row by its number.
        table: The terms of the axis.

    Returns:
        The number of each such row to the reason.

    Example:
        >>> from fair_datasets.matching.find import table_of
        >>> rows, table = [("The Pope met a Catholic.",), ("A Catholic left.",)], "religion"
        >>> table = table_of("religion", owner="left_rows")
        >>> left_rows(rows, {("religion", "christian"): "hindu"}, table)[0].value
        'another word of the row is tied to the group'
    """
    return left_in(chunks(rows, [table]), targets, table) if may_leave(table, targets) else {}


def left_in(
    read: Iterable[Chunk], targets: Callable[[int], Targets] | Targets, table: TermTable
) -> Mapping[int, Reason]:
    """Say the same of rows that are read already.

    Args:
        read: The rows with what is found in them.
        targets: As for `left_rows`.
        table: What was looked for.

    Returns:
        As `left_rows` does.
    """
    left: dict[int, Reason] = {}
    for chunk in read:
        left.update(_reasons(leave_rows(chunk, targets, [table])))
    return left


def _reasons(chunk: Chunk, *, of_words: bool = False) -> Iterator[tuple[int, Reason]]:
    """Give the rows that are left as a whole, or those with words that are, as often as words."""
    found = chunk.found
    held = ~found.is_mention
    if not of_words:
        held = np.array([rule.startswith(OF_ROW) for rule in found.rules.tolist()], np.bool_)
    numbers = chunk.row_of[found.texts[held]].tolist()
    yield from zip(numbers, found.reasons[held].tolist(), strict=True)


_counts: ContextVar[Counter[str] | None] = ContextVar("left", default=None)


@contextmanager
def counting_left(counts: Counter[str]) -> Iterator[None]:
    """Count the rows that swaps leave as a whole meanwhile.

    Args:
        counts: What counts them, by the reason.

    Yields:
        Nothing.
    """
    token = _counts.set(counts)
    try:
        yield
    finally:
        _counts.reset(token)


Notes = dict[tuple[str | None, Row], str]
"""Why rows are left, by the id and the texts of each."""
_notes: ContextVar[Notes | None] = ContextVar("notes", default=None)


@contextmanager
def noting_left(notes: Notes) -> Iterator[None]:
    """Note why swaps leave words of rows alone meanwhile.

    Args:
        notes: What takes the reason for each row with such a word: what leaves all of the row, or
            else what leaves its first such word.

    Yields:
        Nothing.
    """
    token = _notes.set(notes)
    try:
        yield
    finally:
        _notes.reset(token)


def count_left(read: Sequence[Chunk], rows: Rows) -> None:
    """Count and note the rows of a swap that are left, if anybody asks for it.

    Args:
        read: Rows with what is found in them, each of them as a whole.
        rows: All rows, with their ids.
    """
    counts, notes = _counts.get(), _notes.get()
    if notes is not None:
        of_rows = chain.from_iterable(map(_reasons, read))
        of_words = (each for chunk in read for each in _reasons(chunk, of_words=True))
        for number, reason in chain(of_rows, of_words):
            notes.setdefault((rows.ids[number], rows.texts[number]), reason.value)
    if counts is not None:
        left = {each for chunk in read for each in _reasons(chunk)}
        counts.update(reason.value for _, reason in left)
