"""Sentences that a user writes to teach a reader: words that are marked with their tags."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import ALONE, CASES, DETERMINER, NAMES, OBJECT, PRONOUNS, TAGS
from fair_datasets.reader.training.rows import Row
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import numbered_lines

EXAMPLE = "He gave [[her = determiner]] books to the library."
SOURCE = "taught"

_MARK = re.compile(r"\[\[(.*?)\]\]")
_LARGEST = 10_000_000
_TAGS_OF = {
    "her": (OBJECT, DETERMINER), "hers": (ALONE,), "him": (OBJECT,), "his": (DETERMINER, ALONE),
}  # fmt: skip
_OF_WORDS = tuple(tag for tag in range(len(TAGS)) if NAMES >> tag & 1)


class Mark(NamedTuple):
    """A word or a name that is marked in a line.

    Attributes:
        place: The file and the line, for errors.
        text: What is marked.
        start: Where it begins in the text without marks, in characters.
        tag: What it is, an index of `TAGS`.
    """

    place: str
    text: str
    start: int
    tag: int


class Taught(NamedTuple):
    """What a file teaches.

    Attributes:
        rows: A row for each text, in which the marked words are known.
        marks: What is marked in each.
    """

    rows: list[Row]
    marks: list[list[Mark]]


def read_taught(path: Path) -> Taught:
    """Read the sentences of a file.

    Each line is a text in which words are marked with their tags: `EXAMPLE`. A mark of several
    words says the same of each. What is not marked stays as the reader reads it. Blank lines are
    left out; lines with the same text are read together.

    Args:
        path: The file, in UTF-8.

    Raises:
        InputError: The file cannot be read or teaches nothing, or a line marks nothing, or gives a
            tag that there is not, or that the word cannot have.
    """
    found: dict[str, list[Mark]] = {}
    for number, line in numbered_lines(path, largest=_LARGEST):
        if line.strip():
            text, marks = _unmarked(line.strip(), f"{path}, line {number}")
            found.setdefault(text, []).extend(marks)
    if not found:
        raise InputError(f"{path} has no sentence; write one a line, such as {EXAMPLE}")
    return Taught([_row(text, marks) for text, marks in found.items()], [*found.values()])


def _unmarked(line: str, place: str) -> tuple[str, list[Mark]]:
    """Take the marks out of a line."""
    text, marks, begin = "", [], 0
    for found in _MARK.finditer(line):
        text += line[begin : found.start()]
        begin = found.end()
        inner, sign, tag = found[1].rpartition("=")
        word = inner.strip()
        if not sign or not word:
            raise InputError(
                f"{place}: {found[0]} has no tag; write the word, = and its tag, such as {EXAMPLE} "
                f"{_allowed(word or tag)}"
            )
        marks.append(Mark(place, word, len(text), _tag(tag.strip(), word, place)))
        text += word
    text += line[begin:]
    if not marks or "[[" in text or "]]" in text:
        raise InputError(
            f"{place} {'has a mark that does not end' if marks else 'marks no word'}; write a word "
            f"and its tag between [[ and ]], such as {EXAMPLE}"
        )
    return text, marks


def _tag(tag: str, word: str, place: str) -> int:
    """Return the tag that is meant, or raise if the word cannot have it."""
    tags = _tags_of(word)
    for number in tags:
        if TAGS[number] == tag.lower():
            return number
    raise InputError(f"{place}: {word!r} has the tag {tag!r}. {_allowed(word)}")


def _allowed(word: str) -> str:
    """Say which tags a word may have."""
    tags = [TAGS[number] for number in _tags_of(word)]
    kind = f"{word!r}" if word.lower() in PRONOUNS else "a word that is not a pronoun"
    return f"The tags of {kind} are: {', '.join(tags)}."


def _tags_of(word: str) -> tuple[int, ...]:
    """Return the tags that a word may have."""
    return _TAGS_OF.get(word.lower(), _OF_WORDS)


def _row(text: str, marks: Iterable[Mark]) -> Row:
    """Say what is known of the words of a text."""
    tokens = tokenize(text)
    allowed = [0] * len(tokens.starts)
    known: dict[int, Mark] = {}
    for mark in marks:
        for index in marked_words(tokens, mark):
            other = known.setdefault(index, mark)
            if other.tag != mark.tag:
                raise InputError(
                    f"{mark.place}: {tokens.word(index)!r} has the tag {TAGS[mark.tag]!r}, but "
                    f"{TAGS[other.tag]!r} in {other.place}; a word of a sentence has one tag."
                )
            allowed[index] = 1 << mark.tag
    considered = [(CASES if CASES & each else NAMES) if each else 0 for each in allowed]
    return Row(SOURCE, text, allowed, considered)


def marked_words(tokens: Tokens, mark: Mark) -> list[int]:
    """Return which words of a text are marked.

    Returns:
        The words, by their number in the text; without pronouns in a name, and without a
        possessive s.

    Raises:
        InputError: The mark begins or ends within a word, or has none.
    """
    end = mark.start + len(mark.text)
    several = [
        k for k, start in enumerate(tokens.starts) if start < end and tokens.end(k) > mark.start
    ]
    for index in several:
        if tokens.starts[index] < mark.start or tokens.end(index) > end:
            raise InputError(
                f"{mark.place}: {mark.text!r} is a part of the word {tokens.word(index)!r}; mark "
                "the whole word."
            )
    is_case = bool(CASES >> mark.tag & 1)
    found = [
        k
        for k in several
        if (tokens.lower[k] in PRONOUNS) == is_case and not _is_possessive(tokens, k)
    ]
    if not found:
        raise InputError(f"{mark.place}: {mark.text!r} has no word; mark a word.")
    return found


def _is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is the s of a possessive."""
    return tokens.lower[index] == "s" and tokens.gap(index) in ("'", "’")
