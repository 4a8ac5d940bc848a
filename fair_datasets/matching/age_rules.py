"""Ages of people in numbers: "a 40-year-old", "aged seven", "in her sixties"."""

from functools import cache, reduce
from operator import and_, or_

import numpy as np

from fair_datasets.matching.people.age_forms import (
    DECADE,
    AgeMention,
    age_mention,
    decade_mention,
    range_mention,
)
from fair_datasets.matching.people.age_numbers import (
    _DASHES,
    _JOIN_NUMBERS,
    _LARGE_NUMBERS,
    NUMBER,
    OLDEST,
    TEN,
    Number,
)
from fair_datasets.matching.people.ages import (
    _AGE_ENDS,
    _BEFORE_AGE,
    _BOUNDS,
    _DYING,
    _MOMENTS,
    _OWNERS,
    _PART,
    _SPANS,
    _TURNING,
    _YO,
    AGE_TRIGGERS,
)
from fair_datasets.matching.people.bare_ages import _BE, _CLOCK, _HOURS, BARE_AGES, UNITS, YEARS
from fair_datasets.matching.phrase_rules import (
    _NEVER,
    REACH,
    choose,
    conjunction,
    ends_at_person,
    ends_phrase,
    function_word,
    is_blank_or_apostrophe,
    listed,
    names_person,
    opens_name,
    people,
    person_noun,
    subject_is_person,
)
from fair_datasets.matching.rules import (
    ALWAYS,
    BEFORE,
    HERE,
    NEXT,
    Candidates,
    Condition,
    Place,
    Rule,
    deciding,
)
from fair_datasets.matching.shapes import is_blank, opens_sentence
from fair_datasets.matching.tokens import Tokens
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places, Words

vocabulary().expect(lambda: [*NUMBER, *AGE_TRIGGERS, *_AGE_ENDS, *_SPANS])


def is_number(place: Place) -> Condition:
    return place.is_digits | place.is_word(*NUMBER)


# Numbers that may be ages, by the place of their first word.
def _word_value(word: str) -> int:
    if word.isascii() and word.isdigit():
        return int(word) if len(word) < 4 and 0 < int(word) <= OLDEST and word[0] != "0" else 0
    return NUMBER.get(word, 0)


def _values(words: Words, places: Places) -> "np.ndarray":
    """Return the numbers that words are, from 1 to `OLDEST`; 0 for other words."""
    known = _column()
    found = known[words.number[places]]
    # Numbers in digits that stand in no list, such as 117, are read from their digits.
    for j in np.flatnonzero((words.number[places] == 0) & words.is_digits(places)).tolist():
        found[j] = _word_value(words.lower(places[j]))
    return found


def _column() -> "np.ndarray":
    known = vocabulary()
    found = _COLUMNS.get(len(known))
    if found is None:
        found = np.array([_word_value(known.word(n)) for n in range(len(known))], np.int64)
        _COLUMNS.clear()
        _COLUMNS[len(known)] = found
    return found


_COLUMNS: dict[int, "np.ndarray"] = {}


def _is_part_sign(sign: str) -> bool: return sign in (".", ",", "/", ":")
def _is_joiner(sign: str) -> bool: return sign in (" ", "-")


@cache
def _is_tens(place: Place) -> Condition:
    """Whether a number goes on with the next word: "twenty-one"."""
    ones = [word for word, value in NUMBER.items() if 0 < value < 10]
    return place.is_word(*TEN) & (place + 1).is_word(*ones) & (place + 1).sign(" ", "-")


@cache
def starts_number(place: Place) -> Condition:
    """Whether a number from 1 to `OLDEST` starts at a word."""
    digits = place.is_digits & ~((place + 1).is_there & (place + 1).sign_that(_is_part_sign))
    words = place.is_word(*NUMBER) & ~(place + 1).is_word(*_LARGE_NUMBERS)
    has_value = Condition(lambda found: _values(found.words, found.at(place)) > 0)
    return (digits | words) & has_value


@cache
def end_of_number(place: Place) -> Place:
    """The last word of the number that starts at a word."""
    return (place + 1).where(~place.is_digits & _is_tens(place), place)


def value_at(found: Candidates, place: Place) -> "np.ndarray":
    """Return the value of the number that starts at a word."""
    at, end = found.at(place), found.at(end_of_number(place))
    first, last = _values(found.words, at), _values(found.words, end)
    value: np.ndarray = first + np.where(end > at, last, 0)
    return value


def _may_stand_before(sign: str) -> bool: return sign[-1:].isspace() or sign[-1:] in "(\"“'‘—[>"
def _is_dash(sign: str) -> bool: return sign in _DASHES
def _is_stripped_dash(sign: str) -> bool: return sign.strip() in _DASHES


