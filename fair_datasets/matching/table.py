"""Look-up tables: the readable forms of a lexicon (and of the names) by their words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from fair_datasets.checks import InputError
from fair_datasets.lexicons import FIRST_NAMES, Entry, Lexicon, lexicon_files, load_lexicon
from fair_datasets.matching.tokens import APOSTROPHES, Tokens, tokenize
from fair_datasets.technique import file_digest

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
        words: Word in lower case to its readings; several for a pronoun such as "her".
        phrases: The word that gives a phrase away, with the word before it (behind it, where it is
            the phrase's first), to the phrases, longest first.
        anchors: The words that give a phrase away.
        triggers: The words of both: a text without any of them has no term.
        names: The words that are first names and nothing else, in lower case.
    """

    axis: str
    words: Mapping[str, tuple[Term, ...]]
    phrases: Mapping[tuple[str, str], tuple[Phrase, ...]]
    anchors: frozenset[str]
    triggers: frozenset[str]
    names: frozenset[str]


def table_files(axis: str, *, names: bool) -> dict[str, str]:
    """Name the lexicon files that a table is built from.

    Args:
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether first names are read as well.

    Returns:
        Resource name to path.
    """
    files = dict(lexicon_files(axis))
    if names and has_names(load_lexicon(axis)):
        files |= lexicon_files(FIRST_NAMES)
    return {name: str(path) for name, path in files.items()}


def has_names(lexicon: Lexicon) -> bool:
    """Tell whether first names are terms of an axis: whether it has their attributes."""
    return set(load_lexicon(FIRST_NAMES).attributes) <= set(lexicon.attributes)


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
        digests: Resource name to SHA-256 of the lexicon files, as a technique took them. First
            names are read if their file is among them.

    Returns:
        The table.

    Raises:
        InputError: A lexicon has changed since its digest was taken.
    """
    _refuse_changed(axis, digests)
    lexicon = load_lexicon(axis)
    words: dict[str, tuple[Term, ...]] = {}
    several: list[tuple[str, Term | None]] = [(text, None) for text in lexicon.exceptions]
    for text, term in _terms(lexicon, attributes, is_name=False):
        if len(tokenize(text).words) == 1:
            words[text.lower()] = (*words.get(text.lower(), ()), term)
        else:
            several.append((text, term))
    if any(name == FIRST_NAMES for name, _ in digests):
        for text, term in _terms(load_lexicon(FIRST_NAMES), attributes, is_name=True):
            words.setdefault(text.lower(), (term,))
    phrases: dict[tuple[str, str], tuple[Phrase, ...]] = {}
    anchors = set()
    for text, meaning in sorted(several, key=lambda pair: -len(tokenize(pair[0]).words)):
        phrase = _phrase(text, meaning, words)
        # An exception without any term has nothing to protect.
        if meaning is not None or phrase.words[phrase.anchor] in words:
            first = max(0, phrase.anchor - 1)
            pair = (phrase.words[first], phrase.words[first + 1])
            phrases[pair] = (*phrases.get(pair, ()), phrase)
            anchors.add(phrase.words[phrase.anchor])
    names = {word for word, terms in words.items() if terms[0].is_name}
    return TermTable(
        axis=axis,
        words=words,
        phrases=phrases,
        anchors=frozenset(anchors),
        triggers=frozenset(words) | anchors,
        names=frozenset(names - anchors),
    )


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


def _phrase(text: str, term: Term | None, words: Mapping[str, tuple[Term, ...]]) -> Phrase:
    """Split a form of several words; its first term gives it away, else its longest word."""
    tokens = tokenize(text)
    capitals = tuple(word[0].isupper() for word in tokens.words)
    anchors = [place for place, word in enumerate(tokens.lower) if word in words]
    longest = max(range(len(tokens.words)), key=lambda place: len(tokens.words[place]))
    anchor = anchors[0] if anchors else longest
    return Phrase(tuple(tokens.lower), capitals, tuple(tokens.gaps[1:-1]), term, anchor)


def _same_gap(gap: str, found: str) -> bool:
    """Tell whether what lies between two words is the same but for the kind of space or quote."""
    if gap in APOSTROPHES:
        return found in APOSTROPHES and found != ""
    return found.isspace() if gap == " " else found == gap


def _refuse_changed(axis: str, digests: tuple[tuple[str, str], ...]) -> None:
    """Raise if a lexicon's file is no longer the one whose digest a technique took."""
    paths = {**lexicon_files(axis), **lexicon_files(FIRST_NAMES)}
    for name, digest in digests:
        if name not in paths or file_digest(paths[name]) != digest:
            raise InputError(
                f"The lexicon {name!r} has changed since the technique was made; make the "
                "technique anew to work with the lexicon as it is."
            )
