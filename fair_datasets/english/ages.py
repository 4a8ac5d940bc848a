"""Ages of people in numbers: whether "a 40-year-old", "aged seven" or "in her sixties" is one."""

from functools import cache
from typing import Any

import numpy as np

from fair_datasets.english.age_forms import DECADE
from fair_datasets.english.age_tags import AGE_TAG, GENDERED, YEARS
from fair_datasets.english.bare_ages import BARE, BARE_AGES
from fair_datasets.english.described import described_noun
from fair_datasets.english.neighbours import BEFORE, HERE, NEXT, place_of
from fair_datasets.english.noun_phrases import (
    conjunction,
    ends_phrase,
    function_word,
    person_noun,
    subject_is_person,
)
from fair_datasets.english.numbers import (
    OLDEST,
    end_of_number,
    in_range,
    is_joiner,
    is_stripped_dash,
    number_that_ends,
    starts_number,
    value_at,
)
from fair_datasets.matching.conditions import ALWAYS, Candidates, Condition, Rule, choose
from fair_datasets.matching.places import Place
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places

# How far into a decade someone is, in years.
PART = {"early": 2, "mid": 5, "late": 8}
TAGS = {
    tag: age
    for age in YEARS
    for letters in GENDERED.values()
    for tag in (f"{age}{letters}", f"{letters}{age}")
}
YO = {f"{age}{ending}": age for age in range(1, OLDEST + 1) for ending in ("yo", "yos")}

# "40-year-old", "40 years old" and "forty years of age", at the word "year".
COUNT = number_that_ends(BEFORE)
_IS_JOINED = HERE.sign(" ", "-")


@cache
def _stated(first: Place, depth: int = 6) -> Condition:
    """Whether an age is said of a person: "she is only 40 years old"."""
    before = first - 1
    about = before.is_word("about", "around", "at", "nearly", "over")
    own = ~first.is_first & subject_is_person(first)
    return choose(about, _stated(before, depth - 1), own).costly if depth else own


_IS_COUNTED = COUNT.is_there & NEXT.is_there & _IS_JOINED
_OF_AGE = NEXT.is_word("of") & (HERE + 2).is_word("age")
_IS_OLD = NEXT.is_word("old", "olds") & NEXT.sign(" ", "-")
_ENDS_OLD = ends_phrase(NEXT) | conjunction(NEXT + 1)
_IS_ONE = Condition(lambda found: value_at(found, COUNT) == 1)

YEARS_OLD = (
    Rule("ages.no_count", "", ~_IS_COUNTED, "no number stands before it"),
    Rule("ages.of_age", "of age", _OF_AGE & _stated(COUNT),
         "it is said how many years of age someone is"),
    Rule("ages.not_old", "", ~_IS_OLD, 'the word "old" does not stand behind it'),
    Rule("ages.olds", "adults", NEXT.is_word("olds"), "those who are so old stand for themselves"),
    Rule("ages.old_person", "adult", described_noun(NEXT).is_there.costly,
         "a noun for people stands behind it"),
    Rule("ages.goes_on", "", (NEXT + 1).among("base_verbs") | ~_ENDS_OLD,
         "the phrase goes on with another noun"),
    Rule("ages.year_old", "adult", HERE.is_word("year", "yr") & ~_IS_ONE,
         "who is so old stands for themselves"),
    Rule("ages.years_old", "plain", _stated(COUNT), "it is said of a person"),
    Rule("ages.of_thing", "", ALWAYS, "it is said of a thing"),
)  # fmt: skip


# "in her late thirties"
def _back(found: Candidates) -> Places:
    place = found.at(BEFORE).copy()
    goes = np.flatnonzero(place != found.nowhere)
    parts = [vocabulary().number(word) for word in (*PART, "or", "to")]
    while len(goes):
        here = place[goes]
        goes = goes[(here > found.first[goes] + 1) & np.isin(found.words.number[here], parts)]
        place[goes] -= 1
    return place


vocabulary().expect(lambda: [*PART, "or", "to", *DECADE])
_OWNER = place_of(_back)


def _are_joined(found: Candidates) -> Mask:
    """Whether nothing but spaces and hyphens lie between the owner and the decade."""
    owner = found.at(_OWNER)
    held: Mask = owner != found.nowhere
    ok = found.words.signs.those(is_joiner)
    for j in np.flatnonzero(held).tolist():
        held[j] = bool(ok[found.words.sign[owner[j] : found.places[j] + 1]].all())
    return held


