"""Telling the header of a lexicon file from a row of terms, where the header was forgotten."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from fair_datasets.system.checks import InputError

_MARKS = "|[]"


def refuse_row_as_header(
    attributes: Sequence[str], forms: Mapping[str, Collection[str]], place: str
) -> None:
    """Raise if the names of attributes are rather the first row of a file without a header.

    An attribute may be a term of its own: "man" is. But then its column lists it. So a name that
    no row lists is taken for a row's where it is written as only a row's is ("he|him"), where its
    column has its plural, or where a lexicon that ships reads it as a word for people, and not as
    a quality ("male") or the name of an attribute.

    Args:
        attributes: What the first line names.
        forms: Attribute to the forms of its column.
        place: The file and the line.

    Raises:
        InputError: A name is a term.

    Example:
        >>> rows = {"home": {"host"}, "away": {"guest"}}
        >>> refuse_row_as_header(["home", "away"], rows, "team.tsv, line 1")
        >>> refuse_row_as_header(["he", "she"], {"he": {"him"}, "she": {"her"}}, "mine.tsv, line 1")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: mine.tsv, line 1: 'he' is a term, and no row lists it, as
        where the header is missing; write a first line that names the attributes, such as man and
        woman. If 'he' is the name of one, list it in its column, or add a column 'kind'.
    """
    for name in attributes:
        if any(mark in name for mark in _MARKS):
            raise InputError(
                f"{place}: {name!r} is written as terms are; write a first line that names the "
                "attributes, such as man and woman."
            )
        term = name.casefold()
        listed = {form.casefold() for form in forms[name]}
        if term in listed:
            continue
        if listed.intersection(_plurals(term)) or not _members().isdisjoint({term, name}):
            raise InputError(
                f"{place}: {name!r} is a term, and no row lists it, as where the header is "
                "missing; write a first line that names the attributes, such as man and woman. "
                f"If {name!r} is the name of one, list it in its column, or add a column 'kind'."
            )


def _plurals(term: str) -> Iterator[str]:
    """Yield how the plural of a word may be written."""
    yield f"{term}s"
    yield f"{term}es"
    if term.endswith("y"):
        yield f"{term[:-1]}ies"


@cache
def _members() -> frozenset[str]:
    """Return the words by which texts mention people, without qualities and names of attributes.

    They are in lower case, but for names, which are so only with their capital: "Rich".
    """
    # What ships has columns beside the attributes, so that no header of it is asked about.
    from fair_datasets.lexicons.shipped import available_lexicons, load_lexicon, name_lexicons

    members: set[str] = set()
    qualities: set[str] = set()
    for lexicon in map(load_lexicon, available_lexicons()):
        qualities |= {name.casefold() for name in lexicon.attributes}
        for entry in lexicon.entries:
            words = {form.text.casefold() for cell in entry.forms.values() for form in cell}
            (qualities if entry.inflection == "adjective" else members).update(words)
    names = {
        form.text
        for lexicon in map(load_lexicon, name_lexicons())
        for entry in lexicon.entries
        for cell in entry.forms.values()
        for form in cell
        if "word" not in form.flags
    }
    return frozenset(members - qualities | names)
