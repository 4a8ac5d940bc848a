"""Measured values and sample edits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fair_datasets import CounterfactualSwap
from fair_datasets.cards.evidence import Measured, Sample, measured_lines, sample_lines


def sample_of(text: str) -> Sample:
    """Swap a text and return the sample that a card shows."""
    swap = CounterfactualSwap(columns="text", mode="replace", provenance=True)
    return Sample(text, swap({"text": [text]})["edits"][0])


def test_values_before_and_after() -> None:
    """What is not measured is empty, what is not defined is said to be so."""
    lines = measured_lines(
        [
            Measured("a|b", 0.12345678, before=1, data="test", detail="<b>"),
            Measured("parity", float("nan")),
        ]
    )
    assert lines[2] == "| a\\|b | 1 | 0.1235 | test | &lt;b> |"
    assert lines[3] == "| parity |  | not defined |  |  |"


def test_nothing_measured_is_said() -> None:
    """No table pretends that something was measured."""
    assert measured_lines([]) == ["Fairness was not measured, or not stated here."]


def test_edits_are_marked() -> None:
    """A sample shows what was removed and what was added, to its last character."""
    edited = "Text: <del>He</del> <ins>She</ins> told <del>Mary</del> <ins>John</ins>"
    assert sample_lines([sample_of("He told Mary."), sample_of("He told Mary")]) == [
        f"1. {edited}.", f"2. {edited}",
    ]  # fmt: skip


def test_a_long_text_is_cut_around_its_first_edit() -> None:
    """The edit is shown wherever it stands, and no half of an edit is."""
    text = "It rained. " * 40 + "She left." + " It rained." * 40
    [line] = sample_lines([sample_of(text)])
    assert "<del>She</del> <ins>He</ins> left." in line
    assert line.startswith("1. Text: …")
    assert line.endswith("…")
    assert len(line) < 300
    [line] = sample_lines([sample_of("He " + "x" * 235 + " she left")])
    assert line.endswith("x …")
    assert "<del>she" not in line


@pytest.mark.parametrize(("size", "shown"), [
    (240, f"{'x' * 100}<del>x</del> <ins>y</ins>{'x' * 139}"),
    (241, f"…{'x' * 60}<del>x</del> <ins>y</ins>{'x' * 140}"),
    (280, f"…{'x' * 60}<del>x</del> <ins>y</ins>{'x' * 179}"),
    (281, f"…{'x' * 60}<del>x</del> <ins>y</ins>{'x' * 179}…"),
])  # fmt: skip
def test_what_is_shown_of_a_text(size: int, shown: str) -> None:
    """Of more than 240 letters as many, from 60 before the first edit on."""
    edit = {"start": 100, "end": 101, "after": "y"}
    assert sample_lines([Sample("x" * size, [edit])]) == [f"1. Text: {shown}"]


@pytest.mark.parametrize(("size", "shown"), [(240, "b" * 240), (241, "b" * 240 + "…")])
def test_an_edit_longer_than_the_limit(size: int, shown: str) -> None:
    """A replacement of any length is cut."""
    [line] = sample_lines([Sample("a", [{"start": 0, "end": 1, "after": "b" * size}])])
    assert line == f"1. Text: <del>a</del> <ins>{shown}</ins>"


@given(st.text(max_size=300), st.text(st.sampled_from("</del><ins>*`[|\n"), max_size=20))
def test_a_sample_is_one_item_with_no_other_tag(text: str, after: str) -> None:
    """Whatever text and replacement hold, only our two tags are markup, in pairs."""
    middle = len(text) // 2
    sample = Sample(text, [{"start": middle, "end": len(text), "after": after}])
    tokens = MarkdownIt("commonmark").parse(sample_lines([sample])[0])
    [inline] = [token for token in tokens if token.type == "inline"]
    tags = [child.content for child in inline.children or [] if child.type == "html_inline"]
    pairs = [tuple(tags[k : k + 2]) for k in range(0, len(tags), 2)]
    assert pairs == sorted(set(pairs))
    assert set(pairs) <= {("<del>", "</del>"), ("<ins>", "</ins>")}
    kinds = {child.type for child in inline.children or []}
    assert kinds <= {"text", "text_special", "html_inline"}
