"""Whether a demographic word is said of a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.predicates import IS_MOOD, IS_SAID_OF_PERSON, IS_UNTOLD, OTHER_SENSE
from fair_datasets.matching.conditions import Condition
from tests.english.asking import every_word, holds


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
        "he is young and gay",
    ],
)
def test_the_last_word_is_said_of_a_person(text: str) -> None:
    """By a verb, a question or a naming verb."""
    assert every_word(text).holds(IS_SAID_OF_PERSON)[-1]


@pytest.mark.parametrize(
    "text",
    [
        "it was black",
        "Is your car old",
        "Is Mary's wine white",
        "They called it gay",
        "his sons say the cars look fast and they are black",
        "dressed as black",
        "she was too gay",
        "she was pretty and gay",
        "she looked unusually gay",
        "he trembled; he was white",
    ],
)
def test_the_last_word_is_said_of_a_thing(text: str) -> None:
    """Or that is in doubt."""
    assert not every_word(text).holds(IS_SAID_OF_PERSON)[-1]


# What is asked, of which sentence, and of how many words at its gap the answer is another.
LONG = "rain fell on that roof of our barn all through this cold night . "
REACHES = [
    (OTHER_SENSE, LONG + "they are{} [straight]", 2),
    (IS_MOOD, LONG + "they are{} [straight]", 2),
    (IS_MOOD, LONG + "he was{} [gay]", 3),
    (IS_UNTOLD, "{} [gay]", 12),
    (IS_UNTOLD, "[gay]{}", 12),
    (IS_UNTOLD, "activist{} [gay]", 40),
    (IS_UNTOLD, "[gay]{} activist", 40),
]


@pytest.mark.parametrize(("condition", "sentence", "reach"), REACHES)
def test_how_far_a_word_tells(condition: Condition, sentence: str, reach: int) -> None:
    """Of a mood and of whom it is said; from the next word on it does not."""
    last, first = (
        holds(condition, sentence.format(" indeed" * count)) for count in (reach - 1, reach)
    )
    assert last != first


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises, and nothing is said of whom nothing stands before."""
    found = every_word(text)
    assert not found.holds(IS_SAID_OF_PERSON)[found.places == found.first].any()
