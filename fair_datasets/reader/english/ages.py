"""Ages of people in numbers: whether "a 40-year-old", "aged seven" or "in her sixties" is one."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.lexicons import spans_of_life, stages_of_life
from fair_datasets.reader.english.lists import (
    OBJECT_PRONOUNS,
    POSSESSIVE_DETERMINERS,
    SUBJECT_PRONOUNS,
)
from fair_datasets.reader.english.lists import YEARS as YEAR_WORDS
from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HERE,
    NEXT,
    is_blank,
    is_first_name,
    opens_sentence,
    place_of,
)
from fair_datasets.reader.english.noun_phrases import (
    REACH,
    conjunction,
    ends_at_person,
    ends_phrase,
    function_word,
    is_blank_or_apostrophe,
    names_person,
    opens_name,
    people,
    person_noun,
    subject_is_person,
)
from fair_datasets.reader.english.numbers import (
    NUMBER,
    OLDEST,
    TEN,
    Number,
    end_of_number,
    in_range,
    is_joiner,
    is_stripped_dash,
    number_that_ends,
    starts_number,
    value_at,
)
from fair_datasets.reader.english.predications import described_noun
from fair_datasets.reader.matching.letters import match_case
from fair_datasets.reader.matching.predicates import ALWAYS, NEVER, Predicate, Rule, choose
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places
from fair_datasets.reader.matching.token_refs import TokenRef
from fair_datasets.reader.matching.tokenizer import Tokens
from fair_datasets.reader.matching.vocabulary import vocabulary

_CLOCK = ("a", "am", "o", "p", "pm")
_AGE_BOUNDS = ("above", "below", "over", "under")
_DIGITS = re.compile("[0-9]+")
_WORD = {value: word for word, value in NUMBER.items()}

#: Decades of ages by the word for them.
DECADE = {"teens": 10} | {f"{word[:-1]}ies": value for word, value in TEN.items()}
DECADE |= {f"{value}s": value for value in TEN.values()}


class AgeMention(NamedTuple):
    """An age in numbers.

    Attributes:
        first: Its first word.
        last: Its last word, inclusive.
        attribute: The stage of life.
        forms: Attribute to what is written instead of the characters from the first word's start
            to the last word's end.
    """

    first: int
    last: int
    attribute: str
    forms: Mapping[str, str]


def age_mention(
    tokens: Tokens, number: Number, first: int, last: int, adult: str = ""
) -> AgeMention:
    """Return the mention of an age with what is written instead of it.

    An age is written at the proportional place of the target's range, so that of two ages the
    higher stays at least as high.

    Args:
        adult: What says "adult" instead of the mention; empty if only a number does.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> age_mention(tokenize("aged 40"), Number(40, 1, 1), 0, 1).forms["senior"]
        'aged 86'
    """
    text = tokens.text
    before = text[tokens.starts[first] : tokens.starts[number.first]]
    written = text[tokens.starts[number.first] : tokens.end(number.last)]
    after = text[tokens.end(number.last) : tokens.end(last)]
    return AgeMention(first, last, *_age_forms(number.value, before, written, after, adult))


# Texts with thousands of ages have few kinds of them, each of which is made once: made anew, they
# would be so many objects that the garbage collector goes through all of the process.
_MOST_FORMS = 1 << 12


@lru_cache(maxsize=_MOST_FORMS)
def _age_forms(
    value: int, before: str, written: str, after: str, adult: str
) -> tuple[str, Mapping[str, str]]:
    """Return the attribute of an age, and what is written for it by attribute."""
    attribute = attribute_of(value)
    forms = {attribute: before + written + after}
    if value == 1 and not adult:
        after = after.replace("year", "years", 1) if " year " in after else after
    for target in stages_of_life():
        if target != attribute:
            age = _age_at(value, attribute, target)
            forms[target] = before + _age_text(age, written) + after
    if adult:
        forms["adult"] = match_case(written, adult)
    return attribute, _as_adult(attribute, forms)


def _as_adult(attribute: str, forms: Mapping[str, str]) -> Mapping[str, str]:
    """Write a child's age as a young adult's where no word says "adult"; that of others stays."""
    spans = {
        name: forms[stages[0]]
        for name, stages in spans_of_life().items()
        if attribute not in stages
    }
    return {**spans, **forms}


def range_mention(tokens: Tokens, low: Number, high: Number) -> AgeMention | None:
    """Return the mention of two ages, from the first word of the lower to the last of the higher.

    Returns:
        The mention; None if the two belong to different stages of life.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> ages = range_mention(tokenize("7 to 12"), Number(7, 0, 0), Number(12, 2, 2))
        >>> ages.forms["young"]
        '25 to 28'
    """
    attribute = attribute_of(low.value)
    if attribute != attribute_of(high.value):
        return None
    text = tokens.text
    parts = [text[tokens.starts[n.first] : tokens.end(n.last)] for n in (low, high)]
    between = text[tokens.end(low.last) : tokens.starts[high.first]]
    forms = {attribute: between.join(parts)}
    for target in stages_of_life():
        if target != attribute:
            lower, higher = (_age_at(n.value, attribute, target) for n in (low, high))
            if lower == higher and lower > stages_of_life()[target].written_years[0]:
                lower -= 1
            elif lower == higher:
                higher += 1
            ages = zip((lower, higher), parts, strict=True)
            forms[target] = between.join(_age_text(age, written) for age, written in ages)
    return AgeMention(low.first, high.last, attribute, _as_adult(attribute, forms))


def decade_mention(tokens: Tokens, index: int, years: int) -> AgeMention:
    """Return the mention of a decade of ages ("thirties") with what is written instead of it.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> decade_mention(tokenize("her sixties"), 1, 5).forms["middle-aged"]
        'fifties'
    """
    value = DECADE[tokens.lower[index]]
    return AgeMention(index, index, *_decade_forms(value, tokens.word(index), years))


@lru_cache(maxsize=_MOST_FORMS)
def _decade_forms(value: int, written: str, years: int) -> tuple[str, Mapping[str, str]]:
    """Return the attribute of a decade of ages, and what is written for it by attribute."""
    stages = stages_of_life()
    several = [name for name, stage in stages.items() if value in stage.decades]
    attribute = attribute_of(value + years) if len(several) > 1 else several[0]
    place = stages[attribute].decades.index(value)
    forms = {}
    for target, stage in stages.items():
        decades = stage.written_decades
        text = _decade_text(decades[min(place, len(decades) - 1)], written[0].isdigit())
        forms[target] = match_case(written, text)
    forms[attribute] = written
    return attribute, _as_adult(attribute, forms)


def attribute_of(age: int) -> str:
    """Return the attribute that an age belongs to.

    Example:
        >>> attribute_of(17), attribute_of(65)
        ('child', 'senior')
    """
    stages = stages_of_life()
    return next((name for name, stage in stages.items() if age <= stage.years[1]), [*stages][-1])


def _decade_text(decade: int, in_digits: bool) -> str:
    """Return a decade of ages in words or digits; there are no digits for "teens"."""
    if decade == 10:
        return "teens"
    return f"{decade}s" if in_digits else f"{_WORD[decade][:-1]}ies"


def _age_at(age: int, attribute: str, target: str) -> int:
    """Return the age at the same place of the target's range."""
    lowest, highest = stages_of_life()[attribute].years
    low, high = stages_of_life()[target].written_years
    place = (min(age, highest) - lowest) / (highest - lowest)
    return low + round(place * (high - low))


