"""Tests of the names that a swap writes."""

from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, PerturbationAugmentation, verify
from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.find import table_of
from fair_datasets.matching.rows import read_text
from fair_datasets.swap.names import other_names

TO_MAN = {("gender", "woman"): "man"}


@pytest.mark.parametrize(
    ("before", "after", "options"),
    [
        ("John met Mary.", "John met James.", {"target": "man"}),
        ("John met Mary.", "John met James.", {"source": "woman"}),
        ("John met Mary.", "John met James.", {"target": "man", "protect": "John"}),
        ("Mary met John and James. Mary left.", "Michael met John and James. Michael left.",
         {"target": "man"}),
        ("JOHN MET MARY.", "JOHN MET JAMES.", {"target": "man"}),
        ("John met Mary.", "Mary met John.", {}),
        ("Mary and Barbara met John.", "Michael and James met John.", {"target": "man"}),
        ("Mary sat on the john.", "John sat on the john.", {"target": "man"}),
        ("Ms Olson met Mr Garcia.", "Ms Rodriguez met Mr Garcia.",
         {"axis": "race", "names": True, "target": "hispanic"}),
        ("José met María.", "José met Walter.", {"target": "man"}),
        ("José met Mari\u0301a.", "José met Walter.", {"target": "man"}),
        ("Maria met José.", "Walter met José.", {"protect": "José"}),
        ("Maria met José.", "Walter met José.", {"protect": "Jose"}),
        ("Maria met Jose.", "Walter met Jose.", {"protect": "José"}),
        ("Jose, or José, met Zoë.", "Maria, or Maria, met Ricardo.", {}),
    ],
)  # fmt: skip
def test_nobody_is_given_the_name_of_who_keeps_it(
    before: str, after: str, options: dict[str, Any]
) -> None:
    """The next free name of the list is written; two who are both rewritten change places."""
    swap = CounterfactualSwap(columns="text", mode="replace", **options)
    assert swap({"text": [before]})["text"] == [after]


def test_the_texts_of_a_row_are_one() -> None:
    """A name that stays in another text of the row is taken, and all texts have the same one."""
    swap = CounterfactualSwap(columns=["a", "b"], target="man", mode="replace")
    row = swap({"a": ["Mary left."], "b": ["John saw Mary."]})
    assert row == {"a": ["James left."], "b": ["John saw James."]}


def test_a_drawn_person_keeps_apart_from_the_others() -> None:
    """Perturbation makes no two people one, whoever is drawn, and what it writes is accepted."""
    before = "John met Mary."
    seen = set()
    for seed in range(12):
        perturb = PerturbationAugmentation(columns="text", axis="gender", seed=seed)
        (after,) = perturb({"text": [before]})["text"]
        assert verify(before, after).accepted
        seen.add(after)
    assert seen == {"John met James.", "Barbara met Mary."}


def test_a_name_stays_where_none_is_free() -> None:
    """In a text that has all names of the list there is none to write."""
    names = load_lexicon("first_names").entries
    text = "Mary. " + ", ".join(entry.forms["man"][0].text for entry in names)
    reading = read_text(text, table_of("gender", owner="test"))
    assert other_names([reading], TO_MAN) == {("mary", "man"): ""}
    swap = CounterfactualSwap(columns="text", target="man", mode="replace")
    assert swap({"text": [text]})["text"] == [text]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Lady de Vere left.", "Lord de Vere left."),
        ("Countess von Bismarck left.", "Count von Bismarck left."),
        ("Baron Symons met Baroness Thomas.", "Baroness Symons met Baron Thomas."),
        ("Thank you, Madam Commissioner.", "Thank you, Mister Commissioner."),
        ("Mr. Commissioner, I agree.", "Madam Commissioner, I agree."),
        ("Madam Pomfrey left.", "Mr. Pomfrey left."),
        ("No, madam.", "No, sir."),
        ("Emperor Claudius died.", None),
        ("Queen Nefertiti died.", None),
        ("Prince William left.", "Princess Linda left."),
        ("Duchess Mary left.", "Duke John left."),
        ("Duke William of Normandy died.", "Duchess Linda of Normandy died."),
        ("Duke Ellington played.", None),
        ("Mr Lee met Mrs. Ray.", "Mrs Lee met Mr. Ray."),
        ("Mr. Lee met Mrs Ray.", "Mrs. Lee met Mr Ray."),
    ],
)
def test_titles_agree_with_the_names_behind_them(before: str, after: str | None) -> None:
    """A royal title goes with the first name behind it, others stand before surnames."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [before]})["text"] == [after or before]


def test_without_names_royal_titles_are_read_alone() -> None:
    """Who asks for no names has the titles rewritten."""
    swap = CounterfactualSwap(columns="text", mode="replace", names=False)
    assert swap({"text": ["Queen Nefertiti died."]})["text"] == ["King Nefertiti died."]
