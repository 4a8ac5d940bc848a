"""Whom the rows speak of, by split and by label; and what was read, and what was left alone."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.findings import (
    Figure,
    Finding,
    Part,
    about,
    counted,
    joined,
    percent,
    severity_of,
    shared,
    verb,
)
from fair_datasets.auditing.intervals import share_of
from fair_datasets.auditing.reading import AxisReading, Grouping, Material
from fair_datasets.auditing.settings import Commands
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.table import table_files

_MEDIUM = 0.6
"""From which share of one of two counterparts on a finding is of medium severity."""
_FEW = 0.01
"""Below which share of rows an axis is said to be hardly mentioned."""
_TOLD = 3
"""How many attributes a sentence names."""
_CAUTION = (
    "Equal shares are not a norm in themselves: the right shares depend on whom the texts should "
    "be about. Only words of the lists are counted, not people who are mentioned without one."
)


def representation_part(material: Material, commands: Commands) -> Part:
    """Count the rows that mention each attribute, over all rows, by split and by label.

    Returns:
        The shares with their intervals, and a finding for each axis and column of groups.
    """
    figures: list[Figure] = []
    findings: list[Finding] = []
    for grouping in material.groupings:
        shares = list(_shares(material, grouping))
        balances: list[Figure] = []
        if grouping.axis:
            counterparts = load_lexicon(grouping.axis).counterparts
            balances = list(_balances(material, grouping, counterparts))
        figures += [*shares, *balances]
        findings.append(_finding(material, grouping, shares, balances, commands))
    return Part(topic="representation", figures=tuple(figures), findings=tuple(findings))


def _shares(material: Material, grouping: Grouping) -> Iterator[Figure]:
    """Give the share of rows that mention each attribute: of all, by split and by label."""
    kept = material.has_text
    wheres: list[tuple[str, str, NDArray[np.bool_]]] = [("", "", kept)]
    if len(material.splits) > 1:
        wheres += [(split, "", kept & material.rows_of(split)) for split in material.splits]
    if material.labels is not None:
        wheres += [
            ("", label, kept & (material.labels.codes == code))
            for code, label in enumerate(material.labels.names)
        ]
    for split, label, rows in wheres:
        total = int(np.count_nonzero(rows))
        for attribute, count in zip(
            grouping.attributes, grouping.rows_with(rows).tolist(), strict=True
        ):
            yield share_of(
                "mention_share", count, total, axis=grouping.name, attribute=attribute,
                label=label, split=split,
            )  # fmt: skip


def _balances(
    material: Material, grouping: Grouping, counterparts: Mapping[str, str]
) -> Iterator[Figure]:
    """Compare counterparts, such as man and woman, on the rows that mention one of the two."""
    pairs = {tuple(sorted(pair)) for pair in counterparts.items()}
    splits = [""] + (list(material.splits) if len(material.splits) > 1 else [])
    for first, second in sorted(pairs):
        one, other = (grouping.mask(grouping.attributes.index(name)) for name in (first, second))
        for split in splits:
            kept = material.has_text & (material.rows_of(split) if split else True)
            counts = {
                first: int(np.count_nonzero(one & ~other & kept)),
                second: int(np.count_nonzero(other & ~one & kept)),
            }
            more = max(counts, key=lambda name: counts[name])
            total = sum(counts.values())
            yield share_of(
                "mention_balance", counts[more], total, axis=grouping.name, attribute=more,
                split=split,
            )  # fmt: skip


def _headline(balances: list[Figure]) -> str:
    """Tell in a few words which side is spoken of more, by the balance that is surest."""
    if not balances:
        return ""
    most = balances[0]
    return (
        f"Of the rows that speak of one side of {most.axis} alone, {about(most.value)} have words "
        f"for {most.attribute}."
    )


def _finding(
    material: Material,
    grouping: Grouping,
    shares: list[Figure],
    balances: list[Figure],
    commands: Commands,
) -> Finding:
    """Say whom the rows speak of along one axis."""
    overall = [figure for figure in shares if not figure.split and not figure.label]
    order = sorted(overall, key=lambda figure: -figure.value)
    total = overall[0].rows
    if not total:
        return Finding(
            severity="low",
            sentence=f"No row has a text, so nothing is known about {grouping.name}.",
            figures=tuple(overall),
        )
    if not grouping.any.any():
        return Finding(
            severity="medium",
            sentence=f"No row of {total:,} mentions any attribute of {grouping.name}.",
            figures=tuple(overall),
            caution="These rows say nothing about the axis, good or bad.",
        )
    told = [f"{figure.attribute} in {shared(figure)}" for figure in order[:_TOLD] if figure.value]
    lacking = [figure.attribute for figure in overall if not figure.value]
    more = f"; {joined(lacking[:_TOLD])}" if lacking else ""
    more += f" and {len(lacking) - _TOLD:,} others" if len(lacking) > _TOLD else ""
    more += " in none" if lacking else ""
    count = int((grouping.any & material.has_text).sum())
    does = verb(count, "mentions", "mention") if grouping.axis else verb(count, "belongs", "belong")
    sentence = (
        f"{counted(count, 'row')} of {total:,} {does} "
        f"{'an attribute' if grouping.axis else 'to a group'} of {grouping.name}: "
        f"{', '.join(told)} of the rows{more}."
    )
    first = [figure for figure in balances if not figure.split and figure.rows]
    first.sort(key=lambda figure: -figure.low)
    severity = severity_of(max((f.low for f in first), default=math.nan), math.inf, _MEDIUM)
    for figure in first:
        sentence += (
            f" Of the {counted(figure.rows, 'row')} that {verb(figure.rows, 'speaks', 'speak')} of "
            f"one side alone, {shared(figure)} {verb(figure.rows, 'mentions', 'mention')} "
            f"{figure.attribute}."
        )
    hardly = bool(grouping.axis) and grouping.any.mean() < _FEW
    caution = _CAUTION
    if hardly:
        few = f"{percent(float(grouping.any.mean()))} of the rows"
        caution = f"{few} are too few to say much about this axis. {_CAUTION}"
    advice = command = ""
    if severity != "low":
        what_for = "both sides are mentioned alike"
        advice, command = commands.advice_to_augment(grouping.axis, what_for)
    return Finding(
        severity=severity, sentence=sentence, figures=(*first, *overall), caution=caution,
        advice=advice, command=command,
        headline=_headline(first),
    )  # fmt: skip


_MUCH = 0.5
"""From which share of words left alone on a finding is of medium severity."""
_WORDS = 3
_CAUTION_OF_READING = (
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
        sentence=f"{sentence}.", figures=tuple(figures), caution=_CAUTION_OF_READING, advice=advice,
        command=command,
        headline=f"{about(share.value)} of the words that may speak of {name} were left alone.",
    )  # fmt: skip
