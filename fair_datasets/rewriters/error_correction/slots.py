"""The slots of a text, which are to be filled: runs of masks, and the words that they hid."""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from fair_datasets.rewriters.generation.writing import pieces
from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.models import ScoringModel
from fair_datasets.swap.rewriting import Counterfactual
from fair_datasets.swap.rewriting.counterfactuals import sentence_starts
from fair_datasets.swap.rewriting.offsets import warn_of_stale
from fair_datasets.swap.rewriting.rewriter import lay_out
from fair_datasets.system.checks import format_choices, invalid

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
    spans: list[Span] = []
    for letters in _LETTERS.finditer(text):
        start, end = letters.span()
        if spans and spans[-1][1] == start:
            start, _ = spans.pop()
        # An accent or a vowel sign is a character of its own behind the letter that bears it.
        while end < len(text) and unicodedata.category(text[end]).startswith("M"):
            end += 1
        spans.append((start, end))
    return spans


def word_logits(
    words: Sequence[Span], tokens: Sequence[Token], trigger: str = "any"
) -> list[float | None]:
    """Give each word the logit of its tokens.

    Args:
        trigger: `any` for the greatest logit of a word's tokens; `head` for that of the first.

    Returns:
        One for each word; None for one that has no token, or one that is not known.
    """
    logits: list[float | None] = []
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
            logits.append(None)
        else:
            logits.append(max(known) if trigger == "any" else known[0])
    return logits


