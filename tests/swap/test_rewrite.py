"""Edits in a text."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import Blindness, CounterfactualSwap, PerturbationAugmentation, verify
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.rows import read_text
from fair_datasets.swap.rewrite import other_names
from fair_datasets.swap.rewriting.counterfactuals import Edit, apply_edits

# What texts are put together from.
WORDS = ["he", "She", "HIS", "her", "mother's", "the ladies'", "John", "Mary,", "waiter", "king",
         "host", "it", "ran.", "“home”", "\n", "é", "Miss", "Smith", "of", "_him_"]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_edits_account_for_every_difference(text: str) -> None:
    """The edits, made in the text before, give the text after; nothing else has changed."""
    swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
    result = swap({"text": [text]})
    edits = [
        Edit(e["start"], e["end"], e["before"], e["after"], e["axis"], e["attribute"])
        for e in result["edits"][0]
    ]
    assert all(text[edit.start : edit.end] == edit.before != edit.after for edit in edits)
    assert all(one.end <= other.start for one, other in pairwise(edits))
    assert apply_edits(text, edits) == result["text"][0]


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_removal_only_removes(text: str) -> None:
    """A blind text is what is left of the text when some characters are taken out."""
    blind = Blindness(columns="text")({"text": [text]})["text"][0]
    rest = iter(text)
    assert all(letter in rest for letter in blind)


@pytest.mark.parametrize(
    "row", ["@bob he saw her dog. ", "https://x.example/she he ", "the princess' dog ran. "]
)
def test_long_rows_with_many_signs_are_swapped(row: str) -> None:
    """A row with 40,000 handles, addresses or possessives is swapped like each of its parts."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    (once,) = swap({"text": [row]})["text"]
    assert swap({"text": [row * 40_000]})["text"] == [once * 40_000]


def test_a_term_that_is_an_article_is_edited_once(tmp_path: Path) -> None:
    """With a lexicon of articles no two edits overlap."""
    path = tmp_path / "own.tsv"
    path.write_text("x\ty\na\tb\nc\tan\n", encoding="utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace", provenance=True)
    result = swap({"text": ["A b c a c"]})
    edits = result["edits"][0]
    assert all(one["end"] <= other["start"] for one, other in pairwise(edits))


@pytest.mark.parametrize(
    ("text", "blind"),
    [("the waitresses' tips", "the tips"), ("the actress' hat", "the hat")],
)
def test_a_removed_plural_takes_its_apostrophe_along(text: str, blind: str) -> None:
    """Nothing is left of a possessive."""
    assert Blindness(columns="text")({"text": [text]})["text"] == [blind]


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


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Mr Ray left.", "Mrs Ray left."),
        ("Mr. Ray left.", "Mrs. Ray left."),
        ("Miss Ray left.", "Mr. Ray left."),
        ("Miss Ray met Mr Lee.", "Mr Ray met Mrs Lee."),
        ("Miss Ray met Dr. Lee.", "Mr. Ray met Dr. Lee."),
        ("Messrs. Poe and Lee left.", "Mesdames Poe and Lee left."),
        ("Charles, Earl Spencer, left.", "Lisa, Countess Spencer, left."),
        ("The 9th Earl Spencer left.", "The 9th Countess Spencer left."),
        ("Earl Hines played.", "Earl Hines played."),
        ("Lord Smith left.", "Lady Smith left."),
    ],
)
def test_a_title_has_the_dot_of_its_row(text: str, after: str) -> None:
    """An abbreviation takes the dot over, and gets one where the row's titles have it."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [text]})["text"] == [after]