@cache
def in_range(first: Place) -> Condition:
    """Whether a number is one of two, as in "five or six" and "10-12", or a part of one."""
    last = end_of_number(first)
    before, second = first - 1, first - 2
    after, other = last + 1, last + 2
    joins = after.is_word(*_JOIN_NUMBERS)
    return (
        (~first.is_first & ~first.sign_that(_may_stand_before))
        | before.is_word(*_LARGE_NUMBERS)
        | (
            before.is_word(*_JOIN_NUMBERS)
            & second.is_there
            & (is_number(second) | second.is_word(*_LARGE_NUMBERS))
        )
        | choose(joins, is_number(other), after.sign_that(_is_dash) & is_number(after))
    )


@cache
def number_that_ends(place: Place) -> Place:
    """The first word of the number whose last word is given; none in a range."""
    before = place - 1
    is_two = starts_number(before) & Condition(
        lambda found: found.at(end_of_number(before)) == found.at(place)
    )
    is_one = starts_number(place) & Condition(
        lambda found: found.at(end_of_number(place)) == found.at(place)
    )
    first = before.where(is_two, place.where(is_one))
    return first.where(first.is_there & ~in_range(first))


# "40-year-old", "40 years old" and "forty years of age", at the word "year".
_COUNT = number_that_ends(BEFORE)
_OLD = NEXT
_IS_JOINED = HERE.sign(" ", "-")


@cache
def _stated(first: Place, depth: int = 6) -> Condition:
    """Whether an age is said of a person: "she is only 40 years old"."""
    before = first - 1
    about = before.is_word("about", "around", "at", "nearly", "over")
    own = ~first.is_first & subject_is_person(first)
    return choose(about, _stated(before, depth - 1), own).costly if depth else own


def _noun_behind(place: Place) -> Condition:
    from fair_datasets.matching.usage_rules import described

    return described(place).is_there


_IS_COUNTED = _COUNT.is_there & NEXT.is_there & _IS_JOINED
_OF_AGE = NEXT.is_word("of") & (HERE + 2).is_word("age")
_IS_OLD = NEXT.is_word("old", "olds") & NEXT.sign(" ", "-")
_ENDS_OLD = ends_phrase(NEXT) | conjunction(NEXT + 1)
_VALUE = lambda found: value_at(found, _COUNT)  # noqa: E731
_IS_ONE = Condition(lambda found: value_at(found, _COUNT) == 1)

YEARS_OLD = (
    Rule("ages.no_count", "", ~_IS_COUNTED),
    Rule("ages.of_age", "of age", _OF_AGE & _stated(_COUNT)),
    Rule("ages.of_no_person", "", _OF_AGE),
    Rule("ages.not_old", "", ~_IS_OLD),
    Rule("ages.olds", "adults", NEXT.is_word("olds")),
    Rule("ages.old_person", "adult", _noun_behind(NEXT).costly),
    Rule("ages.goes_on", "", (NEXT + 1).among("base_verbs") | ~_ENDS_OLD),
    Rule("ages.year_old", "adult", HERE.is_word("year", "yr") & ~_IS_ONE),
    Rule("ages.years_old", "plain", _stated(_COUNT)),
    Rule("ages.of_thing", "", ALWAYS),
)

# "in her late thirties"
def _back(found: Candidates) -> Places:
    place = found.at(BEFORE).copy()
    goes = np.flatnonzero(place != found.nowhere)
    parts = [vocabulary().number(word) for word in (*_PART, "or", "to")]
    while len(goes):
        here = place[goes]
        goes = goes[(here > found.first[goes] + 1) & np.isin(found.words.number[here], parts)]
        place[goes] -= 1
    return place


vocabulary().expect(lambda: [*_PART, "or", "to", *DECADE])
_OWNER = Place(_back)


def _are_joined(found: Candidates) -> Mask:
    """Whether nothing but spaces and hyphens lie between the owner and the decade."""
    owner = found.at(_OWNER)
    held = owner != found.nowhere
    ok = found.words.signs.those(_is_joiner)
    for j in np.flatnonzero(held).tolist():
        held[j] = bool(ok[found.words.sign[owner[j] : found.places[j] + 1]].all())
    return held


