"""Candidates in columns: the terms that they may be, how each is read or why not, and the rule."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.conditions import (
    Candidates,
    Facts,
)
from fair_datasets.reader.matching.found import Reason, Terms
from fair_datasets.reader.matching.terms import AGE_TAG, Phrase, Readings, Term
from fair_datasets.reader.matching.vocabulary import (
    Numbers,
    WordPairs,
    pair_of,
    pairs_of,
    vocabulary,
)
from fair_datasets.reader.matching.words import Mask, Places, Words

_FLAGS = ("person", "place", "proper", "surname", "thing", "title", "verb", "word")
_NONE = -1
# A word is looked at where it is capitalised, or wherever it stands.
_CAPITALISED, _ALWAYS = 1, 2


class TermColumns:
    """What is known of the words of an axis, by their numbers in the vocabulary.

    Attributes:
        terms: The readings of all words.
        all: The same, with what they mention.
        facts: What holds of each reading, by name. Shape (T,) each.
        is_anchor: Whether a word gives a phrase away. Shape (V,).
    """

    def __init__(
        self,
        words: Mapping[str, Readings],
        phrases: Mapping[tuple[str, str], Sequence[Phrase]],
        only_capitalised: Iterable[str],
    ) -> None:
        """Put the readings of words into columns.

        Args:
            phrases: The word that gives a phrase away, with the word beside it, to the phrases.
            only_capitalised: The words that are looked at only where they are capitalised.
        """
        self.terms: list[Term] = []
        self._places: dict[int, int] = {}
        anchors = {one.words[one.anchor] for several in phrases.values() for one in several}
        pairs = [pair for pair in phrases if pair[1]]
        vocabulary().add(word for pair in phrases for word in pair if word)
        self._numbers = vocabulary().add(words)
        vocabulary().add(_counterparts(words.values()))
        self._usual = self._column(of.usual for of in words.values())
        self._title = self._column(of.title for of in words.values())
        cases = {case for of in words.values() for case in of.cases}
        self._cases = {
            case: self._column(of.cases.get(case) for of in words.values())
            for case in sorted(cases)
        }
        #: The bit of each case and use, and which of them each word has. Shape (V,).
        self.bits = {case: 1 << bit for bit, case in enumerate(self._cases)}
        self._held = np.zeros(len(self._usual), np.int64)
        for case, bit in self.bits.items():
            self._held |= np.where(self._cases[case] == _NONE, 0, bit)
        # The last cell of each column stands for the words that the vocabulary takes up later.
        size = len(vocabulary()) + 1
        self._kinds = np.zeros(size, np.int8)
        self._kinds[vocabulary().add([*words, *anchors])] = _ALWAYS
        self._kinds[vocabulary().add(only_capitalised)] = _CAPITALISED
        self.is_anchor = np.zeros(size, np.bool_)
        self.is_anchor[vocabulary().add(anchors)] = True
        for phrase in (one for several in phrases.values() for one in several):
            for term in phrase.readings.all() if phrase.readings else ():
                self._place(term)
        numbers = (tuple(map(vocabulary().number, pair)) for pair in pairs)
        self._pairs = WordPairs({pair_of(*pair): None for pair in numbers})
        single = [first for first, second in phrases if not second]
        self._is_single = np.zeros(size, np.bool_)
        self._is_single[vocabulary().add(single)] = True
        self.all = Terms(self.terms)
        self.facts: Facts = {
            **{flag: self._flagged(flag) for flag in _FLAGS},
            "age tag": self._those(lambda term: term.entry.kind == AGE_TAG),
            "pronoun": self._those(lambda term: term.entry.kind == "pronoun"),
            "capitalised": self._those(lambda term: term.is_capitalised),
            "first name": self._those(lambda term: term.is_name and not term.is_surname),
            "name": self._those(lambda term: term.is_name),
            "man": self._those(lambda term: _gender(term) == "man"),
            "woman": self._those(lambda term: _gender(term) == "woman"),
            "work": self._those(lambda term: term.entry.inflection == "proper noun"),
        }
        #: The same, one below the other. Shape (F, T).
        self.stacked = np.stack([*self.facts.values()])

    def usual(self, numbers: Numbers) -> Numbers:
        """Return the usual reading of words; -1 where they are no terms."""
        return self._usual.take(numbers, mode="clip")

    def title(self, numbers: Numbers) -> Numbers:
        """Return the reading of words before a name, if it is another one; else -1."""
        return self._title.take(numbers, mode="clip")

    def case(self, case: str, numbers: Numbers) -> Numbers:
        """Return the reading of words in a case or a use; -1 where they have none of its own."""
        return self._cases.get(case, self._usual[-1:]).take(numbers, mode="clip")

    def held(self, numbers: Numbers) -> Numbers:
        """Return the bits of the cases and uses in which words have readings of their own."""
        return self._held.take(numbers, mode="clip")

    def places(self, words: Words) -> Places:
        """Return the places of the words that are looked at."""
        kinds = self._kinds.take(words.number, mode="clip")
        places = np.flatnonzero(kinds)
        found: Places = places[(kinds[places] == _ALWAYS) | words.is_capital(places)]
        return found

    def small_names(self, words: Words) -> Places:
        """Return the places of first names in texts in which no word has a capital."""
        places = np.flatnonzero(words.is_small[words.owner])
        terms = self.usual(words.number[places])
        found: Places = places[(terms >= 0) & self.facts["first name"][np.maximum(terms, 0)]]
        return found

    def asks_for(self, numbers: Numbers, is_capital: Mask) -> Mask:
        """Tell which words are looked at, by whether each begins with a capital letter."""
        kinds = self._kinds.take(numbers, mode="clip")
        held: Mask = (kinds == _ALWAYS) | ((kinds == _CAPITALISED) & is_capital)
        return held

    def may_anchor(self, words: Words, places: Places) -> Mask:
        """Tell which words may give a phrase away, by the words beside them."""
        numbers = words.number.astype(np.int64)
        here, behind = numbers[places], numbers[places + 1]
        is_first = places == words.first[words.owner[places]]
        before = np.where(is_first, 0, numbers[places - 1])
        is_pair = self._pairs.among(pairs_of(before, here))
        is_pair |= self._pairs.among(pairs_of(here, behind))
        is_pair |= self._is_single.take(here, mode="clip")
        held: Mask = is_pair & self.is_anchor.take(here, mode="clip")
        return held

    def _column(self, terms: Iterable[Term | None]) -> Numbers:
        """Put one reading of each word into a column."""
        found = np.full(len(vocabulary()) + 1, _NONE, np.int64)
        for number, term in zip(self._numbers.tolist(), terms, strict=True):
            if term is not None:
                found[number] = self._place(term)
        return found

    def number(self, term: Term) -> int:
        """Return the number of a reading."""
        return self._places[id(term)]

    def _place(self, term: Term) -> int:
        """Take a reading up, and return its number."""
        number = self._places.setdefault(id(term), len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
        return number

    def _flagged(self, flag: str) -> Mask:
        """Tell of each reading whether the list marks it so."""
        return self._those(lambda term: flag in term.flags)

    def _those(self, are: Callable[[Term], bool]) -> Mask:
        """Tell of each reading whether something holds."""
        return np.fromiter(map(are, self.terms), np.bool_, len(self.terms))


def _counterparts(several: Iterable[Readings]) -> Iterator[str]:
    """Give the names that may be written for names, as somebody else in a text may bear them."""
    for term in (term for readings in several for term in readings.all() if term.is_name):
        yield from (forms[0].text.lower() for forms in term.entry.forms.values() if forms)


def _gender(term: Term) -> str:
    """Return the gender of a first name: its attribute, or what the row of a name by race says."""
    return term.attribute if term.attribute in ("man", "woman") else term.entry.kind


Rows = NDArray[np.int64]


class Decisions:
    """Candidates in the order of the texts, and what is decided of each.

    Attributes:
        words: The words of the texts.
        places: The place of the first word of each. Shape (C,).
        lasts: The place of its last word. Shape (C,).
        terms: The number of its reading; -1 while there is none. Shape (C,).
        reasons: Why it is left alone; None where it is read. Shape (C,).
        rules: The name of the rule that decided; empty where none did. Shape (C,).
        is_open: Whether it is not decided yet. Shape (C,).
    """

    def __init__(self, words: Words, places: Places, columns: TermColumns) -> None:
        """Decide nothing yet."""
        self.words = words
        self.columns = columns
        self.places = places
        self.lasts = places.copy()
        self.terms = columns.usual(words.number[places]).astype(np.int64)
        self.reasons = np.full(len(places), None, object)
        self.rules = np.full(len(places), "", object)
        self.is_open = np.ones(len(places), np.bool_)

    def candidates(self, rows: Rows, beside: Facts = MappingProxyType({})) -> Candidates:
        """Return some candidates, with the facts of their readings and others."""
        columns, terms = self.columns, np.maximum(self.terms[rows], 0)
        facts = dict(zip(columns.facts, columns.stacked[:, terms], strict=True))
        return Candidates(self.words, self.places[rows], {**facts, **beside}, self.lasts[rows])

    def leave(self, rows: Rows | Mask, reason: Reason, rule: str) -> None:
        """Leave some candidates alone."""
        self.reasons[rows] = reason
        self.rules[rows] = rule
        self.is_open[rows] = False

    def read(self, rows: Rows, rules: Any) -> None:
        """Read some candidates as their terms."""
        self.rules[rows] = rules
        self.is_open[rows] = False

    def keep(self, held: Mask) -> None:
        """Forget the other candidates."""
        for name in ("places", "lasts", "terms", "reasons", "rules", "is_open"):
            setattr(self, name, getattr(self, name)[held])
