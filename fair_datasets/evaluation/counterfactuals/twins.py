"""Originals, twins and controls of rows, as the adapters of evaluations ask about them."""

from collections.abc import Sequence
from typing import NamedTuple

from fair_datasets.rows.draws import row_key
from fair_datasets.rows.text_fields import Row
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import Placebos, placebos_of
from fair_datasets.swap.rewriting import Rewriter, Rows
from fair_datasets.system.checks import InputError
from fair_datasets.technique.contract import Technique

ORIGINAL, TWIN = "original", "twin"


class Version(NamedTuple):
    """A version of a row.

    Attributes:
        variant: `original`, `twin`, or a half of a control: `control` and `control_twin`, in a
            further draw `control_2` and `control_twin_2`. The halves of a control have other words
            in the places that the twin changes, and are compared with each other.
    """

    variant: str
    texts: Row


class Versions(NamedTuple):
    """The versions of a row that has a twin.

    Attributes:
        direction: 1 where the original is of the first of two attributes and the twin of the
            second, -1 the other way round; 0 where a row mentions both, or the axis has more.
    """

    direction: int
    versions: list[Version]


def twins_of(
    rows: Sequence[Row], technique: Technique, *, draws: int = 1, seed: int = 0
) -> dict[int, Versions]:
    """Write the twins of rows, and their controls.

    Duplicates, and rows that are each other's twins, are one row: the first. Only a
    `CounterfactualSwap` of one axis has controls, as they need to know which words it changes.
    """
    if not isinstance(technique, Rewriter):
        raise InputError(
            "twins_of: the technique must be a Rewriter such as CounterfactualSwap, but it is a "
            f"{type(technique).__name__}."
        )
    if not isinstance(technique, CounterfactualSwap) or len(technique.axes) > 1:
        keys = [row_key(row) for row in rows]
        first: dict[int, Versions] = {}
        for number, new in technique.rewrite(Rows(rows, keys)):
            if new.texts != rows[number]:
                both = [Version(ORIGINAL, rows[number]), Version(TWIN, new.texts)]
                first.setdefault(number, Versions(0, both))
        return first
    filled = [tuple(text or "" for text in row) for row in rows]
    found = placebos_of(filled, technique, count=draws, seed=seed)
    return _of_swap(rows, found, technique) if found.rows else {}


def _of_swap(rows: Sequence[Row], found: Placebos, swap: CounterfactualSwap) -> dict[int, Versions]:
    """Order the versions of the rows that a swap changes."""
    plan = swap.plan(swap.axes[0])
    has_direction = len(plan) <= 2 and all(len(others) == 1 for others in plan.values())
    drawn = [
        iter(list(zip(*found.placebo_versions(draw), strict=True))) for draw in range(found.draws)
    ]
    versions = {}
    for row, has_control, *own in zip(found.rows, found.controlled, *found.versions(), strict=True):
        second = len(found.attributes) == 2 and row.attribute == 1
        direction = (-1 if second else 1) if has_direction and row.attribute >= 0 else 0
        named = [(ORIGINAL, TWIN, tuple(own))]
        for draw, pairs in enumerate(drawn if has_control else (), 1):
            last = f"_{draw}" if draw > 1 else ""
            named.append((f"control{last}", f"control_twin{last}", next(pairs)))
        texts = rows[row.number]
        several = [
            Version(name, _with_nulls(texts, new))
            for first, other, both in named
            for name, new in zip((first, other), both[::-1] if second else both, strict=True)
        ]
        versions[row.number] = Versions(direction, several)
    return versions


def _with_nulls(texts: Row, new: Sequence[str]) -> Row:
    """Return new texts with null where the row has null."""
    return tuple(None if old is None else each for old, each in zip(texts, new, strict=True))
