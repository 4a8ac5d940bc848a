"""Whom the rows speak of, by split and by label; which labels go with whom; what was left alone."""

import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
    p_value_told,
    percent,
    plain,
    quoted,
    severity_of,
    shared,
    verb,
)
from fair_datasets.auditing.intervals import share_of
from fair_datasets.auditing.reading import AxisReading, Grouping, Material
from fair_datasets.auditing.settings import Commands
from fair_datasets.lexicons import load_lexicon
from fair_datasets.measures.controls import holm
from fair_datasets.measures.inputs import nan_is_enough
from fair_datasets.measures.representation import Association, associations
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
    """Count the rows that mention each attribute, over all rows, by split and by label."""
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
    untold = len(overall) - len(lacking) - len(told)
    more = f"; {untold:,} more in others" if untold else ""
    unnamed = [f"{len(lacking) - _TOLD:,} more"] if len(lacking) > _TOLD else []
    more += f"; {joined([*lacking[:_TOLD], *unnamed])} in none" if lacking else ""
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
    if has_names and axis.swap.names is None:
        advice = f"Read names as well, which are left alone on {name} by default."
        command = commands.audit_with_names(given)
    return Finding(
        severity="medium" if share.value >= _MUCH and total >= mentions else "low",
        sentence=f"{sentence}.", figures=tuple(figures), caution=_CAUTION_OF_READING, advice=advice,
        command=command,
        headline=f"{about(share.value)} of the words that may speak of {name} were left alone.",
    )  # fmt: skip


_HIGH, _MEDIUM_ODDS = 2.0, 1.2
"""How many times the odds must differ at least, at the near end of the interval."""
_LEVEL = 0.05
"""How many associations of an axis are told as findings of their own; the table has all."""
_ASSOCIATION_CAUTION = (
    "An association is not a cause: something else in these rows may explain the label. {tests} "
    "were made together; p is adjusted for their number, the intervals are not."
)
_NONE_CAUTION = (
    "This does not show that there is no association: the intervals show how strong an "
    "association these rows still allow."
)


def association_part(material: Material, commands: Commands) -> Part:
    """Measure how far each label goes with each attribute or group."""
    names = ("odds_ratio", "pmi")
    if material.labels is None:
        why = "no column of labels is named (--label)"
        return Part(topic="association", unmeasured=dict.fromkeys(names, why))
    if len(material.labels.names) < 2:
        why = f"column {material.labels.column!r} holds fewer than two labels"
        return Part(topic="association", unmeasured=dict.fromkeys(names, why))
    found = [(grouping, _associations(material, grouping)) for grouping in material.groupings]
    figures = [(grouping, list(map(_figures, [grouping.name] * len(each), each)))
               for grouping, each in found]  # fmt: skip
    tests = [pair[0].p_value for _, pairs in figures for pair in pairs]
    in_order = iter(adjusted_p_values(tests))
    tested = counted(sum(not math.isnan(p) for p in tests), "test")
    told: list[Figure] = []
    findings: list[Finding] = []
    for (grouping, pairs), (_, each) in zip(figures, found, strict=True):
        ratios = [replace(ratio, p_value=next(in_order)) for ratio, _ in pairs]
        told += ratios + [pmi for _, pmi in pairs]
        findings += _findings(grouping, ratios, each, tested, commands)
    return Part(topic="association", figures=tuple(told), findings=tuple(findings))


def _associations(material: Material, grouping: Grouping) -> Sequence[Association]:
    """Count the rows of each attribute and label, and compare them."""
    labels = material.labels
    if labels is None:
        return ()
    kept = material.has_text & (labels.codes >= 0)
    of_row = labels.codes[grouping.rows]
    own = kept[grouping.rows]
    size = len(labels.names)
    cells = grouping.codes[own] * size + of_row[own]
    together = np.bincount(cells, minlength=len(grouping.attributes) * size).reshape(-1, size)
    labelled = np.bincount(labels.codes[kept], minlength=size)
    with nan_is_enough():
        found = associations(grouping.attributes, labels.names, together, labelled)
    # Of two labels, one says what the other does.
    return [each for each in found if size > 2 or each.label == labels.names[1]]


