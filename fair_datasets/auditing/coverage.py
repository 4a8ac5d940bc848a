"""What was read along each axis, what was left alone and why, and what is missing."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fair_datasets.auditing.audit_input import AuditInput, AxisReading
from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.findings import Figure, Finding, Part, Severity
from fair_datasets.auditing.intervals import share_of
from fair_datasets.auditing.settings import Commands
from fair_datasets.auditing.templates import make_finding
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.table import table_files

_MUCH = 0.5
"""From which share of words left alone on a finding is of medium severity."""
_WORDS = 3


def coverage_part(data: AuditInput, commands: Commands) -> Part:
    """Count what was read along each axis, what was left alone and why, and what is missing."""
    missing = list(_missing(data))
    figures = [figure for figure, _ in missing]
    findings = [finding for _, finding in missing if finding is not None]
    for axis in data.axes:
        own = _shares_of_reading(data, axis)
        figures += own
        if data.has_text.any():
            findings.append(_finding_of_reading(data, axis, own, commands))
    samples = [sample for axis in data.axes for each in axis.samples.values() for sample in each]
    return Part(
        topic="coverage", figures=tuple(figures), findings=tuple(findings), samples=tuple(samples)
    )


def _missing(data: AuditInput) -> Iterator[tuple[Figure, Finding | None]]:
    """Count the rows without a text, and without each class; tell of those that there are."""
    columns: list[Classes | None] = [data.labels, data.predictions, *data.groups]
    lacking = {"text": ~data.has_text}
    lacking |= {f"column {each.column}": each.codes < 0 for each in columns if each is not None}
    for what, rows in lacking.items():
        count, total = int(np.count_nonzero(rows)), len(rows)
        figure = share_of("missing_share", count, total, label=what)
        finding = None
        if count:
            severity: Severity = "medium" if count > total / 10 else "low"
            finding = make_finding("missing", [figure], severity=severity, count=count)
        yield figure, finding


def _shares_of_reading(data: AuditInput, axis: AxisReading) -> list[Figure]:
    """Give the shares of rows that are read and changed, and of words that are left alone."""
    total = int(np.count_nonzero(data.has_text))
    skipped, mentions = sum(axis.skipped.values()), int(axis.grouping.counts.sum())
    counts = {
        "read_share": (int(np.count_nonzero(axis.grouping.any)), total),
        "changed_share": (len(axis.changed), total),
        "left_share": (skipped, skipped + mentions - axis.skipped_mentions),
    }
    *shares, words = (
        share_of(measure, *count, axis=axis.grouping.name) for measure, count in counts.items()
    )
    # Words of one row go together, so that an interval for rows would be too narrow for them.
    return [*shares, replace(words, low=math.nan, high=math.nan)]


def _finding_of_reading(
    data: AuditInput, axis: AxisReading, figures: list[Figure], commands: Commands
) -> Finding:
    """Return the finding of what was read along an axis and what was left alone."""
    skipped, share = axis.skipped, figures[2]
    mentions, total = int(axis.grouping.counts.sum()), sum(skipped.values())
    reasons: Counter[str] = Counter()
    for (each, _), number in skipped.items():
        reasons[each] += number
    (reason, count), *_ = [*reasons.most_common(1), ("", 0)]
    # Where no text is to be shown, a name is none to show either.
    shown = [word for (why, word), _ in skipped.most_common() if why == reason][:_WORDS]
    given = axis.grouping.axis
    has_names = len(table_files(given, names=True)) > len(table_files(given, names=None))
    lacks_names = has_names and axis.divider.swap.names is None
    return make_finding(
        "read", figures, severity="medium" if share.value >= _MUCH and total >= mentions else "low",
        command=commands.audit_with_names(given) if lacks_names else "", mentions=mentions,
        skipped=total, reason=reason, count=count, lacks_names=lacks_names,
        words=shown if commands.settings.samples else (),
        experimental=load_lexicon(given).experimental,
    )  # fmt: skip
