"""Titles before names: "Miss Woodhouse", "the fifth Lord", "Lady of Beilstein"."""

from fair_datasets.english.neighbours import IN_HEADLINE, WORD_BEFORE, everyday
from fair_datasets.english.places import HERE, NEXT
from fair_datasets.matching.conditions import ALWAYS
from fair_datasets.matching.rules import Rule, says

_IS_NOBLE = HERE.is_capital & HERE.among("nobility")
_OF_PLACE = _IS_NOBLE & NEXT.is_there & NEXT.sign(" ", ". ") & NEXT.is_word("of")
_SECOND, _THIRD = HERE + 2, HERE + 3
# "Lady de Vere", "Count van der Berg"
_BEFORE_PARTICLE = NEXT.among("particles") & (
    (_SECOND.is_capital & _SECOND.sign(" ", "'", "’"))
    | (_SECOND.among("particles") & _SECOND.sign(" ") & _THIRD.is_capital & _THIRD.sign(" "))
)
_BEFORE_NAME = (
    HERE.is_capital
    & NEXT.is_there
    & NEXT.sign(" ", ". ")
    & (NEXT.is_capital | _BEFORE_PARTICLE)
    # "MISS YOU", "MS Society", but "MS. CHEN"
    & (~HERE.is_capitals | (NEXT.is_capitals & NEXT.sign(". ")))
    # "King Street" is no king, and "I Miss You" a headline.
    & ~NEXT.among("after_other_name", "after_object", "determiners")
)
TITLE = (
    Rule("titles.ordinal", True, _IS_NOBLE & WORD_BEFORE.among("ordinals"),
         "an ordinal number stands before it"),
    Rule("titles.of_place", True, _OF_PLACE & (_SECOND.is_capital | _THIRD.is_capital),
         'the word "of" and a capitalised word stand behind it'),
    Rule(
        "titles.of_thing", False, _OF_PLACE, 'the word "of" and no capitalised word stand behind it'
    ),
    Rule("titles.before_name", True, _BEFORE_NAME, "a capitalised word stands behind it"),
    Rule("titles.none", False, ALWAYS, "no capitalised word stands behind it that may be a name"),
)  # fmt: skip
"""Whether a capitalised word is a title before a name."""
IS_ROYAL = (
    HERE.is_capital
    & HERE.among("royal_titles")
    & (
        NEXT.sign(" ")
        & NEXT.is_title
        & NEXT.longer(2)
        & ~everyday(NEXT)
        & ~NEXT.among("after_other_name", "names_too", "before_surname")
        & ~IN_HEADLINE
        & ~HERE.is_upper
    ).costly
)
"""Whether a royal title stands before a first name, listed or not, that it goes with."""
IS_TITLE = says(TITLE)
