"""Surnames that are known by another mention: "Ed Bradley ... Bradley's legacy"."""

import numpy as np

from fair_datasets.english.neighbours import (
    BEFORE,
    FOLLOWER,
    HERE,
    IN_HEADLINE,
    JOINED,
    everyday,
)
from fair_datasets.matching.conditions import Candidates, told_of_all
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places, Words

# How far away the other mention may be, in words.
_MEMORY = 200
_TITLES = ("before_first_name", "before_surname", "before_name_of_man", "before_name_of_woman")
# "Ed Bradley", "Robert E. Howard"
_IS_BEHIND_INITIAL = BEFORE.is_letter & BEFORE.is_capital & BEFORE.sign(" ") & (HERE - 2).is_title
_STANDS_AS_SURNAME = (
    ((JOINED & BEFORE.is_title & ~BEFORE.is_letter) | (HERE.sign(". ") & _IS_BEHIND_INITIAL))
    & ~FOLLOWER.is_there
    & ~everyday(BEFORE)
    & ~IN_HEADLINE.costly
    & ~BEFORE.among(*_TITLES, "person_nouns")
    & ~HERE.among("second_names")
)


def _is_surname_nearby(found: Candidates) -> Mask:
    """Tell whether a name stands behind another one nearby: "Ed Bradley ... Bradley's legacy"."""
    words = found.words
    held = np.zeros(len(found.places), np.bool_)
    # Others may take words up meanwhile.
    many = len(vocabulary())
    asked = np.zeros(many, np.bool_)
    asked[words.number[found.places]] = True
    asked[0] = False
    alike = np.flatnonzero(asked[words.number])
    if not len(alike):
        return held
    # By text, word and place; a word that is there once has no other mention.
    keys = np.sort(_keys(words, alike, many))
    is_close = np.diff(keys) <= _MEMORY
    keys = keys[np.append(is_close, False) | np.append(False, is_close)]
    alike = keys % _size(words)
    is_joined = np.isin(words.sign[alike], [words.signs.number(sign) for sign in (" ", ". ")])
    here = _keys(words, found.places, many)
    others = Candidates(words, alike[is_joined])
    surnames = keys[is_joined][others.holds(_STANDS_AS_SURNAME)]
    if not len(surnames):
        return held
    behind = np.searchsorted(surnames, here, side="right")
    for nearest, is_there in (
        (np.searchsorted(surnames, here) - 1, surnames[0] < here),
        (behind, behind < len(surnames)),
    ):
        distance = np.abs(surnames[np.where(is_there, nearest, 0)] - here)
        held |= is_there & (distance <= _MEMORY)
    return held


def _keys(words: Words, places: Places, many: int) -> Places:
    """Return numbers that are close only for the same word of one text."""
    found: Places = words.owner[places] * many + words.number[places]
    return found * _size(words) + places


def _size(words: Words) -> int:
    """Return by how much the numbers of two words differ at least."""
    return 2 * len(words) + _MEMORY


IS_SURNAME_NEARBY = told_of_all(_is_surname_nearby)
"""Whether a word stands behind a first name nearby, as a surname does."""
