"""The gold that ships: labels of words in texts that do not."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from tests.benchmarks.gold import COLUMNS, LABELS, SIZES, TEST, digest, read_gold, sources

ROWS = read_gold()
FEW = {"disability": (161, 38)}
"""Axes of which the sources have fewer words than are asked for: all, and those of the tests."""


def test_a_row_has_a_label_that_both_or_a_third_reading_gave() -> None:
    """One of the guide's; a source is in one part alone, and a text is there once an axis."""
    assert {tuple(row) for row in ROWS} == {COLUMNS}
    for row in ROWS:
        assert {row["label"], row["first"], row["second"]} <= set(LABELS)
        assert row["first"] != row["second"] or row["label"] == row["first"]
        assert (row["part"] == "test") == (row["source"] in TEST)
        assert 0 <= int(row["start"]) < int(row["end"])
    assert len({(row["axis"], row["text"]) for row in ROWS}) == len(ROWS)


def test_each_axis_has_enough_from_eight_sources() -> None:
    """Half of it in the part that nothing is mended on; the guide explains each label."""
    found = defaultdict(list)
    for row in ROWS:
        found[row["axis"]].append(row)
    for axis, size in SIZES.items():
        words = len(found[axis]), sum(row["part"] == "test" for row in found[axis])
        assert words == FEW.get(axis, (size, size // 2))
        assert len({row["source"] for row in found[axis]}) >= 8
    guide = (Path(__file__).parents[2] / "fair_datasets" / "docs" / "gold.md").read_text("utf-8")
    assert all(f"- `{label}`:" in guide for label in LABELS)


@pytest.mark.slow
def test_every_word_is_found_in_its_source(data_directory: Path) -> None:
    """By the digest of its text; it begins and ends where a word does."""
    csv.field_size_limit(10**9)
    texts = {
        (name, digest(text)): text
        for name, read in sources(data_directory).items()
        for text in read()
    }
    for row in ROWS:
        text = texts[row["source"], row["text"]]
        start, end = int(row["start"]), int(row["end"])
        assert text[start:end].strip() == text[start:end] != ""
