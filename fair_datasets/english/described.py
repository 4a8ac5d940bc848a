"""The noun for persons that a demographic word describes: "young aspiring actors"."""

from functools import cache

import numpy as np

from fair_datasets.english.neighbours import HERE, NEXT, is_blank, place_of
from fair_datasets.english.noun_phrases import (
    REACH,
    conjunction,
    counts,
    ends_at_person,
    modifier,
    opens_name,
    people,
    person_noun,
)
from fair_datasets.english.word_kinds import is_field, may_be_noun, stands_before_noun
from fair_datasets.matching.conditions import ALWAYS, Candidates, choose
from fair_datasets.matching.places import Place
from fair_datasets.matching.words import Places

_QUOTES = "\"'“”‘’"
_BLANKS_AND_QUOTES = " \n\t" + _QUOTES

# Conditions on a word that is walked over.
_STARTS = HERE.sign_that(
    lambda sign: sign.strip(_BLANKS_AND_QUOTES) in ("", ",", "/", "&", "-") and sign.count("\n") < 2
)
_PAUSES = HERE.sign_that(lambda sign: sign.strip() in (",", "/", "&")) | conjunction(HERE)
_IS_COMPOUND = (HERE + 1).is_there & (HERE + 1).sign("-")
_HYPHENS = [(HERE + distance).is_there & (HERE + distance).sign("-") for distance in range(1, 5)]


def _end_of_compound(reach: int = 0) -> Place:
    """Return the last word of a hyphenated compound."""
    here = HERE + reach
    return here if reach == 4 else _end_of_compound(reach + 1).where(_HYPHENS[reach], here)


_END = _end_of_compound()
_FIELD = HERE.that(is_field)
_IS_NOUN = choose(
    _IS_COMPOUND,
    person_noun(HERE) & ((HERE + 1).is_word("in") | person_noun(_END)),
    choose(
        person_noun(HERE),
        choose(
            HERE.among("often_before_nouns") | modifier(HERE),
            ends_at_person(HERE),
            ALWAYS,
        ),
        HERE.ends_with("s") & people(HERE),
    ),
) | opens_name(HERE)
_MODIFIES = HERE.that(stands_before_noun)
_NUMBER = counts(HERE)
_MAY_BE_NOUN = HERE.that(may_be_noun) & ends_at_person(HERE)


def _opens_quote(sign: str) -> bool:
    return sign[:1].isspace() and bool(sign.strip()) and sign.strip() in _QUOTES


_QUOTE_OPENS = NEXT.sign_that(_opens_quote)
_BLANK_BEHIND = (HERE + 1).sign_that(is_blank)


def _described_noun(found: Candidates) -> Places:
    """Find the noun for persons that each adjective stands before, or what is nowhere."""
    words, lasts = found.words, found.places
    nouns = np.full(len(lasts), found.nowhere, np.int64)
    opens_quote = found.holds(_QUOTE_OPENS)
    in_fields = np.zeros(len(lasts), np.bool_)
    paused = in_fields.copy()
    rows, place = np.arange(len(lasts)), lasts + 1
    while len(rows):
        is_near = ~words.is_end[place] & (place < lasts[rows] + 1 + REACH)
        rows, place = rows[is_near], place[is_near]
        if not len(rows):
            break
        here = Candidates(words, place)
        starts = here.holds(_STARTS)
        paused[rows] |= here.holds(_PAUSES)
        joins = here.holds(conjunction(HERE))
        end = here.at(_END)
        is_compound, is_field = end > place, here.holds(_FIELD)
        was_paused, was_in_fields = paused[rows], in_fields[rows]
        # In the order of the questions: what is decided first counts.
        is_open = starts & ~joins
        stops = is_open & was_paused & was_in_fields & ~is_compound & ~is_field
        is_open &= ~stops
        is_noun = is_open & here.holds(_IS_NOUN)
        is_open &= ~is_noun
        is_apart = opens_quote[rows] & here.holds(_BLANK_BEHIND)
        good = is_noun & ~was_paused & ~is_apart
        nouns[rows[good]] = place[good]
        modifies = is_open & (
            is_compound | here.holds(_MODIFIES) | (was_paused & here.holds(_NUMBER))
        )
        as_noun = modifies & ~was_paused & here.holds(_MAY_BE_NOUN)
        nouns[rows[as_noun]] = place[as_noun]
        paused[rows[modifies]] = False
        fields = is_open & ~modifies & is_field & ~(was_paused & ~was_in_fields)
        in_fields[rows[fields]], paused[rows[fields]] = True, False
        goes_on = (starts & joins) | (modifies & ~as_noun) | fields
        place = np.where(joins, place + 1, end + 1)
        rows, place = rows[goes_on], place[goes_on]
    return nouns


@cache
def described_noun(last: Place) -> Place:
    """Return the noun for persons that an adjective stands before.

    Args:
        last: The last word of the adjective.

    Returns:
        The place of the noun; nowhere if there is none.
    """

    def find(found: Candidates) -> Places:
        at = found.at(last)
        nouns = np.full(len(at), found.nowhere, np.int64)
        asked = np.flatnonzero(at != found.nowhere)
        if len(asked):
            nouns[asked] = _described_noun(Candidates(found.words, at[asked]))
        return nouns

    return place_of(find)
