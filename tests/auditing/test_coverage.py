"""What was read, what was left alone and why, and what is missing."""

from collections import Counter
from typing import Any

from fair_datasets import find_terms
from fair_datasets.auditing.coverage import coverage_part

TEXTS = [
    "She has a Bachelor's degree.", "He mans the desk.", "Man the boats!", "I saw Mark.",
    "Her Bachelor's degree and his.", "Rain.", "Will he host the guests?", None, "  ",
]  # fmt: skip


def test_words_left_alone_are_those_of_find_terms(read: Any, one: Any) -> None:
    """With their reasons."""
    material, _, commands = read({"text": TEXTS})
    part = coverage_part(material, commands)
    found = [term for text in TEXTS if text for term in find_terms(text)]
    left = Counter((term.reason, term.text.lower()) for term in found if term.reason)
    assert material.axes[0].skipped == left
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


def test_an_experimental_axis_is_told(read: Any) -> None:
    """Beside what was read along it, and along no other one."""
    for axis, is_told in (("disability", True), ("gender", False)):
        material, _, commands = read({"text": ["A blind man."]}, axis=axis)
        finding = coverage_part(material, commands).findings[-1]
        assert ("is experimental" in finding.caution) == is_told


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
    texts = ["She left.", "Much of her treating and advising was in Leeds."]
    material, _, commands = read({"text": texts}, min_confidence=0.95)
    reason = "the confidence of the row is below min_confidence"
    assert material.axes[0].skipped == {(reason, "her"): 1}
    assert material.axes[0].changed.tolist() == [0]
    assert " --min-confidence 0.95 " in commands.augment("gender")
