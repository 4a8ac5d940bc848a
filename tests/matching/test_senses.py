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
        ("talked to mother and left", "mother", False),
        ("she fathered it", "fathered", True),
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
        ("the god Apollo", "god", True),
        ("the king formally agreed", "king", True),
        ("the Christian God is", "god", False),
        ("the King of Spain", "king", True),
        ("the queen of spades", "queen", False),
        ("the queen takes on d5", "queen", False),
        ("the platelet count", "count", False),
        ("the count smiled", "count", True),
        ("the title of count", "count", True),
        ("the duchess and the count", "count", True),
        ("my mummy", "mummy", True),
        ("Mummy left", "mummy", True),
        ("the mummy of a pharaoh", "mummy", False),
        ("my ma and pa", "pa", True),
        ("60,000 Pa", "pa", False),
        ("a bachelor's from Leeds", "bachelor", False),
        ("the bachelor's house", "bachelor", True),
        ("a bachelors in law", "bachelors", False),
        ("a sister company", "sister", False),
        ("my sister left", "sister", True),
        ("each daughter cell", "daughter", False),
        ("a father figure", "father", False),
        ("my brother programs it", "brother", True),
        ("a male plug and a female one", "female", False),
        ("a male nurse and a female one", "female", True),
        ("a boy band", "boy", False),
        ("the guy ropes", "guy", False),
        ("that guy", "guy", True),
        ("a 5 gal bucket", "gal", False),
        ("see chap. 4", "chap", False),
        ("to lord it over us", "lord", False),
        ("The Lord said", "lord", False),
        ("the young lord", "lord", True),
        ("Earl Hines played", "earl", False),
        ("the Earl of March", "earl", True),
        ("Oh man!", "man", False),
        ("an Iron Man suit", "man", False),
        ("a man said", "man", True),
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
     ("Lady of Shalott", True), ("Lady of ill fame", False),
     ("MISS YOU", False), ("MISS SMITH", False), ("MS. SMITH", True), ("MS Society", False),
     ("Miss You", False), ("King Street", False)],
)  # fmt: skip
def test_titles_stand_before_a_capitalised_name(text: str, title: bool) -> None:
    """A title is capitalised and stands directly before a capitalised word."""
    assert is_title(tokenize(text), 0) is title
