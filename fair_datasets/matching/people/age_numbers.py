"""Numbers in a text that may be ages: in figures or in words."""

from typing import NamedTuple

from fair_datasets.matching.tokens import Tokens

#: The highest number that is read as an age, in years.
OLDEST = 120

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_ONES += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
#: The multiples of ten that are one word, and all numbers that are.
TEN = {word: 10 * place for place, word in enumerate(_TENS.split(), 2)}
NUMBER = {word: value for value, word in enumerate(_ONES.split())} | TEN

_JOIN_NUMBERS = frozenset({"and", "or", "to"})
_LARGE_NUMBERS = frozenset({"billion", "hundred", "million", "point", "thousand"})
_DASHES = frozenset({"-", "–", "—"})


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


def number_that_starts(tokens: Tokens, index: int) -> Number | None:
    """Read the number whose first word is given.

    Args:
        tokens: The text.
        index: Which word.

    Returns:
        The number; None if there is none from 1 to `OLDEST`.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> number_that_starts(tokenize("aged twenty-one"), 1)
        Number(value=21, first=1, last=2)
    """
    if index >= len(tokens.lower):
        return None
    word = tokens.lower[index]
    if word.isascii() and word.isdigit():
        behind = tokens.gaps[index + 1]
        is_whole = not (behind in (".", ",", "/", ":") and index + 1 < len(tokens.lower))
        is_age = len(word) < 4 and 0 < int(word) <= OLDEST and word[0] != "0"
        return Number(int(word), index, index) if is_whole and is_age else None
    if word not in NUMBER:
        return None
    after = tokens.lower[index + 1] if index + 1 < len(tokens.lower) else ""
    if after in _LARGE_NUMBERS:
        return None
    if word in TEN and 0 < NUMBER.get(after, 0) < 10 and tokens.gaps[index + 1] in (" ", "-"):
        return Number(TEN[word] + NUMBER[after], index, index + 1)
    return Number(NUMBER[word], index, index) if NUMBER[word] else None


def number_that_ends(tokens: Tokens, index: int) -> Number | None:
    """Read the number whose last word is given.

    Args:
        tokens: The text.
        index: Which word.

    Returns:
        The number; None if there is none, or it is part of a larger one or of a range.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> number_that_ends(tokenize("40 years old"), 0)
        Number(value=40, first=0, last=0)
    """
    for first in (index - 1, index):
        number = number_that_starts(tokens, first) if first >= 0 else None
        if number is not None and number.last == index:
            return None if is_in_range(tokens, number) else number
    return None


def is_in_range(tokens: Tokens, number: Number) -> bool:
    """Tell whether a number is one of two, as in "five or six" and "10-12", or a part of one.

    Args:
        tokens: The text.
        number: The number.

    Returns:
        True also where what stands before it makes it no plain number: "$40".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> tokens = tokenize("five or six years old")
        >>> is_in_range(tokens, Number(6, 2, 2))
        True
    """
    lower, first, last = tokens.lower, number.first, number.last
    gap = tokens.gaps[first]
    if first and not (gap[-1:].isspace() or gap[-1:] in "(\"“'‘—[>"):
        return True
    if first and lower[first - 1] in _LARGE_NUMBERS:
        return True
    if first > 1 and lower[first - 1] in _JOIN_NUMBERS:
        before = lower[first - 2]
        if before.isdigit() or before in NUMBER or before in _LARGE_NUMBERS:
            return True
    following = lower[last + 1 : last + 3]
    if following and following[0] in _JOIN_NUMBERS:
        following = following[1:]
    elif tokens.gaps[last + 1] not in _DASHES:
        return False
    return bool(following) and (following[0].isdigit() or following[0] in NUMBER)


def range_that_starts(tokens: Tokens, index: int) -> tuple[Number, Number] | None:
    """Read two numbers, the first of which starts at a word: "7 to 12", "18-25".

    Args:
        tokens: The text.
        index: The first word of the first number.

    Returns:
        The two numbers; None if there are none, or the second is no higher.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> low, high = range_that_starts(tokenize("aged 7 to 12"), 1)
        >>> low.value, high.value
        (7, 12)
    """
    low = number_that_starts(tokens, index)
    if low is None:
        return None
    place = low.last + 1
    if tokens.lower[place : place + 1] in (["to"], ["and"]):
        place += 1
    elif tokens.gaps[place].strip() not in _DASHES:
        return None
    high = number_that_starts(tokens, place)
    return (low, high) if high is not None and high.value > low.value else None