_HAS_CONJUNCTION = conjunction(NEXT)
IN_DECADE = (
    (_OWNER - 1).is_there
    & _OWNER.is_word(*_OWNERS)
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
_SHORT_LAST = NEXT.where(_IS_SLASHED, HERE)
_SHORT_FIRST = HERE.where(HERE.is_word(*_YO), number_that_ends(BEFORE))
SHORT = (
    (~_IS_SLASHED | (NEXT.is_word("o") & NEXT.sign("/")))
    & _SHORT_FIRST.is_there
    & ~in_range(_SHORT_FIRST)
    & (_noun_behind(_SHORT_LAST) | ends_phrase(_SHORT_LAST)).costly
)

# "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12"
_IS_TURNING, _IS_AGED = HERE.is_word(*_TURNING), HERE.is_word("aged")
_SKIPS = choose(HERE.is_word("age", "ages"), NEXT.is_word("of"), NEXT.is_word("between"))
_START = (HERE + 2).where(_SKIPS, NEXT)
_LOW_END = end_of_number(_START)
_HIGH = (_LOW_END + 2).where((_LOW_END + 1).is_word("to", "and"), _LOW_END + 1)
_IS_RANGE = in_range(_START)
_HAS_HIGH = (
    ((_LOW_END + 1).is_word("to", "and") | (_LOW_END + 1).sign_that(_is_stripped_dash))
    & starts_number(_HIGH)
    & Condition(lambda found: value_at(found, _HIGH) > value_at(found, _START))
)
_LAST = end_of_number(_HIGH).where(_IS_RANGE, _LOW_END)
_AFTER = _LAST + 1
_IN_YEARS = _AFTER.is_word(*YEARS)
_OWNED_BEFORE = BEFORE.is_word(*_BEFORE_AGE)


def _is_open_sign(sign: str) -> bool: return "," in sign or "(" in sign


def _is_year(word: str) -> bool: return len(word) == 4 and word.isdigit()


_AGED = ~_IN_YEARS & (
    (~HERE.is_first & subject_is_person(HERE))
    | HERE.is_first
    | HERE.sign_that(_is_open_sign)
    | BEFORE.that(_is_year)
    | BEFORE.is_word(*_DYING)
    | function_word(BEFORE)
)
_IS_FREE = HERE.is_first | ~HERE.sign(" ") | _OWNED_BEFORE | person_noun(BEFORE)
_IS_BOUND = BEFORE.is_word(*_BOUNDS) | (HERE - 2).is_word(*_BOUNDS)
_TOLD = choose(
    _IS_TURNING,
    ~_IN_YEARS & subject_is_person(HERE),
    choose(_IS_AGED, _AGED, _IS_FREE & ~_IS_BOUND),
)
NUMBER_BEHIND = (
    starts_number(_START)
    & _START.sign(" ")
    & (~_IS_RANGE | (~_IS_TURNING & _HAS_HIGH))
    & ~_AFTER.is_word(*UNITS)
    & (ends_phrase(_LAST) | _IN_YEARS | _AFTER.is_word(*_MOMENTS))
    & _TOLD.costly
)

# An age that is told by a number alone: "the tenant, 38, said nothing"
_BARE_LAST = end_of_number(HERE)
_BEHIND = _BARE_LAST + 1


def _value_over(hours: int) -> Condition:
    return Condition(lambda found: value_at(found, HERE) > hours)


_OVER_HOURS = _value_over(_HOURS)
_IS_COUNTABLE = people(BEFORE) | (BEFORE.ends_with("s") & BEFORE.is_lower)
_ONE_PERSON = (
    ~listed(BEFORE, "personal_subjects", "groups") & ~_IS_COUNTABLE & names_person(BEFORE)
)
_ENCLOSED = (HERE.sign(", ") & _BEHIND.sign_that(lambda sign: sign[:1] in (",", ".", ";"))) | (
    HERE.sign(" (") & _BEHIND.sign_that(lambda sign: sign[:1] == ")")
)
_MEASURES = (
    in_range(HERE)
    | ~_BEHIND.sign_that(lambda sign: sign[:1] in ("", " ", ",", ".", ";", ")", "!", "?"))
    | _BEHIND.is_word(*_CLOCK, *UNITS, *YEARS)
    | (_BEHIND.is_there & _BEHIND.is_capital & ~_BEHIND.is_word("i"))
    | ~ends_at_person(_BARE_LAST)
)
_STATED = (
    ~(_BEHIND.sign_that(is_blank) & ~listed(_BEHIND, "behind_age"))
    & ~_BEHIND.sign("-")
    & subject_is_person(HERE)
)


def _done_by_person(verb: Place) -> Condition:
    """Whether the subject of a verb is a person, also where "and" joins it to another verb."""
    around = reduce(
        or_, [(verb - d).is_word("he", "i", "she", "who") for d in range(1, REACH + 1)]
    )
    return (subject_is_person(verb) | (conjunction(verb - 1) & around)).costly


def _in_life(distance: int) -> Condition:
    """Walk back from "at" to what came to pass in someone's life."""
    place = BEFORE - distance
    timed = listed(place, "timed_life_events")
    event = timed | listed(place, "life_events")
    rest = _in_life(distance + 1) if distance < REACH - 1 else _NEVER
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
_SAID_PLAIN = (
    choose(
        BEFORE.is_word("of") & (HERE - 2).is_there,
        listed(HERE - 2, "aged_persons"),
        choose(
            BEFORE.is_word("at"),
            _IN_LIFE.costly,
            BEFORE.is_word(*_BE) & _OVER_HOURS & _STATED.costly,
        ),
    )
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

# Ages that are not read, beside a person: "a six-month-old girl"
_ENDS_AGE = choose(
    HERE.is_word("o"),
    BEFORE.is_word("y") & HERE.sign("/"),
    choose(
        HERE.is_word("yo", "yos"),
        BEFORE.that(lambda word: word[-1:].isdigit()),
        (BEFORE.is_word(*_SPANS) & HERE.sign(" ", "-")) | HERE.is_word(*_YO),
    ),
)
