"""The words of a text, the logits that they get from their tokens, and masks in their place."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# Letters and digits; a sign, as an apostrophe or a hyphen, belongs to no word.
_LETTERS = re.compile(r"[^\W_]+")

TRIGGERS = ("any", "head")
"""Which of its tokens may have a word masked."""

Span = tuple[int, int]


class Token(NamedTuple):
    """A token of a text.

    Attributes:
        start: Where it begins in the text, in characters.
        end: Where it ends.
        logit: What a detector says of it, higher for a token that was replaced; None for one that
            its tokenizer does not know.
    """

    start: int
    end: int
    logit: float | None


def word_spans(text: str) -> list[Span]:
    """Find the words of a text: runs of letters and digits, with the marks that these bear.

    Returns:
        Where each begins and ends, in characters.

    Example:
        >>> text = "Don't, Zoë!"
        >>> [text[start:end] for start, end in word_spans(text)]
        ['Don', 't', 'Zoë']
    """
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

    Example:
        >>> tokens = [Token(0, 4, -1.0), Token(4, 8, 2.0), Token(8, 9, 5.0)]
        >>> word_logits([(0, 8)], tokens), word_logits([(0, 8)], tokens, "head")
        ([2.0], [-1.0])
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

    Example:
        >>> masked("He are (not) here.", [(3, 6), (8, 11)], "<mask>")
        'He <mask> (<mask>) here.'
    """
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces += text[position:start], mask
        position = end
    return "".join([*pieces, text[position:]])


def overlaps(span: Span, others: Iterable[Span]) -> bool:
    """Tell whether a span shares a character with another.

    Example:
        >>> overlaps((0, 2), [(2, 4)]), overlaps((0, 3), [(2, 4)])
        (False, True)
    """
    return any(start < span[1] and span[0] < end for start, end in others)