def laid_out(texts: RowTexts, new: Sequence[Sequence[str | None]]) -> dict[str, list[Any]]:
    """Return the columns of a batch with other texts in its rows."""
    changed = {
        number: Counterfactual(tuple(row))
        for number, row in enumerate(new)
        if tuple(row) != texts.rows[number]
    }
    warn_of_stale(texts, changed, ())
    return lay_out(texts.batch, texts, range(len(new)), changed)


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Whether a span shares a character with another."""
    return any(start < span[1] and span[0] < end for start, end in others)


SPANS = "erratic_spans"
"""The column in which `MaskErratic` says what it masked."""

Masks = list[tuple[Span, str | None]]
"""Where each mask of a text stands, and what it hid; None where that is not known."""


def spans_column(texts: RowTexts, column: str | None) -> str | None:
    """Return the column that says what was masked, or None where there is none.

    Example:
        >>> texts = RowTexts.read({"text": ["He <mask>."]}, ["text"])
        >>> spans_column(texts, None) is None
        True
    """
    if column is not None:
        column_checks.present([column], texts.batch)
        return column
    return SPANS if SPANS in texts.batch else None


def hidden_words(
    texts: RowTexts, column: str | None, mask: str
) -> Callable[[int, int, str], Masks]:
    """Return what tells the masks of a text, by its row and its place there.

    Returns:
        A function of the row's number, the text's place in it and the text, which returns every
        mask of the text.

    Example:
        >>> texts = RowTexts.read({"text": ["He <mask>."]}, ["text"])
        >>> hidden_words(texts, None, "<mask>")(0, 0, "He <mask>.")
        [((3, 9), None)]
    """
    if column is None:
        return lambda row, place, text: _all_masks(text, mask, {})
    spans = [
        [] if column_checks.is_null(value) else [_parse_span(span, column, row) for span in value]
        for row, value in enumerate(column_checks.values(texts.batch, column))
    ]
    named = [{span.column for span in some} for some in spans]
    _refuse_other_columns(texts, named, column, mask)

    def word_masks(row: int, place: int, text: str) -> Masks:
        label = texts.labels(row)[place]
        words: dict[Span, str] = {}
        shift = 0
        for own, start, end, word in spans[row]:
            if own != label:
                continue
            place_of_mask = (start + shift, start + shift + len(mask))
            if text[slice(*place_of_mask)] != mask:
                raise invalid(
                    f"column {column!r} does not belong to the text of row {row} "
                    f"of the batch (counted from 0): in {label!r} no {mask!r} stands for "
                    f"{word!r}; fill the texts as they were masked, with the same mask."
                )
            words[place_of_mask] = word
            shift += len(mask) - (end - start)
        return _all_masks(text, mask, words)

    return word_masks


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
            raise invalid(
                f"column {column!r} says that in row {row} of the batch (counted from 0) "
                f"{format_choices(sorted(own))} was masked, but columns reads "
                f"{format_choices(sorted(labels))}; name the same columns, or drop {column!r} to "
                f"fill every {mask!r}."
            )


def _all_masks(text: str, mask: str, known: Mapping[Span, str]) -> Masks:
    """Return every mask of a text, with the words that are known."""
    sign = re.compile(re.escape(mask))
    masks: Masks = []
    position = 0
    for start, end in [*known, (len(text), len(text))]:
        masks += [(other.span(), None) for other in sign.finditer(text, position, start)]
        if (start, end) in known:
            masks.append(((start, end), known[start, end]))
        position = end
    return masks


def _parse_span(span: Any, column: str, row: int) -> _Hidden:
    """Return where a word stood, and the word; or raise."""
    given = span if isinstance(span, Mapping) else {}
    label, start, end, word = (
        draws.plain(given.get(name)) for name in ("column", "start", "end", "word")
    )
    are_texts = isinstance(label, str) and isinstance(word, str)
    if not (isinstance(start, int) and isinstance(end, int) and are_texts):
        raise invalid(
            f"column {column!r} must hold the spans of MaskErratic, but row {row} of the "
            f"batch (counted from 0) holds {column_checks.shortened(span)}; mask the rows again."
        )
    return _Hidden(label, start, end, word)


# White space within one paragraph, which joins two masks to one slot.
_JOINT = re.compile(r"[^\S\n]*\n?[^\S\n]*")
# Letters and digits, with the signs inside ("don't", "forty-two"); or a sign.
_TOKEN = re.compile(r"\w+|[^\w\s]")

NOT_ALIGNED = "neighbours rewritten"
TOO_MANY = "too many words"


class Slot(NamedTuple):
    """A run of masks in a text."""

    start: int
    end: int
    masks: int
    before: str | None


class Fill(NamedTuple):
    """What is written in a slot.

    Attributes:
        text: The words; empty for none, None where there is a fault.
    """

    text: str | None
    fault: str = ""


def runs(text: str, masks: Sequence[tuple[Span, str | None]]) -> list[Slot]:
    """Join masks with nothing but white space between them."""
    slots: list[Slot] = []
    for (start, end), word in masks:
        last = slots[-1] if slots else None
        if last is None or not _JOINT.fullmatch(text, last.end, start):
            slots.append(Slot(start, end, 1, word))
            continue
        is_known = last.before is not None and word is not None
        before = f"{last.before}{text[last.end : start]}{word}" if is_known else None
        slots[-1] = Slot(last.start, end, last.masks + 1, before)
    return slots


def replaced(
    text: str, spans: Sequence[Slot | Span], words: Sequence[str]
) -> tuple[str, list[Span]]:
    """Write something in the place of each slot or word of a text, which are in order.

    Returns:
        The new text, and where each of these stands in it.

    Example:
        >>> replaced("He <mask>.", [(3, 9)], ["ran"])
        ('He ran.', [(3, 6)])
    """
    pieces: list[str] = []
    places: list[Span] = []
    position = length = 0
    for (start, end, *_), word in zip(spans, words, strict=True):
        pieces += text[position:start], word
        length += start - position + len(word)
        places.append((length - len(word), length))
        position = end
    return "".join([*pieces, text[position:]]), places


def aligned_fills(text: str, slots: Sequence[Slot], answer: str) -> list[Fill]:
    """Find what a model wrote in the slots of a text, of which it wrote all anew.

    Both are aligned word by word, whatever the case. What stands in a slot is what was written
    between the words beside it; where these were rewritten as well, nothing is.

    Returns:
        One for each slot. Signs at the ends of a fill are left out, as a mask stands for words.
    """
    old: list[str | int] = []
    position = 0
    for number, slot in enumerate(slots):
        old += [*_words(text[position : slot.start]), number]
        position = slot.end
    old += _words(text[position:])
    new = list(_TOKEN.finditer(answer))
    words = [word.group().casefold() for word in new]
    first = _shared_length(old, words)
    last = _shared_length(old[first:][::-1], words[first:][::-1])
    # A slot is equal to nothing, so that each lies between both ends.
    middle, rest = old[first : len(old) - last], words[first : len(words) - last]
    fills: dict[int, Fill] = {}
    for kind, start, end, new_start, new_end in _opcodes(middle, rest):
        here = [item for item in middle[start:end] if isinstance(item, int)]
        if kind == "equal" or not here:
            continue
        if end - start > 1:
            fills |= dict.fromkeys(here, Fill(None, NOT_ALIGNED))
            continue
        own = new[first + new_start : first + new_end]
        while own and not own[-1].group()[0].isalnum():
            own.pop()
        while own and not own[0].group()[0].isalnum():
            own.pop(0)
        fills[here[0]] = Fill(answer[own[0].start() : own[-1].end()] if own else "")
    return [fills[number] for number in range(len(slots))]


def bounded(fill: Fill, slot: Slot, words: int) -> Fill:
    """Refuse a fill that is much longer than what was masked, as of a model that goes on writing.

    Example:
        >>> bounded(Fill("the king and the queen"), Slot(0, 6, 1, None), words=4)
        Fill(text=None, fault='too many words')
    """
    is_long = len((fill.text or "").split()) > words * slot.masks
    return Fill(None, TOO_MANY) if is_long else fill


def filled(text: str, slots: Sequence[Slot], fills: Sequence[str]) -> tuple[str, list[Span]]:
    """Write fills in the slots of a text; nothing else changes.

    A fill that begins a sentence, and takes the place of a capitalised word, is capitalised. With
    an empty one goes the white space before it, or else behind it.
    """
    starts = set(sentence_starts(text))
    both = list(zip(slots, fills, strict=True))
    spans = [slot[:2] if fill else _with_gap(text, slot) for slot, fill in both]
    words = [
        fill[:1].upper() + fill[1:]
        if slot.start in starts and slot.before and slot.before[0].isupper()
        else fill
        for slot, fill in both
    ]
    return replaced(text, spans, words)


def _with_gap(text: str, slot: Slot) -> Span:
    """Return what an empty fill takes away: the slot, and a space that would be one too many."""
    start, end = slot.start, slot.end
    is_word_behind = end < len(text) and text[end].isalnum()
    if start and _is_space(text[start - 1]) and not is_word_behind:
        return start - 1, end
    return start, end + (end < len(text) and _is_space(text[end]))


def _is_space(sign: str) -> bool:
    """Whether a sign is a space within a line."""
    return sign.isspace() and sign != "\n"


def _words(text: str) -> list[str]:
    """Return the words and signs of a text, whatever their case."""
    return [word.casefold() for word in _TOKEN.findall(text)]


def _opcodes(old: Sequence[str | int], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """Align words; a number is equal to none."""
    matcher: SequenceMatcher[str | int] = SequenceMatcher(None, old, new, autojunk=False)
    return list(matcher.get_opcodes())


def _shared_length(first: Sequence[object], second: Sequence[object]) -> int:
    """Count the words that two texts begin with alike."""
    pairs = zip(first, second, strict=False)
    differing = (number for number, (one, other) in enumerate(pairs) if one != other)
    return next(differing, min(len(first), len(second)))


class Part(NamedTuple):
    """A text with slots that a model reads at once."""

    text: str
    slots: Sequence[Slot]
    start: int = 0


class Filled(NamedTuple):
    """What a model wrote for a part.

    Attributes:
        written: The whole part as the model wrote it; None for one that writes masks alone, or
            where there is a fault.
    """

    fills: Sequence[Fill]
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Infiller(ABC):
    """A model that fills slots."""

    loaded: ScoringModel
    limit: int

    @property
    def mask(self) -> str:
        """What the model reads as a mask."""
        return str(self.loaded.tokenizer.mask_token)

    @property
    def signs(self) -> Sequence[str]:
        """What the model takes for signs of its own, wherever it stands in a text."""
        return tuple(self.loaded.tokenizer.all_special_tokens)

    @abstractmethod
    def fits(self, text: str) -> bool:
        """Whether the model reads a text at once, and can write what it lacks."""

    @abstractmethod
    def fill(self, parts: Sequence[Part]) -> list[Filled]:
        """Fill the slots of parts, each of which fits."""


def with_own_masks(text: str, slots: Sequence[Slot], mask: str) -> Part:
    """Write a model's own masks in the slots of a text.

    Example:
        >>> with_own_masks("He <mask>.", [Slot(3, 9, 1, "are")], "[MASK]").text
        'He [MASK].'
    """
    masks = [" ".join([mask] * slot.masks) for slot in slots]
    new, places = replaced(text, slots, masks)
    pairs = zip(slots, places, strict=True)
    return Part(new, [slot._replace(start=start, end=end) for slot, (start, end) in pairs])


def parts_of(whole: Part, fits: Callable[[str], bool]) -> list[Part] | None:
    """Part a text at the borders of sentences into what a model reads at once.

    Returns:
        Those parts that have a slot, in order; None where a sentence alone is too long.
    """
    if fits(whole.text):
        return [whole]
    split = pieces(whole.text, fits)
    if split is None:
        return None
    parts: list[Part] = []
    start = 0
    for piece in split:
        end = start + len(piece)
        own = [
            slot._replace(start=slot.start - start, end=slot.end - start)
            for slot in whole.slots
            if start <= slot.start < end
        ]
        if own:
            parts.append(Part(piece, own, start))
        start = end
    return parts
