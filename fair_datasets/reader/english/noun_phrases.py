"""Noun phrases about persons: where one ends, and what the subject of a verb is."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from fair_datasets.reader.english.lists import OBJECT_PRONOUNS, POSSESSIVE_DETERMINERS
from fair_datasets.reader.english.neighbours import (
    BEFORE,
    HAS_DETERMINER,
    HERE,
    NEXT,
    WORD_BEHIND,
    auxiliaries,
    is_between,
    is_blank,
    is_first_name,
    is_form_with_s,
    is_function_word,
    is_modifier,
    is_people,
    is_person_noun,
    opens_sentence,
    place_of,
)
from fair_datasets.reader.english.numbers import NUMBER
from fair_datasets.reader.english.verbs import is_base, is_past_participle
from fair_datasets.reader.matching.predicates import ALWAYS, NEVER, Predicate, Rule, choose
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places
from fair_datasets.reader.matching.token_refs import TokenRef

CONJUNCTIONS = ("and", "but", "or")
REACH = 8
_STOPS = frozenset(".!?;:")


def person_noun(place: TokenRef) -> Predicate:
    """Whether a word is a noun for persons: "aunt", "drivers", "family"."""
    return place.that(is_person_noun)


def people(place: TokenRef) -> Predicate:
    """Whether a word says which people someone belongs to: "Asian", "Muslims"."""
    return place.that(is_people)


def modifier(place: TokenRef) -> Predicate:
    """Whether a word may stand between an adjective and its noun."""
    return place.that(is_modifier)


def function_word(place: TokenRef) -> Predicate:
    """Whether a word is no part of the noun phrase before it."""
    return place.that(is_function_word)


def opens_question(place: TokenRef) -> Predicate:
    """Whether a word stands before the verb of a question or of a clause."""
    return place.among("clause_openers") | place.is_word(*CONJUNCTIONS, "so", "then")


def auxiliary(place: TokenRef) -> Predicate:
    """Whether a word is a verb that no other verb in the present stands before."""
    return place.that(_is_auxiliary)


def form_with_s(place: TokenRef) -> Predicate:
    """Whether a word looks like a verb for the third person: "lives", "goes"."""
    return place.that(is_form_with_s)


def counts(place: TokenRef) -> Predicate:
    """Whether a word counts what follows."""
    return place.among("numbers") | place.is_digits


def conjunction(place: TokenRef) -> Predicate:
    """Whether a word joins two others of a noun phrase: "and", "but", "or"."""
    return place.is_word(*CONJUNCTIONS)


def _is_auxiliary(word: str) -> bool:
    return word in auxiliaries()


def _pauses(sign: str) -> bool:
    return "," in sign


def _goes_into(sign: str) -> bool:
    return sign.strip() in ("", ",", "/", "-")


def _joins(sign: str) -> bool:
    return sign.strip() in ("/", "-")


def _is_dash(sign: str) -> bool:
    return sign.strip() == "-"


def _stops(sign: str) -> bool:
    return not _STOPS.isdisjoint(sign)


def in_clause_sign(sign: str) -> bool:
    """Whether a sign lies between two words of a clause."""
    return sign.isspace() or sign in ("", "'", "’", "-")


def is_blank_or_apostrophe(sign: str) -> bool:
    """Whether nothing but space or an apostrophe lies between two words."""
    return sign.isspace() or sign in ("", "'", "’")


def _blank_or_comma(sign: str) -> bool:
    return sign.isspace() or sign == ","


@cache
def is_verb_form(place: TokenRef) -> Predicate:
    """Whether a word ends like a participle: "complained", "singing"."""
    return place.longer(4) & place.ends_with("ed", "ing")


@cache
def _verb(place: TokenRef) -> Predicate:
    """Whether a word looks like a verb and what cannot follow an adjective is behind it."""
    behind = place + 1
    past = place.longer(4) & place.ends_with("ed") & ~place.ends_with("eed")
    ends = ~behind.is_there | ~behind.sign_that(is_blank)
    at_end = past & ~place.among("modifiers") & ~behind.sign_that(_is_dash)
    no_verb = conjunction(behind) | auxiliary(behind) | ~function_word(behind)
    return choose(ends, at_end, ~no_verb & is_verb_form(place))


_OBJECT_OPENERS = (
    *POSSESSIVE_DETERMINERS, *OBJECT_PRONOUNS, "a", "an", "its", "that", "the", "these", "this",
    "those",
)  # fmt: skip


@cache
def _has_object(verb: TokenRef) -> Predicate:
    known = people(verb) | modifier(verb) | person_noun(verb) | function_word(verb)
    behind = verb + 1
    return verb.is_lower & behind.sign(" ") & behind.is_word(*_OBJECT_OPENERS) & ~known


@cache
def before_complement(verb: TokenRef) -> Predicate:
    """Whether what stands behind a word follows a verb sooner than a noun."""
    after = verb + 1
    other = conjunction(after) | auxiliary(after) | after.is_word("of")
    follows = function_word(after) | modifier(after)
    return after.is_there & after.sign_that(is_blank) & ~other & follows


@cache
def ends_phrase(place: TokenRef, depth: int = 3) -> Predicate:
    """Whether a noun phrase ends behind a word."""
    after, second = place + 1, place + 2
    comma = after.sign_that(_pauses)
    goes_on = second.is_there & ~second.sign_that(_stops)
    qualifies = people(after) | modifier(after)
    plain = _verb(after) | (comma & after.ends_with("ed")) | (goes_on & _has_object(after))
    last = comma | function_word(after)
    if depth:
        last = choose(qualifies, comma & ends_phrase(after, depth - 1), last)
        joined = choose(
            people(second) | modifier(second),
            ends_phrase(second, depth - 1),
            comma
            | function_word(second)
            | person_noun(second)
            | ((second.among("verbs") | form_with_s(second)) & before_complement(second)),
        )
    else:
        last = choose(qualifies, NEVER, last)
    rest = plain | choose(second.sign("-"), comma, last)
    if depth:
        rest = choose(conjunction(after) & goes_on, joined, rest)
    return (
        ~after.is_there | ~after.sign_that(_goes_into) | (~after.sign_that(_joins) & rest).costly
    ).costly


@cache
def _only_verb(place: TokenRef) -> Predicate:
    """Whether no other word of a clause looks like its verb."""
    sides = [
        [(place + step * (d + 1), place + step * (d + 1) + (step < 0)) for d in range(REACH)]
        for step in (-1, 1)
    ]
    looks = [
        [
            word.among("linking_verbs", "verbs")
            | form_with_s(word)
            | (word.ends_with("ed") & ~opens_sentence(word))
            | auxiliary(word)
            for word, _ in side
        ]
        for side in sides
    ]
    # "The elderly need help", but "the old work cost more": a noun for one has a verb in -s.
    looks[1][0] &= ~(place + 1).that(_is_base_alone)
    goes = [
        [word.is_there & gap.sign_that(_blank_or_comma) for word, gap in side] for side in sides
    ]

    def test(candidates: Candidates) -> Mask:
        held = np.ones(len(candidates.places), np.bool_)
        for look, go in zip(looks, goes, strict=True):
            is_open = np.ones(len(held), np.bool_)
            for looks_so, goes_on in zip(look, go, strict=True):
                is_open &= candidates.holds(goes_on)
                if not is_open.any():
                    break
                held &= ~(is_open & candidates.holds(looks_so))
        return held

    return Predicate(test, True)


def _is_base_alone(word: str) -> bool:
    return is_base(word) and not is_past_participle(word)


@cache
def ends_at_person(noun: TokenRef) -> Predicate:
    """Whether a phrase ends behind its noun for persons, as it does where they act."""
    word, second = noun + 1, noun + 2
    comma = word.sign_that(_pauses) | conjunction(word)
    fields = word.among("fields") | (second.sign_that(is_blank) & second.among("fields"))
    verbs = word.among("verbs")
    acts = choose(
        is_verb_form(word),
        ~word.ends_with("eed"),
        (verbs | form_with_s(word)) & ((verbs & before_complement(word)) | _only_verb(word)),
    )
    goes_on = word.sign_that(is_blank) & ~second.sign("-")
    return ends_phrase(noun) | choose(comma, ~modifier(noun) & ~fields, goes_on & acts).costly


@cache
def opens_predicate(place: TokenRef) -> Predicate:
    """Whether a verb behind the name of a group says what they do: "the Irish drink tea"."""
    behind = place + 1
    opens = (
        behind.is_there
        & place.among("verbs")
        & place.sign_that(is_blank)
        & behind.sign_that(is_blank)
    )
    return opens & choose(
        function_word(behind) | modifier(behind), before_complement(place), _only_verb(place)
    )


@cache
def opens_name(place: TokenRef) -> Predicate:
    """Whether a word is a title or a first name."""
    return (place.that(is_first_name) & place.is_title) | (
        place.among("before_surname") & place.is_capital
    )


@cache
def names_person(place: TokenRef) -> Predicate:
    """Whether the head of a noun phrase is a person."""
    plain = (
        place.among("personal_subjects") | person_noun(place) | place.is_word("them", "us", "who")
    )
    plural = people(place) & place.ends_with("s")
    is_behind = place.sign(" ") | (place.sign(". ") & (place - 1).among("before_surname"))
    name = opens_name(place) | (opens_name(place - 1) & is_behind)
    small = place.among("peoples") | ~place.is_capital
    return (place.is_there & (plain | choose(small, plural, name).costly)).costly


@cache
def _in_clause(place: TokenRef) -> Predicate:
    """Whether nothing but a space, an apostrophe or a hyphen stands behind a word."""
    return (place + 1).sign_that(in_clause_sign)


@cache
def _skipped(place: TokenRef) -> Predicate:
    """Whether a word stands between a subject and what is said of it."""
    return (
        ~place.is_word("who")
        & _in_clause(place)
        & (place.that(is_between) | place.among("linking_verbs"))
    )


_QUANTITIES = ("all", "both", "few", "half", "many", "most", "none", "several", "some")


@cache
def head_of_subject(verb: TokenRef) -> TokenRef:
    """Return the head of the noun phrase before a verb."""
    before = [verb - distance for distance in range(REACH + 2)]
    there = [place.is_there for place in before]
    skipped = [_skipped(place) for place in before]
    subject = [place.among("personal_subjects") for place in before]
    clause = [_in_clause(place) for place in before]
    of = [place.is_word("of") & (place - 1).is_word(*_QUANTITIES) for place in before]
    preposition = [place.among("prepositions") for place in before]
    determiner = [place.among("determiners") for place in before]
    function = [function_word(place) for place in before]

    def find(candidates: Candidates) -> Places:
        count = len(candidates.places)
        start = np.full(count, REACH + 1)
        is_open = np.ones(count, np.bool_)
        for d in range(1, REACH + 1):
            is_open &= candidates.holds(there[d])
            stops = is_open & ~candidates.holds(skipped[d])
            start[stops] = d
            is_open &= ~stops
            if not is_open.any():
                break
        head = start.copy()
        is_open = start <= REACH
        for d in range(1, REACH + 1):
            is_open &= ~((start == d) & candidates.holds(subject[d]))
        for d in range(1, REACH + 1):
            here = is_open & (d >= start)
            if not here.any():
                continue
            goes_on = (
                here
                & candidates.holds(there[d])
                & candidates.holds(clause[d])
                & ~candidates.holds(of[d])
            )
            is_preposition = goes_on & candidates.holds(preposition[d])
            is_determiner = goes_on & ~is_preposition & candidates.holds(determiner[d])
            is_other = (
                goes_on
                & ~is_preposition
                & ~is_determiner
                & (head < d)
                & candidates.holds(function[d])
            )
            head[is_preposition] = d + 1
            ends = is_determiner & ~candidates.holds(preposition[d + 1])
            is_open &= ~here | (goes_on & ~ends & ~is_other)
        subject_at = candidates.at(verb) - head
        is_none = (candidates.at(verb) == candidates.nowhere) | (head > REACH)
        return np.where(is_none, candidates.nowhere, candidates.within(np.maximum(subject_at, -1)))

    return place_of(find)


@cache
def subject_is_person(verb: TokenRef) -> Predicate:
    """Whether the subject of a verb is a person."""
    return names_person(head_of_subject(verb)).costly


_AROUND = range(-10, 11)
_GROWN_FROM = 16
_SECOND = HERE + 2


def _years(word: str) -> int:
    """Return the number of years that a word may tell; 0 where it tells none."""
    if word.isdecimal() and len(word) < 3:
        return int(word)
    return NUMBER.get(word, 0)


def _is_childs_age(word: str) -> bool:
    return 0 < _years(word) < _GROWN_FROM


def _opens_quote(sign: str) -> bool:
    return sign[:1] == " " and sign[1:2] in ('"', "“", "'", "‘", "`")


_HAS_AGE = NEXT.is_word("of", "aged")
# "a 5-year-old girl"
_IS_OLD = BEFORE.is_word("old") & (HERE - 2).is_word("year", "years")
_YOUNG = (
    "baby", "infant", "little", "newborn", "school", "small", "tiny", "unborn", "young"
)  # fmt: skip
_IS_CHILD = (
    (_HAS_AGE & _SECOND.that(_is_childs_age))
    | (_IS_OLD & (HERE - 3).that(_is_childs_age))
    | BEFORE.is_word(*_YOUNG)
    | (HERE - 2).is_word(*_YOUNG)
    | (BEFORE.is_word(*POSSESSIVE_DETERMINERS) & HERE.is_word("boy", "boys"))
    | HERE.any_around(_AROUND, of="beside_child")
)
GIRL = (
    Rule("grown.child", "singular", _IS_CHILD, "an age or a word near it is a child's"),
    Rule("grown.open", "grown singular", ALWAYS, "nothing says that it is a child"),
)
"""Whether a girl or a boy is a child."""
_PLURAL = {
    "singular": "plural",
    "grown singular": "grown plural",
    "serving singular": "serving plural",
}


def _of_many(rules: Sequence[Rule[str]]) -> tuple[Rule[str], ...]:
    """Return the rules of a noun for its plural."""
    return tuple(replace(rule, verdict=_PLURAL[rule.verdict]) for rule in rules)


GIRLS = _of_many(GIRL)
"""Whether girls or boys are children."""
_HAS_LOVER = HERE.any_before(3, "a", "an", "his", "other", "s") | BEFORE.is_word("of")
MISTRESS = (
    Rule("mistress.love", "singular", HERE.any_around(_AROUND, of="beside_mistress"),
         "a word near it is about love"),
    Rule("mistress.whose", "singular", _HAS_LOVER & ~HERE.any_around(_AROUND, of="servants"),
         "a man has her"),
    Rule("mistress.other", "serving singular", ALWAYS, "nothing says that a man has her"),
)  # fmt: skip
"""Whether a mistress is somebody's lover, or has servants or pupils."""
MISTRESSES = _of_many(MISTRESS)
"""Whether mistresses are lovers."""
_ENDS_PHRASE = (~WORD_BEHIND.is_there & ~NEXT.sign_that(_opens_quote)) | (
    WORD_BEHIND.among("after_phrase", "auxiliaries") & ~WORD_BEHIND.is_word("and", "of", "or", "to")
)
MALE = (
    Rule("male.noun", "noun",
         (HAS_DETERMINER | _IS_OLD) & _ENDS_PHRASE,
         "a determiner stands before it, and no noun after it"),
    Rule("male.adjective", "adjective", ALWAYS, "a noun may follow it"),
)  # fmt: skip
"""Whether "male" and "female" are nouns for one person."""
