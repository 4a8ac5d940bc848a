"""Bodily and legal facts that most readers take for true of women, or of men, alone.

They are kept in `facts.tsv`, a row for each with the axis, the attribute of whoever it is told of,
and the attributes of which it reads as a contradiction (`never`): "she breastfed" becomes "they
breastfed", but "the first woman to fly" is not "the first person to fly". The list says what
readers expect and not what is possible: trans men give birth, and women have beards.

A word with a capital is meant only where the text has it so, one without only where it has none or
opens a sentence; `*` stands for up to three words.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fair_datasets.matching.language import ToldFact
from fair_datasets.matching.tokens import tokenize
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Words

FACTS = Path(__file__).with_name("facts.tsv")
_ANY, _MOST_BETWEEN = "*", 3
_SEAM = re.compile(r"[.!?\n]")
_ABBREVIATED = frozenset({"dr", "jr", "mr", "mrs", "ms", "prof", "rev", "sr", "st"})


class Fact(NamedTuple):
    """A fact as it is listed.

    Attributes:
        words: How it is told.
        axis: The demographic axis.
        attribute: Of whom it is told.
        never: The attributes of which it reads as a contradiction, separated by spaces.
        kind: What it is about: the body, the law, a league.
        source: Where texts tell it, or "own".
    """

    words: str
    axis: str
    attribute: str
    never: str
    kind: str
    source: str


@cache
def facts() -> tuple[Fact, ...]:
    """Return all facts, which are read once per process."""
    with FACTS.open(encoding="utf-8", newline="") as file:
        return tuple(Fact(**row) for row in csv.DictReader(file, delimiter="\t"))


def told(words: Words, axis: str) -> Iterator[ToldFact]:
    """Find the facts that texts tell.

    Args:
        words: The words of the texts.
        axis: The demographic axis.

    Yields:
        Each, with the sentence that tells it.

    Example:
        >>> words = Words(["It rained. She gave birth to a boy."])
        >>> list(told(words, "gender"))
        [ToldFact(begin=2, stop=8, attribute='woman', never=frozenset({'man'}))]
    """
    listed = _by_first_word(axis)
    if not listed:
        return
    those = vocabulary().those(("facts", axis), listed.__contains__)
    for place in np.flatnonzero(those[words.number]).tolist():
        for parts, fact in listed[words.lower(place)]:
            last = _last(words, place, parts)
            if last is not None:
                begin, stop = _sentence(words, place)
                if last < stop:
                    yield ToldFact(begin, stop, fact.attribute, frozenset(fact.never.split(" ")))


@cache
def _by_first_word(axis: str) -> Mapping[str, Sequence[tuple[tuple[str, ...], Fact]]]:
    """Return the facts of an axis, split into words, by the first of these."""
    found: dict[str, list[tuple[tuple[str, ...], Fact]]] = defaultdict(list)
    for fact in facts():
        if fact.axis == axis:
            parts = _parts(fact.words)
            found[parts[0].lower()].append((parts, fact))
    return found


def _parts(text: str) -> tuple[str, ...]:
    """Split what is listed into words and stars."""
    several = (tokenize(part).words if part != _ANY else [_ANY] for part in text.split(" "))
    return tuple(word for words in several for word in words)


def _last(words: Words, place: int, parts: Sequence[str]) -> int | None:
    """Return the place of the last word of what stands from a place on, if it does."""
    for number, part in enumerate(parts):
        here = place + number
        if part == _ANY:
            rest = parts[number + 1 :]
            found = (_last(words, here + skipped, rest) for skipped in range(_MOST_BETWEEN + 1))
            return next((last for last in found if last is not None), None)
        if here >= len(words) or not _is_written(words, here, part):
            return None
    return place + len(parts) - 1


def _is_written(words: Words, place: int, part: str) -> bool:
    """Tell whether a word stands there, with the capitals that it is listed with."""
    written = words.joined[words.start[place] : words.end[place]]
    if words.lower(place) != part.lower():
        return False
    if part.isupper() and len(part) > 1:
        return written == part
    if part[0].isupper():
        return written[0].isupper()
    return written.islower() or written.isupper() or _is_seam(words, place)


def _sentence(words: Words, place: int) -> tuple[int, int]:
    """Return the place of the first word of a sentence, and the one behind its last word."""
    begin = place
    while not _is_seam(words, begin):
        begin -= 1
    stop = place + 1
    while not words.is_end[stop] and not _is_seam(words, stop):
        stop += 1
    return begin, stop


def _is_seam(words: Words, place: int) -> bool:
    """Tell whether a sentence begins at a word."""
    text = int(words.owner[place])
    if place == words.first[text]:
        return True
    before = words.joined[words.start[place - 1] : words.end[place - 1]]
    is_initial = len(before) == 1 and before.isupper() and before != "I"
    if is_initial or before.lower() in _ABBREVIATED:
        return False
    return _SEAM.search(words.signs.text(int(words.sign[place]))) is not None


vocabulary().expect(lambda: (_parts(fact.words)[0].lower() for fact in facts()))
