"""Which words name persons."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.lists import words
from fair_datasets.english.word_kinds import (
    is_first_name,
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
