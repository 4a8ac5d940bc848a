"""Ages that are told by a number alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms, verify
from fair_datasets.reader.english import ages as module
from fair_datasets.reader.english.neighbours import HERE
from fair_datasets.reader.english.numbers import Number, starts_number
from fair_datasets.reader.matching.tokenizer import tokenize
from tests.reader.english.asking import every_word


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises, and a word that is no number is no age."""
    candidates = every_word(text)
    assert not (candidates.holds(module.BARE) & ~candidates.holds(starts_number(HERE))).any()


SWAP = CounterfactualSwap(columns="text", mode="replace")


@pytest.mark.parametrize(("before", "after"), [
    ("I [F31] left.", "I [M31] left."),
    ("[F31] I need help.", "[M31] I need help."),
    ("(25f) hello", "(25m) hello"),
    ("I'm 31M and tired.", "I'm 31F and tired."),
    ("I 25F, you 30M.", "I 25M, you 30M."),
    ("My boss 40M left.", "My boss 40F left."),
    ("Me (31M/single) and her [28F]", "Me (31F/single) and his [28M]"),
    ("Mary (25F, at work) left.", "John (25M, at work) left."),
])  # fmt: skip
def test_the_letter_is_that_of_the_other_gender(before: str, after: str) -> None:
    """And the age stays, and how it is written."""
    assert SWAP({"text": [before]})["text"] == [after]
    assert verify(before, after, everyone=True).accepted


@given(st.integers(1, 200), st.sampled_from("MFmf"), st.booleans())
def test_ages_of_people_who_write_are_read(age: int, letter: str, is_first: bool) -> None:
    """From 13 to 99, and the second swap gives the first text back."""
    tag = f"{letter}{age}" if is_first else f"{age}{letter}"
    (once,) = SWAP({"text": [f"I ({tag}) left."]})["text"]
    assert (once != f"I ({tag}) left.") is (age in module.YEARS)
    assert SWAP({"text": [once]})["text"] == [f"I ({tag}) left."]


def test_the_age_is_read_on_the_axis_of_age() -> None:
    """The letter stays there; both change where both are asked for together."""
    old = {"source": "young", "target": "senior", "mode": "replace", "columns": "text"}
    ages = CounterfactualSwap(axis="age", **old)  # type: ignore[arg-type]
    assert ages({"text": ["I (F31) left."]})["text"] == ["I (F77) left."]
    assert ages({"text": ["An F31 (F31)"]})["text"] == ["An F31 (F31)"]
    both = CounterfactualSwap(axis=("age", "gender"), joint=True, **old)  # type: ignore[arg-type]
    assert both({"text": ["I (31F) left."]})["text"] == ["I (77M) left."]


def test_find_says_why_it_is_left() -> None:
    """By the rule."""
    (term,) = find_terms("It made 31M.")
    assert (term.text, term.attribute, term.rule) == ("31M", "", "terms.age_tag")


@given(st.integers(1, 119), st.integers(1, 119))
def test_the_order_of_a_range_is_kept(one: int, other: int) -> None:
    """Two ages of different stages of life are left alone."""
    low, high = sorted((one, other))
    if low == high:
        high += 1
    tokens = tokenize(f"{low} to {high}")
    mention = module.range_mention(tokens, Number(low, 0, 0), Number(high, 2, 2))
    assert (mention is None) == (module.attribute_of(low) != module.attribute_of(high))
    for text in mention.forms.values() if mention else ():
        first, second = text.split(" to ")
        assert int(first) < int(second)


def test_what_stands_around_the_number_stays() -> None:
    """The age alone is written anew."""
    mention = module.age_mention(tokenize("Aged Forty"), Number(40, 1, 1), 0, 1)
    assert mention.forms["senior"] == "Aged Eighty-six"


def test_a_decade_is_written_as_it_is_read() -> None:
    """In figures or words."""
    assert module.decade_mention(tokenize("20s"), 0, 5).forms["senior"] == "70s"
    assert module.decade_mention(tokenize("Twenties"), 0, 5).forms["senior"] == "Seventies"
