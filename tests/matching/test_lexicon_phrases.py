"""Phrases of a lexicon in texts."""

import pytest

from fair_datasets.matching.decisions import Decisions
from fair_datasets.matching.find import table_of
from fair_datasets.matching.lexicon_phrases import phrases_in
from fair_datasets.matching.words import Words

TABLE = table_of("gender", protect=("Mary Smith",), owner="test")


def found(*texts: str) -> list[str]:
    """Return the phrases in texts."""
    words = Words(texts)
    decisions = Decisions(words, TABLE.columns.places(words), TABLE.columns)
    return [
        words.joined[words.start[first] : words.end[last]]
        for first, last, _ in phrases_in(decisions, TABLE.phrases)
    ]


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("the maid of honor", ["maid of honor"]),
        ("the Maid of Honor and the Boy Scouts", ["Maid of Honor", "Boy Scouts"]),
        ("the lady of the manor", ["lady of the manor"]),
        ("heard Sir Mix-A-Lot", ["Sir Mix-A-Lot"]),
        ("heard Sir Mix A Lot", []),
        ("heard Sir Mix-A Lot", []),
        ("the maid of", []),
        ("maid", []),
        ("the maid of\nhonor", ["maid of\nhonor"]),
        ("maid of honors", []),
        ("a user_maid of honor", []),
        ("see `maid of honor`", []),
        ("Mary Smith and mary smith", ["Mary Smith"]),
        ("a Bachelor’s degree", ["Bachelor’s degree"]),
    ],
)
def test_phrases_are_found_by_their_words_and_signs(text: str, phrases: list[str]) -> None:
    """As words of their own, in the case that they need."""
    assert found(text) == phrases


def test_no_phrase_goes_beyond_its_text() -> None:
    """The next text of the chunk is no part of it."""
    assert found("the maid of", "honor", "maid", "of honor") == []
    assert found("maid of honor", "", "maid of honor") == ["maid of honor"] * 2


def test_phrases_do_not_overlap() -> None:
    """A word belongs to one phrase."""
    assert found("maid of honor maid of honor of honor") == ["maid of honor"] * 2
