"""Telling the readings of "her" and "his" apart."""

import pytest

from fair_datasets.reader.english.pronouns import HER, HIS
from tests.reader.english.asking import rule_of


@pytest.mark.parametrize(("sentence", "determiner"), [
    ("[her] book", True),
    ("[her] “book”", True),
    ("[her] very own", True),
    ("[her] or his book", True),
    ("[her]/his book", True),
    ("[her]-story", True),
    ("saw [her]", False),
    ("saw [her].", False),
    ("saw [her], then", False),
    ("told [her] the truth", False),
    ("told [her] that", False),
    ("with [her] and me", False),
    ("[her]\n", False),
    ("found [her] dead", False),
])  # fmt: skip
def test_her_before_a_noun_is_a_determiner(sentence: str, determiner: bool) -> None:
    """Her is a determiner before a noun phrase and an object before anything else."""
    assert rule_of(HER, sentence).verdict == ("determiner" if determiner else "object")


@pytest.mark.parametrize(("sentence", "possessive"), [
    ("[his] book", False),
    ("[his] own", False),
    ("[his] or her book", False),
    ("[his]/her book", False),
    ("[his]", True),
    ("it is [his].", True),
    ("[his] is better", True),
    ("a friend of [his], too", True),
    ("My dog barks and [his] sleeps", True),
    ("[his] comes tomorrow", True),
    ("[his] never rings", True),
    ("[his] made me laugh", True),
    ("[his] are on the table", True),
    ("[his] leaves early", True),
    ("[his] works are famous", False),
    ("[his] would-be wife", False),
])  # fmt: skip
def test_his_without_a_noun_is_possessive(sentence: str, possessive: bool) -> None:
    """His is a determiner before a noun phrase and a possessive pronoun elsewhere."""
    assert rule_of(HIS, sentence).verdict == ("possessive" if possessive else "determiner")
