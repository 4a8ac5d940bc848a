"""Shares of the rows beside those of a population."""

from pathlib import Path

import pytest
from datasets import Dataset
from scipy.stats import binomtest

from fair_datasets import audit
from fair_datasets.auditing.intervals import wilson

from .conftest import figure_of

ROWS = Dataset.from_dict({
    "sex": ["f"] * 30 + ["m"] * 60 + ["unknown"] * 5 + ["x"] * 3 + [None] * 2,
    "race": (["a", "b"] * 50),
})  # fmt: skip


def written(folder: Path, text: str, name: str = "shares.csv") -> str:
    """Write a file of shares."""
    (folder / name).write_text(text)
    return str(folder / name)


def test_gaps_are_those_by_hand_with_their_intervals(tmp_path: Path) -> None:
    """30 of 90 are 33.3 %, which is 17.7 points less than 51 %; the largest gap is told first."""
    file = written(tmp_path, "sex,share\nf,0.51\nm,0.49\n")
    found = audit(ROWS, groups="sex", reference=file)
    gap = figure_of(found.figures, "population_gap", axis="column sex", attribute="f")
    low, high = wilson(30, 90)
    assert (gap.value, gap.low, gap.high) == pytest.approx((1 / 3 - 0.51, low - 0.51, high - 0.51))
    # Of two groups one test says all, so that there is none to adjust for.
    assert gap.p_value == pytest.approx(binomtest(30, 90, 0.51).pvalue)
    (table,) = found.parts[0].tables
    assert [(row["group"], row["rows"], row["population"]) for row in table.columns()] == [
        ("f", 30, 0.51), ("m", 60, 0.49),
    ]  # fmt: skip
    assert table.notes == ("7 rows of no known group are not counted.",
        "The population has no share for the rows of x (3).")  # fmt: skip
    assert found.findings[0].severity == "medium"
    assert "f (sex) is 33.3%" in found.findings[0].sentence
    assert found.check("population_gap(column sex, f) < -0.1") != []


def test_several_files_and_columns_together(tmp_path: Path) -> None:
    """Each file is of the columns that its first line names; a group may have no row."""
    one = written(tmp_path, "race,share\na,0.2\nb,0.3\nc,0.5\n")
    both = written(
        tmp_path, "sex,race,share\nf,a,.25\nf,b,.25\nm,a,.25\nm,b,.25\n", "both.csv"
    )  # fmt: skip
    found = audit(ROWS, groups=("sex", "race"), reference=[one, Path(both)])
    first, second = found.parts[0].tables
    assert [(row["group"], row["rows"]) for row in first.columns()] == [
        ("c", 0), ("a", 50), ("b", 50),
    ]  # fmt: skip
    assert {row["group"]: row["rows"] for row in second.columns()} == {
        "f × a": 15, "f × b": 15, "m × a": 30, "m × b": 30,
    }  # fmt: skip


def test_words_of_a_text_may_be_compared_and_are_told_as_such(tmp_path: Path) -> None:
    """Of the rows that speak of one attribute alone."""
    rows = Dataset.from_dict({"text": ["He ran."] * 6 + ["She ran."] * 2 + ["Rain.", "He and she"]})
    file = written(tmp_path, "gender,share\nman,0.5\nwoman,0.5\n")
    found = audit(rows, "text", reference=file)
    share = figure_of(found.figures, "group_share", axis="gender", attribute="man")
    assert (share.value, share.rows) == (0.75, 8)
    assert "words in a text, not who wrote it" in found.page()
