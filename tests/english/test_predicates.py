"""Whether a demographic word is said of a person."""

import pytest
from fair_datasets.matching.people.predicates import is_said_of_person
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    "text",
    [
        "she was Latina",
        "Is your dentist Hindu",
        "Isn't Mary Jewish",
        "They called her Irish",
        "it is hard to be gay",
        "his sons say they are black",
        "came out as gay",
    ],
)
def test_the_last_word_is_said_of_a_person(text: str) -> None:
    """By a verb, a question or a naming verb."""
    tokens = tokenize(text)
    last = len(tokens.lower) - 1
    assert is_said_of_person(tokens, last, last)


@pytest.mark.parametrize(
    "text",
    [
        "it was black",
        "Is your car old",
        "Is Mary's wine white",
        "They called it gay",
        "his sons say the cars look fast and they are black",
        "dressed as black",
    ],
)
def test_the_last_word_is_said_of_a_thing(text: str) -> None:
    """Or that is in doubt."""
    tokens = tokenize(text)
    last = len(tokens.lower) - 1
    assert not is_said_of_person(tokens, last, last)


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises."""
    tokens = tokenize(text)
    for index in range(len(tokens.lower)):
        assert is_said_of_person(tokens, index, index) in (True, False)
