"""Noun phrases about persons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english.neighbours import HERE, LAST
from fair_datasets.reader.english.noun_phrases import ends_phrase, noun_behind, subject_is_person
from fair_datasets.reader.matching.conditions import Condition
from tests.reader.english.asking import every_word, word_at


@pytest.mark.parametrize(("sentence", "noun"), [
    ("a [white] man", "man"), ("a [white] British man", "man"), ("the [old] Mary", "mary"),
    ("a [white], British man", ""), ("a [white] car", ""), ("a [white] wine lover", ""),
])  # fmt: skip
def test_a_noun_stands_behind_a_word(sentence: str, noun: str) -> None:
    """Or behind one more adjective."""
    assert word_at(noun_behind(LAST), sentence) == noun


@pytest.mark.parametrize(("text", "is_person"), [
    ("my sister is", True), ("she is only", True), ("Mary was", True), ("my car is", False),
    ("the wife's car is", False), ("they say that is", False),
])  # fmt: skip
def test_a_person_is_the_subject(text: str, is_person: bool) -> None:
    """It stands before the verb, or before adverbs and auxiliaries."""
    assert every_word(text).holds(subject_is_person(HERE))[-1] == is_person


# What is asked of which word, a text, and how many words at its gap make the answer another.
REACHES = [
    (subject_is_person(HERE), -1, "they say that the man{} was", " really", 8),
    (ends_phrase(HERE), 1, "a student{}, who left", ", young", 4),
]


@pytest.mark.parametrize(("condition", "word", "text", "more", "reach"), REACHES)
def test_how_far_a_clause_is_looked_at(
    condition: Condition, word: int, text: str, more: str, reach: int
) -> None:
    """What is farther away tells nothing."""
    texts = (text.format(more * count) for count in range(reach + 2))
    words = [every_word(each) for each in texts]
    answers = [bool(found.holds(condition)[word]) for found in words]
    assert answers[:reach] == [answers[0]] * reach
    assert answers[-1] != answers[0]


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises; a phrase ends at its end."""
    found = every_word(text)
    is_last, is_first = found.places == found.last - 1, found.places == found.first
    assert found.holds(ends_phrase(HERE))[is_last].all()
    assert not found.holds(subject_is_person(HERE))[is_first].any()
