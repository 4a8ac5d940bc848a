"""Titles before names."""

import pytest

from fair_datasets.english.titles import IS_ROYAL, TITLE
from tests.english.asking import holds, rule_of


@pytest.mark.parametrize(
    ("sentence", "title"),
    [("[Miss] Smith", True), ("[Miss]. Smith", True), ("[miss] Smith", False),
     ("[Miss] smith", False),
     ("[Miss], Smith", False), ("[Miss]", False), ("[Miss] I", False),
     ("[Lady] of Shalott", True), ("[Lady] of ill fame", False),
     ("[MISS] YOU", False), ("[MISS] SMITH", False), ("[MS]. SMITH", True), ("[MS] Society", False),
     ("[Miss] You", False), ("[King] Street", False),
     ("[Lady] de Vere", True), ("[Count] van der Berg", True), ("[Lady] de luxe", False)],
)  # fmt: skip
def test_titles_stand_before_a_capitalised_name(sentence: str, title: bool) -> None:
    """A title is capitalised and stands directly before a capitalised word."""
    assert rule_of(TITLE, sentence).verdict is title


@pytest.mark.parametrize(
    ("sentence", "goes"),
    [("[Queen] Nefertiti ruled", True), ("the [queen] Nefertiti", False),
     ("[King] Street", False), ("[Baron] Symons", False), ("The [Queen], Nefertiti", False)],
)  # fmt: skip
def test_royal_titles_go_with_first_names(sentence: str, goes: bool) -> None:
    """A royal title stands before a first name, a baron's before a surname."""
    assert holds(IS_ROYAL, sentence) is goes
