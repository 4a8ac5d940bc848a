"""The terms of a table by the numbers of their words."""

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.rules import BEFORE, HERE, Condition
from fair_datasets.matching.shapes import JOINED
from fair_datasets.matching.terms import Readings, Term
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask

Numbers = NDArray[np.int32]
_FLAGS = ("person", "place", "proper", "surname", "thing", "title", "verb", "word")
_NONE = -1


class TermColumns:
    """What is known of the words of a table, by their numbers in the vocabulary.

    Attributes:
        terms: The readings of all words.
        facts: What holds of each reading, by name. Shape (T,) each.
        usual: The number of the usual reading of each word; -1 where it is no term. Shape (V,).
        title: That of its reading before a name, if it is another one. Shape (V,).
        cases: Case or use to the reading of each word. Shape (V,) each.
    """

    def __init__(self, words: "dict[str, Readings]") -> None:
        """Put the readings of the words into columns."""
        numbers = vocabulary().add(words)
        size = len(vocabulary())
        self.terms: list[Term] = []
        self.usual = np.full(size, _NONE, np.int32)
        self.title = self.usual.copy()
        self.cases: dict[str, Numbers] = {}
        for number, readings in zip(numbers.tolist(), words.values(), strict=True):
            self.usual[number] = self._placed(readings.usual)
            if readings.title is not None:
                self.title[number] = self._placed(readings.title)
            for case, term in readings.cases.items():
                of_case = self.cases.setdefault(case, np.full(size, _NONE, np.int32))
                of_case[number] = self._placed(term)
        self.facts = {flag: self._those(lambda t, f=flag: f in t.flags) for flag in _FLAGS}
        self.facts |= {
            "pronoun": self._those(lambda term: term.entry.kind == "pronoun"),
            "capitalised": self._those(lambda term: term.is_capitalised),
            "name": self._those(lambda term: term.is_name and not term.is_surname),
            "listed surname": self._those(lambda term: term.is_surname),
            "man": self._those(lambda term: _gender(term) == "man"),
            "woman": self._those(lambda term: _gender(term) == "woman"),
        }

    def of_table(self, table: "TermTable", scanner: "Scanner") -> None:
        """Trial: what the table adds."""
        known = vocabulary()
        known.add(scanner._capitalised)
        known.add(word for pair in table.phrases for word in pair if word)
        for name in ("usual", "title"):
            setattr(self, name, self._long(getattr(self, name)))
        self.cases = {name: self._long(column) for name, column in self.cases.items()}
        v = len(known)
        self.kinds = np.zeros(v, np.int8)
        self.kinds[known.add(scanner._capitalised)] = 1
        self.kinds[known.add(scanner._always)] = 2
        self.is_partner = np.zeros(v, np.bool_)
        self.is_partner[known.add(table.partners)] = True
        self.is_single = np.zeros(v, np.bool_)
        self.is_single[known.add(w for w, b in table.phrases if not b)] = True
        self.pairs = np.unique(np.array([known.number(a) * v + known.number(b) for a, b in table.phrases if b], np.int64))
        given = known.add(table.given)
        is_given = np.zeros(v, np.bool_)
        is_given[given] = True
        self.follows_given = JOINED & ~HERE.is_first & BEFORE.is_capital & Condition(lambda found: is_given[found.words.number[found.at(BEFORE)]])

    def _long(self, column):
        found = np.full(len(vocabulary()), _NONE, np.int32)
        found[: len(column)] = column
        return found

    def _placed(self, term: Term) -> int:
        """Take a reading up, and return its number."""
        self.terms.append(term)
        return len(self.terms) - 1

    def _those(self, are: Callable[[Term], bool]) -> Mask:
        """Tell of each reading whether something holds."""
        return np.fromiter(map(are, self.terms), np.bool_, len(self.terms))


def _gender(term: Term) -> str:
    """Return the gender of a first name: its attribute, or what the row of a name by race says."""
    return term.attribute if term.attribute in ("man", "woman") else term.entry.kind
