"""Rows in which a title is left alone, as its name is."""

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.matching.found import Reason
from fair_datasets.rewriting import Rows


@pytest.mark.parametrize(
    "text",
    [
        "Emperor Zhuangzong died. He was old, and his daughter fled.",
        "They followed King Athanagild and his guards.",
    ],
)
def test_a_title_that_stays_keeps_its_row(text: str) -> None:
    """The title goes with a name that nothing is known of; the pronouns would contradict it."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    (row,) = swap.read(Rows([(text,)], [None]))
    assert row.counterfactual is None
    reasons = {left.reason for reading in row.readings if reading for left in reading.left}
    assert Reason.TITLED in reasons


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Emperor Zhuangzong died. She fled.", "Emperor Zhuangzong died. He fled."),
        ("King Philip died. He was old.", "Queen Lori died. She was old."),
    ],
)
def test_other_rows_are_rewritten(text: str, after: str) -> None:
    """Where the title is of the other gender, or its name is listed."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    assert swap({"text": [text]})["text"] == [after]


def test_without_a_gender_nothing_contradicts_a_title() -> None:
    """They may be an emperor."""
    swap = CounterfactualSwap(columns="text", mode="replace", target="non-binary")
    text = "Emperor Zhuangzong died. He fled."
    assert swap({"text": [text]})["text"] == ["Emperor Zhuangzong died. They fled."]
