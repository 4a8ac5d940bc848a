"""Noun phrases about persons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english import noun_phrases
from fair_datasets.reader.english.neighbours import HERE
from fair_datasets.reader.matching.predicates import Predicate
from tests.reader.english.asking import every_word

# What is asked of which word, a text, and how many words at its gap make the answer another.
REACHES = [
    (noun_phrases.opens_predicate(HERE + 1), -3, "was{} the Irish drink tea", " at", 6),
    (noun_phrases.subject_is_person(HERE), -1, "they say that the man{} was", " here", 8),
    (noun_phrases.ends_phrase(HERE), 1, "a student{}, who left", ", young", 4),
]


@pytest.mark.parametrize(("condition", "word", "text", "more", "reach"), REACHES)
def test_how_far_a_clause_is_looked_at(
    condition: Predicate, word: int, text: str, more: str, reach: int
) -> None:
    """What is farther away tells nothing."""
    texts = (text.format(more * count) for count in range(reach + 1))
    words = [every_word(each) for each in texts]
    answers = [bool(candidates.holds(condition)[word]) for candidates in words]
    assert answers == [answers[0]] * reach + [not answers[0]]


def test_how_far_a_head_is_looked_for() -> None:
    """Before the words that belong to it by a preposition."""
    heads = []
    for count in range(6):
        candidates = every_word("the man in the" + " tall" * count + " car was")
        heads.append(candidates.at(noun_phrases.head_of_subject(HERE))[-1])
    assert heads[:5] == [1] * 5
    assert heads[5] == candidates.nowhere


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises; a phrase ends at its end, and no predicate opens without a subject."""
    candidates = every_word(text)
    is_last, is_first = (
        candidates.places == candidates.last - 1,
        candidates.places == candidates.first,
    )
    assert candidates.holds(noun_phrases.ends_phrase(HERE))[is_last].all()
    assert candidates.holds(noun_phrases.ends_at_person(HERE))[is_last].all()
    assert not candidates.holds(noun_phrases.opens_predicate(HERE))[is_last].any()
    assert not candidates.holds(noun_phrases.subject_is_person(HERE))[is_first].any()
