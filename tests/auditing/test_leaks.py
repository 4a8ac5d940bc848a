"""Rows that are there twice."""

from typing import Any

from fair_datasets.auditing.leaks import leaks_part

TRAIN = ["He ran.", "She sat.", "He sat.", "Rain.", "The actress sang loudly.", "Snow.", None, ""]
TEST = ["She  ran.", "He sat.", "Rain.", "The actor sang loudly.", "Wind.", None, "He ran."]


def test_rows_are_found_as_they_are_and_once_swapped(read: Any, one: Any) -> None:
    """White space apart; a row that is there as it is counts once; nothing is no row."""
    material, settings, _ = read({"test": {"text": TEST}, "train": {"text": TRAIN}})
    part = leaks_part(material, settings)
    same = one(part.figures, "duplicate_share", split="train / test")
    leaked = one(part.figures, "leak_share", axis="gender", split="train / test")
    assert (same.value, same.rows) == (3 / 6, 6)
    assert (leaked.value, leaked.rows) == (2 / 6, 6)
    assert [(sample.split, sample.row) for sample in part.samples] == [("test", 0), ("test", 3)]
    assert all(finding.severity == "high" for finding in part.findings)
    assert "3 rows of test (50.0%" in part.findings[0].sentence


def test_one_row_is_told_as_one(read: Any) -> None:
    """In its own number."""
    material, settings, _ = read({"train": {"text": ["He ran."]}, "test": {"text": ["He ran."]}})
    (finding,) = leaks_part(material, settings).findings
    assert finding.sentence == "1 row of test (100.0% [20.7%, 100.0%] of 1) is in train as it is."


def test_each_two_splits_are_compared_once(read: Any) -> None:
    """Those of training first, whatever their order."""
    splits = {"test": {"text": ["a b"]}, "dev": {"text": ["a b"]}, "train": {"text": ["c"]}}
    material, settings, _ = read(splits)
    figures = leaks_part(material, settings).figures
    same = [each for each in figures if each.measure == "duplicate_share"]
    found = {each.split: each.value for each in same if "/" in each.split}
    assert found == {"train / test": 0, "train / dev": 0, "test / dev": 1}


def test_one_split_has_no_leaks_to_measure(read: Any) -> None:
    """That is told, and no figure stands for it."""
    material, settings, _ = read({"text": TRAIN})
    part = leaks_part(material, settings)
    assert {figure.measure for figure in part.figures} == {"duplicate_share"}
    assert "one split" in part.unmeasured["leak_share"]


def test_rows_that_repeat_and_contradict_are_told(read: Any, one: Any) -> None:
    """Letter case and white space apart, within one split; a null is no label."""
    texts = ["He ran.", "HE  RAN.", "he ran.", "Rain.", "Snow.", "snow.", None]
    labels = ["a", "b", "a", "a", "b", None, "a"]
    material, settings, _ = read({"text": texts, "y": labels}, label="y")
    part = leaks_part(material, settings)
    assert (one(part.figures, "duplicate_share").value) == 3 / 6
    contradicting = one(part.figures, "contradiction_share")
    assert (contradicting.value, contradicting.rows) == (3 / 5, 5)
    repeats, under_two = part.findings
    assert repeats.sentence.startswith("3 rows of train (50.0% of 6) repeat the texts")
    assert "with several labels" in under_two.sentence
    assert under_two.severity == "high"
    rows = [sample.row for sample in part.samples if "another label" in sample.note]
    assert rows == [0, 1, 2]
