"""Rows of which no counterfactual reads true."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching import rows as matching_rows
from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Reason
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.row_results import telling_left
from fair_datasets.swap.whole_rows import left_rows


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("She is 42 years old.", {"child"}),
        ("At the age of 8 she sang.", {"middle-aged", "senior"}),
        ("A toddler slept.", {"middle-aged", "senior"}),
        ("The young woman left.", {"senior"}),
        ("An elderly man left.", {"child", "young", "adult"}),
    ],
)
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


def test_groups_that_change_places_stay_apart() -> None:
    """Where targets are drawn, no two groups of a row become one."""
    for key in range(20):
        swap = CounterfactualSwap(columns="text", axis="religion", mode="replace")
        ((_, new),) = swap.rewrite(Rows([("Sikhs met Hindus.",)], [str(key)]))
        first, *_, second = (new.texts[0] or "").rstrip(".").split(" met ")
        assert first != second


def test_a_name_that_changes_stays_nowhere_else_in_the_row() -> None:
    """As it does in the names of cups and places."""
    texts = ["Stanley won the Stanley Cup.", "Stanley won the Grey Cup."]
    stays, changes = CounterfactualSwap(columns="text", mode="replace")({"text": texts})["text"]
    assert stays == texts[0]
    assert not changes.startswith("Stanley")


def test_what_is_surely_of_a_nation_goes_with_nobody() -> None:
    """And so nobody moves away from it."""
    texts = [
        "The Polish teachers came to the Polish school.",
        "The Polish teachers came to school.",
    ]
    swap = CounterfactualSwap(columns="text", axis="nationality", mode="replace")
    stays, changes = swap({"text": texts})["text"]
    assert stays == texts[0]
    assert "Polish" not in changes


def test_the_other_axes_of_a_row_are_rewritten() -> None:
    """A row that is left alone on one axis is rewritten on the others."""
    swap = CounterfactualSwap(
        columns="text", axis=("gender", "religion"), mode="replace", joint=True,
        target=("muslim", "woman"), source=("christian", "man"),
    )  # fmt: skip
    rows = Rows([("He and the Vatican met Catholics.",), ("He met Catholics.",)], [None, None])
    written = [new.texts[0] for _, new in swap.rewrite(rows)]
    assert written == ["She and the Vatican met Catholics.", "She met Muslims."]


SENTENCES = (
    "She gave birth.", "He trimmed his beard.", "She is a waitress.", "He ran.", "It rains.",
    "Mary is the first woman to fly.", "The pregnancy was long.", "A nurse left.",
)  # fmt: skip


def _with_facts(*texts: str, **options: object) -> list[str]:
    swap = CounterfactualSwap(columns="text", mode="replace", **options)  # type: ignore[arg-type]
    written: list[str] = swap({"text": list(texts)})["text"]
    return written


@pytest.mark.parametrize(("between", "is_left"), [(47, True), (48, False)])
def test_fifty_words_behind_somebody_known_may_be_about_them(between: int, is_left: bool) -> None:
    """Of a name; what is further away in a long row is about somebody else."""
    text = f"Lady Gaga won. They sang {'very ' * between}. She left."
    assert (_with_facts(text) == [text]) == is_left


def test_a_row_about_somebody_whom_everybody_knows_is_left_alone() -> None:
    """Where the sentence mentions whoever bears the name, and not where nobody else is meant."""
    text = "Lady Gaga won with her song, and Jesus asked Felix to do him a favor."
    assert _with_facts(text) == [text]
    (row,) = CounterfactualSwap(columns="text").read(Rows([(text,)], [None]))
    left = {each.reason for reading in row.readings if reading for each in reading.left}
    assert Reason.KNOWN_PERSON in left
    assert _with_facts("We love Jesus. She left.") == ["We love Jesus. He left."]
    assert _with_facts(text, leave_facts=False) != [text]


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
    table = table_of("religion", owner="test")

    def targets(number: int) -> Targets:
        return {("religion", "christian"): "muslim" if number == 2 else "hindu"}

    assert left_rows(ROWS, targets, table) == {0: Reason.TIED, 2: Reason.CONTRAST}
    assert left_rows(ROWS, targets(0), table) == {0: Reason.TIED}
    assert left_rows(ROWS, {}, table) == {}


def test_rows_are_counted_where_anybody_asks() -> None:
    """Each row once for each axis and reason, however many mentions it has."""
    swap = CounterfactualSwap(columns="text", axis="religion", target="hindu", mode="replace")
    rows = Rows([("The Pope met Catholics and Catholics.",), ("Jews and Muslims met.",)], [1, 2])
    counts: Counter[str] = Counter()
    with telling_left(counts=counts):
        list(swap.rewrite(rows))
        list(swap.rewrite(rows))
    list(swap.rewrite(rows))
    assert counts == {Reason.TIED.value: 2, Reason.CONTRAST.value: 2}


def test_chunks_that_share_a_row_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no others."""
    monkeypatch.setattr(matching_rows, "TOGETHER", 20)
    monkeypatch.setattr(matching_rows, "parts_of", lambda text: [
        (start, min(start + 20, len(text))) for start in range(0, len(text), 20)
    ])  # fmt: skip
    rows = [("She left.",), ("He ran. " * 9,), ("He left.",)]
    table = table_of("gender", owner="test")
    found = [
        sorted({row for chunk in several for row in chunk.row_of.tolist()})
        for several in matching_rows.together(matching_rows.chunks(rows, [table]))
    ]
    assert len(list(matching_rows.chunks(rows, [table]))) > len(found)
    assert sorted(row for several in found for row in several) == [0, 1, 2]
