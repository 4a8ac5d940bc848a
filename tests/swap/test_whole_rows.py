"""Rows of which no counterfactual reads true."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.rewriting.skipped import collect_skip_reasons
from fair_datasets.swap.whole_rows import skipped_rows


@pytest.mark.parametrize(("text", "never"), [
    ("She is 42 years old.", {"child"}),
    ("At the age of 8 she sang.", {"middle-aged", "senior"}),
    ("A toddler slept.", {"middle-aged", "senior"}), ("The young woman left.", {"senior"}),
    ("An elderly man left.", {"child", "young", "adult"}),
])  # fmt: skip
def test_ages_are_drawn_near(text: str, never: set[str]) -> None:
    """The next stage of life is drawn, and no grown person's figures become a child's."""
    swap = CounterfactualSwap(columns="text", axis="age", mode="replace", provenance=True)
    texts = [f"{text} {number}" for number in "abcdefghijklmnopqrst"]
    drawn = {edit["attribute"] for edits in swap({"text": texts})["edits"] for edit in edits}
    assert drawn
    assert not drawn & never


@pytest.mark.parametrize(
    "options", [{"consistent_by": "of"}, {"target": ("middle-aged", "senior")}]
)
def test_other_ages_are_drawn_where_the_next_are_not_possible(options: dict[str, Any]) -> None:
    """A group of rows that draws once keeps its draw, and what is named is written."""
    swap = CounterfactualSwap(columns="text", axis="age", mode="replace", **options)
    batch = {"text": ["A toddler slept."] * 20, "of": list("abcdefghijklmnopqrst")}
    assert "A toddler slept." not in swap(batch)["text"]


@pytest.mark.parametrize(("text", "expected"), [
    ("The elderly driver, a 70-year-old, left.", "The elderly driver, a 70-year-old, left."),
    ("The elderly driver, a 96-year-old, left.", "The teenage driver, a 15-year-old, left."),
    ("The elderly driver left.", "The teenage driver left."),
    ("The driver, a 70-year-old, left.", "The driver, a 5-year-old, left."),
])  # fmt: skip
def test_no_teenager_is_five(text: str, expected: str) -> None:
    """A row is left alone if it would be about a teenager of an age that no teenager has."""
    swap = CounterfactualSwap(columns="text", axis="age", target="child", mode="replace")
    assert swap({"text": [text]})["text"] == [expected]


def test_groups_that_change_places_stay_apart() -> None:
    """Where targets are drawn, no two groups of a row become one."""
    for key in range(20):
        swap = CounterfactualSwap(columns="text", axis="religion", mode="replace")
        ((_, new),) = swap.rewrite(Rows([("Sikhs met Hindus.",)], [str(key)]))
        first, *_, second = (new.texts[0] or "").rstrip(".").split(" met ")
        assert first != second


SENTENCES = (
    "She gave birth.", "He trimmed his beard.", "She is a waitress.", "He ran.", "It rains.",
    "Mary is the first woman to fly.", "The pregnancy was long.", "A nurse left.",
)  # fmt: skip


def _with_facts(*texts: str, **options: object) -> list[str]:
    options = {"mode": "replace", "protect": (), **options}
    swap = CounterfactualSwap(columns="text", **options)  # type: ignore[arg-type]
    written: list[str] = swap({"text": list(texts)})["text"]
    return written


@pytest.mark.parametrize(("between", "is_left"), [(47, True), (48, False)])
def test_fifty_words_behind_somebody_known_may_be_about_them(between: int, is_left: bool) -> None:
    """Of a name; what is further away in a long row is about somebody else."""
    text = f"Lady Gaga won. They sang {'very ' * between}. She left."
    assert (_with_facts(text) == [text]) == is_left


def test_a_lexicon_of_ones_own_has_the_facts_of_its_attributes(tmp_path: Path) -> None:
    """Whatever its name is."""
    path = tmp_path / "mine.tsv"
    path.write_text("man\twoman\nhe\tshe\n")
    texts = ("She gave birth.", "She ran.")
    assert _with_facts(*texts, axis=str(path)) == ["She gave birth.", "He ran."]


def test_other_axes_are_rewritten() -> None:
    """The fact is about gender; with several columns, it is about the row."""
    text = "The Black waitress is pregnant."
    assert _with_facts(text, axis=("gender", "race"), target=("man", "white"), joint=True) == [
        "The white waitress is pregnant."
    ]
    swap = CounterfactualSwap(columns=("a", "b"), mode="replace")
    batch = {"a": ["She is pregnant.", "She ran."], "b": ["She left.", "She left."]}
    assert swap(batch) == {"a": ["She is pregnant.", "He ran."], "b": ["She left.", "He left."]}


@given(st.lists(st.sampled_from(SENTENCES), max_size=5).map(" ".join))
def test_a_row_is_left_or_written_as_without_the_list(text: str) -> None:
    """The list changes nothing else."""
    assert _with_facts(text)[0] in (text, _with_facts(text, leave_facts=False)[0])


ROWS = [("The Pope met a Catholic.", None), ("A Catholic left.",), ("Muslims met Christians.",)]


def test_each_row_has_targets_of_its_own() -> None:
    """What is a contrast for one target is none for another."""
    table = find_table("religion")

    def targets(number: int) -> Targets:
        return {("religion", "christian"): "muslim" if number == 2 else "hindu"}

    assert skipped_rows(ROWS, targets, table) == {0: Reason.TIED, 2: Reason.CONTRAST}
    assert skipped_rows(ROWS, targets(0), table) == {0: Reason.TIED}
    assert skipped_rows(ROWS, {}, table) == {}


def test_rows_are_counted_where_anybody_asks() -> None:
    """Each row once for each axis and reason, however many mentions it has."""
    swap = CounterfactualSwap(columns="text", axis="religion", target="hindu", mode="replace")
    rows = Rows([("The Pope met Catholics and Catholics.",), ("Jews and Muslims met.",)], [1, 2])
    counts: Counter[str] = Counter()
    with collect_skip_reasons(counts=counts):
        list(swap.rewrite(rows))
        list(swap.rewrite(rows))
    list(swap.rewrite(rows))
    assert counts == {Reason.TIED.value: 2, Reason.CONTRAST.value: 2}
