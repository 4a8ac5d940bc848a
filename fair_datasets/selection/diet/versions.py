"""Rows that mention one attribute alone, written for each attribute of their axis."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from fair_datasets.reader.matching.found import Mention, Reading
from fair_datasets.reader.matching.rows import chunks, found_in_rows, readings_of, together
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting.counterfactuals import apply_edits
from fair_datasets.swap.whole_rows import leave_rows, left_in, may_leave

Row = tuple[str, ...]


def attribute_versions(rows: Sequence[Row], config: DietConfig) -> dict[str, list[Row]]:
    """Write rows for each attribute of an axis, so that attributes are compared on the same rows.

    A row has a version for each attribute if all its mentions are of one attribute, and have a form
    for every other: its own texts are the version of its own. Rows with several attributes are left
    out, as no version of theirs would be that of one attribute; so are those that are the same for
    another attribute, and those that the swap leaves as a whole for another attribute ("the Pope"
    beside Christians). The attributes are those that the axis swaps: man and woman on the axis
    `gender`; all of an axis without counterparts, on which a pair's target is drawn.

    Args:
        rows: The texts of each row.
        config: The columns, the axis, and whether names are swapped.

    Returns:
        Attribute to the versions of the rows, in the order of the rows and of equal length for all
        attributes; empty lists where no row has them.

    Example:
        >>> config = DietConfig(columns="text")
        >>> attribute_versions([("He won.",), ("He saw her.",), ("Rain.",)], config)
        {'man': [('He won.',)], 'woman': [('She won.',)]}
    """
    swap = CounterfactualSwap(**config.reading)
    versions: dict[str, list[Row]] = {attribute: [] for attribute in swapped_attributes(swap)}
    for _, written in versions_of_rows(rows, swap):
        for attribute, row in written.items():
            versions[attribute].append(row)
    return versions


def versions_of_rows(
    rows: Sequence[Row], swap: CounterfactualSwap
) -> Iterator[tuple[int, dict[str, Row]]]:
    """Write rows for each attribute of an axis, and say which rows they are.

    Args:
        rows: As for `attribute_versions`.

    Yields:
        The number of each row that has versions, and attribute to its version.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> list(versions_of_rows([("Rain.",), ("He won.",)], swap))
        [(1, {'man': ('He won.',), 'woman': ('She won.',)})]
    """
    table = swap.table(swap.axes[0])
    attributes = swapped_attributes(swap)
    for number, readings in _rewritable(rows, table, attributes):
        own = _own_attribute(readings, attributes)
        if own is None:
            continue
        row = rows[number]
        written = {
            attribute: _written(row, readings, {(table.axis, own): attribute})
            for attribute in attributes
            if attribute != own
        }
        if row not in written.values():
            yield number, {attribute: written.get(attribute, row) for attribute in attributes}


def _rewritable(
    rows: Sequence[Row], table: TermTable, attributes: Sequence[str]
) -> Iterator[tuple[int, Sequence[Reading | None]]]:
    """Find the mentions in rows, of which those are left out that some attribute is not for."""
    others = [
        {(table.axis, own): attribute for own in attributes if own != attribute}
        for attribute in attributes
    ]
    if not any(may_leave(table, each) for each in others):
        yield from found_in_rows(rows, [table])
        return
    for several in together(chunks(rows, [table])):
        left: set[int] = set()
        for each in others:
            left.update(left_in(several, each, table))
        # Where nothing is rewritten, nothing is left; what is said of things is read with groups.
        parts = (part for chunk in several for part in leave_rows(chunk, {}, [table]).by_text())
        for number, own_parts in groupby(parts, attrgetter("row")):
            if number not in left:
                yield number, readings_of(rows[number], own_parts)


def swapped_attributes(swap: CounterfactualSwap) -> tuple[str, ...]:
    """Return the attributes that a swap of one axis rewrites.

    Returns:
        The attributes, in the order of the lexicon.

    Example:
        >>> swapped_attributes(CounterfactualSwap(columns="text"))
        ('man', 'woman')
    """
    return tuple(swap.plan(swap.axes[0]))


def _own_attribute(readings: Sequence[Reading | None], attributes: Sequence[str]) -> str | None:
    """Return the one attribute that a row mentions, if it can be written for all others."""
    mentions = [mention for reading in readings if reading for mention in reading.mentions]
    found = {mention.term.attribute for mention in mentions}
    if len(found) != 1 or not all(_has_forms(mention, attributes) for mention in mentions):
        return None
    return next(iter(found))


def _has_forms(mention: Mention, attributes: Sequence[str]) -> bool:
    """Tell whether a mention is of one of some attributes and has a form for each of them."""
    term = mention.term
    return term.attribute in attributes and all(
        term.attribute == attribute or term.entry.forms.get(attribute) for attribute in attributes
    )


def _written(
    row: Row, readings: Sequence[Reading | None], targets: dict[tuple[str, str], str]
) -> Row:
    """Write the mentions of a row for another attribute."""
    edits = swap_row(readings, targets)
    return tuple(text and apply_edits(text, own) for text, own in zip(row, edits, strict=True))
