"""Conditions on words and the words around them."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.matching.conditions import (
    ALWAYS,
    NEVER,
    Candidates,
    Condition,
    choose,
    fact,
)
from fair_datasets.matching.places import Place, asked_at
from fair_datasets.matching.words import Words

WORDS = {"colours": frozenset({"red", "blue"}), "sizes": frozenset({"big"})}


def listed(name: str) -> frozenset[str]:
    """Return the words of a class of a small language."""
    return WORDS[name]


HERE = Place(lambda found: found.places, lists=listed)
LAST = Place(lambda found: found.lasts, lists=listed)


def every(*texts: str) -> Candidates:
    """Return all words of texts."""
    words = Words(texts)
    return Candidates(words, np.flatnonzero(~words.is_end))


def held(condition: Condition, text: str) -> str:
    """Return the words of a text of which a condition holds."""
    found = every(text)
    return " ".join(found.words.lower(at) for at in found.places[found.holds(condition)])


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        (HERE.among("colours"), "red"),
        (HERE.among("colours", "sizes"), "red big"),
        (HERE.is_word("red", "kite"), "red kite"),
        (HERE.is_word("nosuchword"), ""),
        (HERE.that(lambda word: "i" in word), "big kite"),
        (HERE.sign(", "), "big"),
        (HERE.sign("", ", "), "a big"),
        (HERE.sign_that(lambda sign: "." in sign), "up"),
        (HERE.ends_with("d", "te"), "red kite"),
        (HERE.longer(2), "red big kite"),
        (HERE.is_capital, "a kite up"),
        (HERE.is_upper, "up"),
        (HERE.is_capitals, "a up"),
        (HERE.is_lower, "red big"),
        (HERE.is_title, "a kite"),
        (HERE.is_digits, "12"),
        (HERE.is_letter, "a"),
        (HERE.is_first, "a"),
        (HERE.is_there, "a red big kite up 12"),
        ((HERE + 1).is_there, "a red big kite up"),
        ((HERE + 1).is_word("red"), "a"),
        ((HERE - 1).is_word("red"), "big"),
        ((HERE - 1).is_first, "red"),
        ((HERE - 1).is_first_or_nowhere, "a red"),
        ((HERE + 2 - 1).is_word("red"), "a"),
        ((HERE + 9 - 8).is_word("red"), "a"),
        (HERE.where(HERE.is_letter, HERE + 1).is_word("kite"), "big"),
        (HERE.where(~HERE.is_letter).is_there, "red big kite up 12"),
        (HERE.is_letter | HERE.is_digits, "a 12"),
        (~HERE.is_letter & HERE.is_capitals, "up"),
        (choose(HERE.is_capital, HERE.is_letter, HERE.is_digits), "a 12"),
        (asked_at(HERE + 1, (HERE + 1).is_word("kite")), "red"),
        (ALWAYS, "a red big kite up 12"),
        (NEVER, ""),
    ],
)
def test_a_condition_reads_as_it_is_written(condition: Condition, told: str) -> None:
    """At the word, before it and behind it."""
    assert held(condition, "A red, big Kite. UP 12") == told


def test_what_is_outside_of_a_text_is_nowhere() -> None:
    """A text's neighbours in the chunk are not its words."""
    found = every("red", "big", "", "blue")
    for place in (HERE - 1, HERE + 1, HERE + 100, HERE - 100):
        assert not found.holds(place.is_there).any()
        assert not found.holds(place.among("colours", "sizes")).any()
        assert not found.holds(place.is_capital).any()
        assert not found.holds(place.that(lambda word: True)).any()
    assert (found.at(HERE - 1) == found.nowhere).all()
    assert (found.at(HERE + 1) == found.last).all()


def test_phrases_have_a_first_and_a_last_word() -> None:
    """What stands behind a phrase stands behind its last word."""
    words = Words(["a big red kite"])
    found = Candidates(words, np.array([1]), lasts=np.array([2]))
    assert found.holds((LAST + 1).is_word("kite") & (HERE - 1).is_word("a"))[0]


