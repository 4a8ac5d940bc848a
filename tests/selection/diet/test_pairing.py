"""Rows beside their counterfactuals, and rows of which none has one."""

from contextlib import nullcontext
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.selection.diet.pairing import paired, refuse_unchanged, refuse_unswapped
from fair_datasets.system.checks import InputError

COLUMNS = ["title", "text"]


@pytest.mark.parametrize(
    ("title", "text", "is_refused"),
    [
        (["Rain.", "Sun."], ["Dry.", "Wet."], True),
        (["Rain.", "He ran."], ["Dry.", "Wet."], False),
        (["Rain.", "Sun."], ["Dry.", "He ran."], False),
        (["Rain."] * 1000 + ["He ran."], ["Wet."] * 1001, False),
    ],
)
def test_one_row_that_differs_in_one_column_is_enough(
    title: list[str], text: list[str], is_refused: bool
) -> None:
    """Else there is nothing to choose among."""
    rows = Dataset.from_dict({"title": title, "text": text})
    swap = CounterfactualSwap(columns=COLUMNS, mode="pair")
    pairs = paired(rows, DietConfig(columns=COLUMNS), "train")

    for call, of in (
        (lambda: refuse_unswapped(rows, swap, owner="score"), "among"),
        (lambda: refuse_unchanged(pairs, COLUMNS, "gender", owner="s", split="test"), "by"),
    ):
        told = rf"in title, text, .* counterfactuals to choose {of}\."
        with pytest.raises(InputError, match=told) if is_refused else nullcontext():
            call()


@pytest.mark.parametrize("given", [{}, {"text_counterfactual": ["She ran.", "Rain."]}])
def test_counterfactuals_that_are_there_are_written_anew(given: dict[str, Any]) -> None:
    """They are the same."""
    rows = Dataset.from_dict({"text": ["He ran.", "Rain."], **given})
    pairs = paired(rows, DietConfig(columns="text"), "train")
    assert pairs["text_counterfactual"][:] == ["She ran.", "Rain."]
