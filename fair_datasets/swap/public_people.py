"""Rows that name somebody in full in a text about public life: a rewrite would be false of them.

No list has everybody whom readers know. "Carol Off", beside "journalist", "author" and "biography",
is somebody of whom the row is true, whoever she is; "Mary Novak", who lost her keys, may be anyone.
Such texts also call people by their surnames: "Cole", beside "albums", is hardly a first name.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from fair_datasets.lexicons.shipped import KNOWN_PEOPLE
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.mentions import Chunk, Reason, SkipCause
from fair_datasets.reader.matching.rows import Parts
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.token_batch import Candidates, TokenBatch
from fair_datasets.reader.matching.token_refs import HERE
from fair_datasets.reader.names.given_names import log_odds
from fair_datasets.swap.directions import AxisRows, RowTargets
from fair_datasets.swap.whole_rows import skip_mentions

_WORDS = Path(__file__).with_name("public_life.tsv")
_ALONE = "alone"
_WORD = re.compile("[a-z]+")
# Within how many words of a name the words of public life are about its person.
_REACH = 50


@lru_cache(1)
def _strengths() -> dict[str, str]:
    """Return how much each word says of public life."""
    with _WORDS.open(encoding="utf-8", newline="") as file:
        return {row["word"]: row["strength"] for row in csv.DictReader(file, delimiter="\t")}


_IS_NEXT = (HERE + 1).is_capital & (HERE + 1).sign(" ")
_IS_NEAR = replace(HERE, lists=lambda _: frozenset(_strengths())).any_near(_REACH, of="public life")
# A surname in capitals is often no surname, but the next word of a headline, and one letter is "I".
_HAS_SURNAME = _IS_NEXT & ~(HERE + 1).is_upper & (~(HERE + 1).is_letter | (HERE + 2).sign(". "))
# From which log odds on a name is more often a first name than a surname. Surnames are mostly names
# of men: at 2.1, a fifth of all men were left alone in texts about films, and few women.
_GIVEN = 0.0
# "Edward VIII"; of one letter, as in "George V", it may be a middle name, and "XX" are kisses.
_NUMERAL = re.compile("(?=..)x{0,2}(ix|iv|v|v?i{1,3})")
_REIGNED = (
    _IS_NEXT & (HERE + 1).is_upper & (HERE + 1).that(lambda word: bool(_NUMERAL.fullmatch(word)))
)


def skip_public_people(
    parts: Parts, targets: RowTargets, tables: Sequence[TermTable], protect: Sequence[str]
) -> Parts:
    """Leave the rows alone that name somebody in full near words of public life.

    One word that hardly occurs elsewhere is enough, such as "singer", or two that other texts have
    as well, such as "season" and "career". Nobody private bears a number, as "Edward VIII" does.
    A name by itself is asked about too where it is more usual as a surname.

    Args:
        parts: The chunks of rows that are read together.
        targets: What each attribute becomes.
        tables: The tables of the axes.
        protect: Whom the swap protects; without `known_people` nothing is left alone.

    Returns:
        The chunks, with the mentions of these rows left alone.
    """
    for table in tables if KNOWN_PEOPLE in protect else ():
        skips: dict[int, SkipCause] = {}
        for chunk in parts:
            skips |= _public_rows(chunk, targets, table)
        if skips:
            parts = Parts(skip_mentions(chunk, skips, table.axis) for chunk in parts)
    return parts


def _public_rows(chunk: Chunk, targets: RowTargets, table: TermTable) -> dict[int, SkipCause]:
    """Return the rows that are left along an axis, and why."""
    mentions, words = chunk.mentions, chunk.mentions.words
    is_name = mentions.is_mention & mentions.is_on(table.axis)
    names = (is_name & mentions.terms.is_name[mentions.readings]).nonzero()[0]
    candidates = Candidates(words, mentions.firsts[names], {}, mentions.lasts[names])
    names = names[candidates.holds(_IS_NEAR | _REIGNED)] if len(names) else names
    if not len(names):
        return {}
    rows = AxisRows.of(chunk, targets, table, chunk.row_of[mentions.texts[names]])
    kings = frozenset(rows.holding(names, _REIGNED).tolist())
    in_full = kings.union(rows.holding(names, _HAS_SURNAME).tolist())
    skips: dict[int, SkipCause] = {}
    for name, row, term in rows.each(names):
        first, last = int(mentions.firsts[name]), int(mentions.lasts[name]) + (name in in_full)
        is_asked = name in in_full or _may_be_surname(words.lower(first))
        if row in skips or not is_asked or not rows.changes(row, term.attribute):
            continue
        beside = _of_public_life(words, first)
        if beside or name in kings:
            whom = repr(words.joined[int(words.start[first]) : int(words.end[last])])
            whom = f"{whom} beside {beside}" if beside else whom
            why = f"the row names {whom}, and would become false"
            skips[row] = SkipCause(Reason.KNOWN_PERSON, why)
    return skips


def _may_be_surname(name: str) -> bool:
    """Whether a name is more usual as a surname, or nothing is known of it."""
    return not log_odds(without_accents(name)) >= _GIVEN


def _of_public_life(words: TokenBatch, place: int) -> str:
    """Return the words near a place that say that the text is about public life, quoted."""
    first, stop = (int(words.first[words.owner[place] + end]) for end in (0, 1))
    begin, last = max(first, place - _REACH), min(stop - 1, place + _REACH)
    near = words.joined[words.start[begin] : words.end[last]].lower()
    strengths = _strengths()
    listed = {each: strengths[each] for each in _WORD.findall(near) if each in strengths}
    enough = [each for each, strength in listed.items() if strength == _ALONE][:1]
    if not enough and len(listed) > 1:
        enough = [*listed][:2]
    return " and ".join(map(repr, enough))
