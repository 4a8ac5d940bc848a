"""Noun phrases about persons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english.neighbours import HERE
from fair_datasets.reader.english.noun_phrases import (
    ends_at_person,
    ends_phrase,
    head_of_subject,
    opens_predicate,
    subject_is_person,
)
from fair_datasets.reader.matching.conditions import Condition
from tests.reader.english.asking import every_word


@pytest.mark.parametrize("text", [
    "the student complained",
    "the student lives in Leeds",
    "the student singing aloud",
    "the student, who left",
    "the family sleep",
    "the couple and retired friends",
])  # fmt: skip
def test_a_phrase_ends_where_a_person_acts(text: str) -> None:
    """A verb, a comma or the end of the text stands behind it."""
    assert every_word(text).holds(ends_at_person(HERE))[1]


@pytest.mark.parametrize("text", ["the family home", "the student-led march", "the baby food"])
def test_a_phrase_goes_on_before_another_noun(text: str) -> None:
    """The noun for a person describes it."""
    assert not every_word(text).holds(ends_at_person(HERE))[1]


@pytest.mark.parametrize(("text", "opens"), [
    ("the Irish drink tea", True),
    ("the Irish drink industry grows", False),
    ("the Irish drink was strong", False),
    ("the elderly need better buses", True),
    ("the elderly need help.", True),
    ("the old work cost money.", False),
    ("the elderly", False),
])  # fmt: skip
def test_a_clause_has_one_verb(text: str, opens: bool) -> None:
    """A word that may be a noun is the verb where there is no other."""
    assert every_word(text).holds(opens_predicate(HERE + 1))[1] == opens


@pytest.mark.parametrize(("text", "verb", "head"), [
    ("the man in the car was", 5, 1),
    ("most of the nurses are", 4, 3),
    ("the wife's car was", 4, 3),
    ("some of them looked", 3, 2),
])  # fmt: skip
def test_the_subject_of_a_verb_has_a_head(text: str, verb: int, head: int) -> None:
    """What belongs to it by a preposition is none, save behind a quantity."""
    assert every_word(text).at(head_of_subject(HERE))[verb] == head


# What is asked of which word, a text, and how many words at its gap make the answer another.
REACHES = [
    (opens_predicate(HERE + 1), -3, "was{} the Irish drink tea", " at", 6),
    (subject_is_person(HERE), -1, "they say that the man{} was", " here", 8),
    (ends_phrase(HERE), 1, "a student{}, who left", ", young", 4),
]


@pytest.mark.parametrize(("condition", "word", "text", "more", "reach"), REACHES)
def test_how_far_a_clause_is_looked_at(
    condition: Condition, word: int, text: str, more: str, reach: int
) -> None:
    """What is farther away tells nothing."""
    texts = (text.format(more * count) for count in range(reach + 1))
    words = [every_word(each) for each in texts]
    answers = [bool(found.holds(condition)[word]) for found in words]
    assert answers == [answers[0]] * reach + [not answers[0]]


def test_how_far_a_head_is_looked_for() -> None:
    """Before the words that belong to it by a preposition."""
    heads = []
    for count in range(6):
        found = every_word("the man in the" + " tall" * count + " car was")
        heads.append(found.at(head_of_subject(HERE))[-1])
    assert heads[:5] == [1] * 5
    assert heads[5] == found.nowhere


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    """No text raises; a phrase ends at its end, and no predicate opens without a subject."""
    found = every_word(text)
    is_last, is_first = found.places == found.last - 1, found.places == found.first
    assert found.holds(ends_phrase(HERE))[is_last].all()
    assert found.holds(ends_at_person(HERE))[is_last].all()
    assert not found.holds(opens_predicate(HERE))[is_last].any()
    assert not found.holds(subject_is_person(HERE))[is_first].any()
