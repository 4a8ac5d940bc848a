"""Tests of who the people of a text are."""

import pytest

from fair_datasets.reader.coreference import people_of, unread_names
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.rows import annotate_text


@pytest.mark.parametrize(("text", "attribute", "people"), [
    ("Mr. Smith told Mr. Jones that Smith was late.", "man", ["Mr Smith", "Mr"]),
    ("Mr Kearney met John Kearney.", "man", ["Mr", "John"]),
    ("King John saw King Louis as Louis left.", "man", ["King John", "King Louis Louis"]),
    ("Miss Mary Lee saw that Mary had won.", "woman", ["Miss Mary Mary"]),
    ("John told Paul that I'm late, and I\u2019d go.", "man", ["John", "Paul"]),
    ("The queen saw the nun, and the Queen left.", "woman", ["queen Queen", "nun"]),
])  # fmt: skip
def test_people_are_told_apart_by_their_names(text: str, attribute: str, people: list[str]) -> None:
    """A title is no name: whose it is, the name behind it says."""
    reading = annotate_text(text, find_table("gender"))
    words = reading.tokens.words
    found = [" ".join(words[k] for k in each.places) for each in people_of(reading, attribute)]
    assert found == people
    assert unread_names(reading) == []
