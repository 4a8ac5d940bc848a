"""Telling nouns of one spelling apart: a girl of 23 and one of 5; a male and a male nurse.

Between men and women they are written alike; without a gender a girl of 5 is a child, and any other
a young person, as children are as well. A mistress is a man's lover, or has servants.
"""

from collections.abc import Sequence
from dataclasses import replace

from fair_datasets.english.neighbours import BEFORE, HAS_DETERMINER, HERE, NEXT, WORD_BEHIND
from fair_datasets.english.numbers import NUMBER
from fair_datasets.matching.conditions import ALWAYS, Rule

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


def _opens_quote(sign: str) -> bool:
    return sign[:1] == " " and sign[1:2] in ('"', "“", "'", "‘", "`")


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
GIRL = (
    Rule("grown.child", "singular", _IS_CHILD, "an age or a word near it is a child's"),
    Rule("grown.open", "grown singular", ALWAYS, "nothing says that it is a child"),
)
"""Whether a girl or a boy is a child."""
_PLURAL = {
    "singular": "plural",
    "grown singular": "grown plural",
    "serving singular": "serving plural",
}


def _of_many(rules: Sequence[Rule[str]]) -> tuple[Rule[str], ...]:
    """Return the rules of a noun for its plural."""
    return tuple(replace(rule, verdict=_PLURAL[rule.verdict]) for rule in rules)


GIRLS = _of_many(GIRL)
"""Whether girls or boys are children."""
_HAS_LOVER = HERE.any_before(3, "a", "an", "his", "other", "s") | BEFORE.is_word("of")
MISTRESS = (
    Rule("mistress.love", "singular", HERE.any_around(_AROUND, of="beside_mistress"),
         "a word near it is about love"),
    Rule("mistress.of", "serving singular", NEXT.is_word("of") & ~_SECOND.is_capital,
         'the word "of" stands behind it, and no name'),
    Rule("mistress.whose", "singular", _HAS_LOVER & ~HERE.any_around(_AROUND, of="servants"),
         "a man has her"),
    Rule("mistress.other", "serving singular", ALWAYS, "nothing says that a man has her"),
)  # fmt: skip
"""Whether a mistress is somebody's lover, or has servants or pupils."""
MISTRESSES = _of_many(MISTRESS)
"""Whether mistresses are lovers."""
_ENDS_PHRASE = (~WORD_BEHIND.is_there & ~NEXT.sign_that(_opens_quote)) | (
    WORD_BEHIND.among("after_noun", "auxiliaries") & ~WORD_BEHIND.is_word("and", "of", "or", "to")
)
MALE = (
    Rule("male.noun", "noun",
         (HAS_DETERMINER | _IS_OLD) & _ENDS_PHRASE,
         "a determiner stands before it, and no noun behind it"),
    Rule("male.adjective", "adjective", ALWAYS, "a noun may stand behind it"),
)  # fmt: skip
"""Whether "male" and "female" are nouns for one person."""
