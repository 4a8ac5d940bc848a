"""Conditions that many rules share: how words are written, and how a phrase goes on."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.conditions import Candidates, Code, Condition, told_of_all
from fair_datasets.reader.matching.places import Place
from fair_datasets.reader.matching.tokens import ends_sentence
from fair_datasets.reader.matching.words import Mask, Places


def place_of(find: Callable[[Candidates], Places], code: Code | None = None) -> Place:
    """Return a place by what finds it for each candidate, and what writes it for one."""
    return Place(find, lists=words, code=code)


HERE = place_of(lambda found: found.places, lambda: "here")
"""The word itself; of a phrase, its first word."""
LAST = place_of(lambda found: found.lasts, lambda: "last")
"""The last word of a phrase."""
BEFORE = HERE - 1
NEXT = HERE + 1


def opens_sentence(place: Place) -> Condition:
    """Tell whether a word stands where a capital letter says nothing about it."""
    return place.is_first | place.sign_that(ends_sentence)


@cache
def stands_in_headline(place: Place) -> Condition:
    """Tell whether the words around a word are capitalised, so that its capital says nothing.

    Looks at the words of two letters and more among the five before and the five behind it.
    """
    distances = np.array([distance for distance in range(-5, 6) if distance])

    def test(found: Candidates) -> Mask:
        around = found.around(place, distances)
        is_longer = found.words.is_longer(around)
        longer = is_longer.sum(axis=0)
        small = (is_longer & ~found.words.is_capital(around)).sum(axis=0)
        held: Mask = (longer > 2) & (small < 2) & (longer > 5 * small)
        return held

    def alone(shape: Any, at: int, first: int, stop: int, nowhere: int) -> bool:
        if at == nowhere:
            return False
        several = [k for k in range(max(at - 5, first), min(at + 5, stop) + 1) if k != at]
        longer = [k for k in several if shape[k] & 4]
        small = sum(not shape[k] & 1 for k in longer)
        return len(longer) > 2 and small < 2 and len(longer) > 5 * small

    return place.asked(test, "{1}(shape, {0}, first, stop, nowhere)", lambda: alone)


IN_HEADLINE = told_of_all(stands_in_headline(HERE).test)
"""Whether the words around are capitalised, so that a capital says nothing."""

JOINED = HERE.sign(" ")
"""Whether only a space lies before."""
PREVIOUS = BEFORE.where(JOINED)
NEXT_IN_PHRASE = NEXT.where(NEXT.sign(" "))
APOSTROPHES = ("'", "’")


def is_blank(sign: str) -> bool:
    """Tell whether nothing but space lies between two words."""
    return sign.isspace()


def _is_close(sign: str) -> bool:
    """Tell whether nothing but space or an apostrophe lies between two words."""
    return sign.isspace() or sign in APOSTROPHES


def word_before(place: Place) -> Place:
    """Return the word before if nothing but space lies between."""
    return (place - 1).where(place.sign_that(is_blank))


def word_behind(place: Place) -> Place:
    """Return the next word if nothing but space or an apostrophe lies between."""
    behind = place + 1
    return behind.where(behind.is_there & behind.sign_that(_is_close))


WORD_BEFORE = word_before(HERE)
WORD_BEHIND = word_behind(HERE)
IS_POSSESSIVE = NEXT.is_word("s") & NEXT.sign(*APOSTROPHES)


def _after_determiner(place: Place, reach: int) -> Condition:
    """Tell whether a determiner stands before a word, with up to some words between."""
    before = place - 1
    # "Mary's king": the s of a possessive counts as a determiner.
    found = before.among("determiners") | (before.is_word("s") & before.sign(*APOSTROPHES))
    if reach > 1:
        found = found | (~before.among("after_object") & _after_determiner(before, reach - 1))
    return ~place.is_first & place.sign_that(is_blank) & found


HAS_DETERMINER = _after_determiner(HERE, 3)
"""Whether a determiner stands before, with up to two words between: "a young king"."""
OPENS_SENTENCE = opens_sentence(HERE)


def everyday(place: Place) -> Condition:
    """Tell whether a word may open a sentence before a name, as "When" and "Tell" do."""
    is_form = place.longer(4) & place.ends_with("ly", "ing", "ed", "est")
    lists = (
        "common_words",
        "corpus_words",
        "surname_words",
        "after_object",
        "days",
        "interjections",
    )
    return place.among(*lists) | is_form


def _followers() -> tuple[Place, Place]:
    skips = NEXT.among("particles") & (HERE + 2).is_there
    skips_two = skips & (HERE + 2).among("particles") & (HERE + 3).is_there
    place = (HERE + 3).where(skips_two, (HERE + 2).where(skips, NEXT))
    are_joined = (
        NEXT.sign(" ") & (~skips | (HERE + 2).sign(" ")) & (~skips_two | (HERE + 3).sign(" "))
    )
    behind = place + 1
    # "George W. Bush", "George W Bush"
    is_initial = place.is_letter & (
        behind.sign_that(begins_with_dot)
        | (behind.sign(" ") & behind.is_title & ~place.is_word("i") & ~place.is_digits)
    )
    is_name = ~place.is_letter & ~place.among("determiners", "after_object")
    return place, place.where(place.is_capital & are_joined & (is_initial | is_name))


def begins_with_dot(sign: str) -> bool:
    """Tell whether a sign begins with a period."""
    return sign.startswith(".")


_, FOLLOWER = _followers()
"""The next word, behind particles, if it is capitalised and only spaces lie between."""
