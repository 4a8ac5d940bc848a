"""Titles before names: "Miss Woodhouse", "the fifth Lord", "Lady of Beilstein"."""

from fair_datasets.english.neighbours import WORD_BEFORE
from fair_datasets.english.places import HERE, NEXT
from fair_datasets.matching.conditions import ALWAYS
from fair_datasets.matching.rules import Rule, says

_IS_NOBLE = HERE.is_capital & HERE.among("nobility")
_OF_PLACE = _IS_NOBLE & NEXT.is_there & NEXT.sign(" ", ". ") & NEXT.is_word("of")
_BEFORE_NAME = (
    HERE.is_capital
    & NEXT.is_there
    & NEXT.sign(" ", ". ")
    & NEXT.is_capital
    # "MISS YOU", "MS Society", but "MS. CHEN"
    & (~HERE.is_capitals | (NEXT.is_capitals & NEXT.sign(". ")))
    # "King Street" is no king, and "I Miss You" a headline.
    & ~NEXT.among("after_other_name", "after_object", "determiners")
)
TITLE = (
    Rule("titles.ordinal", True, _IS_NOBLE & WORD_BEFORE.among("ordinals")),
    Rule("titles.of_place", True, _OF_PLACE & ((HERE + 2).is_capital | (HERE + 3).is_capital)),
    Rule("titles.before_name", True, _BEFORE_NAME),
    Rule("titles.none", False, ALWAYS),
)
"""Whether a capitalised word is a title before a name."""
IS_TITLE = says(TITLE)
