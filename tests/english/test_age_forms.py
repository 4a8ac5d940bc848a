"""What is written for an age."""

from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.english.age_forms import (
    age_mention,
    attribute_of,
    decade_mention,
    range_mention,
)
from fair_datasets.english.numbers import Number
from fair_datasets.matching.tokens import tokenize


@given(st.integers(1, 119), st.integers(1, 119))
def test_the_order_of_a_range_is_kept(one: int, other: int) -> None:
    """Two ages of different stages of life are left alone."""
    low, high = sorted((one, other))
    if low == high:
        high += 1
    tokens = tokenize(f"{low} to {high}")
    mention = range_mention(tokens, Number(low, 0, 0), Number(high, 2, 2))
    assert (mention is None) == (attribute_of(low) != attribute_of(high))
    for text in mention.forms.values() if mention else ():
        first, second = text.split(" to ")
        assert int(first) < int(second)


def test_what_stands_around_the_number_stays() -> None:
    """The age alone is written anew."""
    mention = age_mention(tokenize("Aged Forty"), Number(40, 1, 1), 0, 1)
    assert mention.forms["senior"] == "Aged Eighty-six"


def test_a_decade_is_written_as_it_is_read() -> None:
    """In figures or words."""
    assert decade_mention(tokenize("20s"), 0, 5).forms["senior"] == "70s"
    assert decade_mention(tokenize("Twenties"), 0, 5).forms["senior"] == "Seventies"
