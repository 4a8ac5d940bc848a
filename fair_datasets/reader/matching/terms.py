"""What the forms of a lexicon mean, as they are read in texts."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.lexicons import Entry, Lexicon
from fair_datasets.lexicons.lexicon import FINER_USES, USES
from fair_datasets.reader.matching.letters import looked_up
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import GENDERED_TITLES, tokenize

AGE_TAG = "age tag"
"""The kind of what tells an age and a gender in one word: "31M", "F31"."""
# Of thousands of names, which have none.
_NO_CASES: Mapping[str, Any] = {}
_SPACE = re.compile(r"\s+")
_ALL_USES = USES | FINER_USES


class Term(NamedTuple):
    """One way of reading a form.

    Attributes:
        attribute: The demographic attribute that it mentions.
        entry: The lexicon's row, with the counterparts.
        flags: What `lexicons.lexicon.FLAGS` says about the form.
        is_name: Whether it is a person's name.
        is_capitalised: Whether it is read only where it is capitalised.
        axis: The demographic axis.
        is_surname: Whether it is a surname.
        spelling: How the lexicon writes it.
    """

    attribute: str
    entry: Entry
    flags: frozenset[str] = frozenset()
    is_name: bool = False
    is_capitalised: bool = False
    axis: str = ""
    is_surname: bool = False
    spelling: str = ""


class Readings(NamedTuple):
    """The readings of one spelling.

    Attributes:
        usual: The reading where nothing speaks for another.
        title: The reading before a name, if it is another one ("Lady").
        cases: Where the spelling is several cases of a pronoun ("her") or several uses of a word
            for people ("Asian"), the inflection to the reading.
    """

    usual: Term
    title: Term | None
    cases: Mapping[str, Term]

    def all(self) -> list[Term]:
        """Return all readings."""
        return [self.usual, *([self.title] if self.title else []), *self.cases.values()]


class Phrase(NamedTuple):
    """Several words that are read together.

    Attributes:
        words: The words, in lower case.
        capitals: Which of the words must be capitalised in the text.
        gaps: What lies between them: a space, a hyphen or an apostrophe.
        readings: What the phrase means; None if it is left alone.
        anchor: Which of its words gives it away.
        is_protected: Whether it is a name that the user protects.
    """

    words: tuple[str, ...]
    capitals: tuple[bool, ...]
    gaps: tuple[str, ...]
    readings: Readings | None
    anchor: int
    is_protected: bool

    @property
    def may_be_small(self) -> bool:
        """Whether the word that gives the phrase away may be in lower case."""
        return not self.capitals[self.anchor]

    def matches(self, words: TokenBatch, first: int) -> bool:
        """Whether the phrase stands in a text from a place on."""
        places = range(first, first + len(self.words))
        spellings = map(words.looked_up, places)
        if any(own != word for own, word in zip(spellings, self.words, strict=True)):
            return False
        signs = [words.signs.texts[words.sign[place]] for place in places[1:]]
        # "Mr. President"
        if self.words[0] in GENDERED_TITLES and signs[0] == ". ":
            signs[0] = " "
        is_capital = words.is_capital(np.array(places))
        return all(map(_same_gap, self.gaps, signs)) and bool(
            np.all(is_capital | ~np.array(self.capitals))
        )


def terms_of(lexicon: Lexicon, axis: str) -> Iterable[tuple[str, Term]]:
    """List the forms of a lexicon that are read, with what they mean.

    A word for people with a capital of its own ("Latinos") is read in lower case as well; a name
    is not.
    """
    is_name, is_surname = bool(lexicon.names), lexicon.names == "surnames"
    for entry in lexicon.entries:
        is_use = entry.inflection in _ALL_USES
        for attribute, forms in entry.forms.items():
            for form in forms:
                text, flags = form.text, form.flags
                if "target" in flags:
                    continue
                is_capitalised = not is_use and text != text.lower()
                if "capital" in flags:
                    is_capitalised, flags = True, flags - {"capital"}
                yield (
                    text,
                    Term(attribute, entry, flags, is_name, is_capitalised, axis, is_surname, text),
                )


def readings_of(terms: tuple[Term, ...]) -> Readings:
    """Sort the readings of one spelling."""
    title = next((term for term in terms if "title" in term.flags), None)
    others = [term for term in terms if term is not title]
    if len(others) < 2:
        only = others[0] if others else terms[0]
        return Readings(only, title if others else None, _NO_CASES)
    return Readings(others[0], title, {term.entry.inflection: term for term in others})


def phrase_of(
    text: str,
    terms: tuple[Term, ...],
    words: Mapping[str, tuple[Term, ...]],
    *,
    is_protected: bool = False,
) -> Phrase:
    """Split a form of several words; its longest term gives it away, else its longest word.

    That is a word which stands alone: brien does not give O'Brien away, as it is never looked at.
    """
    tokens = tokenize(text)
    lower = [
        looked_up(word) if word[0].isupper() and word.lower() not in words else word.lower()
        for word in tokens.words
    ]
    is_lower = bool(terms) and not terms[0].is_capitalised
    capitals = tuple(word[0].isupper() and not is_lower for word in tokens.words)
    places = [place for place in range(len(tokens.lower)) if tokens.is_alone(place)]
    known = [place for place in places if lower[place] in words]
    # Names give no phrase away: in lower case they are everyday words, which a text is full of.
    sure = [place for place in known if not words[lower[place]][0].is_name]
    anchor = max(sure or known or places, key=lambda place: len(lower[place]))
    readings = readings_of(terms) if terms else None
    gaps = tuple(tokens.gaps[1:-1])
    return Phrase(tuple(lower), capitals, gaps, readings, anchor, is_protected)


def _same_gap(gap: str, sign: str) -> bool:
    """Whether what lies between two words is the same but for the kind of space or quote."""
    return sign == gap or _plain(sign) == _plain(gap)


def _plain(gap: str) -> str:
    """Write what lies between two words with straight apostrophes and single spaces."""
    return _SPACE.sub(" ", gap.replace("’", "'"))


def is_word(text: str) -> bool:
    """Whether a form is a single word."""
    first, _, rest = text.partition(" ")
    if first.isalnum() and rest[:1].isalnum():
        return False  # Nearly all phrases, of which there are thousands.
    return text.isalnum() or len(tokenize(text).words) == 1
