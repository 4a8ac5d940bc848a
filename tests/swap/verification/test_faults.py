"""Tests of what differs between two texts."""

import pytest

from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.mentions import Annotation
from fair_datasets.reader.matching.rows import annotate_text
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.swap.verification.faults import Aligner
from fair_datasets.swap.verification.forms import forms_of, slots_of, split_units

TABLE = find_table("gender")
FORMS = forms_of("gender", names=True)


def _changes(before: str, after: str, target: str) -> list[tuple[str, str, str]]:
    """Return what was rewritten; the whole rewrite must be read."""
    old, new = split_units(before), split_units(after)
    annotation = annotate_text(before, TABLE) or Annotation(tokenize(before), [], [])
    aligner = Aligner(old, new, slots_of(old, annotation, FORMS), FORMS, [])
    found = aligner.read({"man": target, "woman": target})
    assert (found.end, found.after_end) == (len(old.folded), len(new.folded))
    return [
        (old.written(c.first, c.end), new.written(c.after_first, c.after_end), c.attribute)
        for c in found.changes
    ]


@pytest.mark.parametrize(("before", "after", "target", "changes"), [
    ("It rained.", "It rained.", "man", []),
    ("He ran.", "She ran.", "woman", [("He", "She", "woman")]),
    ("an actress", "a performer", "non-binary", [("actress", "performer", "non-binary")]),
    ("he's ill", "they're ill", "non-binary",
     [("he", "they", "non-binary"), ("s", "re", "")]),
    ("ladies' hats", "gentlemen's hats", "man", [("ladies'", "gentlemen's", "man")]),
    ("Mr. Lee", "Miss Lee", "woman", [("Mr.", "Miss", "woman")]),
    ("his or her hat", "their hat", "non-binary", [("his or her", "their", "non-binary")]),
    ("boys and girls", "children", "non-binary",
     [("boys and girls", "children", "non-binary")]),
    ("the count of Paris", "the countess of Paris", "woman", [("count", "countess", "woman")]),
    ("a pitboy", "a pitgirl", "woman", [("pitboy", "pitgirl", "woman")]),
])  # fmt: skip
def test_every_change_is_read(
    before: str, after: str, target: str, changes: list[tuple[str, str, str]]
) -> None:
    """Articles, verbs, endings, pairs and compounds are read as parts of the edit."""
    assert _changes(before, after, target) == changes


def test_the_attribute_that_is_asked_for_is_preferred() -> None:
    """Where a form is of several attributes, it is read as the one that was wanted."""
    assert _changes("Mary left.", "Akira left.", "non-binary")[0][2] == "non-binary"


@pytest.mark.slow
def test_long_texts_are_read() -> None:
    """Many mentions that could be read in two ways do not multiply."""
    before = "He and his brother, a king, saw him and her. " * 300
    after = "She and her sister, a queen, saw her and her. " * 300
    assert len(_changes(before, after, "woman")) == 1500
