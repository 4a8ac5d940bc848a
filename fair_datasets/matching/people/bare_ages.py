"""Ages that are told by a number alone: "the tenant, 38, said nothing", "she married at 19"."""

from fair_datasets.matching.people.age_forms import AgeMention, age_mention
from fair_datasets.matching.people.age_numbers import (
    NUMBER,
    OLDEST,
    Number,
    is_in_range,
    number_that_starts,
)
from fair_datasets.matching.people.person_nouns import is_people, people_words
from fair_datasets.matching.people.phrases import (
    CONJUNCTIONS,
    REACH,
    ends_at_person,
    names_person,
    opens_name,
)
from fair_datasets.matching.people.usage import subject_is_person
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

YEARS = frozenset({"year", "years", "yr", "yrs"})
#: Behind a number, they say that it is no age in years.
UNITS = frozenset(
    {"cents", "days", "degrees", "dollars", "hours", "inches", "metres", "minutes", "months"}
    | {"pages", "percent", "times", "weeks"}
)
_BE = frozenset({"am", "is", "m", "s", "was"})
# Behind "at" and a number, they say that it is a time of the day: "at 10 a.m.", "at 12 o'clock".
_CLOCK = frozenset({"a", "am", "o", "p", "pm"})
_HOURS = 12
#: Where an age may be told by a number alone; up to ten in words it is more often a count.
BARE_AGES = frozenset(
    {str(age) for age in range(1, OLDEST)} | {word for word in NUMBER if NUMBER[word] > 10}
)


def bare_age(tokens: Tokens, index: int) -> AgeMention | None:
    """Read an age at a number that no word for ages stands beside.

    Args:
        tokens: The text.
        index: The number's first word.

    Returns:
        The age in "the tenant, 38, said", "a man of 70" and "she married at 19"; None if in doubt.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> bare_age(tokenize("She married at 19."), 3).attribute
        'young'
        >>> bare_age(tokenize("She drove at 19 mph."), 3)
    """
    number = number_that_starts(tokens, index)
    if number is None or not index or tokens.gaps[index][:1] == "-":
        return None
    before, behind = tokens.gaps[index], tokens.gaps[number.last + 1]
    is_person = False
    if before in (", ", " (") and behind[:1] in ((",", ".", ";") if before == ", " else (")",)):
        is_person = _is_one_person(tokens, index - 1) and not is_in_range(tokens, number)
    elif before == " " and not _measures(tokens, number):
        word = tokens.lower[index - 1]
        if word == "of" and index > 1:
            is_person = tokens.lower[index - 2] in people_words("aged_persons")
        elif word == "at":
            is_person = _is_in_life(tokens, number)
        elif word in _BE:
            is_person = number.value > _HOURS and _is_stated(tokens, number)
    return age_mention(tokens, number, number.first, number.last) if is_person else None


def _is_one_person(tokens: Tokens, head: int) -> bool:
    """Tell whether a word is the noun or the name of one person."""
    word = tokens.lower[head]
    if word in people_words("personal_subjects") or word in people_words("groups"):
        return False
    is_plural = is_people(word) or (word.endswith("s") and tokens.words[head].islower())
    return names_person(tokens, head) and not is_plural


def _measures(tokens: Tokens, number: Number) -> bool:
    """Tell whether a number is a part of a larger phrase: "60 mph", "60 Main Street", "60%"."""
    if is_in_range(tokens, number):
        return True
    behind, after = tokens.gaps[number.last + 1], word_behind(tokens, number.last)
    if behind[:1] not in ("", " ", ",", ".", ";", ")", "!", "?"):
        return True
    if after in _CLOCK or after in UNITS or after in YEARS:
        return True
    is_name = bool(after) and tokens.words[number.last + 1][0].isupper() and after != "i"
    return is_name or not ends_at_person(tokens, number.last)


def _is_stated(tokens: Tokens, number: Number) -> bool:
    """Tell whether a number is said of a person as the age: "when she was 25 he left"."""
    gap = tokens.gaps[number.last + 1]
    if gap.isspace() and word_behind(tokens, number.last) not in people_words("behind_age"):
        return False
    return gap != "-" and subject_is_person(tokens, number.first)


def _is_in_life(tokens: Tokens, number: Number) -> bool:
    """Tell whether "at" and a number tell when in someone's life something came to pass."""
    lower, gaps = tokens.lower, tokens.gaps
    at = number.first - 1
    if tokens.opens_sentence(at):
        after = lower[number.last + 1] if number.last + 1 < len(lower) else ""
        is_person = after in ("he", "i", "she") or (
            bool(after) and opens_name(tokens, number.last + 1)
        )
        return number.value > _HOURS and gaps[number.last + 1] in (", ", " ") and is_person
    for place in range(at - 1, max(0, at - REACH), -1):
        if not (gaps[place + 1].isspace() or gaps[place + 1] in APOSTROPHES):
            return False
        is_timed = lower[place] in people_words("timed_life_events")
        if is_timed or lower[place] in people_words("life_events"):
            is_age = number.value > _HOURS or not is_timed
            return is_age and _is_done_by_person(tokens, place)
    return False


def _is_done_by_person(tokens: Tokens, verb: int) -> bool:
    """Tell whether the subject of a verb is a person, also where "and" joins it to another verb."""
    if subject_is_person(tokens, verb):
        return True
    if tokens.lower[verb - 1] not in CONJUNCTIONS:
        return False
    before = tokens.lower[max(0, verb - REACH) : verb]
    return not {"he", "i", "she", "who"}.isdisjoint(before)


def word_behind(tokens: Tokens, index: int) -> str:
    """Return the word behind another.

    Args:
        tokens: The text.
        index: Which word.

    Returns:
        The next word in lower case; empty at the end of the text.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> word_behind(tokenize("60 Main Street"), 0)
        'main'
    """
    return tokens.lower[index + 1] if index + 1 < len(tokens.lower) else ""
