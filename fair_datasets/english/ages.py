"""Ages of people in numbers: "a 40-year-old", "aged seven", "in her sixties"."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from fair_datasets.english import lists
from fair_datasets.english.age_forms import (
    DECADE,
    AgeMention,
    age_mention,
    decade_mention,
    range_mention,
)
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
    Number,
    end_of_number,
    in_range,
    is_joiner,
    is_stripped_dash,
    number_that_ends,
    starts_number,
    value_at,
)
from fair_datasets.matching.conditions import ALWAYS, Candidates, Condition, choose
from fair_datasets.matching.language import Age
from fair_datasets.matching.places import Place
from fair_datasets.matching.rules import Rule, deciding
from fair_datasets.matching.tokens import Tokens
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places, Words

# How far into a decade someone is, in years.
_PART = {"early": 2, "mid": 5, "late": 8}
_YO = {f"{age}{ending}": age for age in range(1, OLDEST + 1) for ending in ("yo", "yos")}

# "40-year-old", "40 years old" and "forty years of age", at the word "year".
_COUNT = number_that_ends(BEFORE)
_IS_JOINED = HERE.sign(" ", "-")


@cache
def _stated(first: Place, depth: int = 6) -> Condition:
    """Whether an age is said of a person: "she is only 40 years old"."""
    before = first - 1
    about = before.is_word("about", "around", "at", "nearly", "over")
    own = ~first.is_first & subject_is_person(first)
    return choose(about, _stated(before, depth - 1), own).costly if depth else own


_IS_COUNTED = _COUNT.is_there & NEXT.is_there & _IS_JOINED
_OF_AGE = NEXT.is_word("of") & (HERE + 2).is_word("age")
_IS_OLD = NEXT.is_word("old", "olds") & NEXT.sign(" ", "-")
_ENDS_OLD = ends_phrase(NEXT) | conjunction(NEXT + 1)
_IS_ONE = Condition(lambda found: value_at(found, _COUNT) == 1)

YEARS_OLD = (
    Rule("ages.no_count", "", ~_IS_COUNTED, "no number stands before it"),
    Rule("ages.of_age", "of age", _OF_AGE & _stated(_COUNT),
         "it is said how many years of age someone is"),
    Rule("ages.not_old", "", ~_IS_OLD, 'the word "old" does not stand behind it'),
    Rule("ages.olds", "adults", NEXT.is_word("olds"), "those who are so old stand for themselves"),
    Rule("ages.old_person", "adult", described_noun(NEXT).is_there.costly,
         "a noun for people stands behind it"),
    Rule("ages.goes_on", "", (NEXT + 1).among("base_verbs") | ~_ENDS_OLD,
         "the phrase goes on with another noun"),
    Rule("ages.year_old", "adult", HERE.is_word("year", "yr") & ~_IS_ONE,
         "who is so old stands for themselves"),
    Rule("ages.years_old", "plain", _stated(_COUNT), "it is said of a person"),
    Rule("ages.of_thing", "", ALWAYS, "it is said of a thing"),
)  # fmt: skip


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
_SHORT_LAST = NEXT.where(_IS_SLASHED, HERE)
_SHORT_FIRST = HERE.where(HERE.is_word(*_YO), number_that_ends(BEFORE))
SHORT = (
    (~_IS_SLASHED | (NEXT.is_word("o") & NEXT.sign("/")))
    & _SHORT_FIRST.is_there
    & ~in_range(_SHORT_FIRST)
    & (described_noun(_SHORT_LAST).is_there | ends_phrase(_SHORT_LAST)).costly
)

# "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12"
_IS_TURNING, _IS_AGED = HERE.among("turning"), HERE.is_word("aged")
_SKIPS = choose(HERE.is_word("age", "ages"), NEXT.is_word("of"), NEXT.is_word("between"))
_START = (HERE + 2).where(_SKIPS, NEXT)
_LOW_END = end_of_number(_START)
_HIGH = (_LOW_END + 2).where((_LOW_END + 1).is_word("to", "and"), _LOW_END + 1)
_IS_RANGE = in_range(_START)
_HAS_HIGH = (
    ((_LOW_END + 1).is_word("to", "and") | (_LOW_END + 1).sign_that(is_stripped_dash))
    & starts_number(_HIGH)
    & Condition(lambda found: value_at(found, _HIGH) > value_at(found, _START))
)
_LAST = end_of_number(_HIGH).where(_IS_RANGE, _LOW_END)
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
    _IS_TURNING,
    ~_IN_YEARS & subject_is_person(HERE),
    choose(_IS_AGED, _AGED, _IS_FREE & ~_IS_BOUND),
)
NUMBER_BEHIND = (
    starts_number(_START)
    & _START.sign(" ")
    & (~_IS_RANGE | (~_IS_TURNING & _HAS_HIGH))
    & ~_AFTER.among("measures")
    & (ends_phrase(_LAST) | _IN_YEARS | _AFTER.among("moments"))
    & _TOLD.costly
)


_DECADE_RULE = Rule("ages.decade", True, IN_DECADE, "it is a decade that is someone's")
_SHORT_RULE = Rule("ages.short", True, SHORT, 'it is a number with "yo" or "y/o" behind it')
_BARE_RULE = Rule("ages.bare", True, BARE, "it is a number that stands as an age does")
_BEHIND_RULE = Rule(
    "ages.number_behind", True, NUMBER_BEHIND, "a word that ages stand behind stands before it"
)
RULES: tuple[Rule[Any], ...] = (
    *YEARS_OLD, _DECADE_RULE, _SHORT_RULE, _BARE_RULE, _BEHIND_RULE
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
        (BEFORE.among("spans", "years") & HERE.sign(" ", "-")) | HERE.is_word(*_YO),
    ),
)

_AGE_ENDS = ("old", "older", "o", "yo", "yos", *_YO)
_SHORTS = ("y", "yo", "yos", *_YO)
vocabulary().expect(lambda: (*_AGE_ENDS, "age", "ages", "aged", *_SHORTS, *BARE_AGES))


def read_ages(words: Words) -> list[Age]:
    """Find the ages of people that are told in numbers.

    Args:
        words: The words of texts.

    Returns:
        The ages in the order of the texts; no two overlap.

    Example:
        >>> [age] = read_ages(Words(["a 40-year-old woman"]))
        >>> age.attribute, age.forms["senior"], age.forms["adult"]
        ('young', '86-year-old', 'adult')
        >>> read_ages(Words(["a five-year plan"]))
        []
    """
    found: list[tuple[int, Age]] = []
    for listed, read in _READERS:
        places = _places_of(words, listed)
        if len(places):
            candidates = Candidates(words, places)
            found += ((int(places[row]), aged) for row, aged in read(candidates))
    kept: list[Age] = []
    for _, aged in sorted(found, key=lambda pair: pair[0]):
        last = kept[-1] if kept else None
        if last is None or last.text < aged.text or aged.first > last.last:
            kept.append(aged)
    return kept


def ends_of_other_ages(words: Words, is_read: Mask) -> list[tuple[int, int]]:
    """Find the ages that are not read: those in months, and numbers that are no whole years.

    A "90,000-year-old man", a "3.5-year-old boy" and a "six-month-old girl" are of no age in whole
    years, and what would be written of them would not fit the number.

    Args:
        words: The words of texts.
        is_read: The places of the ages that are read. Shape (P,).

    Returns:
        The place of the last word of each, and that of the noun for who is so old; that of the
        last word again where there is none.
    """
    places = _places_of(words, _age_ends)
    places = places[~is_read[places]]
    if not len(places):
        return []
    found = Candidates(words, places)
    is_age = found.holds(ENDS_AGE)
    nouns = found.at(described_noun(HERE))
    nouns = np.where(nouns == found.nowhere, places, nouns)
    return list(zip(places[is_age].tolist(), nouns[is_age].tolist(), strict=True))


def _places_of(words: Words, listed: Callable[[], Iterable[str]]) -> Places:
    """Return the places of some words."""
    is_listed = vocabulary().listed(listed, listed)
    return np.flatnonzero(is_listed[words.number])


Read = Iterator[tuple[int, Age]]


def _aged(
    found: Candidates, row: int, rule: str, make: Callable[[Tokens, int], AgeMention | None]
) -> Read:
    """Say what is written for an age, unless it is of two stages of life."""
    text = int(found.words.owner[found.places[row]])
    mention = make(found.words.tokens(text), int(found.words.first[text]))
    if mention is not None:
        yield row, Age(text, *mention, rule)


def _number(found: Candidates, place: Place, row: int, begin: int) -> Number:
    """Return the number that starts at a place, by the words of its text."""
    first, last = found.at(place)[row], found.at(end_of_number(place))[row]
    return Number(int(value_at(found, place)[row]), int(first) - begin, int(last) - begin)


def _read_years(found: Candidates) -> Read:
    """Read "40-year-old", "40 years old" and "forty years of age" at the word "year"."""
    rules = deciding(YEARS_OLD, found)
    for row in np.flatnonzero(_IS_READ[rules]).tolist():
        rule = YEARS_OLD[rules[row]]

        def make(
            tokens: Tokens, begin: int, row: int = row, verdict: str = rule.verdict
        ) -> AgeMention:
            number = _number(found, _COUNT, row, begin)
            index = int(found.places[row]) - begin
            last = index + (2 if verdict == "of age" else 1)
            adult = verdict if verdict in ("adult", "adults") else ""
            return age_mention(tokens, number, number.first, last, adult)

        yield from _aged(found, row, rule.name, make)


_IS_READ = np.array([rule.verdict != "" for rule in YEARS_OLD])


def _read_decades(found: Candidates) -> Read:
    """Read "in her late thirties" at the decade."""
    for row in np.flatnonzero(found.holds(_DECADE_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index = int(found.places[row]) - begin
            return decade_mention(tokens, index, _PART.get(tokens.lower[index - 1], 5))

        yield from _aged(found, row, _DECADE_RULE.name, make)


def _read_short(found: Candidates) -> Read:
    """Read "40yo", "40 yo" and "40 y/o" at the word that holds the y."""
    for row in np.flatnonzero(found.holds(_SHORT_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index, last = int(found.places[row]) - begin, int(found.at(_SHORT_LAST)[row]) - begin
            years = _YO.get(tokens.lower[index])
            if years is not None:
                number = Number(years, index, index)
            else:
                number = _number(found, _SHORT_FIRST, row, begin)
            return age_mention(tokens, number, number.first, last)

        yield from _aged(found, row, _SHORT_RULE.name, make)


def _read_bare(found: Candidates) -> Read:
    """Read an age at a number that no word for ages stands beside."""
    for row in np.flatnonzero(found.holds(_BARE_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            number = _number(found, HERE, row, begin)
            return age_mention(tokens, number, number.first, number.last)

        yield from _aged(found, row, _BARE_RULE.name, make)


def _read_behind(found: Candidates) -> Read:
    """Read "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12" at their first word."""
    is_range, is_turning = found.holds(_IS_RANGE), found.holds(_IS_TURNING)
    for row in np.flatnonzero(found.holds(_BEHIND_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention | None:
            number = _number(found, _START, row, begin)
            if is_range[row]:
                return range_mention(tokens, number, _number(found, _HIGH, row, begin))
            first = number.first if is_turning[row] else int(found.places[row]) - begin
            return age_mention(tokens, number, first, number.last)

        yield from _aged(found, row, _BEHIND_RULE.name, make)


def _age_ends() -> Iterable[str]:
    return _AGE_ENDS


# The words at which an age may be told, and what reads it there.
_READERS: Sequence[tuple[Callable[[], Iterable[str]], Callable[[Candidates], Read]]] = (
    (lambda: lists.words("years"), _read_years),
    (lambda: DECADE, _read_decades),
    (lambda: _SHORTS, _read_short),
    (lambda: BARE_AGES, _read_bare),
    (lambda: {"aged", "age", "ages"} | lists.words("turning"), _read_behind),
)
