"""Ages that are told by a number alone."""

import pytest
from fair_datasets.matching.people.bare_ages import bare_age
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "index"),
    [("my brother, 25, left", 2), ("a woman of 60 left", 3), ("At 30, she left", 1)],
)
def test_a_number_beside_a_person_is_an_age(text: str, index: int) -> None:
    """So is one behind an event of a life."""
    mention = bare_age(tokenize(text), index)
    assert mention is not None
    assert mention.first == mention.last == index


@pytest.mark.parametrize(
    ("text", "index"), [("my car, 25, left", 2), ("a group of 60 left", 3), ("At 9, she left", 1)]
)
def test_a_number_beside_a_thing_is_none(text: str, index: int) -> None:
    """Nor is a time of the day."""
    assert bare_age(tokenize(text), index) is None


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises."""
    tokens = tokenize(text)
    for index in range(len(tokens.lower)):
        mention = bare_age(tokens, index)
        assert mention is None or mention.first == index
