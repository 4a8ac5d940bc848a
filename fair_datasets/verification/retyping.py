"""What a rewrite says as its original does, but types otherwise: letter case, accents, spaces."""

import re
from collections.abc import Iterator, Sequence

from fair_datasets.verification.alignment import Change
from fair_datasets.verification.spelling import in_case_of
from fair_datasets.verification.units import Units

_LINE_END = re.compile(r"[^\S\n]+(?=\n)")


def retyped_at(
    old: Units, new: Units, changes: Sequence[Change]
) -> Iterator[tuple[int, int, int, int]]:
    """Find what is typed otherwise, spaces at the ends of lines apart.

    Args:
        old: The original.
        new: The rewrite, which is read as the original from end to end.
        changes: What was rewritten, in the order of the text.

    Yields:
        The units of the original and of the rewrite: the first, and the one behind the last. No
        unit, where other spaces stand.

    Example:
        >>> from fair_datasets.verification.units import split_units
        >>> list(retyped_at(split_units("It  is the US. "), split_units("It is the us."), []))
        [(1, 1, 1, 1), (3, 4, 3, 4)]
    """
    place = after_place = 0
    size, after_size = len(old.folded), len(new.folded)
    for change in [*changes, Change(size, size, after_size, after_size, None, "")]:
        for unit in range(place, change.first):
            after_unit = after_place + unit - place
            yield from _other_gap(old, new, unit, after_unit)
            if _is_retyped(old, new, unit, after_unit):
                yield unit, unit + 1, after_unit, after_unit + 1
        yield from _other_gap(old, new, change.first, change.after_first)
        if _has_other_case(old, new, change):
            yield change[:4]
        place, after_place = change.end, change.after_end


def _is_retyped(old: Units, new: Units, unit: int, after_unit: int) -> bool:
    """Tell whether a unit is typed otherwise; an article that agrees has other letters."""
    if old.folded[unit] == new.folded[after_unit]:
        return old.written(unit, unit + 1) != new.written(after_unit, after_unit + 1)
    return _is_capital(old, unit) is not _is_capital(new, after_unit)


def _has_other_case(old: Units, new: Units, change: Change) -> bool:
    """Tell whether what was rewritten is not in the letter case of the word that stood there."""
    if change.first == len(old.folded) or change.end > change.first + 1:
        return False
    if change.slot is None:
        return _is_capital(old, change.first) is not _is_capital(new, change.after_first)
    written = new.written(change.after_first, change.after_end)
    return in_case_of(old, change.first, written) != written


def _is_capital(units: Units, unit: int) -> bool:
    """Tell whether a unit begins with a capital letter."""
    return units.text[units.starts[unit]].isupper()


def _other_gap(
    old: Units, new: Units, unit: int, after_unit: int
) -> Iterator[tuple[int, int, int, int]]:
    """Give the place between two units where other spaces stand."""
    before, after = (_LINE_END.sub("", gap) for gap in (old.gap(unit), new.gap(after_unit)))
    if unit == len(old.folded):
        before, after = before.rstrip(), after.rstrip()
    if before != after:
        yield unit, unit, after_unit, after_unit