def _age_text(age: int, written: str) -> str:
    """Write an age as the age in the text is written."""
    if _DIGITS.search(written):
        return _DIGITS.sub(str(age), written, count=1)
    tens, ones = divmod(age, 10)
    word = _WORD[age] if age in _WORD else f"{_WORD[10 * tens]}-{_WORD[ones]}"
    return match_case(written, word)


GENDERED = {"man": "m", "woman": "f", "non-binary": "nb"}
"""Attribute to the letters that stand for it."""
YEARS = range(13, 100)
"""The ages that are told so."""


def _opens(sign: str) -> bool:
    return sign.endswith(("(", "["))


def _closes(sign: str) -> bool:
    return sign.startswith((")", "]", ",", "/"))


_IS_BRACKETED = HERE.sign_that(_opens) & NEXT.sign_that(_closes)
_IS_PERSON = ~HERE.is_first & (
    BEFORE.is_word(*SUBJECT_PRONOUNS, *OBJECT_PRONOUNS, "her")
    | person_noun(BEFORE)
    | (BEFORE.is_capital & BEFORE.that(is_first_name))
)
_IS_I = BEFORE.is_word("i") | (BEFORE.is_word("m", "am") & (HERE - 2).is_word("i"))
AGE_TAG = (_IS_BRACKETED & (HERE.is_first | _IS_PERSON)) | (
    ~HERE.is_first
    & HERE.sign(" ")
    & HERE.is_capitals
    & ~HERE.ends_with(*"0123456789")
    & (_IS_I | person_noun(BEFORE))
    & ends_phrase(HERE)
)
"""Whether an age and a letter are of a person: "I (25F)", "[F31]", "my boss 40M"."""


