"""Classes and rules that few texts ask of: each has a sentence that needs it."""

import pytest

from fair_datasets import find_terms

# What needs it, the axis, the sentence, the word, and what it mentions; nothing if it is left.
SENTENCES = (
    ("before_plural_things", "race", "I washed my whites.", "whites", ""),
    ("before_third_person", "gender", "He mothers them.", "mothers", ""),
    ("days", "gender", "Monday Mary left.", "Mary", "woman"),
    ("folders", "gender", "see src/her/notes", "her", ""),
    ("question_openers", "religion", "So is your dentist Hindu?", "Hindu", "hindu"),
)


@pytest.mark.parametrize(
    ("axis", "text", "word", "attribute"),
    [sentence[1:] for sentence in SENTENCES],
    ids=[sentence[0] for sentence in SENTENCES],
)
def test_a_rare_class_or_rule_is_needed(axis: str, text: str, word: str, attribute: str) -> None:
    """What it stands for is rare in texts, but right."""
    (found,) = (term for term in find_terms(text, axis) if term.text == word)
    assert found.attribute == attribute
