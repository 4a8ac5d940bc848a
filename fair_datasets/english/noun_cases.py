"""Telling nouns of one spelling apart: a girl of 23 and one of 5; a male and a male nurse.

Between men and women they are written alike; without a gender a girl of 23 is a young person, and
one of 5 is a child.
"""

from dataclasses import replace

from fair_datasets.english.neighbours import BEFORE, HAS_DETERMINER, HERE, NEXT, WORD_BEHIND
from fair_datasets.english.numbers import NUMBER
from fair_datasets.matching.conditions import ALWAYS
from fair_datasets.matching.rules import Rule

_AROUND = range(-10, 11)
_GROWN_FROM = 16
_SECOND = HERE + 2


def _years(word: str) -> int:
    """Return the number of years that a word may tell; 0 where it tells none."""
    if word.isdecimal() and len(word) < 3:
        return int(word)
    return NUMBER.get(word, 0)


def _is_childs_age(word: str) -> bool:
    return 0 < _years(word) < _GROWN_FROM


def _is_grown_age(word: str) -> bool:
    return _years(word) >= _GROWN_FROM


_HAS_AGE = NEXT.is_word("of", "aged")
# "a 5-year-old girl"
_IS_OLD = BEFORE.is_word("old") & (HERE - 2).is_word("year", "years")
_IS_CHILD = (
    (_HAS_AGE & _SECOND.that(_is_childs_age))
    | (_IS_OLD & (HERE - 3).that(_is_childs_age))
    | BEFORE.among("before_child")
    | (HERE - 2).among("before_child")
    | (BEFORE.among("possessive_determiners") & HERE.is_word("boy", "boys"))
    | HERE.any_around(_AROUND, of="beside_child")
)
_IS_GROWN = (
    (_HAS_AGE & _SECOND.that(_is_grown_age))
    | (_IS_OLD & (HERE - 3).that(_is_grown_age))
    | HERE.any_around(_AROUND, of="beside_grown")
)
GIRL = (
    Rule("grown.child", "singular", _IS_CHILD, "an age or a word near it is a child's"),
    Rule("grown.up", "grown singular", _IS_GROWN, "an age or a word near it is not a child's"),
    Rule("grown.open", "singular", ALWAYS, "nothing says that it is somebody grown up"),
)
"""Whether a girl or a boy is a child."""
_PLURAL = {"singular": "plural", "grown singular": "grown plural"}
GIRLS = tuple(replace(rule, verdict=_PLURAL[rule.verdict]) for rule in GIRL)
"""Whether girls or boys are children."""
_ENDS_PHRASE = ~WORD_BEHIND.is_there | (
    WORD_BEHIND.among("after_noun", "auxiliaries") & ~WORD_BEHIND.is_word("and", "of", "or", "to")
)
MALE = (
    Rule("male.noun", "noun",
         (HAS_DETERMINER | _IS_OLD) & _ENDS_PHRASE,
         "a determiner stands before it, and no noun behind it"),
    Rule("male.adjective", "adjective", ALWAYS, "a noun may stand behind it"),
)  # fmt: skip
"""Whether "male" and "female" are nouns for one person."""
