"""Rewrites that were written by hand, wrong and right ones, get the verdict that they should."""

import csv
from pathlib import Path

import pytest

from fair_datasets import verify

WRITTEN = Path(__file__).with_name("written.tsv")
# Right ones that are refused have words and names that no list knows.
MOST_WRONG = {("seen", "wrong"): 1, ("seen", "right"): 5,
              ("held back", "wrong"): 0, ("held back", "right"): 5}  # fmt: skip


@pytest.mark.parametrize(("part", "verdict"), MOST_WRONG)
def test_written_rewrites_are_judged_rightly(part: str, verdict: str) -> None:
    """Both on what the rules were made on and on what was held back."""
    with WRITTEN.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    chosen = [row for row in rows if (row["part"], row["verdict"]) == (part, verdict)]
    assert len(chosen) > 70
    misjudged = []
    for row in chosen:
        before, after = (row[name].replace("\\n", "\n") for name in ("before", "after"))
        found = verify(before, after, row["axis"], row["target"] or None, word=row["word"] or None)
        if found.accepted is (verdict == "wrong"):
            misjudged.append((before, after, found.sentence))
    assert len(misjudged) <= MOST_WRONG[part, verdict], misjudged
