"""Which words and names may stand for those of a swap as placebos: others of their kind.

A word's likes are mostly of its part of speech in English, in no lexicon and no name, and about as
many rows have them. A name's are borne by the same gender, as often, a generation apart at most,
and by the same group of people, where that is known.
"""

import csv
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.english.lists import words
from fair_datasets.lexicons import (
    Lexicon,
    available_lexicons,
    lexicon_files,
    load_lexicon,
    name_lexicons,
)
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import tokenize

FEWEST = 20
"""How many words there must be to draw from."""
_FACTORS = 2, 4
"""How many times as many rows may have a word; the second where too few words are found."""
_YEARS = 20
_FUNCTION = "mostly_function_words"
_PARTS = {"adjective": "mostly_adjectives", "adverb": "mostly_adverbs", "verb": "mostly_verbs"}


class Name(NamedTuple):
    """What is known of a name, as far as it is.

    Attributes:
        text: The name.
        gender: Who mostly bears it, `man` or `woman`; `surname` where anybody does.
        quarter: Its quarter among the names of that gender by how many bear it, from 0 on.
        year: The mean year of birth of those who do; 0 of surnames.
        group: The racial or ethnic group that mostly bears it; empty where it is not known.
    """

    text: str
    gender: str
    quarter: int
    year: int
    group: str


def part_of(term: Term) -> str:
    """Return which words are like a term of a lexicon.

    Args:
        term: The term.

    Returns:
        A class of `words.tsv`.

    Example:
        >>> from fair_datasets.lexicons import Entry
        >>> part_of(Term("man", Entry({}, kind="pronoun"))), part_of(Term("man", Entry({})))
        ('mostly_function_words', 'mostly_nouns')
    """
    if term.entry.kind == "pronoun":
        return _FUNCTION
    return _PARTS.get(term.entry.inflection, "mostly_nouns")


def is_function_word(word: str) -> bool:
    """Tell whether a word in lower case is mostly an adposition, a determiner or the like."""
    return word in words(_FUNCTION)


class LikeWords:
    """Finds words like others, by how many rows have them."""

    def __init__(self, frequencies: Mapping[str, int], lexicon: Lexicon) -> None:
        """Set out to look among the words that are mostly of one part of speech.

        Args:
            frequencies: How many rows have each word in lower case; those that none has are 0.
            lexicon: The axis, whose words stand for nothing else either.
        """
        self.frequencies = frequencies
        self.listed = _listed() | _words_of(lexicon)
        self._parts: dict[str, tuple[NDArray[np.str_], NDArray[np.int64]]] = {}

    def like(self, word: str, part: str) -> NDArray[np.str_]:
        """Return the words like one.

        Args:
            word: The word in lower case.
            part: The class of its part of speech.

        Returns:
            The words, none where there are too few. Shape (P,).
        """
        others, counts = self._of_part(part)
        own = self.frequencies.get(word, 0)
        for factor in _FACTORS:
            found = others[(counts * factor >= own) & (counts <= own * factor)]
            if len(found) >= FEWEST:
                return found
        return others[:0]

    def _of_part(self, part: str) -> tuple[NDArray[np.str_], NDArray[np.int64]]:
        """Return the words of a class that may be placebos, and how many rows have each."""
        if part not in self._parts:
            found = sorted(words(part) - self.listed)
            counts = [self.frequencies.get(word, 0) for word in found]
            self._parts[part] = np.array(found, np.str_), np.array(counts, np.int64)
        return self._parts[part]


def like_names(name: str) -> NDArray[np.str_]:
    """Return the names like one.

    Args:
        name: The name in lower case.

    Returns:
        The others, in the order of the list; none where nothing is known of the name. Shape (P,).

    Example:
        >>> found = like_names("mary").tolist()
        >>> "Barbara" in found, "Mary" in found, "John" in found, like_names("nobody").tolist()
        (True, False, False, [])
    """
    own = _names().get(name)
    others = [
        other.text
        for other in _names().values()
        if own is not None
        and other[1:3] == own[1:3]
        and other.group == own.group
        and abs(other.year - own.year) <= _YEARS
        and other.text != own.text
    ]
    return np.array(others, np.str_)


@cache
def _names() -> Mapping[str, Name]:
    """Return what is known of the listed names, by the name in lower case."""
    found: dict[str, Name] = {}
    surnames = load_lexicon("race_surnames").entries
    for place, entry in enumerate(surnames):
        for group, forms in entry.forms.items():
            for form in forms:
                own = Name(form.text, "surname", 4 * place // len(surnames), 0, group)
                found[form.text.lower()] = own
    groups = {
        form.text: group
        for entry in load_lexicon("race_first_names").entries
        for group, forms in entry.forms.items()
        for form in forms
    }
    with lexicon_files("first_names")["first_names"].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for gender in ("man", "woman"):
        ordered = sorted(rows, key=lambda row: -int(row[f"{gender}_births"]))
        for place, row in enumerate(ordered):
            text = row[gender].partition("[")[0]
            quarter, year = 4 * place // len(ordered), int(row[f"{gender}_year"])
            found[text.lower()] = Name(text, gender, quarter, year, groups.get(text, ""))
    return found


@cache
def _listed() -> frozenset[str]:
    """Return the words of all shipped lexicons and lists of names, in lower case."""
    lists = [*available_lexicons(), *name_lexicons()]
    return frozenset().union(*(_words_of(load_lexicon(name)) for name in lists))


def _words_of(lexicon: Lexicon) -> frozenset[str]:
    """Return the words of a lexicon: those of a form of several, too, but for function words."""
    found: set[str] = set()
    for entry in lexicon.entries:
        for form in (form for forms in entry.forms.values() for form in forms):
            parts = tokenize(form.text).lower
            found.update(
                parts if len(parts) == 1 else (w for w in parts if not is_function_word(w))
            )
    return frozenset(found)
