"""Rows that tell a bodily or legal fact."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.matching.found import Reason
from fair_datasets.rewriting import Rows

SENTENCES = (
    "She gave birth.", "He trimmed his beard.", "She is a waitress.", "He ran.", "It rains.",
    "Mary is the first woman to fly.", "The pregnancy was long.", "A nurse left.",
)  # fmt: skip


def _after(*texts: str, **options: object) -> list[str]:
    swap = CounterfactualSwap(columns="text", mode="replace", **options)  # type: ignore[arg-type]
    written: list[str] = swap({"text": list(texts)})["text"]
    return written


@pytest.mark.parametrize(
    "text",
    [
        "As a new mother she breastfed her son. He slept.",
        "He trimmed his beard.",
        "She trimmed his beard.",
        "He needs a prostate exam.",
        "My aunt is pregnant.",
        "He was ordained a priest.",
        "Is that her maiden name?",
        "She played in the Women's National League.",
        "He joined the Sigma Chi fraternity.",
        "She was the first African American woman to vote there.",
        "She fought for women's suffrage.",
        "He left. Then he played in the NFL.",
        "The frigate and her crew were lost.",
        "She was launched in 1906.",
        "She is a femme fatale.",
    ],
)
def test_a_row_that_tells_a_fact_is_left_alone(text: str) -> None:
    """The whole row is, with the reason; unless it is asked for."""
    assert _after(text) == [text]
    (row,) = CounterfactualSwap(columns="text").read(Rows([(text,)], [None]))
    left = [each for reading in row.readings if reading for each in reading.left if each.is_of_row]
    assert {(each.reason, each.rule) for each in left} == {(Reason.FACT, "rows.fact")}
    assert _after(text, leave_facts=False) != [text]


def test_a_row_about_somebody_whom_everybody_knows_is_left_alone() -> None:
    """Where the sentence mentions whoever bears the name, and not where nobody else is meant."""
    text = "Lady Gaga won with her song, and Jesus asked Felix to do him a favor."
    assert _after(text) == [text]
    (row,) = CounterfactualSwap(columns="text").read(Rows([(text,)], [None]))
    left = {each.reason for reading in row.readings if reading for each in reading.left}
    assert Reason.KNOWN_PERSON in left
    assert _after("We love Jesus. She left.") == ["We love Jesus. He left."]
    assert _after(text, leave_facts=False) != [text]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("He said that the work was pregnant with hope.", None),
        ("She left. The beard of a goat is long.", None),
        ("She met James Beard.", None),
        ("The first woman I saw was kind.", "The first woman I saw was kind."),
        ("She likes beards.", "He likes beards."),
    ],
)
def test_a_fact_of_nobody_in_its_sentence(text: str, after: str | None) -> None:
    """A row is rewritten whose sentence with the fact mentions nobody it would be untrue of."""
    assert (_after(text) == [after]) if after else (_after(text) != [text])


def test_what_is_no_contradiction_is_rewritten() -> None:
    """Bodies say nothing of people who are neither; a woman's being the first one does."""
    texts = ("She gave birth.", "He has a beard.", "She is the first woman to fly.")
    written = _after(*texts, target="non-binary")
    assert written == ["They gave birth.", "They have a beard.", texts[2]]


def test_whom_the_fact_is_told_of_has_to_change() -> None:
    """Where women stay women, what is told of them stays true."""
    text = "He is the father of the pregnant woman."
    assert _after(text, source="man") == ["She is the mother of the pregnant woman."]
    assert _after(text) == [text]


def test_a_lexicon_of_ones_own_has_the_facts_of_its_attributes(tmp_path: Path) -> None:
    """Whatever its name is."""
    path = tmp_path / "mine.tsv"
    path.write_text("man\twoman\nhe\tshe\n")
    texts = ("She gave birth.", "She ran.")
    assert _after(*texts, axis=str(path)) == ["She gave birth.", "He ran."]


def test_other_axes_are_rewritten() -> None:
    """The fact is about gender; with several columns, it is about the row."""
    text = "The Black waitress is pregnant."
    assert _after(text, axis=("gender", "race"), target=("man", "white"), joint=True) == [
        "The white waitress is pregnant."
    ]
    swap = CounterfactualSwap(columns=("a", "b"), mode="replace")
    batch = {"a": ["She is pregnant.", "She ran."], "b": ["She left.", "She left."]}
    assert swap(batch) == {"a": ["She is pregnant.", "He ran."], "b": ["She left.", "He left."]}


@given(st.lists(st.sampled_from(SENTENCES), max_size=5).map(" ".join))
def test_a_row_is_left_or_written_as_without_the_list(text: str) -> None:
    """The list changes nothing else."""
    assert _after(text)[0] in (text, _after(text, leave_facts=False)[0])


def test_the_switch_is_checked() -> None:
    """By the sentence of all switches."""
    with pytest.raises(InputError, match="leave_facts must be True or False"):
        CounterfactualSwap(columns="text", leave_facts="no")  # type: ignore[arg-type]
