"""Titles of works in quotes: "Girl with a Pearl Earring"."""

import numpy as np

from fair_datasets.english.places import HERE
from fair_datasets.matching.conditions import Candidates, Condition
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places, Words

# LaTeX's and Wikipedia's quotes of two signs among them.
_OPEN = ('"', "“", "”", "„", "«", "``", "''")
_CLOSE = ('"', "”", "“", "»", "''")
# How many words a title in quotes may have.
_REACH = 10
_SMALL = (
    *("a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "like", "of", "on"),
    *("or", "the", "to", "upon", "with", "without", "s"),
)
vocabulary().expect(lambda: _SMALL)


def _opens(sign: str) -> bool:
    return sign.endswith(_OPEN)


def _closes(sign: str) -> bool:
    return sign.startswith(_CLOSE)


def _is_inside(sign: str) -> bool:
    return sign in (" ", ": ", "'", "’")


def _end_of_title(found: Candidates, step: int) -> Places:
    """Return the first or the last word of what is in quotes, or what is nowhere."""
    words = found.words
    is_quote = words.signs.those(_opens if step < 0 else _closes)
    is_inside = words.signs.those(_is_inside)
    ends = np.full(len(found.places), found.nowhere, np.int64)
    asked = np.arange(len(found.places))
    place = found.places
    for _ in range(_REACH + 1):
        # The sign before the first word, or behind the last.
        sign = words.sign[place if step < 0 else place + 1]
        is_here = is_quote[sign]
        ends[asked[is_here]] = place[is_here]
        is_open = ~is_here & is_inside[sign]
        is_open &= (place > found.first[asked]) if step < 0 else (place + 1 < found.last[asked])
        asked, place = asked[is_open], place[is_open] + step
        if not len(asked):
            break
    return ends


def _is_title(found: Candidates) -> Mask:
    """Tell which words stand in a title, which has capitals but for its small words."""
    words = found.words
    held = np.zeros(len(found.places), np.bool_)
    first = _end_of_title(found, -1)
    asked = np.flatnonzero(first != found.nowhere)
    if not len(asked):
        return held
    last = _end_of_title(Candidates(words, found.places[asked]), 1)
    is_closed = (last != found.nowhere) & (last - first[asked] <= _REACH)
    asked, last = asked[is_closed], last[is_closed]
    if len(asked):
        held[asked] = _have_capitals(words, first[asked], last - first[asked] + 1)
    return held


def _have_capitals(words: Words, first: Places, counts: Places) -> Mask:
    """Tell which titles have capitals, but for one small word at least, and more than capitals."""
    begins = np.concatenate(([0], np.cumsum(counts)[:-1]))
    inner = np.repeat(first - begins, counts) + np.arange(counts.sum())
    is_listed = vocabulary().listed(_SMALL, lambda: _SMALL)[words.number[inner]]
    is_large = ~(is_listed & words.is_lower(inner))
    large, capital, upper = (
        np.add.reduceat((is_large & held).astype(np.int64), begins)
        for held in (True, words.is_capital(inner), words.is_upper(inner))
    )
    held: Mask = (large > 1) & (large < counts) & (capital == large) & (upper < large)
    return held


IN_QUOTED_TITLE = HERE.is_capital & Condition(_is_title)
"""Whether a word stands in the title of a work in quotes: that tells it from speech and names."""
