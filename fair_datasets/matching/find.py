"""Finding the terms of an axis in a text, and saying why a candidate was left alone."""

from typing import NamedTuple

from fair_datasets import checks
from fair_datasets.digests import file_digests
from fair_datasets.matching.context import Context
from fair_datasets.matching.pipeline import checked_pipeline
from fair_datasets.matching.rows import read_text
from fair_datasets.matching.table import TermTable, build_table, table_files


class FoundTerm(NamedTuple):
    """A word or phrase that is a term of an axis, or looks like one.

    Attributes:
        start: Where it begins in the text, in characters.
        end: Where it ends.
        text: What stands there.
        axis: The demographic axis.
        attribute: The demographic attribute that it mentions; empty where it is left alone.
        reason: Why it is left alone; empty where it is read.
    """

    start: int
    end: int
    text: str
    axis: str
    attribute: str
    reason: str


def find_terms(
    text: str,
    axis: str = "gender",
    *,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
) -> list[FoundTerm]:
    """Find the terms of an axis in a text, as the techniques read them.

    Args:
        text: Any text.
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether names are read that have the axis's attributes; None for first names of men
            and women alone.
        protect: Names of people who are left alone.
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse
            are used in place of our own guesses.

    Returns:
        The terms, and the candidates that are left alone, in the order of the text.

    Raises:
        InputError: The text is no string, or there is no such axis or pipeline.

    Example:
        >>> for term in find_terms("She has a Bachelor's degree."):
        ...     print(term.start, term.end, term.text, term.attribute or term.reason)
        0 3 She woman
        10 27 Bachelor's degree it belongs to a phrase that is left alone
    """
    owner = "find_terms"
    if not isinstance(text, str):
        raise checks.InputError(
            f"{owner}: the text must be a string, but it is a {type(text).__name__}: {text!r}."
        )
    table = table_of(axis, names=names, protect=protect, pipeline=pipeline, owner=owner)
    return found_terms(text, table)


def table_of(
    axis: str,
    *,
    names: bool | None = None,
    protect: tuple[str, ...] | str = (),
    pipeline: str | None = None,
    owner: str,
) -> TermTable:
    """Return the table of all terms of an axis, by its files as they are now.

    Args:
        axis: As for `find_terms`.
        names: As for `find_terms`.
        protect: As for `find_terms`.
        pipeline: As for `find_terms`.
        owner: The class or function whose parameters these are.

    Returns:
        The table.

    Raises:
        InputError: A parameter is not what it must be, or there is no such axis or pipeline.
    """
    axis = checks.axis_name(axis, owner=owner)
    if names is not None:
        names = checks.switch(names, owner=owner, parameter="names")
    protect = checks.strings(protect, owner=owner, parameter="protect")
    pipeline = checked_pipeline(pipeline, owner=owner)
    digests = file_digests(table_files(axis, names=names))
    return build_table(axis, digests, tuple(sorted(set(protect))), pipeline)


def found_terms(text: str, table: TermTable, context: Context | None = None) -> list[FoundTerm]:
    """Find the terms of a table in a text.

    Args:
        text: Any text.
        table: The terms to look for.
        context: What answers the questions about neighbours; None for that of the table.

    Returns:
        The terms, and the candidates that are left alone, in the order of the text.
    """
    reading = read_text(text, table, context)
    if reading is None:
        return []
    tokens, found = reading.tokens, []
    verdicts = [(m.first, m.last, m.term.attribute, "") for m in reading.mentions]
    verdicts += [(first, last, "", reason.value) for first, last, reason in reading.left]
    for first, last, attribute, reason in verdicts:
        start, end = tokens.starts[first], tokens.end(last)
        found.append(FoundTerm(start, end, tokens.text[start:end], table.axis, attribute, reason))
    return sorted(found)
