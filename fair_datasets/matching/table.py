"""Look-up tables: the readable forms of a lexicon (and of the names) by their words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from fair_datasets.checks import InputError, one_of
from fair_datasets.lexicons import (
    Entry,
    Form,
    Lexicon,
    available_lexicons,
    lexicon_files,
    load_lexicon,
    name_lexicons,
    names_fit,
)
from fair_datasets.lexicons.lexicon import USES
from fair_datasets.matching.ages import AGE_TRIGGERS
from fair_datasets.matching.scan import Scanner
from fair_datasets.matching.tokens import Tokens, tokenize
from fair_datasets.technique import file_digest

_SPACE = re.compile(r"\s+")
# The attributes that ages in figures have.
_AGES = frozenset({"child", "young", "middle-aged", "senior"})
# Titles that may be written with a period: "Mr. President".
_ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "mx"})


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
        attributes: Its attributes.
        words: Word in lower case to its readings.
        plain: Word in lower case to its one reading, where only a phrase can change it.
        phrases: The word that gives a phrase away, with the word before it (behind it, where it is
            the phrase's first), to the phrases, longest first.
        anchors: The words that give a phrase away.
        scanner: Finds the words of both, and those of ages; a text without any has no term. Words
            that are names and nothing else count where they are capitalised.
        reads_ages: Whether ages in figures ("a 40-year-old") are read.
        given: The first names that a surname may stand behind, in lower case; empty where no
            surnames are read.
        pipeline: The trained spaCy pipeline that is asked about neighbours; None for our guesses.
    """

    axis: str
    attributes: tuple[str, ...]
    words: Mapping[str, Readings]
    plain: Mapping[str, Term]
    phrases: Mapping[tuple[str, str], tuple[Phrase, ...]]
    anchors: frozenset[str]
    scanner: Scanner
    reads_ages: bool
    given: frozenset[str] = frozenset()
    pipeline: str | None = None


def table_files(axis: str, *, names: bool | None = None) -> dict[str, Path]:
    """Name the lexicon files that a table is built from.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether the names are read that have the axis's attributes. None for first names of
            men and women alone, which are paired one to one.

    Returns:
        Resource name to path.

    Raises:
        InputError: There is no such axis, or its lexicon is malformed.
    """
    if axis in name_lexicons():
        one_of(axis, available_lexicons(), owner="Lexicon", parameter="axis")
    files = dict(lexicon_files(axis))
    if names is False:
        return files
    attributes = load_lexicon(axis).attributes
    for name in name_lexicons():
        if names_fit(name, attributes, paired=names is None):
            files |= lexicon_files(name)
    return files


def read_lexicon(axis: str, digests: tuple[tuple[str, str], ...]) -> Lexicon:
    """Return the lexicon that a technique was made with.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        digests: Resource name to SHA-256 of its files, as the technique took them. The names are
            read whose files are among them.

    Returns:
        The lexicon.

    Raises:
        InputError: A file has changed since its digest was taken.
    """
    stated = dict(digests)
    files = dict(lexicon_files(axis))
    for name in name_lexicons():
        files |= lexicon_files(name) if name in stated else {}
    for name, path in sorted(files.items()):
        if file_digest(path) != stated.get(name):
            raise InputError(
                f"The lexicon {name!r} has changed since the technique was made; make the "
                "technique anew to work with the lexicon as it is."
            )
    return load_lexicon(axis)


@lru_cache(maxsize=32)
def build_table(
    axis: str,
    digests: tuple[tuple[str, str], ...],
    protect: tuple[str, ...] = (),
    pipeline: str | None = None,
) -> TermTable:
    """Build the table of the terms of an axis, once per process.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        digests: As for `read_lexicon`.
        protect: Names of people who are left alone.
        pipeline: The trained spaCy pipeline that is asked about neighbours.

    Returns:
        The table.

    Raises:
        InputError: A file has changed since its digest was taken.
    """
    lexicon = read_lexicon(axis, digests)
    words: dict[str, tuple[Term, ...]] = {}
    several: dict[str, tuple[Term, ...]] = {
        text: () for text in lexicon.exceptions if not _is_word(text)
    }
    for text, term in _terms(lexicon, axis):
        found = words if _is_word(text) else several
        key = text.lower() if _is_word(text) else text
        found[key] = (*found.get(key, ()), term)
    names = [load_lexicon(name) for name in name_lexicons() if name in dict(digests)]
    for lists in names:
        for text, term in _terms(lists, axis):
            words.setdefault(text.lower(), (term,))
    for text in filter(_is_word, lexicon.exceptions):
        words.pop(text.lower(), None)
    phrases = [_phrase(text, terms, words) for text, terms in several.items()]
    phrases += [_phrase(text, (), words, is_protected=True) for text in protect]
    # An exception without any term has nothing to protect.
    phrases = [
        phrase for phrase in phrases if phrase.readings or phrase.words[phrase.anchor] in words
    ]
    given = _first_names() if any(terms[0].is_surname for terms in words.values()) else frozenset()
    reads_ages = set(lexicon.attributes) >= _AGES
    table = _table(axis, lexicon.attributes, words, phrases, reads_ages)
    return replace(table, given=given, pipeline=pipeline)


