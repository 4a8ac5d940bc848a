"""Leaving rows alone: what the attributes that they mention would become, and the reasons."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.found import OF_ROW, Cause, Chunk, Found
from fair_datasets.swap.directions import Targets

Numbers = NDArray[np.int64]


class WrittenRow(NamedTuple):
    """What the attributes that a row mentions along an axis become, or stay."""

    written: Mapping[str, str]

    @property
    def changed(self) -> set[str]:
        """The attributes that become others."""
        return {old for old, new in self.written.items() if old != new}


def rows_written(
    chunk: Chunk, mentions: Numbers, targets: Callable[[int], Targets] | Targets, axis: str
) -> dict[int, WrittenRow]:
    """Return what the attributes that each row mentions become.

    Args:
        chunk: The rows with what is found in them.
        mentions: The mentions of an axis, by their numbers. Shape (M,).
        targets: As for `leave_rows`.
        axis: The axis.

    Returns:
        Row to what its attributes become.
    """
    found, many = chunk.found, len(chunk.found.terms.kinds)
    kinds = found.terms.kind[found.readings[mentions]]
    written: dict[int, dict[str, str]] = defaultdict(dict)
    for pair in np.unique(chunk.row_of[found.texts[mentions]] * many + kinds).tolist():
        row, kind = divmod(pair, many)
        attribute = found.terms.kinds[kind][1]
        own = targets(row) if callable(targets) else targets
        written[row][attribute] = own.get((axis, attribute), attribute)
    return {row: WrittenRow(own) for row, own in written.items()}


def is_on(found: Found, axis: str) -> NDArray[np.bool_]:
    """Tell which candidates are of an axis. Shape (C,)."""
    kinds = np.array([own == axis for own, _ in found.terms.kinds], np.bool_)
    return kinds[found.terms.kind[found.readings]]


def leave(found: Found, row_of: Numbers, left: Mapping[int, Cause], axis: str) -> Found:
    """Leave the mentions of rows alone.

    Args:
        found: What is found in a chunk.
        row_of: The row of each text. Shape (T,).
        left: The numbers of the rows, with the cause of each.
        axis: The axis of the mentions.

    Returns:
        What is found, with the reasons.
    """
    if not left:
        return found
    reasons, rules = found.reasons.copy(), found.rules.copy()
    several = np.flatnonzero(found.is_mention & np.isin(row_of[found.texts], list(left)))
    for mention in several[is_on(found.take(several), axis)].tolist():
        reason, told, _ = left[int(row_of[found.texts[mention]])]
        reasons[mention] = reason
        rules[mention] = f"{OF_ROW}{reason.name.lower()} {told}".rstrip()
    return replace(found, reasons=reasons, rules=rules)
