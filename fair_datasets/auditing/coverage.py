"""What was read along each axis, what was left alone and why, and what is missing."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.findings import Figure, Finding, Part, about, counted, percent, verb
from fair_datasets.auditing.intervals import share_of
from fair_datasets.auditing.reading import AxisReading, Material
from fair_datasets.auditing.settings import Commands
from fair_datasets.reader.matching.table import table_files

_MUCH = 0.5
"""From which share of words left alone on a finding is of medium severity."""
_WORDS = 3
_CAUTION_OF_READING = (
    "Words are read with lists and from their neighbours, in English. Slang, misspellings and "
    "other languages are missed, and a word that is read may be about somebody else."
)


def coverage_part(material: Material, commands: Commands) -> Part:
    """Count what was read along each axis, what was left alone and why, and what is missing."""
    missing = list(_missing(material))
    figures = [figure for figure, _ in missing]
    findings = [finding for _, finding in missing if finding is not None]
    for axis in material.axes:
        own = _shares_of_reading(material, axis)
        figures += own
        if material.has_text.any():
            findings.append(_finding_of_reading(material, axis, own, commands))
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
        figure = share_of("missing_share", count, total, label=what)
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
                about="limitation",
            )
        yield figure, finding


def _shares_of_reading(material: Material, axis: AxisReading) -> list[Figure]:
    """Give the shares of rows that are read and changed, and of words that are left alone."""
    total = int(np.count_nonzero(material.has_text))
    left, mentions = sum(axis.left.values()), int(axis.grouping.counts.sum())
    counts = {
        "read_share": (int(np.count_nonzero(axis.grouping.any)), total),
        "changed_share": (len(axis.changed), total),
        "left_share": (left, left + mentions - axis.kept),
    }
    *shares, words = (
        share_of(measure, *count, axis=axis.grouping.name) for measure, count in counts.items()
    )
    # Words of one row go together, so that an interval for rows would be too narrow for them.
    return [*shares, replace(words, low=math.nan, high=math.nan)]


def _finding_of_reading(
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
            f"{'all' if count == total else 'most often'} for the reason “{reason}” "
            f"({count:,}{shown})"
        )
    advice = command = ""
    given = axis.grouping.axis
    has_names = len(table_files(given, names=True)) > len(table_files(given, names=None))
    if has_names and axis.divider.swap.names is None:
        advice = f"Read names as well, which are left alone on {name} by default."
        command = commands.audit_with_names(given)
    return Finding(
        severity="medium" if share.value >= _MUCH and total >= mentions else "low",
        sentence=f"{sentence}.", figures=tuple(figures), caution=_CAUTION_OF_READING, advice=advice,
        command=command,
        headline=f"{about(share.value)} of the words that may speak of {name} were left alone.",
        about="limitation" if total else "audit",
    )  # fmt: skip
