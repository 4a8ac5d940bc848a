"""Surnames that another mention tells."""

import pytest

from fair_datasets.english.names import RULES
from tests.english.asking import rule_of


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("Ed Bradley sang. [Bradley]'s legacy lives.", "names.was_surname"),
        ("[Bradley]'s legacy lives. Ed Bradley sang.", "names.was_surname"),
        ("Robert E. Bradley sang. [Bradley] left.", "names.was_surname"),
        ("Emily Ann left. [Ann] slept.", "names.unmarked"),
        ("Director Bradley sang. [Bradley] left.", "names.unmarked"),
        ("Ed Bradley sang. " + "It was late. " * 80 + "[Bradley] left.", "names.unmarked"),
    ],
)
def test_a_surname_is_known_by_another_mention(sentence: str, rule: str) -> None:
    """A word that stands behind a first name nearby is a surname where it stands alone."""
    assert rule_of(RULES, sentence, "man").name == rule
