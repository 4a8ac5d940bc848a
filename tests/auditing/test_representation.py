"""Whom the rows speak of, beside the measure that counts them otherwise."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from fair_datasets.auditing.representation import representation_part
from fair_datasets.measures import representation
from fair_datasets.reader.matching.find import count_terms

from .conftest import PEOPLE


@given(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=12), st.integers(0, 99))
@settings(max_examples=25)
def test_shares_are_those_of_the_measure(read: Any, one: Any, texts: list[str], seed: int) -> None:
    """Of all rows, and of those of each label."""
    labels = [str((seed >> place) & 1) for place in range(len(texts))]
    material, _, commands = read({"text": texts, "label": labels}, label="label")
    figures = representation_part(material, commands).figures
    attributes, counts = count_terms(texts)
    expected = representation(counts, attributes, labels, undefined="zero")
    for label, shares in [("", expected.all), *expected.labels.items()]:
        for attribute, share in shares.rows_with.items():
            place = {"axis": "gender", "attribute": attribute, "label": str(label)}
            found = one(figures, "mention_share", **place)
            assert found.value == share
            assert found.rows == shares.rows


def test_balance(read: Any, one: Any) -> None:
    """Of rows that speak of one side alone; a row with both, or neither, says nothing of it."""
    texts = ["He ran."] * 8 + ["She ran."] * 2 + ["He saw her."] * 5 + ["Rain."] * 9
    material, _, commands = read({"text": texts})
    part = representation_part(material, commands)
    found = one(part.figures, "mention_balance", axis="gender", attribute="man")
    assert (found.value, found.rows) == (0.8, 10)
    expected = binomtest(8, 10).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_splits_are_counted_apart(read: Any, one: Any) -> None:
    """Each of its own rows."""
    material, _, commands = read(
        {"train": {"text": ["He ran.", "Rain."]}, "test": {"text": PEOPLE}}
    )
    figures = representation_part(material, commands).figures
    found = one(figures, "mention_share", axis="gender", attribute="man", split="train")
    assert (found.value, found.rows) == (0.5, 2)
    assert one(figures, "mention_share", axis="gender", attribute="woman", split="test").value > 0.6


def test_a_clear_imbalance_is_worth_knowing_and_names_the_command(read: Any) -> None:
    """Few rows alone do not make it one."""
    for texts, severity in [(["He ran."] * 200, "medium"), (["He ran."] * 3, "low")]:
        material, _, commands = read({"text": texts})
        (finding,) = representation_part(material, commands).findings
        assert finding.severity == severity
        assert finding.command.startswith("fair-datasets augment rows.csv") == (severity != "low")


def test_groups_of_a_column_are_counted_like_attributes(read: Any, one: Any) -> None:
    """A row without a group belongs to none."""
    rows = {"text": PEOPLE, "who": ["a", "a", "b", None, "", "a"]}
    material, _, commands = read(rows, groups="who")
    part = representation_part(material, commands)
    found = one(part.figures, "mention_share", axis="column who", attribute="a")
    assert (found.value, found.rows) == (0.5, 6)
    assert "4 rows of 6 belong to a group" in part.findings[1].sentence


def test_several_columns_are_also_groups_together(read: Any, one: Any) -> None:
    """Who is in both: a row that lacks one is in none of these."""
    rows = {"text": PEOPLE, "who": ["a", "a", "b", None, "b", "a"], "age": [1, 2, 1, 1, None, 1]}
    material, _, commands = read(rows, groups=("who", "age"))
    figures = representation_part(material, commands).figures
    found = {each.attribute: each.value for each in figures if each.axis == "columns who × age"}
    assert found == {"a × 1": 2 / 6, "a × 2": 1 / 6, "b × 1": 1 / 6}
    assert one(figures, "mention_share", axis="column age", attribute="1").value == 4 / 6


def test_no_mention_is_told_as_such(read: Any) -> None:
    """Nothing follows from it."""
    material, _, commands = read({"text": ["Rain.", "Snow."]})
    (finding,) = representation_part(material, commands).findings
    assert "No row of 2 mentions" in finding.sentence
    assert "good or bad" in finding.caution


def test_one_row_mentions_and_none_without_a_text_does(read: Any) -> None:
    """Sentences hold for the smallest numbers, too."""
    material, _, commands = read({"text": ["He ran."], "who": ["a"]}, groups="who")
    axis, group = representation_part(material, commands).findings
    assert axis.sentence.startswith("1 row of 1 mentions an attribute of gender: man in 100.0%")
    assert "Of the 1 row that speaks of one side alone, 100.0% [20.7%, 100.0%] mentions man." in (
        axis.sentence
    )
    assert group.sentence.startswith("1 row of 1 belongs to a group of column who")
    material, _, commands = read({"text": [None, " "]})
    (finding,) = representation_part(material, commands).findings
    assert finding.sentence == "No row has a text, so nothing is known about gender."
