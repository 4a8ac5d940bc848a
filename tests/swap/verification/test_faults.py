"""Tests of what differs between two texts."""

import pytest

from fair_datasets.swap.verification.faults import Fault, difference_at
from fair_datasets.swap.verification.forms import split_units


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
