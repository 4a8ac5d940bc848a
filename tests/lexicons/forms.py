"""What the tests of several lexicons look at: their forms, and the words of these."""

import re
from collections.abc import Iterator

from fair_datasets.lexicons import Entry, Form, Lexicon

NAME_FLAGS = {"word", "proper", "place", "surname"}


def forms(lexicon: Lexicon) -> Iterator[tuple[Entry, str, Form]]:
    """List all forms with their row and attribute."""
    for entry in lexicon.entries:
        for attribute, cell in entry.forms.items():
            for form in cell:
                yield entry, attribute, form


def read_words(lexicon: Lexicon) -> set[tuple[str, ...]]:
    """Return the words of each form that is read, in lower case."""
    return {words(form.text) for _, _, form in forms(lexicon) if form.is_read}


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case."""
    return tuple(re.findall(r"[^\W_]+", text.lower()))
