"""Titles of works in quotes: "Girl with a Pearl Earring"."""

import numpy as np

from fair_datasets.english.places import HERE
from fair_datasets.matching.conditions import Candidates, Condition
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places

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
    first = _end_of_title(found, -1)
    held = first != found.nowhere
    asked = np.flatnonzero(held)
    if not len(asked):
        return held
    last = _end_of_title(Candidates(words, found.places[asked]), 1)
    is_closed = (last != found.nowhere) & (last - first[asked] <= _REACH)
    held[asked[~is_closed]] = False
    for candidate, start, stop in zip(
        asked[is_closed].tolist(),
        first[asked[is_closed]].tolist(),
        last[is_closed].tolist(),
        strict=True,
    ):
        held[candidate] = _has_capitals(found, np.arange(start, stop + 1))
    return held


def _has_capitals(found: Candidates, inner: Places) -> bool:
    """Tell whether the words of a title have capitals, but for one small word at least."""
    words = found.words
    small = np.isin(words.number[inner], [vocabulary().number(word) for word in _SMALL])
    large = inner[~(small & words.is_lower(inner))]
    if not 1 < len(large) < len(inner):
        return False
    return bool(words.is_capital(large).all() and not words.is_upper(large).all())


IN_QUOTED_TITLE = HERE.is_capital & Condition(_is_title)
"""Whether a word stands in the title of a work in quotes: that tells it from speech and names."""
