"""Agreement of the words around an edit."""

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.swap.agreement import takes_an


@pytest.mark.parametrize(
    ("word", "an"),
    [("actor", True), ("uncle", True), ("usher", True), ("heir", True), ("Heiress", True),
     ("honest", True), ("hour", True), ("enby", True), ("niece", False), ("hero", False),
     ("unit", False), ("user", False), ("European", False), ("one", False), ("", False)],
)  # fmt: skip
def test_an_stands_before_a_vowel_sound(word: str, an: bool) -> None:
    """An stands before words that are spoken, not written, with a vowel first."""
    assert takes_an(word) is an


@pytest.mark.parametrize(
    ("text", "options", "swapped"),
    [
        ("a wizard", {"target": "non-binary"}, "a mage"),
        ("an actress", {"target": "non-binary"}, "a performer"),
        ("An actress", {"target": "non-binary"}, "A performer"),
        ("AN ACTRESS", {"target": "non-binary"}, "A PERFORMER"),
        ("a patriarch", {"target": "non-binary"}, "an elder"),
        ("A patriarch", {"target": "non-binary"}, "An elder"),
        ("A PATRIARCH", {"target": "non-binary"}, "AN ELDER"),
        ("an uncle", {}, "an aunt"),
        ("a hero, an heir", {}, "a heroine, an heiress"),
        ("a actress", {"target": "non-binary"}, "a performer"),
        ("plan an, actress", {"target": "non-binary"}, "plan an, performer"),
    ],
)
def test_the_article_follows_the_new_word(text: str, options: dict[str, str], swapped: str) -> None:
    """The article changes where the edit changes the sound behind it, and only there."""
    swap = CounterfactualSwap(columns="text", mode="replace", **options)
    assert swap({"text": [text]})["text"] == [swapped]
