"""Bodily and legal facts that most readers take for true of women, or of men, alone.

They are kept in `facts.tsv`, a row for each with the attribute of whoever it is told of, and the
attributes of which it reads as a contradiction (`never`): "she breastfed" becomes "they breastfed",
but "the first woman to fly" is not "the first person to fly". The list says what readers expect and
not what is possible: trans men give birth, and women have beards.

A word with a capital is meant only where the text has it so, one without only where it has none or
opens a sentence; `*` stands for up to three words.

Words that tie a row to a group ("the Pope" to Christians) are in `ties.tsv`. Where one says `from`,
people of that attribute are not rewritten beside the word, unless they become a group that it is
tied to as well; where it says `to`, nobody becomes one of them.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.language import StatedFact, TiedWord
from fair_datasets.reader.matching.token_batch import Mask, TokenBatch
from fair_datasets.reader.matching.tokenizer import is_abbreviated, tokenize
from fair_datasets.reader.matching.vocabulary import (
    WordPairs,
    pair_of,
    pairs_of,
    read_cells,
    vocabulary,
)

FACTS = Path(__file__).with_name("facts.tsv")
_ANY, _MOST_BETWEEN = "*", 3
_PERSON = "person"
# The bits of a word's number before which a distance stands.
_BITS = 27
_SEAM = re.compile(r"[.!?\n]")


class Fact(NamedTuple):
    """A fact as it is listed.

    Attributes:
        words: How it is told.
        attribute: Of whom it is told.
        never: The attributes of which it reads as a contradiction, separated by spaces.
        kind: What it is about: the body, the law, a league; a person whom everybody knows.
        source: Where texts tell it, or "own".
    """

    words: str
    attribute: str
    never: str
    kind: str
    source: str


@cache
def facts() -> tuple[Fact, ...]:
    """Return all facts, which are read once per process."""
    return tuple(map(Fact._make, read_cells(FACTS)))


def find_facts(words: TokenBatch, attributes: tuple[str, ...]) -> Iterator[StatedFact]:
    """Find the facts that texts tell.

    Args:
        attributes: Those of the axis that is read, which may be a lexicon of one's own.

    Yields:
        Each, with the sentence that tells it.

    Example:
        >>> words = TokenBatch(["It rained. She gave birth to a boy."])
        >>> list(find_facts(words, ("man", "woman")))
        [StatedFact(begin=2, stop=8, attribute='woman', never=frozenset({'man'}),
        is_name=False)]
    """
    sentences = _Sentences(words)
    for place, (parts, anchor, fact) in _facts_of(attributes).candidates(words):
        first = _reach(words, place, parts[anchor::-1], -1)
        last = None if first is None else _reach(words, place, parts[anchor:], 1)
        if first is None or last is None:
            continue
        begin, stop = sentences.around(place)
        if begin <= first and last < stop:
            never = frozenset(fact.never.split(" "))
            yield StatedFact(begin, stop, fact.attribute, never, fact.kind == _PERSON)


class _Pattern(NamedTuple):
    """A fact, split into words and stars, and which of them gives it away."""

    parts: tuple[str, ...]
    anchor: int
    fact: Fact


class _Listed:
    """The facts of some attributes, by the words that give them away.

    Most of these are frequent ("first", "women"), so that a word beside them is asked as well, of
    all words of the texts at once.
    """

    def __init__(self, attributes: tuple[str, ...]) -> None:
        """Split the facts."""
        self._key = ("facts", attributes)
        self._anchors: set[str] = set()
        # By how far before the word the other one stands, and by the two; by the word twice at 0.
        self._patterns: dict[int, dict[tuple[str, str], list[_Pattern]]] = defaultdict(dict)
        for fact in facts():
            if fact.attribute in attributes:
                parts = _parts(fact.words)
                self._take(_Pattern(parts, _anchor(parts), fact))

    def _take(self, pattern: _Pattern) -> None:
        """Take a fact up."""
        parts, anchor, _ = pattern
        word = parts[anchor].lower()
        beside, distances = anchor - 1, range(1, 2)
        if len(parts) == 1:
            beside, distances = anchor, range(1)
        elif not anchor:
            beside, distances = 1, range(-1, 0)
        elif parts[beside] == _ANY:
            beside, distances = anchor - 2, range(1, _MOST_BETWEEN + 2)
        self._anchors.add(word)
        for distance in distances:
            pairs = self._patterns[distance]
            pairs.setdefault((parts[beside].lower(), word), []).append(pattern)

    def candidates(self, words: TokenBatch) -> Iterator[tuple[int, _Pattern]]:
        """Give the places of words that may give a fact away, with the fact."""
        those = vocabulary().is_listed(self._key, lambda: self._anchors)
        places = those[words.number].nonzero()[0]
        numbers = words.number[places]
        # What lies before all texts is the end of the last one, which is no word.
        distances = np.array([*self._patterns], np.int64)[:, None]
        beside = words.number[np.maximum(places - distances, -1)]
        asked = pairs_of(beside + (np.arange(len(distances))[:, None] << _BITS), numbers)
        for hit, patterns in self._numbered.lookup(asked.ravel()):
            for pattern in patterns:
                yield int(places[hit % len(places)]), pattern

    @cached_property
    def _numbered(self) -> WordPairs[list[_Pattern]]:
        """The facts by the numbers of the two words, and that of their distance."""
        number = vocabulary().number
        return WordPairs(
            {
                pair_of(number(one) + (which << _BITS), number(other)): own
                for which, pairs in enumerate(self._patterns.values())
                for (one, other), own in pairs.items()
            }
        )


@cache
def _facts_of(attributes: tuple[str, ...]) -> _Listed:
    """Return the facts of some attributes, by the words that give them away."""
    return _Listed(attributes)


def _parts(text: str) -> tuple[str, ...]:
    """Split what is listed into words and stars."""
    several = (tokenize(part).words if part != _ANY else [_ANY] for part in text.split(" "))
    return tuple(word for words in several for word in words)


def _anchor(parts: Sequence[str]) -> int:
    """Return which word gives a fact away: the one behind a star, or else the longest."""
    if _ANY in parts:
        return parts.index(_ANY) + 1
    return max(range(len(parts)), key=lambda number: (len(parts[number]), number))


def _reach(words: TokenBatch, place: int, parts: Sequence[str], step: int) -> int | None:
    """Return the place of the last of some words, of which the first stands at a place.

    Args:
        step: 1 to go forward, -1 to go backward.

    Returns:
        The place; None if they do not stand there.
    """
    for number, part in enumerate(parts):
        here = place + number * step
        if part == _ANY:
            rest = parts[number + 1 :]
            ends = (here + skipped * step for skipped in range(_MOST_BETWEEN + 1))
            places = (_reach(words, end, rest, step) for end in ends)
            return next((last for last in places if last is not None), None)
        if not 0 <= here < len(words) or not _is_written(words, here, part):
            return None
    return place + (len(parts) - 1) * step


def _is_written(words: TokenBatch, place: int, part: str) -> bool:
    """Whether a word stands there, with the capitals that it is listed with."""
    written = words.joined[words.start[place] : words.end[place]]
    if words.lower(place) != part.lower():
        return False
    if part.isupper() and len(part) > 1:
        return written == part
    if part[0].isupper():
        return written[0].isupper()
    return written.islower() or written.isupper() or _is_seam(words, place)


class _Sentences:
    """The sentences of texts, each of which is divided when it is first asked for."""

    def __init__(self, words: TokenBatch) -> None:
        """Divide no text yet."""
        self._words = words
        self._seams: dict[int, list[int]] = {}

    def around(self, place: int) -> tuple[int, int]:
        """Return the place of the first word of a sentence, and the one behind its last word."""
        text = int(self._words.owner[place])
        if text not in self._seams:
            self._seams[text] = self._divided(text)
        seams = self._seams[text]
        behind = bisect_right(seams, place)
        return seams[behind - 1], seams[behind]

    def _divided(self, text: int) -> list[int]:
        """Return where the sentences of a text begin, and where it ends."""
        words = self._words
        first, stop = int(words.first[text]), int(words.first[text + 1]) - 1
        may_end = words.signs.those(_may_end)[words.sign[first:stop]]
        places = (may_end.nonzero()[0] + first).tolist()
        seams = [place for place in places if place > first and _is_seam(words, place)]
        return [first, *seams, stop]


def _is_seam(words: TokenBatch, place: int) -> bool:
    """Whether a sentence begins at a word."""
    if place == words.first[words.owner[place]]:
        return True
    before = words.joined[words.start[place - 1] : words.end[place - 1]]
    return not is_abbreviated(before) and _may_end(words.signs.text(int(words.sign[place])))


def _may_end(sign: str) -> bool:
    """Whether a sentence may end at a sign."""
    return _SEAM.search(sign) is not None


vocabulary().preload(lambda: (word.lower() for fact in facts() for word in _parts(fact.words)))


TIES = Path(__file__).with_name("ties.tsv")


class Tie(NamedTuple):
    """A word, or a pair of words, that ties a row to a group.

    Attributes:
        words: How it is written; `[man]` for the first names of men, but those of women too.
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
    return tuple(map(Tie._make, read_cells(TIES)))