def _figures(axis: str, found: Association) -> tuple[Figure, Figure]:
    """Return the odds ratio and the PMI of an attribute and a label."""
    ratio = Figure(
        measure="odds_ratio", value=found.odds_ratio, rows=found.mentioned,
        low=found.odds_ratio_low, high=found.odds_ratio_high, p_value=found.p_value, axis=axis,
        attribute=found.attribute, label=str(found.label),
    )  # fmt: skip
    nan = math.nan
    return ratio, replace(ratio, measure="pmi", value=found.pmi, low=nan, high=nan, p_value=nan)


def adjusted_p_values(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for the number of tests that could be made, by Holm's method."""
    found = np.array(p_values, np.float64)
    made = ~np.isnan(found)
    if made.any():
        # Rounding may put the p-value of Fisher's test a little above 1; none is 0, only too small
        # for a float.
        found[made] = holm(np.clip(found[made], sys.float_info.min, 1.0))
    return [float(value) for value in found]


def _findings(
    grouping: Grouping,
    ratios: Sequence[Figure],
    found: Sequence[Association],
    tested: str,
    commands: Commands,
) -> list[Finding]:
    """Tell the strongest associations, or that none was found."""
    pairs = sorted(zip(ratios, found, strict=True), key=lambda pair: -_near(pair[0]))
    sure = [pair for pair in pairs if pair[0].p_value < _LEVEL]
    caution = _ASSOCIATION_CAUTION.format(tests=tested[0].upper() + tested[1:])
    findings = [_told(ratio, each, caution, grouping, commands) for ratio, each in sure[:_TOLD]]
    if len(sure) > _TOLD:
        more = counted(len(sure) - _TOLD, "more association")
        findings.append(
            Finding(
                figures=tuple(ratio for ratio, _ in sure[_TOLD:]),
                caution=caution,
                sentence=(
                    f"There {verb(len(sure) - _TOLD, 'is', 'are')} {more} with {grouping.name} "
                    f"beyond chance; the table lists {verb(len(sure) - _TOLD, 'it', 'them')}."
                ),
            )
        )
    defined = [ratio for ratio in ratios if not math.isnan(ratio.value)]
    if not sure and defined:
        ends = min(figure.low for figure in defined), max(figure.high for figure in defined)
        findings.append(
            Finding(
                figures=tuple(defined),
                caution=_NONE_CAUTION,
                sentence=f"No association of a label with {grouping.name} was found beyond chance; "
                f"the intervals reach from odds ratios of {plain(ends[0])} to {plain(ends[1])}.",
            )
        )
    return findings


def _told(
    ratio: Figure, found: Association, caution: str, grouping: Grouping, commands: Commands
) -> Finding:
    share = found.both / found.mentioned
    others = (found.labelled - found.both) / max(1, found.rows - found.mentioned)
    which = f"that mention {found.attribute}" if grouping.axis else f"of {found.attribute}"
    whose = f"with words for {found.attribute}" if grouping.axis else which
    severity = severity_of(_near(ratio), _HIGH, _MEDIUM_ODDS, ratio.p_value)
    advice = command = ""
    if severity != "low":
        what_for = "each label is as frequent with the words of one group as with those of another"
        advice, command = commands.advice_to_augment(grouping.axis, what_for)
    return Finding(
        severity=severity,
        sentence=f"Rows {which} ({grouping.name}) have the label {quoted(found.label)} "
        f"{'more' if ratio.value > 1 else 'less'} often: {percent(share)} of "
        f"{counted(found.mentioned, 'row')}, against {percent(others)} of the others; odds ratio "
        f"{ratio} ({p_value_told(ratio)}).",
        figures=(ratio,),
        caution=caution,
        advice=advice,
        command=command,
        headline=f"Rows {whose} are labelled {quoted(found.label)} {about(share)} of the time, "
        f"other rows {about(others)}.",
    )


def _near(ratio: Figure) -> float:
    """Return how many times the odds differ, at the end of the interval that is nearest to 1."""
    if math.isnan(ratio.value) or ratio.low <= 1 <= ratio.high:
        return 1.0
    return ratio.low if ratio.value > 1 else 1 / ratio.high
