"""What was read and what was left alone: what the figures of an axis rest on."""

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from fair_datasets.auditing.axes import AxisReading
from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.commands import Commands
from fair_datasets.auditing.findings import Figure, Finding, Part
from fair_datasets.auditing.intervals import wilson
from fair_datasets.auditing.reading import Material
from fair_datasets.auditing.wording import about, counted, percent, verb
from fair_datasets.reader.matching.table import table_files

_MUCH = 0.5
"""From which share of words left alone on a finding is of medium severity."""
_WORDS = 3
_CAUTION = (
    "Words are read with lists and from their neighbours, in English. Slang, misspellings and "
    "other languages are missed, and a word that is read may be about somebody else."
)


def coverage_part(material: Material, commands: Commands) -> Part:
    """Count what was read along each axis, what was left alone and why, and what is missing.

    Returns:
        The shares, a finding for each axis, and rows in which something was left alone.
    """
    missing = list(_missing(material))
    figures = [figure for figure, _ in missing]
    findings = [finding for _, finding in missing if finding is not None]
    for axis in material.axes:
        own = _shares(material, axis)
        figures += own
        if material.has_text.any():
            findings.append(_finding(material, axis, own, commands))
    samples = [
        sample for axis in material.axes for each in axis.samples.values() for sample in each
    ]
    return Part(
        topic="coverage", figures=tuple(figures), findings=tuple(findings), samples=tuple(samples)
    )


def _missing(material: Material) -> Iterator[tuple[Figure, Finding | None]]:
    """Count the rows without a text, and without each class; tell of those that there are."""
    columns: list[Classes | None] = [material.labels, material.predictions, *material.groups]
    lacking = {"text": ~material.has_text}
    lacking |= {f"column {each.column}": each.codes < 0 for each in columns if each is not None}
    for what, rows in lacking.items():
        count, total = int(np.count_nonzero(rows)), len(rows)
        low, high = wilson(count, total)
        figure = Figure(
            measure="missing_share", value=count / total if total else math.nan, rows=total,
            low=low, high=high, label=what,
        )  # fmt: skip
        finding = None
        if count:
            told = "text" if what == "text" else f"value in {what}"
            finding = Finding(
                severity="medium" if count > total / 10 else "low",
                sentence=f"{counted(count, 'row')} of {total:,} ({percent(count / total)}) "
                f"{verb(count, 'has', 'have')} no {told}, and "
                f"{verb(count, 'is', 'are')} left out where it is needed.",
                figures=(figure,),
                caution="Rows in which something is missing may differ from the others.",
            )
        yield figure, finding


def _shares(material: Material, axis: AxisReading) -> list[Figure]:
    """Give the shares of rows that are read and changed, and of words that are left alone."""
    total = int(np.count_nonzero(material.has_text))
    left, mentions = sum(axis.left.values()), int(axis.grouping.counts.sum())
    counts = {
        "read_share": (int(np.count_nonzero(axis.grouping.any)), total),
        "changed_share": (len(axis.changed), total),
        "left_share": (left, left + mentions - axis.kept),
    }
    figures = []
    for measure, (count, whole) in counts.items():
        # Words of one row go together, so that an interval for rows would be too narrow for them.
        ends = wilson(count, whole) if measure != "left_share" else (math.nan, math.nan)
        figures.append(
            Figure(
                measure=measure,
                value=count / whole if whole else math.nan,
                rows=whole,
                low=ends[0],
                high=ends[1],
                axis=axis.grouping.name,
            )
        )
    return figures


def _finding(
    material: Material, axis: AxisReading, figures: list[Figure], commands: Commands
) -> Finding:
    """Say what was read along an axis and what was left alone."""
    name, left = axis.grouping.name, axis.left
    mentions = int(axis.grouping.counts.sum())
    read, changed, share = figures
    sentence = (
        f"Along {name}, {counted(mentions, 'mention')} {verb(mentions, 'was', 'were')} read "
        f"in {percent(read.value)} of the rows, and the swap changes {percent(changed.value)} of "
        "the rows"
    )
    total = sum(left.values())
    if total:
        reasons: Counter[str] = Counter()
        for (reason, _), count in left.items():
            reasons[reason] += count
        reason, count = reasons.most_common(1)[0]
        words = [word for (why, word), _ in left.most_common() if why == reason][:_WORDS]
        # Where no text is to be shown, a name is none to show either.
        shown = f"; such as {', '.join(words)}" if commands.settings.samples else ""
        sentence += (
            f"; {counted(total, 'more word')} that may be a mention "
            f"{verb(total, 'was', 'were')} left alone ({percent(share.value)}), "
            f"{'all' if count == total else 'most often'} because {reason} ({count:,}{shown})"
        )
    advice = command = ""
    given = axis.grouping.axis
    has_names = len(table_files(given, names=True)) > len(table_files(given, names=None))
    if has_names and axis.swap.names is None:
        advice = f"Read names as well, which are left alone on {name} by default."
        command = commands.audit_with_names(given)
    return Finding(
        severity="medium" if share.value >= _MUCH and total >= mentions else "low",
        sentence=f"{sentence}.", figures=tuple(figures), caution=_CAUTION, advice=advice,
        command=command,
        headline=f"{about(share.value)} of the words that may speak of {name} were left alone.",
    )  # fmt: skip
