"""Tests of who surely is the same person, and who surely is not."""

import csv
from pathlib import Path

import pytest

from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.rows import annotate_text
from fair_datasets.swap.verification.people import People

TABLE = find_table("gender")


def _people(text: str) -> tuple[list[str], People]:
    reading = annotate_text(text, TABLE)
    assert reading is not None
    words = [reading.tokens.word(mention.last) for mention in reading.mentions]
    return words, People(reading)


# Of each mention, the number of its person.
with Path(__file__).with_name("same.tsv").open(encoding="utf-8") as file:
    SAME = [tuple(row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]


def test_who_is_the_same() -> None:
    """A pronoun is of the one person near by, unless somebody else may be meant."""
    found = [(text, " ".join(map(str, _people(text)[1].persons))) for text, _ in SAME]
    assert found == SAME


@pytest.mark.parametrize(("text", "one", "other", "are_distinct"), [
    ("Mary met John.", "Mary", "John", True), ("Mary met Susan.", "Mary", "Susan", True),
    ("Mary met the queen.", "Mary", "queen", True),
    ("Mary, the queen, left.", "Mary", "queen", False),
    ("Mary left. The queen stayed.", "Mary", "queen", False),
    ("Mary left. A woman stayed.", "Mary", "woman", True),
    ("The actress left. The queen stayed.", "actress", "queen", True),
    ("The actress left. The mother stayed.", "actress", "mother", False),
    ("Mary called her sister.", "Mary", "sister", True),
    ("Mary's old sister left.", "Mary", "sister", True),
    ("Mary told Susan that she left.", "Mary", "she", False),
    ("Mary left. Nor did the woman.", "Mary", "woman", True),
    ("Mary left. So did the old woman.", "Mary", "woman", True),
    ("Mary left. The woman did not.", "Mary", "woman", True),
    ("Mary was there. The woman wasn’t; it rained.", "Mary", "woman", True),
    ("The woman was there. Mary Smith was, too.", "Mary", "woman", True),
    ("The woman was there. Mary Smith was not", "Mary", "woman", True),
    ("Mary left. The woman did not laugh.", "Mary", "woman", False),
    ("Mary left. Nor did the woman laugh.", "Mary", "woman", False),
    ("Mary left. It rained. The woman did not.", "Mary", "woman", False),
    ("Mary saw Ann. The woman did not.", "Mary", "woman", False),
    ("The woman laughed. Mary, don't!", "Mary", "woman", False),
    ("The woman laughed. For Mary I must not.", "Mary", "woman", False),
])  # fmt: skip
def test_who_is_somebody_else(text: str, one: str, other: str, are_distinct: bool) -> None:
    """Only those are two persons of whom the text says so."""
    words, people = _people(text)
    numbers = words.index(one), words.index(other)
    assert people.are_distinct(*numbers) is are_distinct
    assert people.are_distinct(*reversed(numbers)) is are_distinct
