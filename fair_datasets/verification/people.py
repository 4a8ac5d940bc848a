"""Which mentions of a text surely speak of the same person, and which surely do not.

Without a model of coreference: a pronoun speaks of the one person of its attribute who was spoken
of in the same sentence or the one before, if nobody else stands between.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field

from fair_datasets.matching.mentions import Mention, Reading
from fair_datasets.matching.neighbours import LISTS
from fair_datasets.matching.people.person_nouns import is_person_noun

_SENTENCE_END = re.compile(r"(?P<word>\w*)[.!?…]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|\n\s*\n")
_ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "mx", "dr", "st", "prof", "jr", "sr", "rev", "gen"})
_BE = frozenset({
    "is", "was", "be", "been", "being", "am", "are", "were", "s", "re", "m", "become", "became",
    "becomes", "becoming", "remain", "remained", "remains", "as",
})  # fmt: skip
_ARTICLES = frozenset({"a", "an", "the", "no", "another"})
_OWNERS = frozenset({"my", "your", "our", "their", "its", "his", "her"})
_NAME_GAPS = (" ", ". ", ".")


@dataclass
class _Person:
    """Somebody who is spoken of."""

    attribute: str
    is_plural: bool
    owner: int = -1
    names: set[str] = field(default_factory=set)
    sentence: int = 0
    last: int = 0


class People:
    """The persons of a text, by its mentions along one axis.

    Attributes:
        persons: For each mention which person it speaks of; -1 where that is not sure.
    """

    def __init__(self, reading: Reading) -> None:
        """Tell who the mentions of a text speak of."""
        self._tokens = reading.tokens
        self._mentions = reading.mentions
        self._ends = list(_sentence_ends(reading.tokens.text))
        self._covered = {index for m in reading.mentions for index in range(m.first, m.last + 1)}
        self._people: list[_Person] = []
        self.persons: list[int] = []
        for number in range(len(reading.mentions)):
            self.persons.append(self._person_of(number))

    def sentence(self, offset: int) -> int:
        """Return the number of the sentence that a character of the text stands in."""
        return bisect(self._ends, offset)

    def _sentence_of(self, mention: Mention) -> int:
        """Return the number of the sentence that a mention stands in."""
        return self.sentence(self._tokens.starts[mention.first])

    def are_distinct(self, one: int, other: int) -> bool:
        """Tell whether two mentions surely speak of two persons.

        Args:
            one: Which mention.
            other: Which other mention.

        Returns:
            Whether their attributes, or their names, differ, or one is a relative of the other.
        """
        first, second = self.persons[one], self.persons[other]
        if self._mentions[one].term.attribute != self._mentions[other].term.attribute:
            return True
        if first == second or first < 0 or second < 0:
            return False
        own, others = self._people[first], self._people[second]
        if own.names and others.names:
            return own.names.isdisjoint(others.names)
        return own.owner == second or others.owner == first

    def _person_of(self, number: int) -> int:
        """Return the person that a mention speaks of, who may be a new one; -1 if not sure."""
        mention = self._mentions[number]
        person = self._known_person(number, mention)
        if person is None:
            is_plural = mention.term.entry.inflection == "plural"
            self._people.append(_Person(mention.term.attribute, is_plural))
            person = len(self._people) - 1
            if _is_noun(mention):
                self._people[person].owner = self._owner(number)
        if person >= 0:
            found = self._people[person]
            found.sentence, found.last = self._sentence_of(mention), mention.last
            if mention.term.is_name:
                found.names.add(self._tokens.lower[mention.first])
        return person

    def _known_person(self, number: int, mention: Mention) -> int | None:
        """Return who was spoken of before; None for a new person, -1 if that is not sure."""
        tokens, term = self._tokens, mention.term
        if term.is_name:
            name = tokens.lower[mention.first]
            for person, found in enumerate(self._people):
                if name in found.names and found.attribute == term.attribute:
                    return person
        if number and self._is_joined(self._mentions[number - 1], mention):
            return self.persons[number - 1]
        if term.entry.kind == "pronoun":
            near = self._near(mention, within=1)
            if len(near) > 1:
                return -1
            if near and self._has_stranger(self._people[near[0]].last + 1, mention.first):
                return -1
            return near[0] if near else None
        if _is_noun(mention) and self._is_predicate(mention.first):
            near = self._near(mention, within=0)
            return near[0] if len(near) == 1 else None
        return None

    def _is_joined(self, one: Mention, other: Mention) -> bool:
        """Tell whether two mentions are one phrase: "Mrs. Mary", "actress Mary"."""
        is_next = one.last + 1 == other.first and self._tokens.gap(other.first) in _NAME_GAPS
        is_phrase = _is_noun(one) or one.term.is_name == other.term.is_name is True
        is_phrase = is_phrase and other.term.entry.kind != "pronoun"
        return is_next and is_phrase and one.term.attribute == other.term.attribute

    def _near(self, mention: Mention, *, within: int) -> list[int]:
        """Return the persons of an attribute who were spoken of some sentences ago at most."""
        here = self._sentence_of(mention)
        return [
            person
            for person, found in enumerate(self._people)
            if found.attribute == mention.term.attribute
            and not found.is_plural
            and here - found.sentence <= within
        ]

    def _is_predicate(self, index: int) -> bool:
        """Tell whether a noun says what someone is: "is a good actress", "as an actress"."""
        lower = self._tokens.lower
        for place in range(index - 1, max(index - 4, 0), -1):
            if lower[place] in _ARTICLES:
                return lower[place - 1] in _BE
        return False

    def _owner(self, number: int) -> int:
        """Return the person whose relative a noun names ("her sister"); -2 for somebody else."""
        mention = self._mentions[number]
        lower = self._tokens.lower
        for place in range(mention.first - 1, max(mention.first - 3, -1), -1):
            if lower[place] in _OWNERS:
                for before in range(number):
                    if self._mentions[before].first == place:
                        return self.persons[before]
        return -2

    def _has_stranger(self, first: int, end: int) -> bool:
        """Tell whether somebody whom the axis says nothing about may stand between two words."""
        return any(self._is_stranger(index) for index in range(first, end))

    def _is_stranger(self, index: int) -> bool:
        """Tell whether a word may be somebody's name, or a noun for a person."""
        tokens = self._tokens
        if index in self._covered:
            return False
        word = tokens.lower[index]
        if tokens.is_capitalised(index) and len(word) > 1:
            if tokens.opens_sentence(index) and word in LISTS.common_words:
                return False
            return word not in LISTS.days and not self._continues_name(index)
        return is_person_noun(word) and not word.endswith("s") and not self._is_predicate(index)

    def _continues_name(self, index: int) -> bool:
        """Tell whether a capitalised word is a surname of someone who is read, or a place."""
        tokens = self._tokens
        while index and tokens.gap(index) in _NAME_GAPS and tokens.is_capitalised(index - 1):
            index -= 1
            if index in self._covered:
                return True
        return index > 0 and tokens.lower[index - 1] in LISTS.before_location


def _is_noun(mention: Mention) -> bool:
    """Tell whether a mention is neither a pronoun nor a name."""
    return mention.term.entry.kind != "pronoun" and not mention.term.is_name


def _sentence_ends(text: str) -> Iterator[int]:
    """Give where sentences end, in characters; a title's or an initial's period ends none."""
    for match in _SENTENCE_END.finditer(text):
        word = match["word"] or ""
        if word.lower() not in _ABBREVIATIONS and not (len(word) == 1 and word.isupper()):
            yield match.end()
