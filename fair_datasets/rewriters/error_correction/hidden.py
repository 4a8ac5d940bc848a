"""What the masks of a text hid, as the column says that masking wrote."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fair_datasets.rows import column_checks, columns, draws
from fair_datasets.rows.text_fields import RowTexts
from fair_datasets.system.checks import InputError, listed

# Letters and digits; a sign, as an apostrophe or a hyphen, belongs to no word.
_LETTERS = re.compile(r"[^\W_]+")

TRIGGERS = ("any", "head")
"""Which of its tokens may have a word masked."""

Span = tuple[int, int]


class Token(NamedTuple):
    """A token of a text.

    Attributes:
        logit: What a detector says of it, higher for a token that was replaced; None for one that
            its tokenizer does not know.
    """

    start: int
    end: int
    logit: float | None


def word_spans(text: str) -> list[Span]:
    """Find the words of a text: runs of letters and digits, with the marks that these bear."""
    found: list[Span] = []
    for letters in _LETTERS.finditer(text):
        start, end = letters.span()
        if found and found[-1][1] == start:
            start, _ = found.pop()
        # An accent or a vowel sign is a character of its own behind the letter that bears it.
        while end < len(text) and unicodedata.category(text[end]).startswith("M"):
            end += 1
        found.append((start, end))
    return found


def word_logits(
    words: Sequence[Span], tokens: Sequence[Token], trigger: str = "any"
) -> list[float | None]:
    """Give each word the logit of its tokens.

    Args:
        words: Where the words are, in the order of the text.
        tokens: The tokens, in the order of the text.
        trigger: `any` for the greatest logit of a word's tokens; `head` for that of the first.

    Returns:
        One for each word; None for one that has no token, or one that is not known.
    """
    found: list[float | None] = []
    first = 0
    for start, end in words:
        while first < len(tokens) and tokens[first].end <= start:
            first += 1
        own: list[float | None] = []
        for token in tokens[first:]:
            if token.start >= end:
                break
            own.append(token.logit)
        known = [logit for logit in own if logit is not None]
        if not own or len(known) < len(own):
            found.append(None)
        else:
            found.append(max(known) if trigger == "any" else known[0])
    return found


def masked(text: str, spans: Iterable[Span], mask: str) -> str:
    """Write a mask in the place of each of some words.

    Args:
        spans: Where the words are, in the order of the text, without overlap.
    """
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces += text[position:start], mask
        position = end
    return "".join([*pieces, text[position:]])


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Tell whether a span shares a character with another."""
    return any(start < span[1] and span[0] < end for start, end in others)


SPANS = "erratic_spans"
"""The column in which `MaskErratic` says what it masked."""

Masks = list[tuple[Span, str | None]]
"""Where each mask of a text stands, and what it hid; None where that is not known."""


def spans_column(texts: RowTexts, column: str | None) -> str | None:
    """Return the column that says what was masked, or None where there is none.

    Args:
        column: What the user named; None for `SPANS` where it is there.

    Example:
        >>> texts = RowTexts.read({"text": ["He <mask>."]}, ["text"], owner="Infill")
        >>> spans_column(texts, None) is None
        True
    """
    if column is not None:
        column_checks.present([column], texts.batch, owner=texts.owner)
        return column
    return SPANS if SPANS in texts.batch else None


def hidden_words(
    texts: RowTexts, column: str | None, mask: str
) -> Callable[[int, int, str], Masks]:
    """Return what tells the masks of a text, by its row and its place there.

    Args:
        column: The column of spans; None for none: then nothing is known of any mask.

    Returns:
        A function of the row's number, the text's place in it and the text, which returns every
        mask of the text.

    Example:
        >>> texts = RowTexts.read({"text": ["He <mask>."]}, ["text"], owner="Infill")
        >>> hidden_words(texts, None, "<mask>")(0, 0, "He <mask>.")
        [((3, 9), None)]
    """
    if column is None:
        return lambda row, place, text: _all_masks(text, mask, {})
    spans = [
        [] if columns.is_null(value) else [_read(span, column, row, texts.owner) for span in value]
        for row, value in enumerate(columns.values(texts.batch, column, owner=texts.owner))
    ]
    named = [{span.column for span in some} for some in spans]
    _refuse_other_columns(texts, named, column, mask)

    def told(row: int, place: int, text: str) -> Masks:
        label = texts.labels(row)[place]
        found: dict[Span, str] = {}
        shift = 0
        for own, start, end, word in spans[row]:
            if own != label:
                continue
            place_of_mask = (start + shift, start + shift + len(mask))
            if text[slice(*place_of_mask)] != mask:
                raise InputError(
                    f"{texts.owner}: column {column!r} does not belong to the text of row {row} "
                    f"of the batch (counted from 0): in {label!r} no {mask!r} stands for "
                    f"{word!r}; fill the texts as they were masked, with the same mask."
                )
            found[place_of_mask] = word
            shift += len(mask) - (end - start)
        return _all_masks(text, mask, found)

    return told


class _Hidden(NamedTuple):
    """A word that was masked: the label of its text, where it began and ended, and the word."""

    column: str
    start: int
    end: int
    word: str


def _refuse_other_columns(
    texts: RowTexts, named: Sequence[set[str]], column: str, mask: str
) -> None:
    """Raise if spans are of no text that is read, and a mask may be left there."""
    # That is where a text has a mask, but the spans of its row are of others; and where all spans
    # are of columns that are gone. Of a text that is left for another time there may be spans.
    read = [set(texts.labels(row)) for row in range(len(named))]
    known = set().union(*named)
    here = tuple(texts.batch)
    starts = tuple(f"{name}{sign}" for name in here for sign in ".[")
    is_gone = not any(name in here or name.startswith(starts) for name in known)
    for row, (own, labels) in enumerate(zip(named, read, strict=True)):
        is_masked = any(text and mask in text for text in texts.rows[row])
        if own and own.isdisjoint(labels) and (is_masked or is_gone):
            raise InputError(
                f"{texts.owner}: column {column!r} says that in row {row} of the batch (counted "
                f"from 0) {listed(sorted(own))} was masked, but columns reads "
                f"{listed(sorted(labels))}; name the same columns, or drop {column!r} to fill "
                f"every {mask!r}."
            )


def _all_masks(text: str, mask: str, known: Mapping[Span, str]) -> Masks:
    """Return every mask of a text, with the words that are known."""
    sign = re.compile(re.escape(mask))
    found: Masks = []
    position = 0
    for start, end in [*known, (len(text), len(text))]:
        found += [(other.span(), None) for other in sign.finditer(text, position, start)]
        if (start, end) in known:
            found.append(((start, end), known[start, end]))
        position = end
    return found


def _read(span: Any, column: str, row: int, owner: str) -> _Hidden:
    """Return where a word stood, and the word; or raise."""
    given = span if isinstance(span, Mapping) else {}
    label, start, end, word = (
        draws.plain(given.get(name)) for name in ("column", "start", "end", "word")
    )
    are_texts = isinstance(label, str) and isinstance(word, str)
    if not (isinstance(start, int) and isinstance(end, int) and are_texts):
        raise InputError(
            f"{owner}: column {column!r} must hold the spans of MaskErratic, but row {row} of the "
            f"batch (counted from 0) holds {columns.shortened(span)}; mask the rows again."
        )
    return _Hidden(label, start, end, word)
