"""Whom the rows speak of, beside the measure that counts them otherwise."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from fair_datasets import find_terms
from fair_datasets.auditing.representation import coverage_part, representation_part
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


TEXTS = [
    "She has a Bachelor's degree.", "He mans the desk.", "Man the boats!", "I saw Will.",
    "Her Bachelor's degree and his.", "Rain.", "Will he host the guests?", None, "  ",
]  # fmt: skip


def test_words_left_alone_are_those_of_find_terms(read: Any, one: Any) -> None:
    """With their reasons."""
    material, _, commands = read({"text": TEXTS})
    part = coverage_part(material, commands)
    found = [term for text in TEXTS if text for term in find_terms(text)]
    left = Counter((term.reason, term.text.lower()) for term in found if term.reason)
    assert material.axes[0].left == left
    share = one(part.figures, "left_share", axis="gender")
    assert (share.value, share.rows) == (sum(left.values()) / len(found), len(found))
    read_share = one(part.figures, "read_share", axis="gender")
    rows = sum(any(not term.reason for term in find_terms(text)) for text in TEXTS if text)
    assert (read_share.value, read_share.rows) == (rows / 7, 7)


def test_rows_show_what_was_left_alone(read: Any) -> None:
    """Marked where it stands; as many of each reason as are asked for."""
    material, _, commands = read({"text": [f"{text} {number}" for number in range(9)
                                           for text in TEXTS if text]}, samples=2)  # fmt: skip
    samples = coverage_part(material, commands).samples
    assert set(Counter(sample.note for sample in samples).values()) <= {1, 2}
    for sample in samples:
        (marked,) = sample.texts
        ((start, end, note),) = marked.spans
        reasons = {(term.start, term.end): term.reason for term in find_terms(marked.text)}
        assert reasons[start, end] == note == sample.note
    (finding,) = (each for each in coverage_part(material, commands).findings if "Along" in
                  each.sentence)  # fmt: skip
    assert "such as bachelor" in finding.sentence
    material, _, commands = read({"text": TEXTS}, samples=0)
    part = coverage_part(material, commands)
    assert not part.samples
    assert not any("such as" in each.sentence for each in part.findings)


def test_the_rows_that_are_shown_do_not_depend_on_their_order(read: Any) -> None:
    """They are drawn by their texts."""
    texts = [f"She has a Bachelor's degree {number}." for number in range(50)]
    shown = []
    for order in (texts, texts[::-1]):
        material, _, commands = read({"text": order}, samples=3)
        samples = coverage_part(material, commands).samples
        shown.append({sample.texts[0].text for sample in samples})
    assert shown[0] == shown[1]
    assert len(shown[0]) == 3


def test_what_is_missing_is_counted(read: Any, one: Any) -> None:
    """In each column that is read."""
    rows = {"text": TEXTS, "y": ["a", "b", None, *"aaaaaa"]}
    material, _, commands = read(rows, label="y")
    part = coverage_part(material, commands)
    assert one(part.figures, "missing_share", label="text").value == 2 / 9
    assert one(part.figures, "missing_share", label="column y").value == 1 / 9
    assert "2 rows of 9 (22.2%) have no text" in part.findings[0].sentence


def test_names_that_are_not_read_are_advised(read: Any) -> None:
    """Where the axis has some, and they were not asked for."""
    for chosen, advised in [({}, True), ({"names": False}, False)]:
        material, _, commands = read({"text": ["A Black man."]}, axis="race", **chosen)
        finding = coverage_part(material, commands).findings[-1]
        assert ("--names" in finding.command) == advised


def test_without_a_text_there_is_nothing_more_to_say(read: Any) -> None:
    """Than that they are missing."""
    material, _, commands = read({"text": [None, " "]})
    (finding,) = coverage_part(material, commands).findings
    assert finding.sentence.startswith("2 rows of 2 (100.0%) have no text")


def test_mentions_of_rows_that_are_left_alone_count(read: Any, one: Any) -> None:
    """Whom a row mentions does not depend on whether it is rewritten; no word is counted twice."""
    texts = ["She gave birth.", "He ran.", "Rain."]
    material, _, commands = read({"text": texts})
    (axis,) = material.axes
    assert axis.grouping.counts.tolist() == [1, 1]
    assert axis.changed.tolist() == [1]
    share = one(coverage_part(material, commands).figures, "left_share", axis="gender")
    assert (share.value, share.rows) == (1 / 2, 2)


def test_rows_that_are_not_trusted_are_counted_and_the_command_says_so(read: Any) -> None:
    """By their words, with the reason; the others are read as ever."""
    texts = ["She left.", "Much of her treating and advising was there."]
    material, _, commands = read({"text": texts}, min_confidence=0.95)
    reason = "the confidence of the row is below min_confidence"
    assert material.axes[0].left == {(reason, "her"): 1}
    assert material.axes[0].changed.tolist() == [0]
    assert " --min-confidence 0.95 " in commands.augment("gender")
