"""Tests of whom the words of a clause are bound to."""

import pytest

from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.rows import read_text
from fair_datasets.swap.verification.people import People

TABLE = table_of("gender", owner="test")


def _persons(text: str) -> list[int]:
    """Return who the mentions of a text speak of."""
    reading = read_text(text, TABLE)
    assert reading is not None
    return People(reading).persons


@pytest.mark.parametrize(
    ("text", "persons"),
    [
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
    ],
)
def test_whom_a_pronoun_is_bound_to(text: str, persons: list[int]) -> None:
    """A reflexive is its subject's, and "her" of a relative clause its antecedent's."""
    assert _persons(text) == persons


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("Mary's mother", 0), ("Mary Smith's mother", 0), ("So Mary's dear old mother", 1),
        ("Mary's very dear old mother", None), ("Mary's old, kind mother", None),
        ("Old mother", None),
    ],
)  # fmt: skip
def test_whose_somebody_is(text: str, owner: int | None) -> None:
    """A name with an apostrophe, up to two words before."""
    reading = read_text(text, TABLE)
    assert reading is not None
    assert People(reading)._binding.owner_of(reading.mentions[-1]) == owner


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("Mary, the queen, met Ann.", [0, 0, 1]),
        ("Mary Smith, an actress from Rome, met Ann.", [0, 0, 1]),
        ("Ann met Mary (a widow).", [0, 1, 1]),
        ("Mary, a nurse and mother of two, met Ann.", [0, 0, 1]),
        ("Mary, the queen and Ann left.", [0, 1, 2]),
        ("Mary, an actress, and Ann left.", [0, 1, 2]),
        ("As she saw Mary, the queen left.", [0, 1, 2]),
        ("My sister, Ann, left.", [0, 0]),
    ],
)
def test_who_stands_in_apposition(text: str, persons: list[int]) -> None:
    """A noun between commas behind a name says who that is, unless it may be the next of a list."""
    assert _persons(text) == persons