_HAS_CONJUNCTION = conjunction(NEXT)
IN_DECADE = (
    (_OWNER - 1).is_there
    & _OWNER.among("possessive_determiners")
    & (_OWNER - 1).is_word("in", "into", "of", "to")
    & Condition(_are_joined)
    & choose(
        _HAS_CONJUNCTION,
        ~((HERE + 2).is_word(*DECADE) | (HERE + 3).is_word(*DECADE)),
        ends_phrase(HERE),
    )
)

# "40yo", "40 yo" and "40 y/o", at the word that holds the y
_IS_SLASHED = HERE.is_word("y")
SHORT_LAST = NEXT.where(_IS_SLASHED, HERE)
SHORT_FIRST = HERE.where(HERE.is_word(*YO), number_that_ends(BEFORE))
SHORT = (
    (~_IS_SLASHED | (NEXT.is_word("o") & NEXT.sign("/")))
    & SHORT_FIRST.is_there
    & ~in_range(SHORT_FIRST)
    & (described_noun(SHORT_LAST).is_there | ends_phrase(SHORT_LAST)).costly
)

# "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12"
IS_TURNING, _IS_AGED = HERE.among("turning"), HERE.is_word("aged")
_SKIPS = choose(HERE.is_word("age", "ages"), NEXT.is_word("of"), NEXT.is_word("between"))
START = (HERE + 2).where(_SKIPS, NEXT)
_LOW_END = end_of_number(START)
HIGH = (_LOW_END + 2).where((_LOW_END + 1).is_word("to", "and"), _LOW_END + 1)
IS_RANGE = in_range(START)
_HAS_HIGH = (
    ((_LOW_END + 1).is_word("to", "and") | (_LOW_END + 1).sign_that(is_stripped_dash))
    & starts_number(HIGH)
    & Condition(lambda found: value_at(found, HIGH) > value_at(found, START))
)
_LAST = end_of_number(HIGH).where(IS_RANGE, _LOW_END)
_AFTER = _LAST + 1
_IN_YEARS = _AFTER.among("years")
_OWNED_BEFORE = BEFORE.among("before_age")


def _is_open_sign(sign: str) -> bool:
    return "," in sign or "(" in sign


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit()


_AGED = ~_IN_YEARS & (
    (~HERE.is_first & subject_is_person(HERE))
    | HERE.is_first
    | HERE.sign_that(_is_open_sign)
    | BEFORE.that(_is_year)
    | BEFORE.among("dying")
    | function_word(BEFORE)
)
_IS_FREE = HERE.is_first | ~HERE.sign(" ") | _OWNED_BEFORE | person_noun(BEFORE)
_IS_BOUND = BEFORE.among("age_bounds") | (HERE - 2).among("age_bounds")
_TOLD = choose(
    IS_TURNING,
    ~_IN_YEARS & subject_is_person(HERE),
    choose(_IS_AGED, _AGED, _IS_FREE & ~_IS_BOUND),
)
NUMBER_BEHIND = (
    starts_number(START)
    & START.sign(" ")
    & (~IS_RANGE | (~IS_TURNING & _HAS_HIGH))
    & ~_AFTER.among("measures")
    & (ends_phrase(_LAST) | _IN_YEARS | _AFTER.among("moments"))
    & _TOLD.costly
)


DECADE_RULE = Rule("ages.decade", True, IN_DECADE, "it is a decade that is someone's")
SHORT_RULE = Rule("ages.short", True, SHORT, 'it is a number with "yo" or "y/o" behind it')
BARE_RULE = Rule("ages.bare", True, BARE, "it is a number that stands as an age does")
TAG_RULE = Rule("ages.tag", True, AGE_TAG, "it is the age and the gender of a person in one word")
BEHIND_RULE = Rule(
    "ages.number_behind", True, NUMBER_BEHIND, "a word that ages stand behind stands before it"
)
RULES: tuple[Rule[Any], ...] = (
    *YEARS_OLD, DECADE_RULE, SHORT_RULE, BARE_RULE, TAG_RULE, BEHIND_RULE
)  # fmt: skip
"""What decides of ages, each where its words stand."""


def _ends_in_digit(word: str) -> bool:
    return word[-1:].isdigit()


# Ages that are not read, beside a person: "a six-month-old girl"
ENDS_AGE = choose(
    HERE.is_word("o"),
    BEFORE.is_word("y") & HERE.sign("/"),
    choose(
        HERE.is_word("yo", "yos"),
        BEFORE.that(_ends_in_digit),
        (BEFORE.among("spans", "years") & HERE.sign(" ", "-")) | HERE.is_word(*YO),
    ),
)

AGE_ENDS = ("old", "older", "o", "yo", "yos", *YO)
SHORTS = ("y", "yo", "yos", *YO)
vocabulary().expect(lambda: (*AGE_ENDS, "age", "ages", "aged", *SHORTS, *BARE_AGES, *TAGS))
