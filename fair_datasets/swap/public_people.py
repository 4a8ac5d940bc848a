"""Rows that name somebody in full in a text about public life: a rewrite would be false of them.

No list has everybody whom readers know. "Carol Off", beside "journalist", "author" and "biography",
is somebody of whom the row is true, whoever she is; "Mary Novak", who lost her keys, may be anyone.
"""

import csv
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from fair_datasets.lexicons.shipped import KNOWN_PEOPLE
from fair_datasets.reader.matching.mentions import Chunk, Reason, SkipCause
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.token_refs import HERE
from fair_datasets.swap.directions import AxisRows, RowTargets
from fair_datasets.swap.whole_rows import skip_mentions

_WORDS = Path(__file__).with_name("public_life.tsv")
_ALONE = "alone"
_WORD = re.compile("[a-z]+")
# Within how many words of a name the words of public life are about its person.
_REACH = 50
_IS_NEXT = (HERE + 1).is_capital & (HERE + 1).sign(" ")
# A surname in capitals is often no surname, but the next word of a headline.
_HAS_SURNAME = _IS_NEXT & ~(HERE + 1).is_upper
# "Edward VIII"; of one letter, as in "George V", it may be a middle name.
_NUMERAL = re.compile("(?=..)x{0,2}(ix|iv|v?i{0,3})")
_REIGNED = (
    _IS_NEXT & (HERE + 1).is_upper & (HERE + 1).that(lambda word: bool(_NUMERAL.fullmatch(word)))
)


def skip_public_people(
    chunk: Chunk, targets: RowTargets, tables: Sequence[TermTable], protect: Sequence[str]
) -> Chunk:
    """Leave the rows alone that name somebody in full near words of public life.

    One word that hardly occurs elsewhere is enough, such as "singer", or two that other texts have
    as well, such as "season" and "career". Nobody private bears a number, as "Edward VIII" does.

    Args:
        targets: What each attribute becomes.
        tables: The tables of the axes.
        protect: Whom the swap protects; without `known_people` nothing is left alone.

    Returns:
        The chunk, with the mentions of these rows left alone.
    """
    for table in tables if KNOWN_PEOPLE in protect else ():
        mentions = chunk.found
        is_name = mentions.is_mention & mentions.is_on(table.axis)
        is_name &= mentions.terms.is_name[mentions.readings]
        names = is_name.nonzero()[0]
        if not len(names):
            continue
        rows = AxisRows.of(chunk, targets, table)
        left = {}
        kings = frozenset(rows.holding(names, _REIGNED).tolist())
        for name, row, term in rows.each(rows.holding(names, _HAS_SURNAME | _REIGNED)):
            if row in left or not rows.changes(row, term.attribute):
                continue
            words, first = mentions.words, int(mentions.firsts[name])
            full = words.joined[int(words.start[first]) : int(words.end[mentions.lasts[name] + 1])]
            said = _of_public_life(words, first)
            if said or name in kings:
                whom = f"{full!r} beside {said}" if said else repr(full)
                told = f"the row names {whom}, and would become false"
                left[row] = SkipCause(Reason.KNOWN_PERSON, told)
        chunk = skip_mentions(chunk, left, table.axis)
    return chunk


def _of_public_life(words: TokenBatch, place: int) -> str:
    """Return the words near a place that say that the text is about public life, quoted."""
    first, stop = (int(words.first[words.owner[place] + end]) for end in (0, 1))
    begin, last = max(first, place - _REACH), min(stop - 1, place + _REACH)
    near = words.joined[words.start[begin] : words.end[last]].lower()
    strengths = _strengths()
    said = {each: strengths[each] for each in _WORD.findall(near) if each in strengths}
    enough = [each for each, strength in said.items() if strength == _ALONE][:1]
    if not enough and len(said) > 1:
        enough = [*said][:2]
    return " and ".join(map(repr, enough))


@lru_cache(1)
def _strengths() -> dict[str, str]:
    """Return how much each word says of public life."""
    with _WORDS.open(encoding="utf-8", newline="") as file:
        return {row["word"]: row["strength"] for row in csv.DictReader(file, delimiter="\t")}
