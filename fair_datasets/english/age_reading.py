"""Reading the ages of people in numbers, and what they are written as for other stages of life."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from fair_datasets.english import lists
from fair_datasets.english.age_forms import (
    DECADE,
    AgeMention,
    age_mention,
    decade_mention,
    range_mention,
)
from fair_datasets.english.ages import (
    AGE_ENDS,
    BARE_RULE,
    BEHIND_RULE,
    COUNT,
    DECADE_RULE,
    ENDS_AGE,
    HIGH,
    IS_RANGE,
    IS_TURNING,
    PART,
    SHORT_FIRST,
    SHORT_LAST,
    SHORT_RULE,
    SHORTS,
    START,
    TAG_RULE,
    TAGS,
    YEARS_OLD,
    YO,
)
from fair_datasets.english.bare_ages import BARE_AGES
from fair_datasets.english.described import described_noun
from fair_datasets.english.neighbours import HERE
from fair_datasets.english.numbers import Number, end_of_number, value_at
from fair_datasets.matching.conditions import Candidates, deciding
from fair_datasets.matching.language import Age
from fair_datasets.matching.places import Place
from fair_datasets.matching.tokens import Tokens
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places, Words


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


def _numbers(found: Candidates, place: Place) -> Callable[[int, int], Number]:
    """Return what tells the number that starts at a place, by the words of its text."""
    values = value_at(found, place).tolist()
    firsts, lasts = found.at(place).tolist(), found.at(end_of_number(place)).tolist()

    def number(row: int, begin: int) -> Number:
        return Number(values[row], firsts[row] - begin, lasts[row] - begin)

    return number


def _read_years(found: Candidates) -> Read:
    """Read "40-year-old", "40 years old" and "forty years of age" at the word "year"."""
    rules, number_of = deciding(YEARS_OLD, found), _numbers(found, COUNT)
    for row in np.flatnonzero(IS_READ[rules]).tolist():
        rule = YEARS_OLD[rules[row]]

        def make(
            tokens: Tokens, begin: int, row: int = row, verdict: str = rule.verdict
        ) -> AgeMention:
            number = number_of(row, begin)
            index = int(found.places[row]) - begin
            last = index + (2 if verdict == "of age" else 1)
            adult = verdict if verdict in ("adult", "adults") else ""
            return age_mention(tokens, number, number.first, last, adult)

        yield from _aged(found, row, rule.name, make)


IS_READ = np.array([rule.verdict != "" for rule in YEARS_OLD])


def _read_decades(found: Candidates) -> Read:
    """Read "in her late thirties" at the decade."""
    for row in np.flatnonzero(found.holds(DECADE_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index = int(found.places[row]) - begin
            return decade_mention(tokens, index, PART.get(tokens.lower[index - 1], 5))

        yield from _aged(found, row, DECADE_RULE.name, make)


def _read_short(found: Candidates) -> Read:
    """Read "40yo", "40 yo" and "40 y/o" at the word that holds the y."""
    number_of = _numbers(found, SHORT_FIRST)
    for row in np.flatnonzero(found.holds(SHORT_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index, last = int(found.places[row]) - begin, int(found.at(SHORT_LAST)[row]) - begin
            years = YO.get(tokens.lower[index])
            number = number_of(row, begin) if years is None else Number(years, index, index)
            return age_mention(tokens, number, number.first, last)

        yield from _aged(found, row, SHORT_RULE.name, make)


def _read_bare(found: Candidates) -> Read:
    """Read an age at a number that no word for ages stands beside."""
    number_of = _numbers(found, HERE)
    for row in np.flatnonzero(found.holds(BARE_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            number = number_of(row, begin)
            return age_mention(tokens, number, number.first, number.last)

        yield from _aged(found, row, BARE_RULE.name, make)


def _read_tags(found: Candidates) -> Read:
    """Read "25F" and "F31"."""
    for row in np.flatnonzero(found.holds(TAG_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index = int(found.places[row]) - begin
            return age_mention(
                tokens, Number(TAGS[tokens.lower[index]], index, index), index, index
            )

        yield from _aged(found, row, TAG_RULE.name, make)


def _read_behind(found: Candidates) -> Read:
    """Read "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12" at their first word."""
    is_range, is_turning = found.holds(IS_RANGE), found.holds(IS_TURNING)
    low, high = _numbers(found, START), _numbers(found, HIGH)
    for row in np.flatnonzero(found.holds(BEHIND_RULE.condition)).tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention | None:
            number = low(row, begin)
            if is_range[row]:
                return range_mention(tokens, number, high(row, begin))
            first = number.first if is_turning[row] else int(found.places[row]) - begin
            return age_mention(tokens, number, first, number.last)

        yield from _aged(found, row, BEHIND_RULE.name, make)


def _age_ends() -> Iterable[str]:
    return AGE_ENDS


# The words at which an age may be told, and what reads it there.
_READERS: Sequence[tuple[Callable[[], Iterable[str]], Callable[[Candidates], Read]]] = (
    (lambda: lists.words("years"), _read_years),
    (lambda: DECADE, _read_decades),
    (lambda: SHORTS, _read_short),
    (lambda: BARE_AGES, _read_bare),
    (lambda: TAGS, _read_tags),
    (lambda: {"aged", "age", "ages"} | lists.words("turning"), _read_behind),
)
