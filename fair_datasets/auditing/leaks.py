"""Rows that are in two splits: as they are, or once their words are swapped."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.findings import Figure, Finding, Marked, Part, Sample
from fair_datasets.auditing.intervals import wilson
from fair_datasets.auditing.reading import Material, split_pairs
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.auditing.wording import counted, severity_of, shared, verb

_HIGH = 0.01
"""From which share of a split on leaks are of high severity; any is of medium."""
_CAUTION = (
    "Compared are whole rows, white space apart. Rows that are nearly the same, or share a part, "
    "are not found."
)


def leaks_part(material: Material, settings: AuditSettings) -> Part:
    """Look for rows of a split that are in another one, as they are or once that one is swapped.

    Args:
        material: The rows.
        settings: What was read, and how many samples are kept.

    Returns:
        The share of such rows for each two splits, and a finding for each two that share some.
    """
    if len(material.splits) < 2:
        why = "there is one split, and rows leak between two"
        return Part(topic="leaks", unmeasured=dict.fromkeys(("leak_share", "duplicate_share"), why))
    figures: list[Figure] = []
    findings: list[Finding] = []
    samples: list[Sample] = []
    for first, second in split_pairs(list(material.splits)):
        one, other = (material.rows_of(name) & material.has_text for name in (first, second))
        same = other & np.isin(material.hashes, material.hashes[one])
        total, place = int(np.count_nonzero(other)), f"{first} / {second}"
        figures.append(_figure("duplicate_share", same, total, "", place))
        as_is = "as it is" if np.count_nonzero(same) == 1 else "as they are"
        findings += _told(figures[-1], same, first, second, as_is)
        for axis in material.axes:
            written = axis.written[material.rows_of(first)[axis.changed]]
            leaked = other & ~same & np.isin(material.hashes, written)
            name = axis.grouping.name
            figures.append(_figure("leak_share", leaked, total, name, place))
            how = f"once the words of {name} are swapped in {first}"
            findings += _told(figures[-1], leaked, first, second, how)
            samples += _samples(material, settings, leaked, name, f"in {first} once swapped")
    if not findings:
        findings.append(
            Finding(
                severity="low",
                figures=tuple(figures),
                caution=_CAUTION,
                sentence="No row of a split is in another one, neither as it is nor once swapped.",
            )
        )
    return Part(
        topic="leaks", figures=tuple(figures), findings=tuple(findings), samples=tuple(samples)
    )


def _figure(measure: str, rows: NDArray[np.bool_], total: int, axis: str, place: str) -> Figure:
    """Give the share of some rows."""
    count = int(np.count_nonzero(rows))
    low, high = wilson(count, total)
    value = count / total if total else math.nan
    return Figure(
        measure=measure, value=value, rows=total, low=low, high=high, axis=axis, split=place
    )


def _told(
    figure: Figure, rows: NDArray[np.bool_], first: str, second: str, how: str
) -> Sequence[Finding]:
    """Tell that rows are in two splits, if some are."""
    count = int(np.count_nonzero(rows))
    if not count:
        return ()
    return (
        Finding(
            severity=severity_of(figure.value, _HIGH, 0.0),
            sentence=f"{counted(count, 'row')} of {second} "
            f"({shared(figure)} of {figure.rows:,}) {verb(count, 'is', 'are')} in {first} "
            f"{how}.",
            figures=(figure,),
            caution=_CAUTION,
            advice=f"Leave these rows out of {first} before anything is measured on {second}, and "
            "divide rows and their counterfactuals together (pair_split in Python).",
        ),
    )


def _samples(
    material: Material, settings: AuditSettings, rows: NDArray[np.bool_], axis: str, note: str
) -> Sequence[Sample]:
    """Show the first of some rows."""
    shown = np.flatnonzero(rows)[: settings.samples]
    places = map(material.place_of, shown.tolist())
    return [
        Sample(axis=axis, split=split, row=row, note=note, texts=tuple(map(Marked, texts)))
        for (split, row), texts in zip(places, material.texts(shown, settings), strict=True)
    ]
