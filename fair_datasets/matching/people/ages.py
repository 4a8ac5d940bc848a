"""Ages of people in numbers: "a 40-year-old", "aged seven", "in her sixties"."""

from collections.abc import Container, Iterator

from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.people.age_forms import (
    DECADE,
    AgeMention,
    age_mention,
    decade_mention,
    range_mention,
)
from fair_datasets.matching.people.age_numbers import (
    OLDEST,
    Number,
    is_in_range,
    number_that_ends,
    number_that_starts,
    range_that_starts,
)
from fair_datasets.matching.people.bare_ages import BARE_AGES, UNITS, YEARS, bare_age, word_behind
from fair_datasets.matching.people.person_nouns import is_person_noun
from fair_datasets.matching.people.phrases import (
    CONJUNCTIONS,
    REACH,
    ends_phrase,
    is_function_word,
)
from fair_datasets.matching.people.usage import described_noun, subject_is_person
from fair_datasets.matching.tokens import Tokens

__all__ = ["AGE_TRIGGERS", "AgeMention", "is_of_other_age", "may_tell_age", "numeric_ages"]

# How far into a decade someone is, in years.
_PART = {"early": 2, "mid": 5, "late": 8}
_TURNING = frozenset({"turned", "turning", "turns"})
_YO = {f"{age}{ending}": age for age in range(1, OLDEST + 1) for ending in ("yo", "yos")}
_OWNERS = frozenset({"her", "his", "my", "our", "their", "your"})
_BEFORE_AGE = frozenset(
    {"after", "around", "at", "before", "between", "by", "from", "of", "since", "the", "till"}
    | {"until"}
)
_BEFORE_AGE |= _OWNERS
_BOUNDS = frozenset({"above", "below", "over", "under"})
_DYING = frozenset({"dead", "die", "died", "dies", "dying"})
_MOMENTS = frozenset({"just", "last", "next", "recently"})
# What the age of someone may be told in, other than whole years.
_SPANS = YEARS | {"century", "day", "days", "decade", "decades", "hour", "hours", "minute", "month"}
_SPANS |= {"months", "week", "weeks"}
_AGE_ENDS = frozenset({"old", "older", "o", "yo", "yos", *_YO})

#: A text that holds none of these words in lower case has no age that is read.
AGE_TRIGGERS = frozenset(
    {"aged", "age", "ages", "y", "yo", "yos", *YEARS, *_TURNING, *DECADE, *_YO, *BARE_AGES}
)


def numeric_ages(tokens: Tokens) -> list[AgeMention]:
    """Find the ages of people that are told in numbers.

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


def may_tell_age(tokens: Tokens) -> bool:
    """Tell quickly whether a text may hold an age.

    Args:
        tokens: The text.

    Returns:
        False only where `is_of_other_age` is False for whatever words.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> may_tell_age(tokenize("a 5-month-old")), may_tell_age(tokenize("an infant"))
        (True, False)
    """
    return not _AGE_ENDS.isdisjoint(tokens.lower)


def is_of_other_age(tokens: Tokens, first: int, last: int, read: Container[int]) -> bool:
    """Tell whether an age that is not read says how old a person is.

    A "90,000-year-old man", a "3.5-year-old boy" and a "six-month-old girl" are of no age in whole
    years, and what would be written of them would not fit the number.

    Args:
        tokens: The text.
        first: The first word of what mentions the person.
        last: Its last word, inclusive.
        read: The words of the ages that are read.

    Returns:
        True where the age stands before the person or in it ("[old man]").

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> tokens = tokenize("a six-month-old girl")
        >>> is_of_other_age(tokens, 4, 4, ()), is_of_other_age(tokenize("an old girl"), 2, 2, ())
        (True, False)
    """
    start = max(0, first - 1 - REACH)
    if _AGE_ENDS.isdisjoint(tokens.lower[start : last + 1]):
        return False
    ages = [
        index
        for index in range(start, last + 1)
        if tokens.lower[index] in _AGE_ENDS and index not in read and _ends_age(tokens, index)
    ]
    return any(index >= first or first <= described_noun(tokens, index) <= last for index in ages)


def _ends_age(tokens: Tokens, index: int) -> bool:
    """Tell whether a word ends an age: the old of "3.5 years old", "40yo", the o of "5-6 y/o"."""
    word, before = tokens.lower[index], tokens.lower[index - 1 : index] if index else []
    if word == "o":
        return before == ["y"] and tokens.gap(index) == "/"
    if word in ("yo", "yos"):
        return bool(before) and before[0][-1].isdigit()
    is_old = bool(before) and before[0] in _SPANS and tokens.gap(index) in (" ", "-")
    return is_old or word in _YO


def _mentions(tokens: Tokens) -> Iterator[AgeMention]:
    """Yield the ages at the words that may tell one."""
    for index, word in enumerate(tokens.lower):
        if word not in AGE_TRIGGERS:
            continue
        if word in YEARS:
            mention = _years_old(tokens, index)
        elif word in DECADE:
            mention = _decade(tokens, index)
        elif word in ("y", "yo", "yos") or word in _YO:
            mention = _short(tokens, index)
        elif word in BARE_AGES:
            mention = bare_age(tokens, index)
        else:
            mention = _number_behind(tokens, index)
        if mention is not None:
            yield mention


def _years_old(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "40-year-old", "40 years old" and "forty years of age" at the word "year"."""
    following = tokens.lower[index + 1 : index + 3]
    number = number_that_ends(tokens, index - 1)
    if number is None or not following or tokens.gaps[index] not in (" ", "-"):
        return None
    if following == ["of", "age"]:
        if not _is_stated_of_person(tokens, number.first):
            return None
        return age_mention(tokens, number, number.first, index + 2)
    if following[0] not in ("old", "olds") or tokens.gaps[index + 1] not in (" ", "-"):
        return None
    last = index + 1
    is_noun = following[0] == "olds"
    if is_noun or described_noun(tokens, last) >= 0:
        return age_mention(tokens, number, number.first, last, "adults" if is_noun else "adult")
    after = word_behind(tokens, last)
    if after in neighbours("base_verbs"):
        return None
    if not (ends_phrase(tokens, last) or after in CONJUNCTIONS):
        return None
    if tokens.lower[index] in ("year", "yr") and number.value != 1:
        return age_mention(tokens, number, number.first, last, "adult")
    if not _is_stated_of_person(tokens, number.first):
        return None
    return age_mention(tokens, number, number.first, last)


