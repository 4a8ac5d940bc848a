"""Counterfactual figures of an axis of more than two attributes, for two of them at a time.

Rows that mention one of the two are written for both, beside placebos, as on an axis of two. The
attributes that most rows mention are compared. All pairs are tested together with all other figures
(maxT): by Holm's method, 99 draws could tell of no more than two pairs.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from fair_datasets.auditing.classifiers import Classifier, Places, TextRows
from fair_datasets.auditing.controls import (
    FEWEST,
    ROWS,
    AxisControl,
    Measured,
    finding_of_rest,
)
from fair_datasets.auditing.findings import Finding
from fair_datasets.swap.counterfactual import CounterfactualSwap

_ATTRIBUTES = 5
"""How many attributes are compared in pairs."""


def controls_of_pairs(
    name: str,
    texts: TextRows,
    references: Places | None,
    classifier: Classifier,
    swap: CounterfactualSwap,
    draws: int,
    alone: Places,
    attributes: Sequence[str],
) -> Iterator[AxisControl]:
    """Ask a classifier about rows that mention one of two attributes, for pairs of them.

    Args:
        name: The axis.
        texts: The rows.
        references: Their labels.
        classifier: The classifier.
        swap: What swaps the axis.
        draws: How many placebo draws there are.
        alone: The attribute that each row mentions alone, else -1. Shape (N,).
        attributes: The names of the attributes.

    Yields:
        The answers for each pair of the most frequent attributes that enough rows mention; nothing
        on an axis of two.
    """
    swapped = swap.plan(swap.axes[0])
    if len(swapped) < 3:
        return
    pairs = [
        pair
        for pair in itertools.combinations(_frequent(alone, attributes, list(swapped)), 2)
        if np.isin(alone, pair).sum() >= FEWEST
    ]
    for pair in pairs:
        rows = np.flatnonzero(np.isin(alone, pair))
        names = attributes[pair[0]], attributes[pair[1]]
        found = AxisControl.of(
            name, [texts[row] for row in rows.tolist()],
            None if references is None else references[rows], classifier,
            replace(swap, source=names, target=names), draws,
            most=ROWS // len(pairs), pair=" and ".join(names),
        )  # fmt: skip
        if found is not None:
            yield found


def _frequent(alone: Places, attributes: Sequence[str], swapped: Sequence[str]) -> list[int]:
    """Return the attributes that most rows mention, in their own order."""
    counts = np.bincount(alone[alone >= 0], minlength=len(attributes))
    known = [code for code, each in enumerate(attributes) if each in swapped and counts[code]]
    return sorted(sorted(known, key=lambda code: -counts[code])[:_ATTRIBUTES])


def pair_findings(
    controls: Sequence[tuple[AxisControl, Sequence[Measured]]],
) -> Iterator[Finding]:
    """Tell what exceeds the control of a pair; then sum up the others.

    Args:
        controls: The pairs of an axis, each with its figures.

    Yields:
        The findings.
    """
    every = [(control, each) for control, found in controls for each in found]
    rest = [(control, each) for control, each in every if control.severity(each) == "low"]
    yield from (control.finding(each) for control, each in every if (control, each) not in rest)
    yield from finding_of_rest(rest)
