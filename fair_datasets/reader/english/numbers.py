"""Numbers that may be ages, in figures or in words; and the years in which somebody lived."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.predicates import Predicate, choose
from fair_datasets.reader.matching.token_batch import Candidates, Places, TokenBatch
from fair_datasets.reader.matching.token_refs import TokenRef
from fair_datasets.reader.matching.vocabulary import vocabulary

#: The highest number that is read as an age, in years.
OLDEST = 120

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_ONES += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
#: The multiples of ten that are one word, and all numbers that are.
TEN = {word: 10 * place for place, word in enumerate(_TENS.split(), 2)}
NUMBER = {word: value for value, word in enumerate(_ONES.split())} | TEN

JOIN_NUMBERS = frozenset({"and", "or", "to"})
LARGE_NUMBERS = frozenset({"billion", "hundred", "million", "point", "thousand"})
DASHES = frozenset({"-", "–", "—"})

Values = NDArray[np.int64]

vocabulary().preload(lambda: NUMBER)


def is_number(place: TokenRef) -> Predicate:
    """Whether a word is a number, in figures or in words."""
    return place.is_digits | place.is_word(*NUMBER)


# Numbers that may be ages, by the place of their first word.
def _word_value(word: str) -> int:
    if word.isascii() and word.isdigit():
        return int(word) if len(word) < 4 and 0 < int(word) <= OLDEST and word[0] != "0" else 0
    return NUMBER.get(word, 0)


def _values(words: TokenBatch, places: Places) -> Values:
    """Return the numbers that words are, from 1 to `OLDEST`; 0 for other words."""
    known = _column()
    values = known[words.number[places]]
    # Numbers in digits that stand in no list, such as 117, are read from their digits.
    for j in ((words.number[places] == 0) & words.is_digits(places)).nonzero()[0].tolist():
        values[j] = _word_value(words.lower(places[j]))
    return values


def _column() -> Values:
    known = vocabulary()
    column = _COLUMNS.get(len(known))
    if column is None:
        column = np.array([_word_value(known.word(n)) for n in range(len(known))], np.int64)
        _COLUMNS.clear()
        _COLUMNS[len(known)] = column
    return column


_COLUMNS: dict[int, Values] = {}


def _is_part_sign(sign: str) -> bool:
    return sign in (".", ",", "/", ":")


def is_joiner(sign: str) -> bool:
    """Whether a sign joins two words of an age: "40-year-old", "40 years"."""
    return sign in (" ", "-", " - ", "- ", " -")


@cache
def _is_tens(place: TokenRef) -> Predicate:
    """Whether a number goes on with the next word: "twenty-one"."""
    ones = [word for word, value in NUMBER.items() if 0 < value < 10]
    return place.is_word(*TEN) & (place + 1).is_word(*ones) & (place + 1).sign_that(is_joiner)


@cache
def starts_number(place: TokenRef) -> Predicate:
    """Whether a number from 1 to `OLDEST` starts at a word."""
    digits = place.is_digits & ~((place + 1).is_there & (place + 1).sign_that(_is_part_sign))
    words = place.is_word(*NUMBER) & ~(place + 1).is_word(*LARGE_NUMBERS)
    has_value = Predicate(lambda candidates: _values(candidates.words, candidates.at(place)) > 0)
    return (digits | words) & has_value


@cache
def end_of_number(place: TokenRef) -> TokenRef:
    """The last word of the number that starts at a word."""
    return (place + 1).where(~place.is_digits & _is_tens(place), place)


def value_at(candidates: Candidates, place: TokenRef) -> Values:
    """Return the value of the number that starts at a word."""
    at, end = candidates.at(place), candidates.at(end_of_number(place))
    first, last = _values(candidates.words, at), _values(candidates.words, end)
    value: Values = first + np.where(end > at, last, 0)
    return value


def _may_stand_before(sign: str) -> bool:
    return sign[-1:].isspace() or sign[-1:] in "(\"“'‘—[>"


def _is_dash(sign: str) -> bool:
    return sign in DASHES


def is_stripped_dash(sign: str) -> bool:
    """Whether a dash stands between two numbers, with or without spaces."""
    return sign.strip() in DASHES


@cache
def in_range(first: TokenRef) -> Predicate:
    """Whether a number is one of two, as in "five or six" and "10-12", or a part of one."""
    last = end_of_number(first)
    before, second = first - 1, first - 2
    after, other = last + 1, last + 2
    joins = after.is_word(*JOIN_NUMBERS)
    return (
        (~first.is_first & ~first.sign_that(_may_stand_before))
        | before.is_word(*LARGE_NUMBERS)
        | (
            before.is_word(*JOIN_NUMBERS)
            & second.is_there
            & (is_number(second) | second.is_word(*LARGE_NUMBERS))
        )
        | choose(joins, is_number(other), after.sign_that(_is_dash) & is_number(after))
    )


@cache
def number_that_ends(place: TokenRef) -> TokenRef:
    """The first word of the number whose last word is given; none in a range."""
    before = place - 1
    is_two = starts_number(before) & Predicate(
        lambda candidates: candidates.at(end_of_number(before)) == candidates.at(place)
    )
    is_one = starts_number(place) & Predicate(
        lambda candidates: candidates.at(end_of_number(place)) == candidates.at(place)
    )
    first = before.where(is_two, place.where(is_one))
    return first.where(first.is_there & ~in_range(first))


class Number(NamedTuple):
    """A number in a text.

    Attributes:
        value: Its value.
        first: Its first word.
        last: Its last word, inclusive.
    """

    value: int
    first: int
    last: int


_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(NUMBER)})"
_AGE = re.compile(
    rf"\bage[sd]?(?: of| between)? {_NUMBER}\b|\b{_NUMBER}[- ]years?[- ](?:old|of age)\b", re.I
)
_BARE = re.compile(
    r"\b(?:[Aa]t|are|being|is|was|were)(?: just| only| then)? [1-9][0-9]?(?= ?[.,;)]| (?:and|but|he"
    r"|in|she|they|when|years?)\b)|\b[Aa]ge[sd]?(?: of| between)? [1-9]"
)
# "children under 12", "seniors 65+" and "kids 5 to 10": bounds that belong to the stage of life.
_BOUND = re.compile(
    rf" (?i:(?:above|below|between|over|under) {_NUMBER}\b|[0-9]{{1,2}}"
    r"(?:\+| ?[-–] ?[0-9]| to [0-9]| (?:and|or) (?:above|older|over|under|up|younger)\b))"
)
_OF_STAGE = re.compile(
    r"\b(?:adult|boy|child|girl|kid|man|people|senior|teen|teenager|woman|children|men|women)s?\Z",
    re.I,
)
_LONGEST = len(" teenagers")
# "a 19-year-old teenager", "teens aged 18": of ages that another stage of life has.
_GROWN_TEEN = re.compile(
    r"\b(?:1[89]|[2-9][0-9])[- ]years?[- ]old (?:\w+ )?teen(?:age|ager)?s?\b"
    r"|\bteen(?:age|ager)?s?(?: \w+)?(?:,| aged|, aged| of) (?:1[89]|[2-9][0-9])\b",
    re.I,
)
_BIRTHDAY = re.compile(r"\b[0-9]+(?:st|nd|rd|th) birthday\b", re.I)
_DIGIT = re.compile("[0-9]")
_COMPARED = re.compile(
    r"\byears?[- ](?:older|younger)\b|\byears (?:his|her|my|their|your) (?:senior|junior)\b|"
    rf"\b(?:older|younger) than\b|\bborn (?:\w+ ){{0,3}}{_NUMBER} years\b",
    re.I,
)
_MORE_DECADES = re.compile(r"(?:,|\band|\bor|\bto) (?:early |mid |late )?([1-9]0s)\b")
_IN_COMMAS = re.compile(r"\w, ([1-9][0-9])(?=[,;.])")
_BORN = re.compile(r"\bborn\b|\bb\. ", re.I)
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
_LIFE = re.compile(r"\b(?:born|birth|b\.|d\.|died|death|dies|dead|buried|obituary)(?!\w)", re.I)


def ages_fit(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether ages can be rewritten without a contradiction to what else a text says.

    Args:
        spans: Where the ages stand that are rewritten, in characters and in order; none where only
            words are.

    Returns:
        False where another age is told that is not read, where ages are compared, where a teenager
        has the age of an adult, or where the years of someone's birth or death are told.

    Example:
        >>> ages_fit("She sang at age 12.", [(9, 18)])
        True
        >>> ages_fit("Born in 1930, he died in 2019 at age 88.", [(34, 39)])
        False
    """
    if _BIRTHDAY.search(text):
        return False
    bounds = [
        match.span()
        for match in _BOUND.finditer(text)
        if _OF_STAGE.search(text, max(0, match.start() - _LONGEST), match.start())
    ]
    if not spans:
        return not bounds and (_DIGIT.search(text) is None or _BARE.search(text) is None)
    if _COMPARED.search(text) or _GROWN_TEEN.search(text):
        return False
    mentions = [match.span() for match in (*_AGE.finditer(text), *_BARE.finditer(text))] + bounds
    mentions += [match.span(1) for match in _MORE_DECADES.finditer(text)]
    mentions += [match.span(1) for match in _IN_COMMAS.finditer(text)]
    if not all(_is_among(spans, start, end) for start, end in mentions):
        return False
    years = len(set(_YEAR.findall(text)))
    return not (years > 1 and _LIFE.search(text)) and not (years and _BORN.search(text))


def _is_among(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch of a text shares a character with one of some spans, in order."""
    place = bisect_left(spans, end, key=itemgetter(0)) - 1
    return place >= 0 and start < spans[place][1]
