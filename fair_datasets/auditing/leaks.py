"""Rows that are there twice: in a split or in two, as they are or once their words are swapped."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput, split_pairs
from fair_datasets.auditing.findings import (
    Figure,
    Finding,
    Marked,
    Part,
    Sample,
    severity_of,
)
from fair_datasets.auditing.intervals import share_of
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.auditing.templates import make_finding

_HIGH = 0.01
"""From which share of a split on leaks are of high severity; any is of medium."""


def leaks_part(data: AuditInput, settings: AuditSettings) -> Part:
    """Look for rows that are there twice: within a split, or in two, also once one is swapped."""
    parts = [*_within(data, settings), *_between(data, settings)]
    contradictions = _contradictions(data, settings)
    parts += [] if contradictions is None else [contradictions]
    findings = [finding for part in parts for finding in part.findings]
    figures = [figure for part in parts for figure in part.figures]
    unmeasured = {}
    if len(data.splits) < 2:
        unmeasured["leak_share"] = "there is only one split, and rows leak between splits"
    if contradictions is None:
        unmeasured["contradiction_share"] = "no column of labels is named (--label)"
    if not findings:
        findings.append(make_finding("no_duplicates", figures, several_splits=len(data.splits) > 1))
    return Part(
        topic="leaks",
        figures=tuple(figures),
        findings=tuple(findings),
        samples=tuple(sample for part in parts for sample in part.samples),
        unmeasured=unmeasured,
    )


def _within(data: AuditInput, settings: AuditSettings) -> Iterator[Part]:
    """Look for rows that stand in their split before."""
    for split in data.splits:
        place = split if len(data.splits) > 1 else ""
        own = np.flatnonzero(data.rows_of(split) & data.has_text)
        _, firsts = np.unique(data.hashes[own], return_index=True)
        again = np.zeros(len(data.has_text), np.bool_)
        again[np.delete(own, firsts)] = True
        figure = _figure("duplicate_share", again, len(own), "", place)
        count = int(np.count_nonzero(again))
        note = f"is in {split} before, ignoring letter case and white space"
        severity = severity_of(figure.value, math.inf, _HIGH)
        findings = [
            make_finding("duplicates", [figure], severity=severity, count=count, split=split)
        ]
        yield Part(
            topic="leaks", figures=(figure,), findings=tuple(findings if count else ()),
            samples=tuple(_samples(data, settings, again, "", note)),
        )  # fmt: skip


def _contradictions(data: AuditInput, settings: AuditSettings) -> Part | None:
    """Look for rows whose texts have another label elsewhere; None without labels."""
    labels = data.labels
    if labels is None:
        return None
    own = np.flatnonzero(data.has_text & (labels.codes >= 0))
    _, texts = np.unique(data.hashes[own], return_inverse=True)
    pairs = np.unique(np.column_stack([texts, labels.codes[own]]), axis=0)
    several = np.bincount(pairs[:, 0], minlength=1) > 1
    mask = np.zeros(len(data.has_text), np.bool_)
    mask[own[several[texts]]] = True
    figure = _figure("contradiction_share", mask, len(own), "", "")
    if not mask.any():
        return Part(topic="leaks", figures=(figure,))
    count = int(np.count_nonzero(mask))
    severity = severity_of(figure.value, _HIGH, 0.0)
    finding = make_finding("contradictions", [figure], severity=severity, count=count)
    note = "the same texts have another label elsewhere"
    samples = _samples(data, settings, mask, "", note)
    return Part(topic="leaks", figures=(figure,), findings=(finding,), samples=tuple(samples))


def _between(data: AuditInput, settings: AuditSettings) -> Iterator[Part]:
    """Look for rows of a split that are in another one, as they are or once that one is swapped."""
    for first, second in split_pairs(list(data.splits)):
        one, other = (data.rows_of(name) & data.has_text for name in (first, second))
        same = other & np.isin(data.hashes, data.hashes[one])
        total, place = int(np.count_nonzero(other)), f"{first} / {second}"
        figures = [_figure("duplicate_share", same, total, "", place)]
        findings = [*_leaked(figures[-1], same, first, second)]
        samples: list[Sample] = []
        for axis in data.axes:
            written = axis.written[data.rows_of(first)[axis.changed]]
            leaked = other & ~same & np.isin(data.hashes, written)
            name = axis.grouping.name
            figures.append(_figure("leak_share", leaked, total, name, place))
            findings += _leaked(figures[-1], leaked, first, second)
            samples += _samples(data, settings, leaked, name, f"in {first} once swapped")
        yield Part(
            topic="leaks", figures=tuple(figures), findings=tuple(findings), samples=tuple(samples)
        )


def _figure(measure: str, rows: NDArray[np.bool_], total: int, axis: str, place: str) -> Figure:
    return share_of(measure, int(np.count_nonzero(rows)), total, axis=axis, split=place)


def _leaked(figure: Figure, rows: NDArray[np.bool_], first: str, second: str) -> Sequence[Finding]:
    """Report that rows are in two splits, if some are."""
    count = int(np.count_nonzero(rows))
    severity = severity_of(figure.value, _HIGH, 0.0)
    if not count:
        return []
    return [
        make_finding("leaked", [figure], severity=severity, count=count, first=first, second=second)
    ]


def _samples(
    data: AuditInput, settings: AuditSettings, rows: NDArray[np.bool_], axis: str, note: str
) -> Sequence[Sample]:
    """Show the first of some rows."""
    shown = np.flatnonzero(rows)[: settings.samples]
    places = map(data.place_of, shown.tolist())
    return [
        Sample(axis=axis, split=split, row=row, note=note, texts=tuple(map(Marked, texts)))
        for (split, row), texts in zip(places, data.texts(shown, settings), strict=True)
    ]
