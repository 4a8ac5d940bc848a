"""Telling a term from a name that is spelt like it."""

import pytest

from fair_datasets.english.senses import IN_NAME
from tests.english.asking import rule_of


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("[Duke] William of Normandy", "noble"), ("[Duke] William of ill", "names_too"),
        ("[Duke] of Norfolk", "noble"), ("[Duke] Ellington of Spain", "names_too"),
        ("[Duke] Robert II", "noble"), ("[Duke] Robert iii", "names_too"),
        ("[Duke] Ellington", "names_too"), ("friend of [Earl] Andrew Forsythe", "names_too"),
        ("Charles, [Earl] Spencer, left", "rank"), ("Charles [Earl] Spencer, left", "names_too"),
        ("Prince Charles, [Earl] Spencer, left", "names_too"),
        ("the 9th [Earl] Spencer", "rank"), ("the nine [Earl] Spencer", "names_too"),
        ("[God] bless", "deity"), ("[Iron] Man", "other_name"), ("[Baron] Cohen", "none"),
        ("the [Son] rose", "his_son"), ("a [Son] rose", "none"),
    ],
)  # fmt: skip
def test_a_title_of_nobility_is_told_from_a_name(sentence: str, rule: str) -> None:
    """By who bears it, by an ordinal number, and by the place behind it."""
    assert rule_of(IN_NAME, sentence).name == f"things.{rule}"
