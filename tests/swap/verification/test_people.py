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


SAME = [
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
    # A reflexive is its subject's, and "her" of a relative clause its antecedent's.
    ("Ann knew that Mary had hurt herself.", [0, 1, 1]),
    ("Ann told Mary that the manager had blamed herself.", [0, 1, 2]),
    ("Mary, who had often dressed herself, called Ann.", [0, 0, 1]),
    ("Mary saw Ann wash herself.", [0, 1, 1]),
    ("Mary told Ann about herself.", [0, 1, 2]),
    ("Mary told Ann to wash herself.", [0, 1, 2]),
    ("Mary met Ann and hurt herself.", [0, 1, 0]),
    ("Mary left Ann, hurting herself.", [0, 1, 0]),
    ("Mary left, and Ann hurt herself.", [0, 1, 1]),
    ("Mary wrote Ann the letter herself.", [0, 1, 2]),
    ("Mary saw Ann herself.", [0, 1, 1]),
    ("The mother of Ann hurt herself.", [0, 1, 0]),
    ("Mary's mother hurt herself.", [0, 1, 1]),
    ("Mary's mother met Ann and hurt herself.", [0, 1, 2, 1]),
    ("The woman whom Ann saw had cut herself.", [0, 1, 0]),
    ("They told the woman that Ann had cut herself.", [0, 1, 1]),
    ("Mary, whose sister left, bought herself a car.", [0, 1, 0]),
    ("When Mary left, Ann hurt herself.", [0, 1, 1]),
    ("Ann met an actress who had lost her keys.", [0, 1, 1]),
    ("Mary and Ann met; Mary lost her bag.", [0, 1, 0, 0]),
    ("Mary met Ann, as Sue had lost her bag.", [0, 1, 2, 3]),
    ("Mary met Ann until Ann lost her bag.", [0, 1, 1, 1]),
    ("Ann knew that someone had hurt herself.", [0, 1]),
    ("Ann has a friend who knows her mother.", [0, 1, 2]),
    ("Mary told Ann that Sue had lost her bag.", [0, 1, 2, 3]),
    ("Mary left Ann when Tom lost her bag.", [0, 1, 2, 3]),
    # A noun between commas behind a name says who that is, unless it may be the next of a list.
    ("Mary, the queen, met Ann.", [0, 0, 1]),
    ("Mary Smith, an actress from Rome, met Ann.", [0, 0, 1]),
    ("Ann met Mary (a widow).", [0, 1, 1]),
    ("Mary, a nurse and mother of two, met Ann.", [0, 0, 1]),
    ("Mary, the queen and Ann left.", [0, 1, 2]),
    ("Mary, an actress, and Ann left.", [0, 1, 2]),
    ("As she saw Mary, the queen left.", [0, 1, 2]),
    ("My sister, Ann, left.", [0, 0]),
]


def test_who_is_the_same() -> None:
    """A pronoun is of the one person near by, unless somebody else may be meant."""
    assert [(text, _people(text)[1].persons) for text, _ in SAME] == SAME


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


@pytest.mark.parametrize(
    ("text", "owner"),
    [("Mary's mother", 0), ("Mary Smith's mother", 0), ("So Mary's dear old mother", 1),
     ("Mary's very dear old mother", None), ("Mary's old, kind mother", None),
     ("Old mother", None)],
)  # fmt: skip
def test_whose_somebody_is(text: str, owner: int | None) -> None:
    """A name with an apostrophe, up to two words before."""
    _, people = _people(text)
    assert people._clauses.owner_of(people._mentions[-1]) == owner
