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
# "Yo girl!", but "a 20 yo girl"
_EXCLAIMED = (
    HERE.sign(" ", ", ", "... ")
    & BEFORE.among("before_exclamation")
    & ~(BEFORE.is_word("yo") & (HERE - 2).is_digits)
)
EXCLAIMED = (
    Rule("calls.inverted", YES, OPENS_SENTENCE & NEXT.is_there & NEXT.sign(" ") & _IS_INVERTED,
         "it opens an exclamation"),
    Rule("calls.no_call", NO, OPENS_SENTENCE & NEXT.is_there & NEXT.sign(" "),
         "it opens a sentence that goes on"),
    Rule("calls.opening", YES, OPENS_SENTENCE & _CALLS, "it opens a sentence as a call"),
    Rule("calls.no_opening", NO, OPENS_SENTENCE, "it opens a sentence, but as no empty call"),
    Rule("calls.interjection", YES, _EXCLAIMED & (~HERE.sign(", ") | _IS_LAST),
         "an interjection stands before it"),
    Rule("calls.no_interjection", NO, _EXCLAIMED,
         "an interjection stands before it, but the phrase goes on"),
    Rule("calls.behind_comma", YES,
         HERE.sign(", ") & _IS_LAST & ~BEFORE.among("persons_by_default")
         & ~(NEXT.is_there & NEXT.sign(", ") & NEXT.among("persons_by_default")),
         "it ends a sentence behind a comma"),
    Rule("calls.in_list", NO, HERE.sign(", "), "it is one of a list"),
    Rule("calls.greeting", YES,
         _IS_LAST & HERE.sign(" ") & BEFORE.among("before_call") & ~HAS_DETERMINER,
         "it ends a sentence that calls someone"),
    Rule("calls.none", NO, ALWAYS, "nothing says that it is a call"),
)  # fmt: skip
"""Whether a word is a call that means nobody."""