_BE = ("am", "is", "m", "s", "was")
_HOURS = 12
BARE_AGES = frozenset(
    {str(age) for age in range(1, OLDEST)} | {word for word in NUMBER if NUMBER[word] > 10}
)
"""Where an age may be told by a number alone; up to ten in words it is more often a count."""

_BARE_LAST = end_of_number(HERE)
_BEHIND = _BARE_LAST + 1


def _measures(place: TokenRef) -> Predicate:
    """Whether the number before a word is of something else than years."""
    things = ("cents", "degrees", "dollars", "inches", "metres", "pages", "percent", "times")
    return place.among("spans") | place.is_word(*things)


def _value_over(hours: int) -> Predicate:
    return Predicate(lambda candidates: value_at(candidates, HERE) > hours)


_OVER_HOURS = _value_over(_HOURS)
_IS_COUNTABLE = people(BEFORE) | (BEFORE.ends_with("s") & BEFORE.is_lower)
_ONE_PERSON = ~BEFORE.among("personal_subjects", "groups") & ~_IS_COUNTABLE & names_person(BEFORE)
_ENCLOSED = (HERE.sign(", ") & _BEHIND.sign_that(lambda sign: sign[:1] in (",", ".", ";"))) | (
    HERE.sign(" (") & _BEHIND.sign_that(lambda sign: sign[:1] == ")")
)
_MEASURES = (
    in_range(HERE)
    | ~_BEHIND.sign_that(lambda sign: sign[:1] in ("", " ", ",", ".", ";", ")", "!", "?"))
    | _measures(_BEHIND)
    | _BEHIND.is_word(*_CLOCK, *YEAR_WORDS)
    | (_BEHIND.is_there & _BEHIND.is_capital & ~_BEHIND.is_word("i"))
    | ~ends_at_person(_BARE_LAST)
)
_STATED = (
    ~(_BEHIND.sign_that(is_blank) & ~_BEHIND.among("after_phrase"))
    & ~_BEHIND.sign("-")
    & subject_is_person(HERE)
)


def _done_by_person(verb: TokenRef) -> Predicate:
    """Whether the subject of a verb is a person, also where "and" joins it to another verb."""
    around = verb.any_before(REACH, "he", "i", "she", "who")
    return (subject_is_person(verb) | (conjunction(verb - 1) & around)).costly


def _in_life(distance: int) -> Predicate:
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
_SPELT_PLAIN = choose(
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
        (HERE.sign(" ") & _SPELT_PLAIN & ~_MEASURES.costly).costly,
    )
)


