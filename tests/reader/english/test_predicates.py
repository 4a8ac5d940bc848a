"""Whether a demographic word is said of a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english.predicates import IS_MOOD, IS_SAID_OF_PERSON
from tests.reader.english.asking import every_word, holds


@pytest.mark.parametrize("text", [
    "she was Latina",
    "Is your dentist Hindu",
    "Isn't Mary Jewish",
    "They called her Irish",
    "it is hard to be gay",
    "his sons say they are black",
    "came out as gay",
    "he is young and gay",
])  # fmt: skip
def test_the_last_word_is_said_of_a_person(text: str) -> None:
    """By a verb, a question or a naming verb."""
    assert every_word(text).holds(IS_SAID_OF_PERSON)[-1]


@pytest.mark.parametrize("text", [
    "it was black",
    "Is your car old",
    "Is Mary's wine white",
    "They called it gay",
    "his sons say the cars look fast and they are black",
    "dressed as black",
    "she was too gay",
    "he trembled; he was white",
])  # fmt: skip
def test_the_last_word_is_said_of_a_thing(text: str) -> None:
    """Or that is in doubt."""
    assert not every_word(text).holds(IS_SAID_OF_PERSON)[-1]


@pytest.mark.parametrize("verb", ["she was", "Is Mary"])
@pytest.mark.parametrize("between", range(5, 9))
def test_a_verb_is_looked_for_seven_words_back(verb: str, between: int) -> None:
    """It is no further away in what people write."""
    found = every_word(f"{verb} {'young ' * between}gay").holds(IS_SAID_OF_PERSON)[-1]
    assert found == (between < 7)


@pytest.mark.parametrize(("sentence", "is_mood"), [
    ("he is truly [gay]", False),
    ("too [gay]", True),
    ("a [gay] and proud girl", False),
    ("sad, [gay]", True),
    ("[gay] about it", True),
])  # fmt: skip
def test_a_mood_is_told_by_its_neighbours(sentence: str, is_mood: bool) -> None:
    """By a degree, and by other moods."""
    assert holds(IS_MOOD, sentence) == is_mood


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises, and nothing is said of whom nothing stands before."""
    found = every_word(text)
    assert not found.holds(IS_SAID_OF_PERSON)[found.places == found.first].any()
