"""Rows that a word ties to a group that would become another, or that somebody would join."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.found import Cause, Chunk, Reason
from fair_datasets.matching.language import TiedWord
from fair_datasets.matching.table import TermTable
from fair_datasets.swap.row_targets import WrittenRow, is_on

Numbers = NDArray[np.int64]
# What a group has, by the kinds of the lexicon, whose words are parts of names as well.
_NAMED = frozenset({"clergy", "place of worship", "scripture"})


def named(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which a group, or what it has, bears a name: "Trinity Church".

    Args:
        chunk: The rows with what is found in them.
        mentions: The mentions of an axis, by their numbers. Shape (M,).
        rows: What becomes of the attributes of each row.
        table: What was looked for.

    Yields:
        The number of each such row, with the cause.
    """
    found = chunk.found
    is_thing = np.array([term.entry.kind in _NAMED for term in found.terms.readings], np.bool_)
    asked = mentions[found.words.is_capital(found.firsts[mentions])]
    things = is_thing[found.readings[asked]]
    for several, condition in (
        (asked[things], table.language.named),
        (asked[~things], table.language.named_group),
    ):
        candidates = Candidates(found.words, found.firsts[several], {}, found.lasts[several])
        yield from _tied_by(chunk, several[candidates.holds(condition)], rows, "the name with ")


def beside_others(
    chunk: Chunk, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows in which a group is told of that is not rewritten: "the Jewish Museum".

    Args:
        chunk: The rows with what is found in them.
        rows: What becomes of the attributes of each row.
        table: What was looked for.

    Yields:
        The number of each such row, with the cause.
    """
    found = chunk.found
    is_other = (found.reasons == Reason.NOT_PEOPLE) | (found.reasons == Reason.TITLE)
    others = np.flatnonzero(is_other & is_on(found, table.axis))
    others = others[found.rules[others] != "people.name"]
    candidates = Candidates(found.words, found.firsts[others], {}, found.lasts[others])
    yield from _tied_by(chunk, others[candidates.holds(table.language.means_group)], rows)


def _tied_by(
    chunk: Chunk, several: Numbers, rows: Mapping[int, WrittenRow], what: str = ""
) -> Iterator[tuple[int, Cause]]:
    """Give the rows that some candidates tie to a group that would become another."""
    found, words = chunk.found, chunk.found.words
    for number in several.tolist():
        row = int(chunk.row_of[found.texts[number]])
        attribute = found.terms.readings[found.readings[number]].attribute
        if row in rows and attribute in rows[row].changed:
            start, end = words.start[found.firsts[number]], words.end[found.lasts[number]]
            told = f"tied to {attribute!r} by {what}{words.joined[start:end]!r}"
            yield row, Cause(Reason.TIED, told, is_final=True)


def tied(
    chunk: Chunk, mentions: Numbers, rows: Mapping[int, WrittenRow], table: TermTable
) -> Iterator[tuple[int, Cause]]:
    """Give the rows that another word ties to a group.

    Args:
        chunk: The rows with what is found in them.
        mentions: The mentions of an axis, by their numbers. Shape (M,).
        rows: What becomes of the attributes of each row.
        table: What was looked for.

    Yields:
        The number of each such row, with the cause.
    """
    if table.language.tied is None or not rows:
        return
    words = chunk.found.words
    steps = np.zeros(len(words) + 1, np.int64)
    np.add.at(steps, chunk.found.firsts[mentions], 1)
    np.add.at(steps, chunk.found.lasts[mentions] + 1, -1)
    changed = [number for number, row in rows.items() if row.changed]
    is_asked = np.append(np.isin(chunk.row_of, changed), False)
    is_free = (np.cumsum(steps[:-1]) == 0) & is_asked[words.owner]
    is_group = table.axis in table.language.groups
    for word in table.language.tied(words, table.axis, is_free):
        number = int(chunk.row_of[word.text])
        for old, new in rows[number].written.items() if number in rows else ():
            if cause := _cause(word, old, new, is_group):
                yield number, cause


def _cause(word: TiedWord, old: str, new: str, is_group: bool) -> Cause | None:
    """Say why a word does not go with a change; None where it does."""
    if old == new:
        return None
    if old in word.groups and not (is_group and new in word.groups):
        is_final = not is_group or len(word.groups) == 1
        return Cause(Reason.TIED, f"tied to {old!r} by {word.words!r}", is_final)
    # Nobody joins a group to which a word of the row is tied.
    if new in word.never or (is_group and new in word.groups and old not in word.groups):
        return Cause(Reason.TIED, f"{word.words!r} does not go with becoming {new!r}")
    return None
