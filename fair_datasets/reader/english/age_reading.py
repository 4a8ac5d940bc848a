"""Reading the ages of people, in numbers and as stages of life, and what they are written as."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

import numpy as np

from fair_datasets.reader.english.ages import (
    AGE_ENDS,
    BARE_AGES,
    BARE_RULE,
    BEHIND_RULE,
    COUNT,
    DECADE,
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
    TURNING,
    YEARS_OLD,
    YO,
    AgeMention,
    age_mention,
    decade_mention,
    range_mention,
)
from fair_datasets.reader.english.lists import YEARS
from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HERE,
    IN_HEADLINE,
    LAST,
    OPENS_SENTENCE,
    is_blank,
    opens_sentence,
    place_of,
)
from fair_datasets.reader.english.noun_phrases import counts, modifier, people, person_noun
from fair_datasets.reader.english.numbers import Number, end_of_number, value_at
from fair_datasets.reader.english.predications import described_noun
from fair_datasets.reader.matching.language import Age
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.reader.matching.predicates import ALWAYS, Predicate, Rule, first_matching_rule
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places, TokenBatch
from fair_datasets.reader.matching.token_refs import TokenRef
from fair_datasets.reader.matching.tokenizer import Tokens
from fair_datasets.reader.matching.vocabulary import vocabulary

_OWNERS_OF_KIN = ("her", "his", "its", "my", "our", "their", "thy", "whose", "your")


def read_ages(words: TokenBatch) -> list[Age]:
    """Find the ages of people that are told in numbers.

    Returns:
        The ages in the order of the texts; no two overlap.

    Example:
        >>> [age] = read_ages(TokenBatch(["a 40-year-old woman"]))
        >>> age.attribute, age.forms["senior"], age.forms["adult"]
        ('young', '86-year-old', 'adult')
        >>> read_ages(TokenBatch(["a five-year plan"]))
        []
    """
    placed_ages: list[tuple[int, Age]] = []
    for listed, read in _READERS:
        places = _places_of(words, listed)
        if len(places):
            candidates = Candidates(words, places)
            placed_ages += ((int(places[row]), aged) for row, aged in read(candidates))
    selected: list[Age] = []
    for _, aged in sorted(placed_ages, key=lambda pair: pair[0]):
        last = selected[-1] if selected else None
        if last is None or last.text < aged.text or aged.first > last.last:
            selected.append(aged)
    return selected


def ends_of_other_ages(words: TokenBatch, is_read: Mask) -> list[tuple[int, int]]:
    """Find the ages that are not read: those in months, and numbers that are no whole years.

    A "90,000-year-old man", a "3.5-year-old boy" and a "six-month-old girl" are of no age in whole
    years, and what would be written of them would not fit the number.

    Args:
        is_read: The places of the ages that are read. Shape (P,).

    Returns:
        The place of the last word of each, and that of the noun for who is so old; that of the
        last word again where there is none.
    """
    places = _places_of(words, _age_ends)
    places = places[~is_read[places]]
    if not len(places):
        return []
    candidates = Candidates(words, places)
    is_age = candidates.holds(ENDS_AGE)
    nouns = candidates.at(described_noun(HERE))
    nouns = np.where(nouns == candidates.nowhere, places, nouns)
    return list(zip(places[is_age].tolist(), nouns[is_age].tolist(), strict=True))


def _places_of(words: TokenBatch, list_words: Callable[[], Iterable[str]]) -> Places:
    """Return the places of some words."""
    is_listed = vocabulary().is_listed(list_words, list_words)
    return is_listed[words.number].nonzero()[0]


Read = Iterator[tuple[int, Age]]


def _aged(
    candidates: Candidates, row: int, rule: str, make: Callable[[Tokens, int], AgeMention | None]
) -> Read:
    """Return what is written for an age, unless it is of two stages of life."""
    text = int(candidates.words.owner[candidates.places[row]])
    mention = make(candidates.words.tokens(text), int(candidates.words.first[text]))
    if mention is not None:
        yield row, Age(text, *mention, rule)


def _numbers(candidates: Candidates, place: TokenRef) -> Callable[[int, int], Number]:
    """Return what tells the number that starts at a place, by the words of its text."""
    values = value_at(candidates, place).tolist()
    firsts, lasts = candidates.at(place).tolist(), candidates.at(end_of_number(place)).tolist()

    def number(row: int, begin: int) -> Number:
        return Number(values[row], firsts[row] - begin, lasts[row] - begin)

    return number


def _read_years(candidates: Candidates) -> Read:
    """Read "40-year-old", "40 years old" and "forty years of age" at the word "year"."""
    rules, number_of = first_matching_rule(YEARS_OLD, candidates), _numbers(candidates, COUNT)
    for row in IS_READ[rules].nonzero()[0].tolist():
        rule = YEARS_OLD[rules[row]]

        def make(
            tokens: Tokens, begin: int, row: int = row, verdict: str = rule.verdict
        ) -> AgeMention:
            number = number_of(row, begin)
            index = int(candidates.places[row]) - begin
            last = index + (2 if verdict == "of age" else 1)
            adult = verdict if verdict in ("adult", "adults") else ""
            return age_mention(tokens, number, number.first, last, adult)

        yield from _aged(candidates, row, rule.name, make)


IS_READ = np.array([rule.verdict != "" for rule in YEARS_OLD])


def _read_decades(candidates: Candidates) -> Read:
    """Read "in her late thirties" at the decade."""
    for row in candidates.holds(DECADE_RULE.condition).nonzero()[0].tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index = int(candidates.places[row]) - begin
            return decade_mention(tokens, index, PART.get(tokens.lower[index - 1], 5))

        yield from _aged(candidates, row, DECADE_RULE.name, make)


def _read_short(candidates: Candidates) -> Read:
    """Read "40yo", "40 yo" and "40 y/o" at the word that holds the y."""
    number_of = _numbers(candidates, SHORT_FIRST)
    for row in candidates.holds(SHORT_RULE.condition).nonzero()[0].tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index, last = (
                int(candidates.places[row]) - begin,
                int(candidates.at(SHORT_LAST)[row]) - begin,
            )
            years = YO.get(tokens.lower[index])
            number = number_of(row, begin) if years is None else Number(years, index, index)
            return age_mention(tokens, number, number.first, last)

        yield from _aged(candidates, row, SHORT_RULE.name, make)


def _read_bare(candidates: Candidates) -> Read:
    """Read an age at a number that no word for ages stands beside."""
    number_of = _numbers(candidates, HERE)
    for row in candidates.holds(BARE_RULE.condition).nonzero()[0].tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            number = number_of(row, begin)
            return age_mention(tokens, number, number.first, number.last)

        yield from _aged(candidates, row, BARE_RULE.name, make)


def _read_tags(candidates: Candidates) -> Read:
    """Read "25F" and "F31"."""
    for row in candidates.holds(TAG_RULE.condition).nonzero()[0].tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention:
            index = int(candidates.places[row]) - begin
            return age_mention(
                tokens, Number(TAGS[tokens.lower[index]], index, index), index, index
            )

        yield from _aged(candidates, row, TAG_RULE.name, make)


def _read_behind(candidates: Candidates) -> Read:
    """Read "aged seven", "at the age of 12", "turned 50" and "aged 7 to 12" at their first word."""
    is_range, is_turning = candidates.holds(IS_RANGE), candidates.holds(IS_TURNING)
    low, high = _numbers(candidates, START), _numbers(candidates, HIGH)
    for row in candidates.holds(BEHIND_RULE.condition).nonzero()[0].tolist():

        def make(tokens: Tokens, begin: int, row: int = row) -> AgeMention | None:
            number = low(row, begin)
            if is_range[row]:
                return range_mention(tokens, number, high(row, begin))
            first = number.first if is_turning[row] else int(candidates.places[row]) - begin
            return age_mention(tokens, number, first, number.last)

        yield from _aged(candidates, row, BEHIND_RULE.name, make)


def _age_ends() -> Iterable[str]:
    return AGE_ENDS


# The words at which an age may be told, and what reads it there.
_READERS: Sequence[tuple[Callable[[], Iterable[str]], Callable[[Candidates], Read]]] = (
    (lambda: YEARS, _read_years),
    (lambda: DECADE, _read_decades),
    (lambda: SHORTS, _read_short),
    (lambda: BARE_AGES, _read_bare),
    (lambda: TAGS, _read_tags),
    (lambda: (*TURNING, "aged", "age", "ages"), _read_behind),
)


def _is_apostrophe(sign: str) -> bool:
    """Whether a sign is an apostrophe, in texts whose words stand apart as well."""
    return sign.strip() in ("'", "’")


KIN, NAME, WHOLE = Reason.RELATIVE, Reason.NAME, Reason.COMPOUND
# How many words may lie between an owner and the children: "her two very young children".
_REACH = 4
_IS_INSIDE = ~HERE.among("has_children") & (
    modifier(HERE) | counts(HERE) | HERE.is_word("one") | HERE.among("kin_adjectives", "ordinals")
)
_IS_ARTICLE = HERE.is_word("a", "an", "any", "no", "some", "more", "many", "several", "another")


def _back(candidates: Candidates, inside: Predicate, place: Places) -> Places:
    """Walk back over some words, within the phrase."""
    place = place.copy()
    blank = candidates.words.signs.those(is_blank)
    goes = (place != candidates.nowhere).nonzero()[0]
    for _ in range(_REACH):
        here = place[goes]
        held = (here > candidates.first[goes]) & blank[candidates.words.sign[here]]
        held &= Candidates(candidates.words, here).holds(inside)
        goes = goes[held]
        place[goes] -= 1
    return place


_OPENER = place_of(lambda candidates: _back(candidates, _IS_INSIDE, candidates.at(BEFORE)))
"""The word before the phrase: "her" in "her two children"."""
_HAVING = place_of(lambda candidates: _back(candidates, _IS_ARTICLE, candidates.at(_OPENER)))
_IS_NEAR = ~HERE.is_first & HERE.sign_that(is_blank)
_AFTER, _SECOND = LAST + 1, LAST + 2
_IS_CHILD = LAST.is_word("child", "children", "kid", "kids")
_IS_PLURAL = LAST.is_word("children", "kids")
_IS_POSSESSIVE = _AFTER.is_word("s") & _AFTER.sign_that(_is_apostrophe)
_IS_CAPITAL = HERE.is_capital & ~HERE.is_upper & ~IN_HEADLINE
_IS_ENCLOSED = HERE.sign(" (") & _AFTER.sign_that(lambda sign: sign.startswith(")"))
_IS_NAMED = ~OPENS_SENTENCE | _IS_ENCLOSED | (_IS_POSSESSIVE & _SECOND.is_capital)
_IS_GRADABLE = HERE.is_word("adult", "aged", "elderly", "old", "older", "young", "younger")
_IS_GRADED = _IS_GRADABLE & BEFORE.among("degrees_of_age") & HERE.sign_that(is_blank)
_IS_COMPARED = (
    HERE.is_word("younger", "older")
    & (_AFTER.is_word("than") | BEFORE.is_word("any", "even", "far", "much", "no", "years"))
) | (_IS_GRADABLE & _AFTER.is_word("for") & (LAST + 3).is_word("age", "years"))
_ARE_BORNE = _OPENER.is_word("him", "them") & (_OPENER - 1).is_word("bear", "bore", "gave", "given")
_MADE = _AFTER.sign(" ") & _AFTER.among("made_for_children")
_THEIR_MADE = _IS_POSSESSIVE & (
    _SECOND.among("made_for_children")
    | (modifier(_SECOND) | _SECOND.is_word("picture")) & (_SECOND + 1).among("made_for_children")
)
_IS_WHICH = reduce(
    or_, [(HERE - d).among("kin_adjectives") & (HERE - d + 1).sign_that(is_blank) for d in (1, 2)]
)

STAGES: tuple[Rule[Reason | None], ...] = (
    Rule("stages.name", NAME, _IS_CAPITAL & _IS_NAMED, "its capital makes a name of it"),
    Rule("stages.hyphen", WHOLE,
         (_AFTER.is_there & _AFTER.sign("-"))
         | (~HERE.is_first & HERE.sign("-"))
         | (HERE.sign(" - ", "- ", " -") & BEFORE.is_word("middle", "year", "years")),
         "a hyphen joins another word to it"),
    Rule("stages.degree", WHOLE, _IS_GRADED, "a word says to what degree"),
    Rule("stages.compared", WHOLE, _IS_COMPARED, "it compares two people"),
    Rule("stages.relative", WHOLE,
         (_IS_GRADABLE & _AFTER.among("relatives"))
         | (LAST.is_word("infant", "minor", "toddler") & _AFTER.sign(" ") & person_noun(_AFTER)),
         "said of somebody, it means more than an age"),
    Rule("stages.animal", WHOLE, _AFTER.sign(" ") & _AFTER.among("kinds_of_animals"),
         "an animal is meant"),
    Rule("stages.for_them", WHOLE,
         (_IS_CHILD & ((_IS_PLURAL & _MADE) | _THEIR_MADE))
         | (LAST.ends_with("s") & HERE.sign(" ") & BEFORE.is_word("a", "an")),  # "a girls night"
         "the thing after it is made for them"),
    Rule("stages.no_child", None, ~_IS_CHILD, "nothing says that it tells no age"),
    Rule("kin.owner", KIN,
         _IS_NEAR & (_OPENER.is_word(*_OWNERS_OF_KIN)
         | (_OPENER.is_word("s") & _OPENER.sign_that(_is_apostrophe))),
         "the text says whose it is"),
    Rule("kin.family", KIN,
         _IS_PLURAL & HERE.sign(" ") & BEFORE.is_title & ~people(BEFORE) & ~opens_sentence(BEFORE),
         "a family name stands before it"),
    Rule("kin.which", KIN, _IS_NEAR & _IS_WHICH & ~(_OPENER + 1).is_word("first", "second"),
         "the text says which one of somebody's it is"),
    Rule("kin.number", KIN,
         _IS_NEAR & _OPENER.is_word("of", "to") & (counts(BEFORE) | counts(HERE - 2)),
         "the text says how many somebody has"),
    Rule("kin.having", KIN,
         _IS_NEAR
         & (_HAVING.among("has_children") | _OPENER.is_word("without") | _ARE_BORNE),
         "the text says that somebody has some"),
    Rule("kin.with", KIN,
         _IS_NEAR & counts(_OPENER + 1) & _OPENER.is_word("with") & (_OPENER - 1).among("parents"),
         "the text says who has some"),
    Rule("kin.joined", KIN,
         (BEFORE.is_word("and", "or") & (HERE - 2).among("parents"))
         | (_OPENER.is_word("and", "or") & (_OPENER - 1).among("parents")),
         "it is joined to a word for a parent"),
    Rule("kin.women", KIN,
         HERE.is_word("children")
         & ((BEFORE.is_word("and", "or") & (HERE - 2).is_word("women"))
            | (BEFORE.is_word("women") & HERE.sign(", "))),
         'it belongs to "women and children"'),
    Rule("kin.everyone", KIN,
         BEFORE.is_word("and", "or") & (HERE - 2).is_word("woman") & (HERE - 3).is_word("man"),
         'it belongs to "man, woman, and child"'),
    Rule("kin.joined_behind", KIN,
         _AFTER.is_word("and", "or") & (_SECOND.among("parents") | _SECOND.is_word("grandchildren")
         | (_SECOND.is_word(*_OWNERS_OF_KIN) & (_SECOND + 1).among("parents"))),
         "a word for a parent is joined to it"),
    Rule("kin.their_parents", KIN,
         (_IS_POSSESSIVE & _SECOND.among("parents"))
         | (_AFTER.sign("' ", "’ ") & LAST.ends_with("s") & _AFTER.among("parents")),
         "the text mentions their parents"),
    Rule("kin.none", None, ALWAYS, "nothing says that it is somebody's"),
)  # fmt: skip
"""Why a word for a stage of life tells no age that could be another; None where it does."""
