"""Ages of people in numbers: "a 40-year-old", "aged seven", "in her sixties"."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fair_datasets.matching.lettercase import match_case
from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.people import described_noun, subject_is_person
from fair_datasets.matching.phrases import ends_phrase, is_function_word
from fair_datasets.matching.tokens import Tokens

# The ages that are read as an attribute, and those that are written for it.
_READ = {"child": (0, 17), "young": (18, 44), "middle-aged": (45, 64), "senior": (65, 100)}
_WRITTEN = {**_READ, "child": (3, 17), "senior": (65, 90)}
_OLDEST = 120

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_ONES += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TEN = {word: 10 * place for place, word in enumerate(_TENS.split(), 2)}
_NUMBER = {word: value for value, word in enumerate(_ONES.split())} | _TEN
_WORD = {value: word for word, value in _NUMBER.items()}

_DECADE = {"teens": 10} | {f"{word[:-1]}ies": value for word, value in _TEN.items()}
_DECADE |= {f"{value}s": value for value in _TEN.values()}
_DECADES_READ = {"child": (10,), "young": (20, 30, 40), "middle-aged": (40, 50, 60)}
_DECADES_READ |= {"senior": (60, 70, 80, 90)}
# The decades that lie within an attribute's range as a whole.
_DECADES_WRITTEN = {"child": (10,), "young": (20, 30), "middle-aged": (50,), "senior": (70, 80)}
# How far into a decade someone is, in years.
_PART = {"early": 2, "mid": 5, "late": 8}

_YEARS = frozenset({"year", "years", "yr", "yrs"})
_TURNING = frozenset({"turned", "turning", "turns"})
_YO = {f"{age}{ending}": age for age in range(1, _OLDEST + 1) for ending in ("yo", "yos")}
_OWNERS = frozenset({"her", "his", "my", "our", "their", "your"})
_BEFORE_AGE = frozenset(
    {
        *_OWNERS,
        "after",
        "around",
        "at",
        "before",
        "by",
        "from",
        "of",
        "since",
        "the",
        "till",
        "until",
    }
)
_BOUNDS = frozenset({"above", "below", "over", "under"})
_UNITS = frozenset(
    {"cents", "days", "degrees", "dollars", "hours", "inches", "metres", "minutes", "months"}
    | {"pages", "percent", "times", "weeks"}
)
_JOIN_NUMBERS = frozenset({"and", "or", "to"})
_LARGE_NUMBERS = frozenset({"billion", "hundred", "million", "point", "thousand"})
_MOMENTS = frozenset({"just", "last", "next", "recently"})

#: A text that holds none of these words in lower case has no age that is read.
AGE_TRIGGERS = frozenset({"aged", "age", "y", "yo", "yos", *_YEARS, *_TURNING, *_DECADE, *_YO})


class AgeMention(NamedTuple):
    """An age in numbers.

    Attributes:
        first: Its first word.
        last: Its last word, inclusive.
        attribute: `child`, `young`, `middle-aged` or `senior`.
        forms: Attribute to what is written instead of the characters from the first word's start
            to the last word's end.
    """

    first: int
    last: int
    attribute: str
    forms: Mapping[str, str]


class _Number(NamedTuple):
    """A number in a text: its value and its first and last word."""

    value: int
    first: int
    last: int


def numeric_ages(tokens: Tokens) -> list[AgeMention]:
    """Find the ages of people that are told in numbers.

    An age is written at the proportional place of the target's range, so that of two ages the
    higher stays at least as high.

    Args:
        tokens: The text.

    Returns:
        The ages in the order of the text; no two overlap.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> [age] = numeric_ages(tokenize("a 40-year-old woman"))
        >>> age.attribute, age.forms["senior"], age.forms["adult"]
        ('young', '86-year-old', 'adult')
        >>> numeric_ages(tokenize("a five-year plan"))
        []
    """
    found: list[AgeMention] = []
    for mention in _mentions(tokens):
        if not found or mention.first > found[-1].last:
            found.append(mention)
    return found


def _mentions(tokens: Tokens) -> Iterator[AgeMention]:
    """Yield the ages at the words that may tell one."""
    for index, word in enumerate(tokens.lower):
        if word not in AGE_TRIGGERS:
            continue
        if word in _YEARS:
            mention = _years_old(tokens, index)
        elif word in _DECADE:
            mention = _decade(tokens, index)
        elif word in ("y", "yo", "yos") or word in _YO:
            mention = _short(tokens, index)
        else:
            mention = _number_behind(tokens, index)
        if mention is not None:
            yield mention


def _years_old(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "40-year-old", "40 years old" and "forty years of age" at the word "year"."""
    following = tokens.lower[index + 1 : index + 3]
    number = _number_that_ends(tokens, index - 1)
    if number is None or not following or tokens.gaps[index] not in (" ", "-"):
        return None
    if following == ["of", "age"]:
        if not _is_stated_of_person(tokens, number.first):
            return None
        return _mention(tokens, number, number.first, index + 2)
    if following[0] not in ("old", "olds") or tokens.gaps[index + 1] not in (" ", "-"):
        return None
    last = index + 1
    is_noun = following[0] == "olds"
    if is_noun or described_noun(tokens, last) >= 0:
        return _mention(tokens, number, number.first, last, "adults" if is_noun else "adult")
    after = tokens.lower[last + 1] if last + 1 < len(tokens.lower) else ""
    if not ends_phrase(tokens, last) or after in neighbours("base_verbs"):
        return None
    if tokens.lower[index] in ("year", "yr") and number.value != 1:
        return _mention(tokens, number, number.first, last, "adult")
    if not _is_stated_of_person(tokens, number.first):
        return None
    return _mention(tokens, number, number.first, last)


