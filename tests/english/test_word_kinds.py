"""Which words name persons."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.lists import words
from fair_datasets.english.word_kinds import (
    is_between,
    is_first_name,
    is_modifier,
    is_people,
    is_person_noun,
)


def test_a_people_is_named_in_both_numbers() -> None:
    """A thing is none."""
    assert is_people("nigerian")
    assert is_people("nigerians")
    assert not is_people("wine")


@given(st.sampled_from(sorted(words("person_nouns"))))
def test_every_listed_noun_is_one_for_persons(noun: str) -> None:
    """No other list denies it."""
    assert is_person_noun(noun)


def test_lists_are_in_lower_case() -> None:
    """Words are compared in lower case."""
    for name in ("verbs", "fields", "modifiers", "peoples", "offices"):
        assert all(word == word.lower() for word in words(name))


def test_first_names_that_are_words_are_left_out() -> None:
    """They may be anything."""
    assert is_first_name("mary")
    assert not is_first_name("will")


@pytest.mark.parametrize(
    ("kind", "ending", "least"),
    [
        (is_between, "ly", 5),
        (is_modifier, "ly", 5),
        (is_modifier, "ed", 5),
        (is_modifier, "ful", 5),
        (is_person_noun, "man", 6),
        (is_person_noun, "ician", 6),
        (is_person_noun, "ist", 7),
    ],
)
def test_a_word_of_an_ending_has_so_many_letters(
    kind: Callable[[str], bool], ending: str, least: int
) -> None:
    """A shorter one is taken for what the lists say of it."""
    letters = "qqqqqq"
    assert kind(letters[: least - len(ending)] + ending)
    assert not kind(letters[: least - len(ending) - 1] + ending)
    assert not is_modifier("qqeed")


@pytest.mark.parametrize("ending", sorted(words("endings")))
def test_an_ending_of_persons_stands_behind_three_letters(ending: str) -> None:
    """Behind fewer it is the word."""
    assert is_person_noun(f"qqq{ending}")
    assert not is_person_noun(f"qq{ending}")
