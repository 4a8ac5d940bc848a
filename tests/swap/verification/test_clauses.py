"""Tests of where mentions stand: in which sentence, phrase and clause."""

from typing import Any

import pytest

from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.rows import read_text
from fair_datasets.swap.verification.clauses import Clauses

TABLE = table_of("gender", owner="test")


def _read(text: str) -> tuple[list[Any], Clauses]:
    """Return the mentions of a text, and its clauses."""
    reading = read_text(text, TABLE)
    assert reading is not None
    return reading.mentions, Clauses(reading.tokens)


def test_titles_and_initials_end_no_sentence() -> None:
    """Their periods stand within one."""
    clauses = _read("Dr. J. Mary left. She\n\nhim")[1]
    assert [clauses.sentence(index) for index in (2, 4, 5)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("the poor old queen", 0),
        ("the very poor old queen", 4),
        ("saw her sister", 1),
        ("the king's Mary", 3),
    ],
)
def test_a_noun_is_opened_by_its_article_or_owner(text: str, opening: int) -> None:
    """A name opens itself."""
    mentions, clauses = _read(text)
    assert clauses.opening(mentions[-1]) == opening


@pytest.mark.parametrize(
    ("text", "is_at_start"),
    [("She left.", True), ("It rained. Then she left.", True), ("What she said", False),
     ("While she slept", False), ("So, today she left.", False), ("It was sad--she left", False)],
)  # fmt: skip
def test_who_opens_a_sentence(text: str, is_at_start: bool) -> None:
    """By itself, or behind one word that makes no clause of it that hangs on another."""
    mentions, clauses = _read(text)
    assert clauses.is_at_start(mentions[0]) is is_at_start


@pytest.mark.parametrize(
    ("text", "is_within"),
    [("She saw Ann there.", True), ("She met him and Ann.", False), ("She said, Ann left.", False),
     ("She knew that Ann left.", False), ("She saw Ann, who left.", False)],
)  # fmt: skip
def test_who_stands_in_the_clause_of_a_subject(text: str, is_within: bool) -> None:
    """Whoever may be a subject there does not."""
    mentions, clauses = _read(text)
    assert clauses.is_within_clause(mentions[0], mentions[-1]) is is_within


@pytest.mark.parametrize(
    ("text", "is_elliptical"),
    [("Nor did the queen.", True), ("So was Ann Smith!", True), ("Ann is not.", True),
     ("The queen can’t; it rained", True), ("Ann did, too", True), ("Ann did not laugh.", False),
     ("Ann, don't!", False), ("Nor did Ann laugh.", False), ("Ann", False), ("Ann is", False)],
)  # fmt: skip
def test_which_clauses_are_short(text: str, is_elliptical: bool) -> None:
    """They say of somebody what the clause before says, or deny it."""
    mentions, clauses = _read(text)
    assert clauses.is_elliptical(mentions[0]) is is_elliptical
