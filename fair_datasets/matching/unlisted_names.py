"""Common names that no list of names by race holds, and why: read only to give the reason."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from fair_datasets.lexicons import Entry, load_lexicon
from fair_datasets.matching.found import Reason
from fair_datasets.matching.name_reasons import name_reasons
from fair_datasets.matching.rows import read_text
from fair_datasets.matching.table import TermTable, table_of_terms
from fair_datasets.matching.terms import Term, terms_of

# A name that no list marks may be a word or a place, and needs evidence: "Jordan", "Angel".
_UNMARKED = frozenset({"word", "place"})


def unlisted_names(text: str) -> Iterator[tuple[int, int, Reason]]:
    """Find the names of a text that no list of names by race holds.

    Args:
        text: Any text.

    Yields:
        Where each begins and ends, in characters, and why it is not listed.

    Example:
        >>> for start, end, reason in unlisted_names("Ms. Smith thanked Emily."):
        ...     print(start, end, reason.name)
        18 23 NO_GROUP
        4 9 NO_GROUP
    """
    taken: set[int] = set()
    plain, places = _without_accents(text)
    for table, reasons in _tables():
        reading = read_text(plain, table)
        if reading is None:
            continue
        tokens = reading.tokens
        for first, last, _, _ in reading.mentions:
            if tokens.starts[first] not in taken:
                taken.add(tokens.starts[first])
                reason = reasons.get(tokens.lower[first], Reason.TOO_RARE)
                yield places[tokens.starts[first]], places[tokens.end(last)], reason


def _without_accents(text: str) -> tuple[str, Sequence[int]]:
    """Write each letter as the sources do, which have no accents, and say where it stands."""
    if text.isascii():
        return text, range(len(text) + 1)
    places = [place for place, letter in enumerate(text) if not unicodedata.combining(letter)]
    plain = "".join(unicodedata.normalize("NFD", text[place])[0] for place in places)
    return plain, [*places, len(text)]


@cache
def _tables() -> tuple[tuple[TermTable, Mapping[str, Reason]], ...]:
    """Return the first names and the surnames, each with the reasons that are known."""
    reasons = {kind: name_reasons(kind) for kind in ("first", "surnames")}
    first = dict.fromkeys(reasons["first"], Term("", Entry({}), _UNMARKED, True, True))
    first |= {name.lower(): term for name, term in terms_of(load_lexicon("first_names"), "")}
    surname = Term("", Entry({}), is_name=True, is_capitalised=True, is_surname=True)
    surnames = dict.fromkeys(reasons["surnames"], surname)
    return (_table(first), reasons["first"]), (_table(surnames), reasons["surnames"])


def _table(terms: dict[str, Term]) -> TermTable:
    """Return a table of names."""
    return table_of_terms("", (), {word: (term,) for word, term in terms.items()})