def test_a_place_without_a_language_has_no_lists() -> None:
    """It may ask for words, but for no class."""
    place = Place(lambda found: found.places)
    assert held(place.is_word("red"), "red kite") == "red"
    with pytest.raises(TypeError, match="has no language"):
        place.among("colours")


def test_facts_are_told_by_candidate() -> None:
    """Also for a part of them."""
    words = Words(["red big kite"])
    found = Candidates(words, np.arange(3), {"liked": np.array([True, False, True])})
    assert found.holds(fact("liked")).tolist() == [True, False, True]
    assert found.part(np.array([1, 2])).holds(fact("liked")).tolist() == [False, True]
    assert found.holds(fact("liked").costly & HERE.longer(3)).tolist() == [False, False, True]


def test_what_is_costly_is_asked_where_nothing_else_decides() -> None:
    """In whatever order it is written."""
    asked: list[int] = []

    def test(found: Candidates) -> np.ndarray:
        asked.extend(found.places.tolist())
        return np.ones(len(found.places), np.bool_)

    costly = Condition(test, is_costly=True)
    for condition, places in (
        (costly & HERE.is_word("red"), [1]),
        (HERE.is_word("red") & costly, [1]),
        (costly | ~HERE.is_word("red"), [1]),
        (HERE.is_word("nothing") & costly, []),
        (choose(HERE.is_word("kite"), costly, ALWAYS), [2]),
    ):
        asked.clear()
        every("big red kite").holds(condition)
        assert asked == places


def test_what_was_asked_is_not_asked_again() -> None:
    """Neither for the same candidates nor for a part of them."""
    asked: list[int] = []

    def test(found: Candidates) -> np.ndarray:
        asked.append(len(found.places))
        return found.places > 0

    condition, found = Condition(test), every("big red kite")
    part = found.part(np.array([1, 2])).part(np.array([1]))
    found.holds(condition)
    found.holds(~condition & ALWAYS)
    assert part.holds(condition).tolist() == [True]
    assert asked == [3]


BASIC = (
    HERE.is_capital, HERE.is_word("red"), (HERE + 1).among("colours"), (HERE - 1).is_there,
    HERE.sign(" "), (HERE + 1).sign_that(str.isspace), HERE.that(str.isalpha), HERE.longer(3),
)  # fmt: skip
JOINS: tuple[Callable[[Condition, Condition], Condition], ...] = (
    lambda one, other: one & other,
    lambda one, other: one | other,
    lambda one, other: choose(one, other, ~one),
    lambda one, other: asked_at(HERE + 1, one) & ~other,
)
CONDITIONS = st.recursive(
    st.sampled_from(BASIC),
    lambda inner: (
        st.builds(lambda join, a, b: join(a, b), st.sampled_from(JOINS), inner, inner)
        | inner.map(lambda condition: ~condition)
        | inner.map(lambda condition: condition.costly)
    ),
    max_leaves=8,
)
TEXTS = st.lists(st.sampled_from(["red", "Big", "kite", ",", ".", "KITE", "Ł"])).map(" ".join)


@settings(deadline=None)
@given(CONDITIONS, st.lists(TEXTS))
def test_a_condition_holds_alike_alone_and_among_others(
    condition: Condition, texts: list[str]
) -> None:
    """However it is put together, and whatever else is asked at once."""
    together = every(*texts)
    alone = [
        bool(Candidates(one.words, one.places[[row]]).holds(condition)[0])
        for one in map(every, texts)
        for row in range(len(one.places))
    ]
    assert together.holds(condition).tolist() == alone


@settings(deadline=None)
@given(CONDITIONS, CONDITIONS, TEXTS)
def test_joined_conditions_are_those_of_logic(one: Condition, other: Condition, text: str) -> None:
    """Whether some are costly or not."""
    found = every(text)
    first, second = found.holds(one), found.holds(other)
    assert (found.holds(one & other) == (first & second)).all()
    assert (found.holds(one | other) == (first | second)).all()
    assert (found.holds(~one) == ~first).all()
    assert (found.holds(choose(one, other, ~other)) == np.where(first, second, ~second)).all()
