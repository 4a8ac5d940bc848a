"""The words that are not to be masked: those that a swap put in, or those of an axis."""

from collections.abc import Mapping, Sequence
from typing import Any

from fair_datasets.error_correction.words import Span
from fair_datasets.matching.candidates import Digests, candidates_in_rows
from fair_datasets.matching.table import TermTable
from fair_datasets.rewriting.counterfactuals import aligned_edits, trace
from fair_datasets.rows import columns
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.system.checks import InputError

EDITS = "edits"
"""The column in which a rewriter says what it did."""

Spans = list[list[list[Span]]]
"""Row by row and text by text, where the words are."""


def inserted_beside(texts: RowTexts, originals: RowTexts) -> Spans:
    """Find what a swap put in, by the originals beside its texts.

    Args:
        texts: The texts that it wrote.
        originals: Those that it was given.

    Returns:
        Where the words are that the originals do not have.

    Raises:
        InputError: A row has more or fewer texts than originals.

    Example:
        >>> batch = {"text": ["He ran."], "new": ["She ran."]}
        >>> new, old = (RowTexts.read(batch, [name], owner="x") for name in ("new", "text"))
        >>> inserted_beside(new, old)
        [[[(0, 3)]]]
    """
    found = []
    for number, (row, old) in enumerate(zip(texts.rows, originals.rows, strict=True)):
        if len(row) != len(old):
            raise InputError(
                f"{texts.owner}: row {number} of the batch (counted from 0) has {len(row)} texts, "
                f"but {len(old)} originals; name the columns that the swap was given in originals."
            )
        found.append(list(map(_put_in, old, row)))
    return found


def inserted_by_edits(texts: RowTexts) -> Spans:
    """Find what a swap put in, by its column `edits`.

    Args:
        texts: The texts that it wrote, in a batch with that column.

    Returns:
        Where the words are.

    Raises:
        InputError: The column is missing, or says something else than what stands in the texts.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
        >>> batch = swap({"text": ["He ran."]})
        >>> inserted_by_edits(RowTexts.read(batch, ["text"], owner="MaskErratic"))
        [[[(0, 3)]]]
    """
    if EDITS not in texts.batch:
        raise InputError(
            f"{texts.owner}: spare='inserted' needs the column {EDITS!r}, which a swap adds with "
            "provenance=True, or the texts before it, named in originals."
        )
    edits = columns.values(texts.batch, EDITS, owner=texts.owner)
    found = []
    for number, row in enumerate(texts.rows):
        own: dict[str, list[Span]] = {label: [] for label in texts.labels(number)}
        told = [] if columns.is_null(edits[number]) else edits[number]
        said = dict(zip(own, row, strict=True))
        for edit in told:
            if _column(edit) in own:
                own[edit["column"]].append(_span(edit, said[edit["column"]], number, texts.owner))
        found.append(list(own.values()))
    return found


def terms_of_axis(texts: RowTexts, table: TermTable, digests: Digests) -> Spans:
    """Find the words of an axis: each that its lexicon lists, whatever it means.

    Args:
        texts: The texts.
        table: The terms of the axis.
        digests: Those of the lexicons, by which plain lists are read.

    Returns:
        Where the words are.
    """
    found = none_spared(texts.rows)
    for number, readings in candidates_in_rows(texts.rows, table, digests, "lexicon"):
        for place, reading in enumerate(readings):
            if reading is not None:
                tokens = reading.tokens
                found[number][place] = [
                    (tokens.starts[one.first], tokens.end(one.last)) for one in reading.mentions
                ]
    return found


def _put_in(before: str | None, after: str | None) -> list[Span]:
    """Find what a text has that the one before has not."""
    if before is None or after is None or before == after:
        return []
    edits = trace("", aligned_edits(before, after))
    return [(edit["after_start"], edit["after_end"]) for edit in edits]


def _column(edit: Any) -> Any:
    """Return the column that an edit names; None for what is no edit."""
    return edit.get("column") if isinstance(edit, Mapping) else None


def _span(edit: Mapping[str, Any], text: str | None, number: int, owner: str) -> Span:
    """Return where an edit stands in the text after it, or raise."""
    start, end = edit.get("after_start"), edit.get("after_end")
    if text is None or start is None or end is None or text[start:end] != edit.get("after"):
        raise InputError(
            f"{owner}: column {EDITS!r} is of another text than row {number} of the batch (counted "
            f"from 0): {columns.shortened(edit.get('after'))} does not stand there; mask the texts "
            "as the swap wrote them."
        )
    return int(start), int(end)


def none_spared(rows: Sequence[Sequence[str | None]]) -> Spans:
    """Spare no word.

    Args:
        rows: The texts of each row.

    Returns:
        As many empty lists as texts.

    Example:
        >>> none_spared([("a", None)])
        [[[], []]]
    """
    return [[[] for _ in row] for row in rows]
