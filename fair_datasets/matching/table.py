"""Look-up tables: the readable forms of a lexicon (and of the names) by their words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from fair_datasets.checks import InputError, one_of
from fair_datasets.lexicons import (
    FIRST_NAMES,
    Entry,
    Lexicon,
    available_lexicons,
    lexicon_files,
    load_lexicon,
)
from fair_datasets.matching.tokens import Tokens, tokenize
from fair_datasets.technique import file_digest

_SPACE = re.compile(r"\s+")
# Titles that may be written with a period: "Mr. President".
_ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "mx"})


class Term(NamedTuple):
    """One way of reading a form.

    Attributes:
        attribute: The demographic attribute that it mentions.
        entry: The lexicon's row, with the counterparts.
        flags: What `lexicons.lexicon.FLAGS` says about the form.
        is_name: Whether it is a first name.
        is_capitalised: Whether it is read only where it is capitalised.
    """

    attribute: str
    entry: Entry
    flags: frozenset[str]
    is_name: bool
    is_capitalised: bool


class Readings(NamedTuple):
    """The readings of one spelling.

    Attributes:
        usual: The reading where nothing speaks for another.
        title: The reading before a name, if it is another one ("Lady").
        cases: Where the spelling is several cases of a pronoun ("her"), case to reading.
    """

    usual: Term
    title: Term | None
    cases: Mapping[str, Term]


class Phrase(NamedTuple):
    """Several words that are read together.

    Attributes:
        words: The words, in lower case.
        capitals: Which of the words must be capitalised in the text.
        gaps: What lies between them: a space, a hyphen or an apostrophe.
        term: What the phrase means; None if it is an exception, which is left alone.
        anchor: Which of its words gives it away.
    """

    words: tuple[str, ...]
    capitals: tuple[bool, ...]
    gaps: tuple[str, ...]
    term: Term | None
    anchor: int

    def matches(self, tokens: Tokens, index: int) -> bool:
        """Tell whether the phrase stands in a text from a word on."""
        end = index + len(self.words)
        if index < 0 or tuple(tokens.lower[index:end]) != self.words:
            return False
        found = tokens.gaps[index + 1 : end]
        if self.words[0] in _ABBREVIATIONS and found[0] == ". ":
            found[0] = " "
        return all(map(_same_gap, self.gaps, found)) and all(
            word[0].isupper() or not is_capital
            for word, is_capital in zip(tokens.words[index:end], self.capitals, strict=True)
        )


@dataclass(frozen=True)
class TermTable:
    """The forms that are read in texts.

    Attributes:
        axis: The demographic axis.
        words: Word in lower case to its readings.
        plain: Word in lower case to its one reading, where no neighbour can change it.
        phrases: The word that gives a phrase away, with the word before it (behind it, where it is
            the phrase's first), to the phrases, longest first.
        anchors: The words that give a phrase away.
        triggers: The words of both: a text without any of them has no term.
        names: The words that are first names and nothing else, in lower case.
    """

    axis: str
    words: Mapping[str, Readings]
    plain: Mapping[str, Term]
    phrases: Mapping[tuple[str, str], tuple[Phrase, ...]]
    anchors: frozenset[str]
    triggers: frozenset[str]
    names: frozenset[str]


def table_files(axis: str, *, names: bool) -> dict[str, Path]:
    """Name the lexicon files that a table is built from.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether first names are read as well, if they have the axis's attributes.

    Returns:
        Resource name to path.

    Raises:
        InputError: There is no such axis, or its lexicon is malformed.
    """
    if axis == FIRST_NAMES:
        one_of(axis, available_lexicons(), owner="Lexicon", parameter="axis")
    files = dict(lexicon_files(axis))
    if names and set(load_lexicon(FIRST_NAMES).attributes) <= set(load_lexicon(axis).attributes):
        files |= lexicon_files(FIRST_NAMES)
    return files


def read_lexicon(axis: str, digests: tuple[tuple[str, str], ...]) -> Lexicon:
    """Return the lexicon that a technique was made with.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        digests: Resource name to SHA-256 of its files, as the technique took them. First names
            are read if their file is among them.

    Returns:
        The lexicon.

    Raises:
        InputError: A file has changed since its digest was taken.
    """
    files = table_files(axis, names=FIRST_NAMES in dict(digests))
    now = {name: file_digest(path) for name, path in files.items()}
    for name in sorted(now.keys() | dict(digests).keys()):
        if now.get(name) != dict(digests).get(name):
            raise InputError(
                f"The lexicon {name!r} has changed since the technique was made; make the "
                "technique anew to work with the lexicon as it is."
            )
    return load_lexicon(axis)


@lru_cache(maxsize=32)
def build_table(
    axis: str,
    attributes: tuple[str, ...],
    digests: tuple[tuple[str, str], ...],
) -> TermTable:
    """Build the table of the terms that mention certain attributes, once per process.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        attributes: The attributes whose terms are read.
        digests: As for `read_lexicon`.

    Returns:
        The table.

    Raises:
        InputError: A file has changed since its digest was taken.
    """
    lexicon = read_lexicon(axis, digests)
    words: dict[str, tuple[Term, ...]] = {}
    several: list[tuple[str, Term | None]] = [
        (text, None) for text in lexicon.exceptions if not _is_word(text)
    ]
    for text, term in _terms(lexicon, attributes, is_name=False):
        if _is_word(text):
            words[text.lower()] = (*words.get(text.lower(), ()), term)
        else:
            several.append((text, term))
    if FIRST_NAMES in dict(digests):
        for text, term in _terms(load_lexicon(FIRST_NAMES), attributes, is_name=True):
            words.setdefault(text.lower(), (term,))
    for text in filter(_is_word, lexicon.exceptions):
        words.pop(text.lower(), None)
    phrases = [_phrase(text, meaning, words) for text, meaning in several]
    # An exception without any term has nothing to protect.
    phrases = [phrase for phrase in phrases if phrase.term or phrase.words[phrase.anchor] in words]
    return _table(axis, words, phrases)


def _table(axis: str, words: dict[str, tuple[Term, ...]], phrases: list[Phrase]) -> TermTable:
    """Put a table together."""
    grouped: dict[tuple[str, str], tuple[Phrase, ...]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        first = max(0, phrase.anchor - 1)
        pair = (phrase.words[first], phrase.words[first + 1])
        grouped[pair] = (*grouped.get(pair, ()), phrase)
    anchors = {phrase.words[phrase.anchor] for phrase in phrases}
    names = {word for word, terms in words.items() if terms[0].is_name}
    return TermTable(
        axis=axis,
        words={word: _readings(terms) for word, terms in words.items()},
        plain={
            word: terms[0]
            for word, terms in words.items()
            if len(terms) == 1
            and word not in anchors
            and not (terms[0].flags or terms[0].is_name or terms[0].is_capitalised)
        },
        phrases=grouped,
        anchors=frozenset(anchors),
        triggers=frozenset(words) | anchors,
        names=frozenset(names - anchors),
    )


def _readings(terms: tuple[Term, ...]) -> Readings:
    """Sort the readings of one spelling."""
    title = next((term for term in terms if "title" in term.flags), None)
    others = [term for term in terms if term is not title]
    if len(others) < 2:
        only = others[0] if others else terms[0]
        return Readings(only, title if others else None, {})
    return Readings(others[0], title, {term.entry.inflection: term for term in others})


def _terms(
    lexicon: Lexicon, attributes: tuple[str, ...], *, is_name: bool
) -> Iterable[tuple[str, Term]]:
    """List the forms of a lexicon that are read, with what they mean."""
    for entry in lexicon.entries:
        for attribute in attributes:
            for form in entry.forms.get(attribute, ()):
                if form.is_read:
                    is_capitalised = form.text != form.text.lower()
                    yield form.text, Term(attribute, entry, form.flags, is_name, is_capitalised)


def _is_word(text: str) -> bool:
    """Tell whether a form is a single word."""
    return len(tokenize(text).words) == 1


def _phrase(text: str, term: Term | None, words: Mapping[str, tuple[Term, ...]]) -> Phrase:
    """Split a form of several words; its longest term gives it away, else its longest word.

    That is a word which stands alone: brien does not give O'Brien away, as it is never looked at.
    """
    tokens = tokenize(text)
    capitals = tuple(word[0].isupper() for word in tokens.words)
    places = [place for place in range(len(tokens.lower)) if tokens.is_alone(place)]
    terms = [place for place in places if tokens.lower[place] in words]
    # Names give no phrase away: in lower case they are everyday words, which a text is full of.
    sure = [place for place in terms if not words[tokens.lower[place]][0].is_name]
    anchor = max(sure or terms or places, key=lambda place: len(tokens.lower[place]))
    return Phrase(tuple(tokens.lower), capitals, tuple(tokens.gaps[1:-1]), term, anchor)


def _same_gap(gap: str, found: str) -> bool:
    """Tell whether what lies between two words is the same but for the kind of space or quote."""
    return found == gap or _plain(found) == _plain(gap)


def _plain(gap: str) -> str:
    """Write what lies between two words with straight apostrophes and single spaces."""
    return _SPACE.sub(" ", gap.replace("’", "'"))