class _ListedTies(NamedTuple):
    """A word, or a pair of words, with all that it is tied to on an axis."""

    last: str
    before: str
    groups: frozenset[str]
    never: frozenset[str]


_MEN = "[man]"


@cache
def _names_of_men() -> Sequence[str]:
    """Return the first names of men that are nothing else, and no woman's."""
    forms = [form for entry in load_lexicon("first_names").entries for form in entry.forms["man"]]
    others = words("unisex_names") | words("either_gender")
    return [form.text for form in forms if not form.flags and form.text.lower() not in others]


@cache
def _by_last_word(axis: str) -> Mapping[str, Sequence[_ListedTies]]:
    """Return the ties of an axis by their last words, in lower case."""
    attributes: dict[str, dict[str, set[str]]] = defaultdict(lambda: {"from": set(), "to": set()})
    for tie in ties():
        if tie.axis == axis:
            for written in _names_of_men() if tie.words == _MEN else [tie.words]:
                attributes[written][tie.where].add(tie.attribute)
    entries: dict[str, list[_ListedTies]] = defaultdict(list)
    for written, where in attributes.items():
        before, _, last = written.rpartition(" ")
        listed = _ListedTies(last, before.lower(), *map(frozenset, where.values()))
        entries[last.lower()].append(listed)
    vocabulary().add(entries)
    return entries


