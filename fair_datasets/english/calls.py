"""Calls that mean nobody: "Oh man!", "Boy, was it hot", "hey dude"."""

from fair_datasets.english.neighbours import (
    HAS_DETERMINER,
    OPENS_SENTENCE,
    ends_sentence,
    word_behind,
)
from fair_datasets.english.places import BEFORE, HERE, NEXT
from fair_datasets.matching.conditions import ALWAYS
from fair_datasets.matching.rules import Rule

YES, NO = True, False

_BEHIND_END = NEXT.sign_that(lambda sign: sign[:1] in ",.!?…)\n")
_IS_LAST = ~NEXT.is_there | _BEHIND_END | (NEXT.is_there & NEXT.sign_that(ends_sentence))
_IS_INVERTED = NEXT.is_word("oh") | (
    NEXT.among("auxiliaries") & word_behind(NEXT).among("subjects")
)
_IS_LISTED = NEXT.among("persons_by_default") | NEXT.is_digits
_CALLS = (
    NEXT.sign_that(lambda sign: sign.startswith((",", "!")))
    & ~HERE.among("relatives")
    & ~_IS_LISTED
    & ~(HERE.sign_that(lambda sign: ":" in sign) & HERE.is_lower)
)
_EXCLAIMED = HERE.sign(" ", ", ", "... ") & BEFORE.among("before_exclamation")
EXCLAIMED = (
    Rule("calls.inverted", YES, OPENS_SENTENCE & NEXT.is_there & NEXT.sign(" ") & _IS_INVERTED),
    Rule("calls.opening", YES, OPENS_SENTENCE & _CALLS),
    Rule("calls.interjection", YES, _EXCLAIMED & (~HERE.sign(", ") | _IS_LAST)),
    Rule(
        "calls.behind_comma",
        YES,
        HERE.sign(", ")
        & _IS_LAST
        & ~BEFORE.among("persons_by_default")
        & ~(NEXT.is_there & NEXT.sign(", ") & NEXT.among("persons_by_default")),
    ),
    Rule(
        "calls.greeting",
        YES,
        _IS_LAST & HERE.sign(" ") & BEFORE.among("before_call") & ~HAS_DETERMINER,
    ),
    Rule("calls.none", NO, ALWAYS),
)
"""Whether a word is a call that means nobody."""
