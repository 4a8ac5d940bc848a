"""Numbers that may be ages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english import numbers as module
from fair_datasets.reader.english.neighbours import HERE
from tests.reader.english.asking import every_word


def value_of(text: str) -> int:
    """Return the value of the number that a text begins with; 0 if there is none."""
    candidates = every_word(text)
    return (
        int(module.value_at(candidates, HERE)[0])
        if candidates.holds(module.starts_number(HERE))[0]
        else 0
    )


@pytest.mark.parametrize(
    ("word", "value"),
    [("12", 12), ("120", 120), ("121", 0), ("0", 0), ("07", 0), ("1000", 0), ("twelve", 12),
     ("banana", 0)],
)  # fmt: skip
def test_a_word_has_a_value_or_none(word: str, value: int) -> None:
    """As it may be an age."""
    assert module.value_at(every_word(word), HERE).tolist() == [value]


@given(st.integers(0, 2000))
def test_figures_are_read_up_to_the_oldest_age(value: int) -> None:
    """Zero is no age in years."""
    assert value_of(str(value)) == (value if value <= module.OLDEST else 0)


@pytest.mark.parametrize("text", ["3.5", "05", "two hundred", "1990", "12,000", "none"])
def test_other_numbers_are_none(text: str) -> None:
    """A part of a larger number is no number."""
    assert value_of(text) == 0


@given(st.lists(st.integers(1, module.OLDEST), min_size=1))
def test_many_numbers_are_read_as_each_is(values: list[int]) -> None:
    """Whether the vocabulary knows them or not."""
    candidates = every_word(*map(str, values))
    assert module.value_at(candidates, HERE).tolist() == values
    assert candidates.holds(module.starts_number(HERE)).all()


def test_two_words_are_one_number() -> None:
    """It is found from either end."""
    candidates = every_word("twenty-one")
    assert module.value_at(candidates, HERE)[0] == 21
    assert candidates.at(module.end_of_number(HERE))[0] == 1
    assert candidates.at(module.number_that_ends(HERE))[1] == 0


@pytest.mark.parametrize("text", ["7 to 12", "7-12", "7–12", "seven to twelve", "7 and 12"])
def test_a_range_has_two_numbers(text: str) -> None:
    """Neither of them is one alone."""
    candidates = every_word(text)
    numbers = candidates.holds(module.starts_number(HERE))
    assert module.value_at(candidates, HERE)[numbers].tolist() == [7, 12]
    assert candidates.holds(module.in_range(HERE))[numbers].all()
    assert (candidates.at(module.number_that_ends(HERE)) == candidates.nowhere).all()


@pytest.mark.parametrize("text", ["7, 12", "7", "7; 12", "(7) 12"])
def test_other_numbers_are_no_range(text: str) -> None:
    """Each is one alone."""
    candidates = every_word(text)
    assert not candidates.holds(module.in_range(HERE)).any()
    assert (candidates.at(module.number_that_ends(HERE)) == candidates.places).all()


@given(st.text(alphabet="twenyo 0123456789-–,./:(") | st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """A number ends where it begins or a word further on, within its text."""
    candidates = every_word(text)
    numbers = candidates.holds(module.starts_number(HERE))
    ends = candidates.at(module.end_of_number(HERE))[numbers]
    assert np.isin(ends - candidates.places[numbers], (0, 1)).all()
    assert (ends < candidates.last[numbers]).all()
    values = module.value_at(candidates, HERE)[numbers]
    assert ((values > 0) & (values <= module.OLDEST)).all()


@pytest.mark.parametrize(("text", "fits"), [
    ("She sang at [age 12].", True),
    ("In 1990 she sang at [age 12], and in 1992 she left.", True),
    ("She left at the age of three and sang at [age 12].", False),
    ("She is [12 years old] and two years older than he.", False),
    ("He was [40] and his wife was five years his senior.", False),
    ("Born in 1930, he died in 1980 at [age 50].", False),
    ("He was [20 years old], the others 3 years old.", False),
])  # fmt: skip
def test_ages_fit(text: str, fits: bool) -> None:
    """The age in brackets is rewritten."""
    start, end = text.index("["), text.index("]") - 1
    assert module.ages_fit(text.replace("[", "").replace("]", ""), [(start, end)]) is fits
