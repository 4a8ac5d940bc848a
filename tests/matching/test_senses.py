"""Telling a term from the verb or the thing that is spelt like it."""

import pytest

from fair_datasets.matching.senses import is_person, is_title, is_verb
from fair_datasets.matching.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "word", "verb"),
    [
        ("to host a show", "host", True),
        ("they host", "host", True),
        ("will father children", "father", True),
        ("she hosts the show", "hosts", True),
        ("man the barricades", "man", True),
        ("the host said", "host", False),
        ("the hosts", "hosts", False),
        ("Father the baker", "father", False),
        ("my father", "father", False),
    ],
)
def test_verbs_are_told_by_their_neighbours(text: str, word: str, verb: bool) -> None:
    """A word is a verb behind a modal or a subject, or before an object."""
    tokens = tokenize(text)
    assert is_verb(tokens, tokens.lower.index(word)) is verb


@pytest.mark.parametrize(
    ("text", "word", "person"),
    [
        ("the king said", "king", True),
        ("King James", "king", True),
        ("the king's daughter", "king", True),
        ("Mary's king", "king", True),
        ("as king", "king", True),
        ("the king", "king", True),
        ("the King meant it", "king", True),
        ("a king bed", "king", False),
        ("king-sized", "king", False),
        ("Oh. My. God.", "god", False),
        ("king", "king", False),
    ],
)
def test_persons_are_told_by_their_neighbours(text: str, word: str, person: bool) -> None:
    """A marked word is a person in a noun phrase of its own or as a title."""
    tokens = tokenize(text)
    assert is_person(tokens, tokens.lower.index(word)) is person


@pytest.mark.parametrize(
    ("text", "title"),
    [("Miss Smith", True), ("Miss. Smith", True), ("miss Smith", False), ("Miss smith", False),
     ("Miss, Smith", False), ("Miss", False), ("Miss I", False),
     ("MISS YOU", False), ("MISS SMITH", False), ("MS. SMITH", True), ("MS Society", False),
     ("Miss You", False), ("King Street", False)],
)  # fmt: skip
def test_titles_stand_before_a_capitalised_name(text: str, title: bool) -> None:
    """A title is capitalised and stands directly before a capitalised word."""
    assert is_title(tokenize(text), 0) is title