# How far into a decade someone is, in years.
PART = {"early": 2, "mid": 5, "late": 8}
TAGS = {
    tag: age
    for age in YEARS
    for letters in GENDERED.values()
    for tag in (f"{age}{letters}", f"{letters}{age}")
}
YO = {f"{age}{ending}": age for age in range(1, OLDEST + 1) for ending in ("yo", "yos")}

# "40-year-old", "40 years old" and "forty years of age", at the word "year".
COUNT = number_that_ends(BEFORE)
_IS_JOINED = HERE.sign_that(is_joiner)


@cache
def _stated(first: TokenRef, depth: int = 6) -> Predicate:
    """Whether an age is said of a person: "she is only 40 years old"."""
    before = first - 1
    about = before.is_word("about", "around", "at", "nearly", "over")
    own = ~first.is_first & subject_is_person(first)
    return choose(about, _stated(before, depth - 1), own).costly if depth else own


_IS_COUNTED = COUNT.is_there & NEXT.is_there & _IS_JOINED
_OF_AGE = NEXT.is_word("of") & (HERE + 2).is_word("age")
_IS_OLD = NEXT.is_word("old", "olds") & NEXT.sign_that(is_joiner)
_ENDS_OLD = ends_phrase(NEXT) | conjunction(NEXT + 1)
_IS_ONE = Predicate(lambda candidates: value_at(candidates, COUNT) == 1)
_IS_OWNED = (COUNT - 1).is_word("her", "his", "my", "our", "their", "whose", "your")

YEARS_OLD = (
    Rule("ages.no_count", "", ~_IS_COUNTED, "no number stands before it"),
    Rule("ages.of_age", "of age", _OF_AGE & _stated(COUNT),
         "the text says how many years of age somebody is"),
    Rule("ages.not_old", "", ~_IS_OLD, 'the word "old" does not follow it'),
    Rule("ages.own_child", "plain",
         HERE.is_word("year", "yr") & ~_IS_ONE & _IS_OWNED & _ENDS_OLD,
         "it is a noun for somebody's child"),
    Rule("ages.olds", "adults", NEXT.is_word("olds"), "it is a noun for people of that age"),
    Rule("ages.old_person", "adult", described_noun(NEXT).is_there.costly,
         "a noun for people follows it"),
    Rule("ages.goes_on", "", ~_ENDS_OLD,
         "the phrase goes on with another noun"),
    Rule("ages.year_old", "adult", HERE.is_word("year", "yr") & ~_IS_ONE,
         "it is a noun for somebody of that age"),
    Rule("ages.years_old", "plain", _stated(COUNT), "it is said of a person"),
    Rule("ages.of_thing", "", ALWAYS, "it is said of a thing"),
)  # fmt: skip


# "in her late thirties"
def _back(candidates: Candidates) -> Places:
    place = candidates.at(BEFORE).copy()
    goes = (place != candidates.nowhere).nonzero()[0]
    parts = [vocabulary().number(word) for word in (*PART, "or", "to")]
    while len(goes):
        here = place[goes]
        goes = goes[
            (here > candidates.first[goes] + 1) & np.isin(candidates.words.number[here], parts)
        ]
        place[goes] -= 1
    return place


vocabulary().preload(lambda: [*PART, "or", "to", *DECADE])
_OWNER = place_of(_back)


def _are_joined(candidates: Candidates) -> Mask:
    """Whether nothing but spaces and hyphens lie between the owner and the decade."""
    owner = candidates.at(_OWNER)
    held: Mask = owner != candidates.nowhere
    ok = candidates.words.signs.those(is_joiner)
    for j in held.nonzero()[0].tolist():
        held[j] = bool(ok[candidates.words.sign[owner[j] : candidates.places[j] + 1]].all())
    return held


_HAS_CONJUNCTION = conjunction(NEXT)
IN_DECADE = (
    (_OWNER - 1).is_there
    & _OWNER.is_word(*POSSESSIVE_DETERMINERS)
    & (_OWNER - 1).is_word("in", "into", "of", "to")
    & Predicate(_are_joined)
    & choose(
        _HAS_CONJUNCTION,
        ~((HERE + 2).is_word(*DECADE) | (HERE + 3).is_word(*DECADE)),
        ends_phrase(HERE),
    )
)

