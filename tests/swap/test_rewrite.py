"""Edits in a text."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import Blindness, CounterfactualSwap, PerturbationAugmentation, verify
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.rows import annotate_text
from fair_datasets.swap.rewrite import other_names

# What texts are put together from.
WORDS = ["he", "She", "HIS", "her", "mother's", "the ladies'", "John", "Mary,", "waiter", "king",
         "host", "it", "ran.", "“home”", "\n", "é", "Miss", "Smith", "of", "_him_"]  # fmt: skip


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
    """A row with 10,000 handles, addresses or possessives is swapped like each of its parts."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    (once,) = swap({"text": [row]})["text"]
    assert swap({"text": [row * 10_000]})["text"] == [once * 10_000]


def test_a_term_that_is_an_article_is_edited_once(tmp_path: Path) -> None:
    """With a lexicon of articles no two edits overlap."""
    path = tmp_path / "own.tsv"
    path.write_text("x\ty\na\tb\nc\tan\n", encoding="utf-8")
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace", provenance=True)
    result = swap({"text": ["A b c a c"]})
    edits = result["edits"][0]
    assert all(one["end"] <= other["start"] for one, other in pairwise(edits))


TO_MAN = {("gender", "woman"): "man"}


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
    reading = annotate_text(text, find_table("gender"))
    assert other_names([reading], TO_MAN) == {("mary", "man"): ""}
    swap = CounterfactualSwap(columns="text", target="man", mode="replace")
    assert swap({"text": [text]})["text"] == [text]
