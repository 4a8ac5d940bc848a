"""Tests of what differs between two texts."""

import pytest

from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Reading
from fair_datasets.reader.matching.rows import read_text
from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.swap.verification.faults import Aligner, Fault, difference_at
from fair_datasets.swap.verification.forms import forms_of, slots_of, split_units


@pytest.mark.parametrize(
    ("before", "after", "fault", "at", "now"),
    [
        ("We ran and won.", "We ran and ran and won.", Fault.REPEATED, "", "ran and"),
        ("We ran, and won.", "We ran, and ran, and won.", Fault.REPEATED, "", "ran, and"),
        ("We ran home.", "We ran ran ran ran home.", Fault.REPEATED, "", "ran ran ran"),
        ("We ran and won it.", "We ran", Fault.TRUNCATED, "and won it.", ""),
        ("We ran. It rained. We won.", "We ran. We won.", Fault.DROPPED, "It rained.", ""),
        ("We ran home now.", "We ran now.", Fault.DROPPED, "home", ""),
        ("We ran.", "We, as it rained on us, ran.", Fault.INVENTED, "", ", as it rained on us,"),
        ("We ran here.", "We ran right here.", Fault.INVENTED, "", "right"),
        ("We don't run.", "We do run.", Fault.NEGATION, "don't", "do"),
        ("We can run.", "We cannot run.", Fault.NEGATION, "can", "cannot"),
        ("We saw 3 cats.", "We saw 4 cats.", Fault.NUMBER, "3", "4"),
        ('We said "run" now.', 'We said "walk" now.', Fault.QUOTATION, "run", "walk"),
        ('We said "run" now.', "We said run now.", Fault.QUOTATION, '"', ""),
        ("We live in Rome now.", "We live in Oslo now.", Fault.PLACE, "Rome", "Oslo"),
        ("We know Xan now.", "We know Yin now.", Fault.NAME, "Xan", "Yin"),
        ("We ran home.", "We walked home.", Fault.REWORDED, "ran", "walked"),
        ("We ran, home.", "We ran home.", Fault.DROPPED, ",", ""),
    ],
)
def test_a_difference_is_named_and_placed(
    before: str, after: str, fault: Fault, at: str, now: str
) -> None:
    """The first stretch that differs is found, with what kind of fault it is."""
    old, new = split_units(before), split_units(after)
    place = next(
        (n for n, pair in enumerate(zip(old.folded, new.folded, strict=False)) if len({*pair}) > 1),
        min(len(old.folded), len(new.folded)),
    )
    found = difference_at(old, new, place, place)
    assert found.fault == fault
    assert old.written(found.first, found.end) == at
    assert new.written(found.after_first, found.after_end) == now


TABLE = table_of("gender", owner="test")
FORMS = forms_of("gender", names=True)


def _changes(before: str, after: str, target: str) -> list[tuple[str, str, str]]:
    """Return what was rewritten; the whole rewrite must be read."""
    old, new = split_units(before), split_units(after)
    reading = read_text(before, TABLE) or Reading(tokenize(before), [], [])
    aligner = Aligner(old, new, slots_of(old, reading, FORMS), FORMS, [])
    found = aligner.read({"man": target, "woman": target})
    assert (found.end, found.after_end) == (len(old.folded), len(new.folded))
    return [
        (old.written(c.first, c.end), new.written(c.after_first, c.after_end), c.attribute)
        for c in found.changes
    ]


@pytest.mark.parametrize(
    ("before", "after", "target", "changes"),
    [
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
    ],
)  # fmt: skip
def test_every_change_is_read(
    before: str, after: str, target: str, changes: list[tuple[str, str, str]]
) -> None:
    """Articles, verbs, endings, pairs and compounds are read as parts of the edit."""
    assert _changes(before, after, target) == changes


def test_the_attribute_that_is_asked_for_is_preferred() -> None:
    """Where a form is of several attributes, it is read as the one that was wanted."""
    assert _changes("Mary left.", "Akira left.", "non-binary")[0][2] == "non-binary"


def test_long_texts_are_read() -> None:
    """Many mentions that could be read in two ways do not multiply."""
    before = "He and his brother, a king, saw him and her. " * 300
    after = "She and her sister, a queen, saw her and her. " * 300
    assert len(_changes(before, after, "woman")) == 1500
