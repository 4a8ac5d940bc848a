"""Tagged texts with other names in them: what a word is, its context and its form are to say.

Persons get the names of others, and some organisations, places and works get names of people, as
"Foster Wheeler", "Lincoln Center" and "Anna Karenina" have. The forms of names that are rare in
tagged texts ("Princess Margaret", a second first name) are drawn often enough to be learnt.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fair_datasets.english.lists import words
from fair_datasets.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import FAMILY, GIVEN, NONE, ORGANISATION, PLACE, WORK
from fair_datasets.reader.training.rows import Row

Span = tuple[int, int, str]

# Each word of a form is a drawn name, or itself; a given name is "G", a family name "F".
_ONE = (("G",), ("G",), ("G",), ("F",))
_SEVERAL = (
    *[("G", "F")] * 8, ("G", "G", "F"), ("G", "I.", "F"), ("I.", "F"), ("Mr.", "F"), ("Mrs.", "F"),
    ("Dr.", "F"), ("Prince", "G"), ("Princess", "G"), ("King", "G"), ("Queen", "G"),
    ("Sir", "G", "F"), ("Lady", "G"), ("Aunt", "G"), ("Uncle", "G"),
)  # fmt: skip
_OTHERS = {
    "ORG": (ORGANISATION, (
        ("F", "F"), ("F", "&", "F"), ("F", "and", "F"), ("G", "F", "Foundation"), ("F", "Brothers"),
        ("F", "Group"), ("F", "University"), ("F", "Bank"), ("F", "Inc"), ("G", "F", "School"),
        ("G",), ("F",), ("F", "United"), ("St.", "G", "Hospital"),
    )),
    "LOC": (PLACE, (
        ("F", "Center"), ("F", "Street"), ("F", "County"), ("F", "Park"), ("F", "Hall"), ("G",),
        ("Lake", "G"), ("St.", "G"), ("G", "F", "Bridge"), ("Fort", "F"), ("Mount", "F"),
        ("Port", "G"),
    )),
    "WORK": (WORK, (
        ("G", "F"), ("G",), ("The", "F", "Show"), ("G", "and", "G"), ("Being", "G", "F"),
    )),
}  # fmt: skip
_NAMED_AFTER_PEOPLE = 0.4
_HANDLES = ("@", "#", "/", "_")
_OF_FIRST_NAMES = ("before_first_name", "before_name_of_man", "before_name_of_woman", "royalty")
_BITS = {"G": 1 << GIVEN, "F": 1 << FAMILY, "I.": 1 << GIVEN}


class Names(NamedTuple):
    """Names to draw from, as they are written."""

    given: Sequence[str]
    family: Sequence[str]


def renamed(tokens: Tokens, spans: Sequence[Span], row: Row, names: Names) -> Iterator[Row]:
    """Write other names in a tagged text.

    Args:
        tokens: The text.
        spans: Where each name begins and ends, in characters, and what it is one of.
        row: What the words of the text may be.
        names: The names to draw from; which are drawn depends on the text alone.

    Yields:
        The text with other names; nothing if none is changed.
    """
    draw = np.random.default_rng(zlib.crc32(tokens.text.encode()))
    drawn: dict[int, tuple[int, list[tuple[str, int]]]] = {}
    for begin, end, kind in spans:
        inside = [k for k, start in enumerate(tokens.starts) if begin <= start < end]
        inside = [k for k in inside if not _is_possessive(tokens, k)]
        if inside and inside == [*range(inside[0], inside[-1] + 1)] and _is_plain(tokens, inside):
            written = _drawn(tokens, inside, kind, names, draw)
            if written:
                drawn[inside[0]] = inside[-1], _as_written(tokens, inside, written)
    if drawn:
        yield _row(tokens, row, drawn)


def _is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is the end of a possessive."""
    return tokens.lower[index] == "s" and tokens.gap(index)[-1:] in "'’"


def _is_plain(tokens: Tokens, inside: Sequence[int]) -> bool:
    """Tell whether a name is of letters alone, and no part of an address or a tag."""
    return (
        all(tokens.lower[k].isalpha() for k in inside)
        and tokens.gap(inside[0])[-1:] not in _HANDLES
    )


def _drawn(
    tokens: Tokens, inside: Sequence[int], kind: str, names: Names, draw: np.random.Generator
) -> list[tuple[str, int]]:
    """Draw a name for a span: its words, and the tags that each may have."""
    if kind == "PER":
        before = tokens.lower[inside[0] - 1] if inside[0] else ""
        forms: Sequence[tuple[str, ...]] = _ONE if len(inside) == 1 else _SEVERAL
        if before in words("before_surname"):
            forms = (("F",), ("G", "F"))
        elif any(before in words(name) for name in _OF_FIRST_NAMES):
            forms = (("G",), ("G", "F"))
        tag = None
    elif kind in _OTHERS and draw.random() < _NAMED_AFTER_PEOPLE:
        tag, forms = _OTHERS[kind]
    else:
        return []
    form = forms[int(draw.integers(len(forms)))]
    return [
        (_word(part, names, draw), 1 << tag if tag else _BITS.get(part, 1 << NONE)) for part in form
    ]


def _word(part: str, names: Names, draw: np.random.Generator) -> str:
    """Write a word of a form."""
    if part == "I.":
        return f"{chr(ord('A') + int(draw.integers(26)))}."
    listed = {"G": names.given, "F": names.family}.get(part)
    return part if listed is None else listed[int(draw.integers(len(listed)))]


def _as_written(
    tokens: Tokens, inside: Sequence[int], written: list[tuple[str, int]]
) -> list[tuple[str, int]]:
    """Write a name in small letters or capitals where the old one was."""
    old = [tokens.word(k) for k in inside]
    if all(word.islower() for word in old):
        return [(word.lower(), bits) for word, bits in written]
    if all(word.isupper() and len(word) > 1 for word in old):
        return [(word.upper(), bits) for word, bits in written]
    return written


def _row(tokens: Tokens, row: Row, drawn: dict[int, tuple[int, list[tuple[str, int]]]]) -> Row:
    """Put a text together, and what is known of its words."""
    parts: list[str] = []
    known: dict[int, tuple[int, int]] = {}
    size, index = 0, 0

    def add(text: str, told: tuple[int, int] | None = None) -> None:
        nonlocal size
        if told is not None:
            known[size] = told
        parts.append(text)
        size += len(text)

    while index < len(tokens.starts):
        add(tokens.gap(index))
        if index in drawn:
            last, written = drawn[index]
            for number, (word, bits) in enumerate(written):
                add(" " if number else "")
                add(word, (bits, row.considered[index] | bits))
            index = last + 1
        else:
            add(tokens.word(index), (row.allowed[index], row.considered[index]))
            index += 1
    add(tokens.text[tokens.end(len(tokens.starts) - 1) :])
    new = tokenize("".join(parts))
    told: list[tuple[int, int]] = []
    for start in new.starts:
        told.append(known[start] if start in known else told[-1] if told else (0, 0))
    return Row(row.source, new.text, [one for one, _ in told], [two for _, two in told])
