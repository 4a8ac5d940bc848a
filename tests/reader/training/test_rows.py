"""What is drawn by the texts themselves, and what they are cut into."""

import pytest

from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.tags import TAGS
from fair_datasets.reader.training.rows import (
    MOST,
    Row,
    is_held_back,
    lower_cased,
    made_rows,
    pieces,
    share,
    templated_rows,
)

TEXTS = [f"Text {number}" for number in range(4000)]


def test_a_share_of_texts_is_held_back() -> None:
    """About one of twenty, the same ones each time."""
    held = [text for text in TEXTS if is_held_back(text)]
    assert 150 < len(held) < 250
    assert all(map(is_held_back, held))


def test_draws_are_even() -> None:
    """As many texts have a low number as a high one."""
    low = sum(share(text) < 0.5 for text in TEXTS)
    assert 1850 < low < 2150


def test_other_texts_are_in_lower_case_in_another_epoch() -> None:
    """A share of them; one that would become longer is never."""
    drawn = [{t for t in TEXTS if lower_cased(t, epoch, 0.1) != t} for epoch in (0, 1)]
    assert all(300 < len(each) < 500 for each in drawn)
    assert drawn[0] != drawn[1]
    assert lower_cased("İstanbul", 0, 1.0) == "İstanbul"


def test_pieces_are_short_and_nothing_is_lost() -> None:
    """But for the spaces between sentences."""
    text = "One is here. " * 20 + "\n\nAnd then? " * 5 + "word " * 100
    found = list(pieces(text))
    assert " ".join(found).split() == text.split()
    assert all(len(piece.split()) <= MOST // 4 for piece in found[:-1])
    assert list(pieces(" \n ")) == []


def cases(row: Row) -> list[tuple[str, str]]:
    """Return the pronouns of a row with their cases."""
    pairs = zip(tokenize(row.text).words, row.allowed, strict=True)
    return [(word, TAGS[bits.bit_length() - 1]) for word, bits in pairs if bits]


@pytest.mark.parametrize(
    ("text", "made", "expected"),
    [
        ("They saw us.", "They saw her.", [("her", "object")]),
        ("Mine is red.", "His is red.", [("His", "alone")]),
        ("It was theirs, not ours!", "It was his, not his!", [("his", "alone"), ("his", "alone")]),
    ],
)
def test_pronouns_that_show_their_case_are_written_anew(
    text: str, made: str, expected: list[tuple[str, str]]
) -> None:
    """With all else as it was, and a capital where one was."""
    (row,) = made_rows([text])
    assert row.text == made
    assert cases(row) == expected


def test_determiners_become_both_pronouns() -> None:
    """Which of the two is drawn by the text."""
    rows = list(made_rows(f"Here is my book number {number}." for number in range(40)))
    assert {cases(row)[0] for row in rows} == {("her", "determiner"), ("his", "determiner")}


@pytest.mark.parametrize(
    "text", ["He came.", "They saw her with us.", "In the US", "A gold mine", "us " * 70]
)
def test_other_texts_are_left_out(text: str) -> None:
    """Those without such a pronoun, with a "her" of unknown case, and long ones."""
    assert list(made_rows([text])) == []
    assert [len(list(made_rows(["now " * words + "us"]))) for words in (59, 60)] == [1, 0]


def test_templates_are_made_and_some_are_held_back() -> None:
    """All sentences of a template are on one side; both cases are on both."""
    found = list(templated_rows([], 3))
    sides = [[row for row, held in found if held is side] for side in (False, True)]
    assert len(sides[1]) > 30
    assert len(sides[0]) > 2 * len(sides[1])
    for rows in sides:
        assert {tag for row in rows for _, tag in cases(row)} == {"alone", "determiner"}
    assert all(found[k][1] == found[k - k % 3][1] for k in range(len(found)))
