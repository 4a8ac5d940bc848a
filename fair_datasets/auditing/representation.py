"""Whom the rows speak of: how many mention each attribute, by split and by label."""

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.axes import Grouping
from fair_datasets.auditing.commands import Commands
from fair_datasets.auditing.findings import Figure, Finding, Part
from fair_datasets.auditing.intervals import wilson
from fair_datasets.auditing.reading import Material
from fair_datasets.auditing.wording import (
    about,
    counted,
    joined,
    percent,
    severity_of,
    shared,
    verb,
)
from fair_datasets.lexicons import load_lexicon

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
            low, high = wilson(count, total)
            yield Figure(
                measure="mention_share", value=count / total if total else math.nan, rows=total,
                low=low, high=high, axis=grouping.name, attribute=attribute, label=label,
                split=split,
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
            low, high = wilson(counts[more], total)
            yield Figure(
                measure="mention_balance", value=counts[more] / total if total else math.nan,
                rows=total, low=low, high=high, axis=grouping.name, attribute=more, split=split,
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
