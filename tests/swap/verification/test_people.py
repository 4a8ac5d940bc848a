"""Tests of who surely is the same person, and who surely is not."""

import pytest

from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.rows import read_text
from fair_datasets.swap.verification.people import People

TABLE = table_of("gender", owner="test")


def _people(text: str) -> tuple[list[str], People]:
    reading = read_text(text, TABLE)
    assert reading is not None
    words = [reading.tokens.word(mention.last) for mention in reading.mentions]
    return words, People(reading)


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("Mary said that she lost her keys.", [0, 0, 0]),
        ("Mary came. She was late.", [0, 0]),
        ("Mary came. It rained. It rained. She was late.", [0, 1]),
        ("Mary told John that she knew him.", [0, 1, 0, 1]),
        ("Mary told Susan that she lost her keys.", [0, 1, 2, 2]),
        ("Mrs. Mary Smith and Mary's dog", [0, 0, 0]),
        ("Mary is a good actress.", [0, 0]),
        ("The queen saw Ann. Then the queen left.", [0, 1, 0]),
        ("Susan saw Ann. Then Ann took her bike.", [0, 1, 1, 1]),
        ("Mary called the doctor because she was ill.", [0, 1]),
        ("Mary called Xandrel because she was ill.", [0, 1]),
        ("Mary went to Paris because she was ill.", [0, 0]),
        ("She saw her there.", [0, 1]),
        ("Female heirs", [0, 1]),
        # A subject goes on, whoever is named behind it in its clause.
        ("Mary came. So she called Ann. “Stay,” she said.", [0, 0, 1, 0]),
        ("Mary came. She called Ann, and Sue left. Then she sat.", [0, 0, 1, 2, 3]),
        ("Mary came. She called Ann, who sat. Then she left.", [0, 0, 1, 2]),
        ("Mary came. She knew that Ann sat. Then she left.", [0, 0, 1, 2]),
        ("Mary came. What she said vexed Ann. She left.", [0, 0, 1, 2]),
        ("Mary came. She called Ann. It rained. She left.", [0, 0, 1, 2]),
        ("Mary came, sad--she called Ann. She left.", [0, 0, 1, 2]),
        ("Mary came. She called Ann. Xandrel sat where she sat.", [0, 0, 1, 2]),
    ],
)
def test_who_is_the_same(text: str, persons: list[int]) -> None:
    """A pronoun is of the one person near by, unless somebody else may be meant."""
    assert _people(text)[1].persons == persons


@pytest.mark.parametrize(
    ("text", "one", "other", "are_distinct"),
    [
        ("Mary met John.", "Mary", "John", True),
        ("Mary met Susan.", "Mary", "Susan", True),
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
    ],
)
def test_who_is_somebody_else(text: str, one: str, other: str, are_distinct: bool) -> None:
    """Only those are two persons of whom the text says so."""
    words, people = _people(text)
    numbers = words.index(one), words.index(other)
    assert people.are_distinct(*numbers) is are_distinct
    assert people.are_distinct(*reversed(numbers)) is are_distinct
