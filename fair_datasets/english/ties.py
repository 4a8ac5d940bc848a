"""Words that tie a row to a group: "the Pope" to Christians, "Poland" to the Polish.

They are kept in `ties.tsv`, a row for each word, or pair of words, with the axis and the attribute.
Where it says `from`, people of that attribute are not rewritten beside the word, unless they become
a group that it is tied to as well: "the Old Testament" to Christians and Jews. Where it says `to`,
nobody becomes one of them. A word with a capital is meant only where the text has it so.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fair_datasets.matching.language import TiedWord
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Words

TIES = Path(__file__).with_name("ties.tsv")


class Tie(NamedTuple):
    """A word, or a pair of words, that ties a row to a group.

    Attributes:
        words: How it is written.
        axis: The demographic axis.
        attribute: The attribute of the people.
        where: `from` if the word is theirs, `to` if nobody becomes one of them.
        source: Where the row is from.
    """

    words: str
    axis: str
    attribute: str
    where: str
    source: str


@cache
def ties() -> tuple[Tie, ...]:
    """Return all ties, which are read once per process."""
    with TIES.open(encoding="utf-8", newline="") as file:
        return tuple(Tie(**row) for row in csv.DictReader(file, delimiter="\t"))


class _Listed(NamedTuple):
    """A word, or a pair of words, with all that it is tied to on an axis."""

    last: str
    before: str
    groups: frozenset[str]
    never: frozenset[str]


@cache
def _by_last_word(axis: str) -> Mapping[str, Sequence[_Listed]]:
    """Return the ties of an axis by their last words, in lower case."""
    attributes: dict[str, dict[str, set[str]]] = defaultdict(lambda: {"from": set(), "to": set()})
    for tie in ties():
        if tie.axis == axis:
            attributes[tie.words][tie.where].add(tie.attribute)
    found: dict[str, list[_Listed]] = defaultdict(list)
    for words, where in attributes.items():
        before, _, last = words.rpartition(" ")
        listed = _Listed(last, before.lower(), *map(frozenset, where.values()))
        found[last.lower()].append(listed)
    return found


def tied(words: Words, axis: str, is_free: Mask) -> Iterator[TiedWord]:
    """Find what ties texts to groups.

    Args:
        words: The words of the texts.
        axis: The demographic axis.
        is_free: The places that may tell; what is rewritten itself does not. Shape (P,).

    Yields:
        Each word, or pair of words, that does.

    Example:
        >>> words = Words(["The Pope met Catholics."])
        >>> list(tied(words, "religion", ~words.is_end))
        [TiedWord(text=0, words='Pope', groups=frozenset({'christian'}), never=frozenset())]
    """
    listed = _by_last_word(axis)
    those = vocabulary().listed(("ties", axis), lambda: listed)
    for place in np.flatnonzero(those[words.number] & is_free).tolist():
        for last, before, groups, never in listed[words.lower(place)]:
            if _is_written(words, place, last) and (not before or words.lower(place - 1) == before):
                start = words.start[place - 1 if before else place]
                told = words.joined[start : words.end[place]]
                yield TiedWord(int(words.owner[place]), told, groups, never)


@cache
def speaking_against(axis: str) -> Mapping[str, int]:
    """Return how many words speak against becoming each attribute of an axis."""
    return Counter(tie.attribute for tie in ties() if tie.axis == axis and tie.where == "to")


def _is_written(words: Words, place: int, word: str) -> bool:
    """Tell whether a word has the capitals that it is listed with."""
    written = words.joined[words.start[place] : words.end[place]]
    if word.isupper():
        return written == word
    return word.islower() or written[0].isupper()


vocabulary().expect(lambda: (word.lower() for tie in ties() for word in tie.words.split(" ")))
