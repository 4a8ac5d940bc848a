"""Sentences with "her" and "his" whose case is known."""

import pytest

from fair_datasets.matching.tokens import tokenize
from fair_datasets.reader.tags import TAGS
from fair_datasets.reader.training.pronouns import made_rows, templated_rows
from fair_datasets.reader.training.rows import Row


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


def test_templates_are_made_and_some_are_held_back() -> None:
    """All sentences of a template are on one side; both cases are on both."""
    found = list(templated_rows([], 3))
    sides = [[row for row, held in found if held is side] for side in (False, True)]
    assert len(sides[1]) > 30
    assert len(sides[0]) > 2 * len(sides[1])
    for rows in sides:
        assert {tag for row in rows for _, tag in cases(row)} == {"alone", "determiner"}
    assert all(found[k][1] == found[k - k % 3][1] for k in range(len(found)))
