"""Titles before names."""

import pytest

from fair_datasets.english.titles import TITLE
from tests.english.asking import rule_of


@pytest.mark.parametrize(
    ("sentence", "title"),
    [("[Miss] Smith", True), ("[Miss]. Smith", True), ("[miss] Smith", False),
     ("[Miss] smith", False),
     ("[Miss], Smith", False), ("[Miss]", False), ("[Miss] I", False),
     ("[Lady] of Shalott", True), ("[Lady] of ill fame", False),
     ("[MISS] YOU", False), ("[MISS] SMITH", False), ("[MS]. SMITH", True), ("[MS] Society", False),
     ("[Miss] You", False), ("[King] Street", False)],
)  # fmt: skip
def test_titles_stand_before_a_capitalised_name(sentence: str, title: bool) -> None:
    """A title is capitalised and stands directly before a capitalised word."""
    assert rule_of(TITLE, sentence).verdict is title
