"""Whether words stand alone: are no parts of longer words, of addresses, paths or code."""

import numpy as np

from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.places import Place
from fair_datasets.matching.protected import ProtectedText
from fair_datasets.matching.tokens import BREAKS, INSIDE, SIGILS, UNDERSCORES, is_mark
from fair_datasets.matching.words import Mask

HERE = Place(lambda found: found.places, code=lambda: "here")
LAST = Place(lambda found: found.lasts, code=lambda: "last")
_BEFORE, _NEXT = HERE - 1, LAST + 1


def _is_clear_before(sign: str) -> bool:
    return sign == "" or sign[-1] in ' "'


def _is_clear_behind(sign: str) -> bool:
    return sign[:1] in (" ", '"', "'") or (sign[:1] in tuple(".,;:!") and sign[1:2] == " ")


def _is_clear_end(sign: str) -> bool:
    return sign in ("", *".,;:!") or _is_clear_behind(sign)


IS_CLEAR = HERE.sign_that(_is_clear_before) & (
    (_NEXT.is_there & _NEXT.sign_that(_is_clear_behind))
    | (~_NEXT.is_there & _NEXT.sign_that(_is_clear_end))
)
"""Whether the signs around a word leave no doubt that it stands alone, is not hyphenated, and that
no address and no path is there (but code may be)."""


def _joins_behind(sign: str) -> bool:
    return sign in BREAKS or (sign != "" and (sign[-1] in SIGILS or is_mark(sign[-1])))


def _joins_before(sign: str) -> bool:
    return sign in BREAKS or (sign != "" and is_mark(sign[0]))


_IS_TAIL = ~HERE.is_first & HERE.sign(*sorted(INSIDE)) & (~HERE.sign("/") | _BEFORE.is_word("s"))
_IS_HEAD = _NEXT.is_there & _NEXT.sign(*UNDERSCORES)
IS_ALONE = (HERE.sign(" ") & _NEXT.sign(" ")) | ~(
    _IS_TAIL | _IS_HEAD | HERE.sign_that(_joins_behind) | _NEXT.sign_that(_joins_before)
)
"""Whether a word is a word of its own, and no part of a name, a code or an address.

The tail of a contraction (y'all), a part of an identifier (user_he), the he of s/he, a part of a
word that a line break or a soft hyphen divides and a word with a combining mark behind it (which is
another word) are not."""

IS_HYPHENATED = (~HERE.is_first & HERE.sign("-")) | (_NEXT.is_there & _NEXT.sign("-"))
"""Whether a hyphen joins a word to another one."""


def is_protected(found: Candidates) -> Mask:
    """Tell which words stand in an address, a handle, a tag, code or a path.

    Args:
        found: The words.

    Returns:
        Whether each does. Shape (C,).
    """
    words = found.words
    owner = words.owner[found.places]
    may_be_code = words.may_hold_code
    held = np.zeros(len(owner), np.bool_)
    asked = np.flatnonzero(~found.holds(IS_CLEAR) | may_be_code[owner])
    texts: dict[int, ProtectedText] = {}
    for row, text in zip(asked.tolist(), owner[asked].tolist(), strict=True):
        if text not in texts:
            texts[text] = ProtectedText(words.texts[text])
        offset = int(words.start[found.places[row]] - words.offset[text])
        held[row] = texts[text].covers(offset)
    return held
