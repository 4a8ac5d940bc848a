"""Numbers that may be ages."""

import pytest
from fair_datasets.matching.people.age_numbers import (
    OLDEST,
    is_in_range,
    number_that_ends,
    number_that_starts,
    range_that_starts,
)
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.tokens import tokenize


@given(st.integers(0, 2000))
def test_figures_are_read_up_to_the_oldest_age(value: int) -> None:
    """Zero is no age in years."""
    number = number_that_starts(tokenize(str(value)), 0)
    assert (number.value if number else 0) == (value if value <= OLDEST else 0)


@pytest.mark.parametrize("text", ["3.5", "05", "two hundred", "1990", "12,000", "none"])
def test_other_numbers_are_none(text: str) -> None:
    """A part of a larger number is no number."""
    assert number_that_starts(tokenize(text), 0) is None


def test_two_words_are_one_number() -> None:
    """It is found from either end."""
    tokens = tokenize("twenty-one")
    assert number_that_starts(tokens, 0) == number_that_ends(tokens, 1)


@pytest.mark.parametrize("text", ["7 to 12", "7-12", "7–12", "seven to twelve", "7 and 12"])
def test_a_range_has_two_numbers(text: str) -> None:
    """Neither of them is one alone."""
    tokens = tokenize(text)
    both = range_that_starts(tokens, 0)
    assert both is not None
    assert [number.value for number in both] == [7, 12]
    assert all(is_in_range(tokens, number) for number in both)


@pytest.mark.parametrize("text", ["12 to 7", "7, 12", "7", "7 or 12"])
def test_other_numbers_are_no_range(text: str) -> None:
    """The higher one is the second."""
    assert range_that_starts(tokenize(text), 0) is None
