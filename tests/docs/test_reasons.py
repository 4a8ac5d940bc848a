"""The page of reasons has each, and its examples are left for what it says."""

import re
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.matching.mentions import Reason
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.rewriting.rewriter import JSON_CHANGES, TOKENS_CHANGE
from fair_datasets.swap.row_results import STAYS, UNREADABLE

PAGE = (Path(__file__).parents[2] / "fair_datasets" / "docs" / "reasons.md").read_text("utf-8")
EXAMPLE = re.compile(r"^Example: \"(.+)\" \(`(\w+)`(?:, `(\w+)=(.+)`)?\)$", re.MULTILINE)
SECTIONS = {
    section.partition("\n")[0]: section for section in re.split(r"^###? ", PAGE, flags=re.MULTILINE)
}
TITLES = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
OPTIONS: dict[str, Any] = {
    "True": True, "1.0": 1.0, '("Lily Novak",)': ("Lily Novak",),
    '"non-binary"': "non-binary", '"leave"': "leave",
}  # fmt: skip


def reasons_of(text: str, axis: str, **options: Any) -> set[str]:
    """Return why words of a text, or all of it, are left alone."""
    asked = {name: value for name, value in options.items() if name in {"names", "protect"}}
    found = {term.reason for term in find_terms(text, axis, **asked)}
    swap = CounterfactualSwap(columns="text", axis=axis, **options)
    for row in swap.read(Rows([(text,)], [None])):
        found |= {left.reason.value for each in row.readings if each for left in each.skipped}
    return found


def test_every_reason_has_a_section() -> None:
    """As it is printed, but for its first letter."""
    assert {title.lower() for title in TITLES} == {reason.value.lower() for reason in Reason}
    assert len(TITLES) == len(Reason)
    assert f'"{STAYS}"' in PAGE
    assert f'"{UNREADABLE}"' in PAGE
    assert f'"{TOKENS_CHANGE}"' in PAGE
    assert f'"{JSON_CHANGES}"' in PAGE


@pytest.mark.parametrize("title", TITLES)
def test_an_example_is_left_for_its_reason(title: str) -> None:
    """With the settings that stand beside it."""
    ((text, axis, name, value),) = EXAMPLE.findall(SECTIONS[title])
    options = {name: OPTIONS[value]} if name else {}
    assert title.lower() in {reason.lower() for reason in reasons_of(text, axis, **options)}
