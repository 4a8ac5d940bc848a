"""Ages that are told by a number alone: "the tenant, 38, said nothing", "she married at 19"."""

from fair_datasets.english.neighbours import BEFORE, HERE, is_blank, opens_sentence
from fair_datasets.english.noun_phrases import (
    REACH,
    conjunction,
    ends_at_person,
    is_blank_or_apostrophe,
    names_person,
    opens_name,
    people,
    subject_is_person,
)
from fair_datasets.english.numbers import (
    NUMBER,
    OLDEST,
    end_of_number,
    in_range,
    starts_number,
    value_at,
)
from fair_datasets.matching.conditions import NEVER, Condition, choose
from fair_datasets.matching.places import Place

_BE = ("am", "is", "m", "s", "was")
_HOURS = 12
BARE_AGES = frozenset(
    {str(age) for age in range(1, OLDEST)} | {word for word in NUMBER if NUMBER[word] > 10}
)
"""Where an age may be told by a number alone; up to ten in words it is more often a count."""

_BARE_LAST = end_of_number(HERE)
_BEHIND = _BARE_LAST + 1


def _value_over(hours: int) -> Condition:
    return Condition(lambda found: value_at(found, HERE) > hours)


_OVER_HOURS = _value_over(_HOURS)
_IS_COUNTABLE = people(BEFORE) | (BEFORE.ends_with("s") & BEFORE.is_lower)
_ONE_PERSON = ~BEFORE.among("personal_subjects", "groups") & ~_IS_COUNTABLE & names_person(BEFORE)
_ENCLOSED = (HERE.sign(", ") & _BEHIND.sign_that(lambda sign: sign[:1] in (",", ".", ";"))) | (
    HERE.sign(" (") & _BEHIND.sign_that(lambda sign: sign[:1] == ")")
)
_MEASURES = (
    in_range(HERE)
    | ~_BEHIND.sign_that(lambda sign: sign[:1] in ("", " ", ",", ".", ";", ")", "!", "?"))
    | _BEHIND.among("clock", "measures", "years")
    | (_BEHIND.is_there & _BEHIND.is_capital & ~_BEHIND.is_word("i"))
    | ~ends_at_person(_BARE_LAST)
)
_STATED = (
    ~(_BEHIND.sign_that(is_blank) & ~_BEHIND.among("behind_age"))
    & ~_BEHIND.sign("-")
    & subject_is_person(HERE)
)


def _done_by_person(verb: Place) -> Condition:
    """Whether the subject of a verb is a person, also where "and" joins it to another verb."""
    around = verb.any_before(REACH, "he", "i", "she", "who")
    return (subject_is_person(verb) | (conjunction(verb - 1) & around)).costly


def _in_life(distance: int) -> Condition:
    """Walk back from "at" to what came to pass in someone's life."""
    place = BEFORE - distance
    timed = place.among("timed_life_events")
    event = timed | place.among("life_events")
    rest = _in_life(distance + 1) if distance < REACH - 1 else NEVER
    return (
        place.is_there
        & ~place.is_first_or_nowhere
        & (place + 1).sign_that(is_blank_or_apostrophe)
        & choose(event, (_OVER_HOURS | ~timed) & _done_by_person(place), rest)
    ).costly


_OPENS_AT = opens_sentence(BEFORE)
_AT_OPENING = (
    _OVER_HOURS
    & _BEHIND.sign(", ", " ")
    & (_BEHIND.is_word("he", "i", "she") | (_BEHIND.is_there & opens_name(_BEHIND)))
)
_IN_LIFE = choose(_OPENS_AT, _AT_OPENING, _in_life(1))
_SAID_PLAIN = choose(
    BEFORE.is_word("of") & (HERE - 2).is_there,
    (HERE - 2).among("aged_persons"),
    choose(
        BEFORE.is_word("at"),
        _IN_LIFE.costly,
        BEFORE.is_word(*_BE) & _OVER_HOURS & _STATED.costly,
    ),
)
BARE = (
    starts_number(HERE)
    & ~HERE.is_first
    & ~HERE.sign_that(lambda sign: sign[:1] == "-")
    & choose(
        _ENCLOSED,
        (_ONE_PERSON & ~in_range(HERE)).costly,
        (HERE.sign(" ") & _SAID_PLAIN & ~_MEASURES.costly).costly,
    )
)
