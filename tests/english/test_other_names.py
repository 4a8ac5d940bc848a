"""Names of other things than people."""

import pytest
from fair_datasets.matching.other_names import (
    is_of_other_name,
    names_something_else,
    next_capitalised,
    next_in_phrase,
    word_is_upper,
)

from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "word", "other"),
    [
        ("We like Iron Man a lot", "man", True),
        ("We saw the Scissor Sisters there", "sisters", True),
        ("Sanford and Son closed", "son", True),
        ("We saw Men in Black there", "men", True),
        ("It was on Duke Road there", "duke", True),
        ("The Boy Who Cried Wolf is old", "boy", True),
        ("He was Man of the Year there", "man", False),
        ("Young Girls sang there", "girls", False),
        ("the Sydney Girls High School there", "girls", False),
        ("the Women's World Cup there", "women", False),
        ("an Indian Woman there", "woman", False),
        ("the Queen Mother came there", "mother", False),
        ("Dr. Prince came there", "prince", False),
        ("THE IRON MAN", "man", False),
        ("a man there", "man", False),
    ],
)
def test_titles_and_companies_are_seen(text: str, word: str, other: bool) -> None:
    """A capitalised term beside another capitalised word is part of another name."""
    tokens = tokenize(text)
    assert is_of_other_name(tokens, tokens.lower.index(word)) is other


@pytest.mark.parametrize(
    ("text", "flags", "other"),
    [
        ("Thomas Street", "", True),
        ("Thomas Hill", "", False),
        ("Thomas Hawks left", "", False),
        ("Houston Hawks lost", "place", True),
        ("Thomas, Maine", "", True),
        ("Thomas, Mary", "", False),
        ("Thomas left", "", False),
    ],
)
def test_what_follows_a_name_tells_what_it_names(text: str, flags: str, other: bool) -> None:
    """Streets, towns and teams are told from surnames."""
    tokens = tokenize(text)
    follower = next_capitalised(tokens, 0)
    assert names_something_else(tokens, 0, follower, frozenset(flags.split())) is other


def test_a_surname_has_its_lane_by_its_preposition() -> None:
    """Diane Lane is a person, but on Hill Lane is a place."""
    assert names_something_else(tokenize("on Hill Lane"), 1, "lane", frozenset())
    assert not names_something_else(tokenize("with Diane Lane"), 1, "lane", frozenset())


@pytest.mark.parametrize(
    ("text", "found"),
    [("Mark Hill", "hill"), ("Mark de la Hill", "hill"), ("Mark A. Hill", "a"), ("Mark A", ""),
     ("Mark The", ""), ("Mark, Hill", ""), ("Mark left", ""), ("Mark", ""), ("Mark de", "")],
)  # fmt: skip
def test_the_next_capitalised_word_may_be_a_surname(text: str, found: str) -> None:
    """It is looked for behind particles, and is no function word."""
    assert next_capitalised(tokenize(text), 0) == found


def test_the_next_word_stands_behind_a_space() -> None:
    """A comma or the text's end stands between."""
    texts = ("Mark left", "Mark, left", "Mark")
    assert [next_in_phrase(tokenize(text), 0) for text in texts] == ["left", "", ""]


def test_capitals_only_are_two_letters_at_least() -> None:
    """A single capital letter says nothing."""
    assert [word_is_upper(tokenize(text), 0) for text in ("MARK", "Mark", "A")] == [
        True,
        False,
        False,
    ]
