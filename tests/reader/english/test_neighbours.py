"""The words beside a word."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english import neighbours
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.tokenizer import tokenize
from tests.reader.english.asking import every_word


@pytest.mark.parametrize("text", [
    "Will you. Will you “Will you said: Will you said ``Will you''",
    "said „Will you“ said «Will you» the ``great`` Will - Will you",
    "one--Will you I saw Will so, Will (so *it (goes [on • and / on | and on",
])  # fmt: skip
def test_a_word_opens_a_sentence_and_stands_in_a_headline_as_its_text_says(text: str) -> None:
    """The columns tell what one text by itself tells."""
    tokens, candidates = tokenize(text), every_word(text)
    count = range(len(tokens.lower))
    assert candidates.holds(neighbours.OPENS_SENTENCE).tolist() == [
        tokens.opens_sentence(k) for k in count
    ]
    headline = candidates.holds(neighbours.stands_in_headline(neighbours.HERE)).tolist()
    assert headline == [tokens.is_headline(k) for k in count]


def test_a_people_is_named_in_both_numbers() -> None:
    """A thing is none."""
    assert neighbours.is_people("nigerian")
    assert neighbours.is_people("nigerians")
    assert not neighbours.is_people("wine")


@given(st.sampled_from(sorted(words("person_nouns"))))
def test_every_listed_noun_is_one_for_persons(noun: str) -> None:
    """No other list denies it."""
    assert neighbours.is_person_noun(noun)


def test_first_names_that_are_words_are_left_out() -> None:
    """They may be anything."""
    assert neighbours.is_first_name("mary")
    assert not neighbours.is_first_name("will")


@pytest.mark.parametrize(("kind", "ending", "least"), [
    (neighbours.is_between, "ly", 5),
    (neighbours.is_modifier, "ly", 5),
    (neighbours.is_modifier, "ed", 5),
    (neighbours.is_modifier, "ful", 5),
    (neighbours.is_person_noun, "man", 6),
    (neighbours.is_person_noun, "ician", 6),
    (neighbours.is_person_noun, "ist", 7),
])  # fmt: skip
def test_a_word_of_an_ending_has_so_many_letters(kind: Any, ending: str, least: int) -> None:
    """A shorter one is taken for what the lists say of it."""
    letters = "qqqqqq"
    assert kind(letters[: least - len(ending)] + ending)
    assert not kind(letters[: least - len(ending) - 1] + ending)
    assert not neighbours.is_modifier("qqeed")


def test_an_ending_of_persons_stands_behind_three_letters() -> None:
    """Behind fewer it is the word."""
    endings = words("endings")
    assert {ending for ending in endings if neighbours.is_person_noun(f"qqq{ending}")} == {*endings}
    assert not {ending for ending in endings if neighbours.is_person_noun(f"qq{ending}")}
