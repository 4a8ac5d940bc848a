"""Telling the readings of "her" and "his" apart."""

import pytest
from fair_datasets.matching.pronouns import her_is_determiner, his_is_possessive

from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "determiner"),
    [
        ("her book", True),
        ("her “book”", True),
        ("her very own", True),
        ("her or his book", True),
        ("her/his book", True),
        ("her-story", True),
        ("saw her", False),
        ("saw her.", False),
        ("saw her, then", False),
        ("told her the truth", False),
        ("told her that", False),
        ("with her and me", False),
        ("her\n", False),
    ],
)
def test_her_before_a_noun_is_a_determiner(text: str, determiner: bool) -> None:
    """Her is a determiner before a noun phrase and an object before anything else."""
    tokens = tokenize(text)
    assert her_is_determiner(tokens, tokens.lower.index("her")) is determiner


@pytest.mark.parametrize(
    ("text", "possessive"),
    [
        ("his book", False),
        ("his own", False),
        ("his or her book", False),
        ("his/her book", False),
        ("his", True),
        ("it is his.", True),
        ("his is better", True),
        ("a friend of his, too", True),
    ],
)
def test_his_without_a_noun_is_possessive(text: str, possessive: bool) -> None:
    """His is a determiner before a noun phrase and a possessive pronoun elsewhere."""
    tokens = tokenize(text)
    assert his_is_possessive(tokens, tokens.lower.index("his")) is possessive