def _is_stated_of_person(tokens: Tokens, first: int) -> bool:
    """Tell whether an age is said of a person: "she is only 40 years old"."""
    while first > 0 and tokens.lower[first - 1] in ("about", "around", "at", "nearly", "over"):
        first -= 1
    return first > 0 and subject_is_person(tokens, first)


def _decade(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "in her late thirties" at the decade."""
    before = index - 1
    part = tokens.lower[before] if before >= 0 else ""
    if part in _PART:
        before -= 1
    if before < 1 or tokens.lower[before] not in _OWNERS:
        return None
    if tokens.lower[before - 1] not in ("in", "into", "of", "to"):
        return None
    if not all(gap in (" ", "-") for gap in tokens.gaps[before : index + 1]):
        return None
    if not ends_phrase(tokens, index):
        return None
    value = _DECADE[tokens.lower[index]]
    attribute = "child" if value == 10 else _attribute(value + _PART.get(part, 5))
    written = tokens.words[index]
    place = _DECADES_READ[attribute].index(value)
    forms = {}
    for target, decades in _DECADES_WRITTEN.items():
        text = _decade_text(decades[min(place, len(decades) - 1)], written[0].isdigit())
        forms[target] = match_case(written, text)
    forms[attribute] = written
    return AgeMention(index, index, attribute, forms)


def _decade_text(decade: int, in_digits: bool) -> str:
    """Return a decade of ages in words or digits; there are no digits for "teens"."""
    if decade == 10:
        return "teens"
    return f"{decade}s" if in_digits else f"{_WORD[decade][:-1]}ies"


def _short(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "40yo", "40 yo" and "40 y/o" at the word that holds the y."""
    word, last = tokens.lower[index], index
    if word == "y":
        last = index + 1
        if tokens.lower[last : last + 1] != ["o"] or tokens.gaps[last] != "/":
            return None
    number = (
        _Number(_YO[word], index, index) if word in _YO else _number_that_ends(tokens, index - 1)
    )
    if number is None or not (described_noun(tokens, last) >= 0 or ends_phrase(tokens, last)):
        return None
    return _mention(tokens, number, number.first, last)


def _number_behind(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "aged seven", "at the age of 12" and "turned 50" at their first word."""
    lower, word = tokens.lower, tokens.lower[index]
    start = index + 2 if word == "age" and lower[index + 1 : index + 2] == ["of"] else index + 1
    number = _number_that_starts(tokens, start)
    if number is None or _is_in_range(tokens, number) or tokens.gaps[start] != " ":
        return None
    after = lower[number.last + 1] if number.last + 1 < len(lower) else ""
    if after in _UNITS or not (
        ends_phrase(tokens, number.last) or after in _YEARS or after in _MOMENTS
    ):
        return None
    if word in _TURNING:
        is_age = after not in _YEARS and subject_is_person(tokens, index)
    elif word == "age":
        is_bound = not _BOUNDS.isdisjoint(lower[max(0, index - 2) : index])
        is_free = not index or tokens.gaps[index] != " " or lower[index - 1] in _BEFORE_AGE
        is_age = is_free and not is_bound
    else:
        is_age = _is_aged_person(tokens, index, after)
    first = number.first if word in _TURNING else index
    return _mention(tokens, number, first, number.last) if is_age else None


def _is_aged_person(tokens: Tokens, index: int, after: str) -> bool:
    """Tell whether "aged" is said of a person, and not of whisky that "aged 12 years in oak"."""
    if index and subject_is_person(tokens, index) and after not in _YEARS:
        return True
    before = tokens.lower[index - 1] if index else ""
    free = not index or "," in tokens.gaps[index] or "(" in tokens.gaps[index]
    return after not in _YEARS and (free or before == "died" or is_function_word(before))


def _number_that_starts(tokens: Tokens, index: int) -> _Number | None:
    """Read the number whose first word is given, in digits or words."""
    if index >= len(tokens.lower):
        return None
    word = tokens.lower[index]
    if word.isascii() and word.isdigit():
        behind = tokens.gaps[index + 1]
        is_whole = not (behind in (".", ",", "/", ":") and index + 1 < len(tokens.lower))
        is_age = len(word) < 4 and 0 < int(word) <= _OLDEST and word[0] != "0"
        return _Number(int(word), index, index) if is_whole and is_age else None
    if word not in _NUMBER:
        return None
    after = tokens.lower[index + 1] if index + 1 < len(tokens.lower) else ""
    if after in _LARGE_NUMBERS:
        return None
    if word in _TEN and 0 < _NUMBER.get(after, 0) < 10 and tokens.gaps[index + 1] in (" ", "-"):
        return _Number(_TEN[word] + _NUMBER[after], index, index + 1)
    return _Number(_NUMBER[word], index, index) if _NUMBER[word] else None


def _number_that_ends(tokens: Tokens, index: int) -> _Number | None:
    """Read the number whose last word is given, if it is no part of a larger one or of a range."""
    for first in (index - 1, index):
        number = _number_that_starts(tokens, first) if first >= 0 else None
        if number is not None and number.last == index:
            return None if _is_in_range(tokens, number) else number
    return None


def _is_in_range(tokens: Tokens, number: _Number) -> bool:
    """Tell whether a number is one of two, as in "five or six" and "10-12", or a part of one."""
    lower, first, last = tokens.lower, number.first, number.last
    gap = tokens.gaps[first]
    if first and not (gap[-1:].isspace() or gap[-1:] in "(\"“'‘—["):
        return True
    if first and lower[first - 1] in _LARGE_NUMBERS:
        return True
    if first > 1 and lower[first - 1] in _JOIN_NUMBERS:
        before = lower[first - 2]
        if before.isdigit() or before in _NUMBER or before in _LARGE_NUMBERS:
            return True
    following = lower[last + 1 : last + 3]
    if following and following[0] in _JOIN_NUMBERS:
        following = following[1:]
    elif tokens.gaps[last + 1] not in ("-", "–", "—"):
        return False
    return bool(following) and (following[0].isdigit() or following[0] in _NUMBER)


def _mention(tokens: Tokens, number: _Number, first: int, last: int, adult: str = "") -> AgeMention:
    """Return the mention of an age with what is written instead of it."""
    attribute = _attribute(number.value)
    text = tokens.text
    before = text[tokens.starts[first] : tokens.starts[number.first]]
    written = text[tokens.starts[number.first] : tokens.end(number.last)]
    after = text[tokens.end(number.last) : tokens.end(last)]
    forms = {attribute: before + written + after}
    if number.value == 1 and not adult:
        after = after.replace("year", "years", 1) if " year " in after else after
    for target in _READ:
        if target != attribute:
            forms[target] = before + _age_text(number.value, attribute, target, written) + after
    if adult:
        forms["adult"] = match_case(written, adult)
    return AgeMention(first, last, attribute, forms)


def _attribute(age: int) -> str:
    """Return the attribute that an age belongs to."""
    return list(_READ)[bisect_right([18, 45, 65], age)]


def _age_text(age: int, attribute: str, target: str, written: str) -> str:
    """Write the age at the same place of the target's range, as the age in the text is written."""
    lowest, highest = _READ[attribute]
    low, high = _WRITTEN[target]
    place = (min(age, highest) - lowest) / (highest - lowest)
    new = low + round(place * (high - low))
    if written[0].isdigit():
        return str(new) + written.lstrip("0123456789")
    tens, ones = divmod(new, 10)
    word = _WORD[new] if new in _WORD else f"{_WORD[10 * tens]}-{_WORD[ones]}"
    return match_case(written, word)
