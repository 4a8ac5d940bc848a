"""Calls that mean nobody."""

import pytest
from fair_datasets.matching.exclamations import is_exclaimed

from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "word", "exclaimed"),
    [
        ("Oh, boy.", "boy", True),
        ("oh man i forgot", "man", True),
        ("Man, that was close", "man", True),
        ("man oh man", "man", True),
        ("Boy, was it hot", "boy", True),
        ("Boy was it hot", "boy", True),
        ("Come on, man.", "man", True),
        ("thanks dude", "dude", True),
        ("what is this, girl?", "girl", True),
        ("love you man", "man", True),
        ("The man, who left", "man", False),
        ("Man bites dog", "man", False),
        ("Man, woman and child", "man", False),
        ("Boy, 12, found", "boy", False),
        ("They are fathers, man, and sons", "man", False),
        ("a woman, man or girl", "man", False),
        ("I saw a man", "man", False),
        ("Brother, come here", "brother", False),
        ("a very simple person: man, fighter", "man", False),
    ],
)
def test_calls_are_told_from_mentions(text: str, word: str, exclaimed: bool) -> None:
    """A call stands alone between commas, behind an interjection or before a question's verb."""
    tokens = tokenize(text)
    assert is_exclaimed(tokens, tokens.lower.index(word)) is exclaimed