def _is_stated_of_person(tokens: Tokens, first: int) -> bool:
    """Tell whether an age is said of a person: "she is only 40 years old"."""
    while first > 0 and tokens.lower[first - 1] in ("about", "around", "at", "nearly", "over"):
        first -= 1
    return first > 0 and subject_is_person(tokens, first)


def _decade(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "in her late thirties" at the decade."""
    before = index - 1
    part = tokens.lower[before] if before >= 0 else ""
    while before > 1 and (tokens.lower[before] in _PART or tokens.lower[before] in ("or", "to")):
        before -= 1
    if before < 1 or tokens.lower[before] not in _OWNERS:
        return None
    if tokens.lower[before - 1] not in ("in", "into", "of", "to"):
        return None
    if not all(gap in (" ", "-") for gap in tokens.gaps[before : index + 1]):
        return None
    is_joined = word_behind(tokens, index) in CONJUNCTIONS
    if is_joined and not DECADE.keys().isdisjoint(tokens.lower[index + 2 : index + 4]):
        return None
    if not (is_joined or ends_phrase(tokens, index)):
        return None
    return decade_mention(tokens, index, _PART.get(part, 5))


def _short(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "40yo", "40 yo" and "40 y/o" at the word that holds the y."""
    word, last = tokens.lower[index], index
    if word == "y":
        last = index + 1
        if tokens.lower[last : last + 1] != ["o"] or tokens.gaps[last] != "/":
            return None
    number = Number(_YO[word], index, index) if word in _YO else number_that_ends(tokens, index - 1)
    if number is None or is_in_range(tokens, number):
        return None
    if not (described_noun(tokens, last) >= 0 or ends_phrase(tokens, last)):
        return None
    return age_mention(tokens, number, number.first, last)


def _number_behind(tokens: Tokens, index: int) -> AgeMention | None:
    """Read "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12" at their first word."""
    lower, word = tokens.lower, tokens.lower[index]
    start = index + 1
    if lower[start : start + 1] == ["of" if word in ("age", "ages") else "between"]:
        start += 1
    number = number_that_starts(tokens, start)
    if number is None or tokens.gaps[start] != " ":
        return None
    high = number
    if is_in_range(tokens, number):
        both = range_that_starts(tokens, start) if word not in _TURNING else None
        if both is None:
            return None
        high = both[1]
    after = word_behind(tokens, high.last)
    if after in UNITS or not (
        ends_phrase(tokens, high.last) or after in YEARS or after in _MOMENTS
    ):
        return None
    if not _is_told_behind(tokens, index, after):
        return None
    if high is not number:
        return range_mention(tokens, number, high)
    first = number.first if word in _TURNING else index
    return age_mention(tokens, number, first, number.last)


def _is_told_behind(tokens: Tokens, index: int, after: str) -> bool:
    """Tell whether the number behind "aged", "age" or "turned" is a person's age."""
    lower, word = tokens.lower, tokens.lower[index]
    if word in _TURNING:
        return after not in YEARS and subject_is_person(tokens, index)
    if word == "aged":
        return _is_aged_person(tokens, index, after)
    is_bound = not _BOUNDS.isdisjoint(lower[max(0, index - 2) : index])
    is_free = not index or tokens.gaps[index] != " " or lower[index - 1] in _BEFORE_AGE
    return (is_free or is_person_noun(lower[index - 1])) and not is_bound


def _is_aged_person(tokens: Tokens, index: int, after: str) -> bool:
    """Tell whether "aged" is said of a person, and not of whisky that "aged 12 years in oak"."""
    if after in YEARS:
        return False
    if index and subject_is_person(tokens, index):
        return True
    before = tokens.lower[index - 1] if index else ""
    free = not index or "," in tokens.gaps[index] or "(" in tokens.gaps[index]
    is_dated = len(before) == 4 and before.isdigit()
    return free or is_dated or before in _DYING or is_function_word(before)
