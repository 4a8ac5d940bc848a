"""What is decided of candidates: how each is read, or why it is left alone, and by which rule."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates, Facts, Rule, deciding
from fair_datasets.matching.found import Reason
from fair_datasets.matching.term_columns import TermColumns
from fair_datasets.matching.words import Mask, Places, Words

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
        facts = self.columns.facts_of(np.maximum(self.terms[rows], 0), beside)
        return Candidates(self.words, self.places[rows], facts, self.lasts[rows])

    def leave(self, rows: Rows | Mask, reason: Reason, rule: str) -> None:
        """Leave some candidates alone."""
        self.reasons[rows] = reason
        self.rules[rows] = rule
        self.is_open[rows] = False

    def read(self, rows: Rows, rules: Any) -> None:
        """Read some candidates as their terms."""
        self.rules[rows] = rules
        self.is_open[rows] = False

    def decide(self, rows: Rows, rules: Sequence[Rule[Reason | None]]) -> None:
        """Let a table of rules decide whether some candidates are read, or why they are not."""
        if len(rows):
            found = deciding(rules, self.candidates(rows))
            self.reasons[rows] = verdicts_of(rules)[found]
            self.rules[rows] = names_of(rules)[found]
            self.is_open[rows] = False

    def keep(self, held: Mask) -> None:
        """Forget the other candidates."""
        for name in ("places", "lasts", "terms", "reasons", "rules", "is_open"):
            setattr(self, name, getattr(self, name)[held])


def names_of(rules: Sequence[Rule[Any]]) -> NDArray[Any]:
    """Return the names of rules."""
    return np.array([rule.name for rule in rules], object)


def verdicts_of(rules: Sequence[Rule[Any]]) -> NDArray[Any]:
    """Return the verdicts of rules."""
    found = np.empty(len(rules), object)
    found[:] = [rule.verdict for rule in rules]
    return found