def find_ties(words: TokenBatch, axis: str, is_free: Mask) -> Iterator[TiedWord]:
    """Find what ties texts to groups.

    Args:
        is_free: The places that may tell; what is rewritten itself does not. Shape (P,).

    Yields:
        Each word, or pair of words, that does.

    Example:
        >>> words = TokenBatch(["The Pope met Catholics."])
        >>> list(find_ties(words, "religion", ~words.is_end))
        [TiedWord(text=0, words='Pope', groups=frozenset({'christian'}), never=frozenset())]
    """
    listed = _by_last_word(axis)
    if words.version != vocabulary().version:
        words.renew()
    those = vocabulary().is_listed(("ties", axis), lambda: listed)
    for place in (those[words.number] & is_free).nonzero()[0].tolist():
        for last, before, groups, never in listed[words.lower(place)]:
            if _stands_at(words, place, last) and (not before or words.lower(place - 1) == before):
                start = words.start[place - 1 if before else place]
                text = words.joined[start : words.end[place]]
                yield TiedWord(int(words.owner[place]), text, groups, never)


@cache
def speaking_against(axis: str) -> Mapping[str, int]:
    """Return how many words speak against becoming each attribute of an axis."""
    return Counter(tie.attribute for tie in ties() if tie.axis == axis and tie.where == "to")


def _stands_at(words: TokenBatch, place: int, word: str) -> bool:
    """Whether a word has the capitals that it is listed with."""
    written = words.joined[words.start[place] : words.end[place]]
    if word.isupper():
        return written == word
    return word.islower() or written[0].isupper()


vocabulary().preload(lambda: (word.lower() for tie in ties() for word in tie.words.split(" ")))
