"""Whether the ages that are rewritten in a text can be: what else it says of someone's years."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import itemgetter

from fair_datasets.english.numbers import NUMBER

_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(NUMBER)})"
_AGE = re.compile(
    rf"\bage[sd]?(?: of| between)? {_NUMBER}\b|\b{_NUMBER}[- ]years?[- ](?:old|of age)\b", re.I
)
_BARE = re.compile(
    r"\b(?:[Aa]t|are|being|is|was|were)(?: just| only| then)? [1-9][0-9]?(?= ?[.,;)]| (?:and|but|he"
    r"|in|she|they|when|years?)\b)"
)
# "a 19-year-old teenager", "teens aged 18": of ages that another stage of life has.
_GROWN_TEEN = re.compile(
    r"\b(?:1[89]|[2-9][0-9])[- ]years?[- ]old (?:\w+ )?teen(?:age|ager)?s?\b"
    r"|\bteen(?:age|ager)?s?(?: \w+)?(?:,| aged|, aged| of) (?:1[89]|[2-9][0-9])\b",
    re.I,
)
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
    """Tell whether ages can be rewritten without a contradiction to what else a text says.

    Args:
        text: The text.
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
    if not spans:
        return _DIGIT.search(text) is None or _BARE.search(text) is None
    if _COMPARED.search(text) or _GROWN_TEEN.search(text):
        return False
    told = [found.span() for found in (*_AGE.finditer(text), *_BARE.finditer(text))]
    told += [found.span(1) for found in _MORE_DECADES.finditer(text)]
    told += [found.span(1) for found in _IN_COMMAS.finditer(text)]
    if not all(_is_among(spans, start, end) for start, end in told):
        return False
    years = len(set(_YEAR.findall(text)))
    return not (years > 1 and _LIFE.search(text)) and not (years and _BORN.search(text))


def _is_among(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether a stretch of a text shares a character with one of some spans, in order."""
    place = bisect_left(spans, end, key=itemgetter(0)) - 1
    return place >= 0 and start < spans[place][1]
