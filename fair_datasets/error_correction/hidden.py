"""What the masks of a text hid, as the column says that masking wrote."""

from collections.abc import Callable, Mapping
from typing import Any

from fair_datasets import column_checks, columns, draws
from fair_datasets.checks import InputError
from fair_datasets.error_correction.words import Span
from fair_datasets.row_texts import RowTexts

SPANS = "erratic_spans"
"""The column in which `MaskErratic` says what it masked."""

Masks = list[tuple[Span, str | None]]
"""Where each mask of a text stands, and what it hid; None where that is not known."""


def hidden_words(
    texts: RowTexts, column: str | None, mask: str
) -> Callable[[int, int, str], Masks]:
    """Return what tells the masks of a text, by its row and its place there.

    Args:
        texts: The texts of a batch.
        column: The column of spans; None for `SPANS` where it is there, and else for none: then
            every mask counts, and what it hid is not known.
        mask: What stands for a mask.

    Returns:
        A function of the row's number, the text's place in it and the text.

    Raises:
        InputError: There is no such column; or, later, it is of another text.

    Example:
        >>> texts = RowTexts.read({"text": ["He <mask>."]}, ["text"], owner="Infill")
        >>> hidden_words(texts, None, "<mask>")(0, 0, "He <mask>.")
        [((3, 9), None)]
    """
    if column is not None:
        column_checks.present([column], texts.batch, owner=texts.owner)
    name = column or SPANS
    if name not in texts.batch:
        return lambda row, place, text: _all_masks(text, mask)
    spans = columns.values(texts.batch, name, owner=texts.owner)

    def told(row: int, place: int, text: str) -> Masks:
        label = texts.labels(row)[place]
        found: Masks = []
        shift = 0
        for span in [] if columns.is_null(spans[row]) else spans[row]:
            start, end, word = _read(span, name, row, texts.owner)
            if span.get("column") != label:
                continue
            place_of_mask = (start + shift, start + shift + len(mask))
            if text[slice(*place_of_mask)] != mask:
                raise InputError(
                    f"{texts.owner}: column {name!r} is of another text than row {row} of the "
                    f"batch (counted from 0): in {label!r} no {mask!r} stands for {word!r}; fill "
                    "the texts as they were masked, with the mask that was written there."
                )
            found.append((place_of_mask, word))
            shift += len(mask) - (end - start)
        return found

    return told


def _all_masks(text: str, mask: str) -> Masks:
    """Return every mask of a text."""
    found: Masks = []
    start = text.find(mask)
    while start >= 0:
        found.append(((start, start + len(mask)), None))
        start = text.find(mask, start + len(mask))
    return found


def _read(span: Any, column: str, row: int, owner: str) -> tuple[int, int, str]:
    """Return where a word stood, and the word; or raise."""
    given = span if isinstance(span, Mapping) else {}
    start, end, word = (draws.plain(given.get(name)) for name in ("start", "end", "word"))
    if not (isinstance(start, int) and isinstance(end, int) and isinstance(word, str)):
        raise InputError(
            f"{owner}: column {column!r} must hold the spans of MaskErratic, but row {row} of the "
            f"batch (counted from 0) holds {columns.shortened(span)}; mask the rows anew."
        )
    return start, end, word