def _table(
    axis: str,
    attributes: tuple[str, ...],
    words: dict[str, tuple[Term, ...]],
    phrases: list[Phrase],
    reads_ages: bool,
) -> TermTable:
    """Put a table together."""
    grouped: dict[tuple[str, str], tuple[Phrase, ...]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        first = max(0, phrase.anchor - 1)
        pair = (*phrase.words, "")[first : first + 2]
        grouped[pair[0], pair[1]] = (*grouped.get((pair[0], pair[1]), ()), phrase)
    anchors = frozenset(phrase.words[phrase.anchor] for phrase in phrases)
    names = frozenset(word for word, terms in words.items() if terms[0].is_name) - anchors
    triggers = frozenset(words) | anchors | (AGE_TRIGGERS if reads_ages else frozenset())
    return TermTable(
        axis=axis,
        attributes=attributes,
        words={word: _readings(terms) for word, terms in words.items()},
        plain={
            word: terms[0]
            for word, terms in words.items()
            if len(terms) == 1
            and not (terms[0].flags or terms[0].is_name or terms[0].is_capitalised)
        },
        phrases=grouped,
        anchors=anchors,
        scanner=Scanner(triggers, names),
        reads_ages=reads_ages,
    )


def _readings(terms: tuple[Term, ...]) -> Readings:
    """Sort the readings of one spelling."""
    title = next((term for term in terms if "title" in term.flags), None)
    others = [term for term in terms if term is not title]
    if len(others) < 2:
        only = others[0] if others else terms[0]
        return Readings(only, title if others else None, {})
    return Readings(others[0], title, {term.entry.inflection: term for term in others})


def _terms(lexicon: Lexicon, axis: str) -> Iterable[tuple[str, Term]]:
    """List the forms of a lexicon that are read, with what they mean."""
    for entry in lexicon.entries:
        for attribute, forms in entry.forms.items():
            for form in forms:
                if form.is_read:
                    yield form.text, _term(lexicon, axis, entry, attribute, form)


def _term(lexicon: Lexicon, axis: str, entry: Entry, attribute: str, form: Form) -> Term:
    """Say what a form means.

    A word for people with a capital of its own ("Latinos") is read in lower case as well; a name
    is not.
    """
    has_capital = form.text != form.text.lower() and entry.inflection not in USES
    return Term(
        attribute=attribute,
        entry=entry,
        flags=form.flags - {"capital"},
        is_name=bool(lexicon.names),
        is_capitalised=has_capital or "capital" in form.flags,
        axis=axis,
        is_surname=lexicon.names == "surnames",
        spelling=form.text,
    )


@cache
def _first_names() -> frozenset[str]:
    """Return every first name of the shipped lists, in lower case."""
    lists = [load_lexicon(name) for name in name_lexicons()]
    return frozenset(
        form.text.lower()
        for lexicon in lists
        if lexicon.names == "first names"
        for entry in lexicon.entries
        for forms in entry.forms.values()
        for form in forms
    )


def _is_word(text: str) -> bool:
    """Tell whether a form is a single word."""
    return len(tokenize(text).words) == 1


def _phrase(
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
    is_lower = bool(terms) and not terms[0].is_capitalised
    capitals = tuple(word[0].isupper() and not is_lower for word in tokens.words)
    places = [place for place in range(len(tokens.lower)) if tokens.is_alone(place)]
    known = [place for place in places if tokens.lower[place] in words]
    # Names give no phrase away: in lower case they are everyday words, which a text is full of.
    sure = [place for place in known if not words[tokens.lower[place]][0].is_name]
    anchor = max(sure or known or places, key=lambda place: len(tokens.lower[place]))
    readings = _readings(terms) if terms else None
    gaps = tuple(tokens.gaps[1:-1])
    return Phrase(tuple(tokens.lower), capitals, gaps, readings, anchor, is_protected)


def _same_gap(gap: str, found: str) -> bool:
    """Tell whether what lies between two words is the same but for the kind of space or quote."""
    return found == gap or _plain(found) == _plain(gap)


def _plain(gap: str) -> str:
    """Write what lies between two words with straight apostrophes and single spaces."""
    return _SPACE.sub(" ", gap.replace("’", "'"))
