"""Names in rows: one occurrence speaks for the others."""

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.matching.decisions import Decisions
from fair_datasets.matching.find import table_of
from fair_datasets.matching.found import Reason
from fair_datasets.matching.language import language
from fair_datasets.matching.names_in_rows import NamesInRows
from fair_datasets.matching.words import Words

TABLE = table_of("gender", owner="test")
NONE, SURE, UNSURE, REJECTED = range(4)


def judged(*texts: str) -> tuple[Decisions, NamesInRows]:
    """Judge the names of texts."""
    words = Words(texts)
    decisions = Decisions(words, TABLE.columns.places(words), TABLE.columns)
    rules = language()._replace(tags=None)
    return decisions, NamesInRows(decisions, rules, TABLE.surname_rules, np.zeros(0, np.int64))


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("Mary left", [SURE]),
        ("Mark left", [UNSURE]),
        ("Mary Street", [REJECTED]),
        ("Emily Scott said", [SURE, REJECTED]),
        ("Emily Scott Zuckerberg said", [SURE, SURE]),
        ("Emily, Scott said", [SURE, SURE]),
        ("she met a man", [NONE, NONE]),
        ("she met Mary", [NONE, SURE]),
    ],
)
def test_names_are_judged_by_what_stands_before(text: str, verdicts: list[int]) -> None:
    """Behind a name that is none stands no second name."""
    assert judged(text)[1].verdicts.tolist() == verdicts


@pytest.mark.parametrize(
    ("rows", "left"),
    [([0, 0, 0], [False] * 3), ([0, 1, 1], [True, False, False]), ([0, 1, 2], [True, False, True])],
)
def test_a_sure_name_speaks_for_its_row(rows: list[int], left: list[bool]) -> None:
    """And for no other row."""
    decisions, names = judged("Mark left.", "Mark Zuckerberg left.", "Mark left.")
    names.settle(np.array(rows), {})
    assert [reason is Reason.UNSURE_NAME for reason in decisions.reasons] == left


def test_protected_names_are_those_of_the_row() -> None:
    """The same name in another row is read."""
    decisions, names = judged("Mary left.", "Mary left.")
    names.settle(np.array([0, 1]), {1: {"mary", "smith"}})
    assert decisions.reasons.tolist() == [None, Reason.PROTECTED_NAME]
    assert decisions.rules[1] == "names.protected"


def test_a_term_stands_behind_a_sure_name() -> None:
    """Directly behind a name that is sure somewhere."""
    decisions, names = judged("Mary King left", "Mary, the king", "Mark King left")
    rows = np.arange(len(decisions.places))
    held = decisions.places[names.stand_before(rows)]
    assert [decisions.words.lower(place) for place in held] == ["king", "king"]
    assert decisions.words.owner[held].tolist() == [0, 2]


@pytest.mark.parametrize(
    ("row", "after"),
    [
        (["Gail left his house."], ["Gail left her house."]),
        (["Gail left.", "He cried. Gail slept."], ["Gail left.", "She cried. Gail slept."]),
        (["Gail left her house."], ["Corey left his house."]),
        (["Gail told him that she left."], ["Corey told her that he left."]),
        (["Gail told John that he left."], ["Corey told Mary that she left."]),
        (["Gail told her husband."], ["Corey told his wife."]),
        (["Mary told him."], ["John told her."]),
    ],
)
def test_a_name_of_either_gender_goes_by_the_only_pronouns(
    row: list[str], after: list[str]
) -> None:
    """It is left alone where it is the row's only name and the pronouns are of the other gender."""
    columns = [f"text{number}" for number in range(len(row))]
    swap = CounterfactualSwap(columns=columns, mode="replace")
    written = swap({name: [text] for name, text in zip(columns, row, strict=True)})
    assert [written[name][0] for name in columns] == after
