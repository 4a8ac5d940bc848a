"""Ages that are told by a number alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.bare_ages import BARE
from fair_datasets.english.neighbours import HERE
from fair_datasets.english.numbers import starts_number
from tests.english.asking import every_word, holds


@pytest.mark.parametrize(
    "sentence", ["my brother, [25], left", "a woman of [60] left", "At [30], she left"]
)
def test_a_number_beside_a_person_is_an_age(sentence: str) -> None:
    """So is one behind an event of a life."""
    assert holds(BARE, sentence)


@pytest.mark.parametrize(
    "sentence", ["my car, [25], left", "a group of [60] left", "At [9], she left"]
)
def test_a_number_beside_a_thing_is_none(sentence: str) -> None:
    """Nor is a time of the day."""
    assert not holds(BARE, sentence)


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises, and a word that is no number is no age."""
    found = every_word(text)
    assert not (found.holds(BARE) & ~found.holds(starts_number(HERE))).any()