# "40yo", "40 yo" and "40 y/o", at the word that holds the y
_IS_SLASHED = HERE.is_word("y")
SHORT_LAST = NEXT.where(_IS_SLASHED, HERE)
SHORT_FIRST = HERE.where(HERE.is_word(*YO), number_that_ends(BEFORE))
SHORT = (
    (~_IS_SLASHED | (NEXT.is_word("o") & NEXT.sign("/")))
    & SHORT_FIRST.is_there
    & ~in_range(SHORT_FIRST)
    & (described_noun(SHORT_LAST).is_there | ends_phrase(SHORT_LAST)).costly
)

# "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12"
TURNING = ("turned", "turning", "turns")
IS_TURNING, _IS_AGED = HERE.is_word(*TURNING), HERE.is_word("aged")
_SKIPS = choose(HERE.is_word("age", "ages"), NEXT.is_word("of"), NEXT.is_word("between"))
START = (HERE + 2).where(_SKIPS, NEXT)
_LOW_END = end_of_number(START)
HIGH = (_LOW_END + 2).where((_LOW_END + 1).is_word("to", "and"), _LOW_END + 1)
IS_RANGE = in_range(START)
_HAS_HIGH = (
    ((_LOW_END + 1).is_word("to", "and") | (_LOW_END + 1).sign_that(is_stripped_dash))
    & starts_number(HIGH)
    & Predicate(lambda candidates: value_at(candidates, HIGH) > value_at(candidates, START))
)
_LAST = end_of_number(HIGH).where(IS_RANGE, _LOW_END)
_AFTER = _LAST + 1
_IN_YEARS = _AFTER.is_word(*YEAR_WORDS)
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
    | BEFORE.is_word("dead", "die", "died", "dies", "dying")
    | function_word(BEFORE)
)
_IS_FREE = HERE.is_first | ~HERE.sign(" ") | _OWNED_BEFORE | person_noun(BEFORE)
_IS_BOUND = BEFORE.is_word(*_AGE_BOUNDS) | (HERE - 2).is_word(*_AGE_BOUNDS)
_IS_AGE = choose(
    IS_TURNING,
    ~_IN_YEARS & subject_is_person(HERE),
    choose(_IS_AGED, _AGED, _IS_FREE & ~_IS_BOUND),
)
NUMBER_BEHIND = (
    starts_number(START)
    & START.sign(" ")
    & (~IS_RANGE | (~IS_TURNING & _HAS_HIGH))
    & ~_measures(_AFTER)
    & (ends_phrase(_LAST) | _IN_YEARS | _AFTER.is_word("just", "last", "next", "recently"))
    & _IS_AGE.costly
)


DECADE_RULE = Rule("ages.decade", True, IN_DECADE, "it is a decade that is someone's")
SHORT_RULE = Rule("ages.short", True, SHORT, 'it is a number with "yo" or "y/o" after it')
BARE_RULE = Rule("ages.bare", True, BARE, "it is a number that stands as an age does")
TAG_RULE = Rule("ages.tag", True, AGE_TAG, "it is the age and the gender of a person in one word")
BEHIND_RULE = Rule(
    "ages.number_behind", True, NUMBER_BEHIND, "a word that ages follow stands before it"
)
RULES: tuple[Rule[Any], ...] = (
    *YEARS_OLD, DECADE_RULE, SHORT_RULE, BARE_RULE, TAG_RULE, BEHIND_RULE
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
        ((BEFORE.among("spans") | BEFORE.is_word(*YEAR_WORDS)) & HERE.sign(" ", "-"))
        | HERE.is_word(*YO),
    ),
)

AGE_ENDS = ("old", "older", "o", "yo", "yos", *YO)
SHORTS = ("y", "yo", "yos", *YO)
vocabulary().preload(lambda: (*AGE_ENDS, "age", "ages", "aged", *SHORTS, *BARE_AGES, *TAGS))
