"""What a change bought and what it cost, in plain sentences."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from fair_datasets.auditing.changes import (
    NOT_COMPARED,
    Change,
    changes_of,
    unpaired,
)
from fair_datasets.auditing.findings import (
    BETTER,
    CHANGE,
    COLLAPSED,
    RATIOS,
    SEVERITIES,
    WORSE,
    Figure,
    Finding,
    Severity,
    format_points_ci,
    format_rounded_percent,
    format_share_ci,
)
from fair_datasets.auditing.parity import NEED_LABELS, SELECTION
from fair_datasets.auditing.record import AuditRecord, Changes
from fair_datasets.auditing.templates import make_finding, render_text
from fair_datasets.auditing.texts import catalogue
from fair_datasets.system.checks import invalid

_HIGH = 0.05
"""From where on a change for the worse is of high severity, at the end that is near to none."""
_HIGH_RATIO = 1.5
_MOST_FINDINGS = 5
"""How many comparisons a sentence names."""
NUMBERS = (*RATIOS, "bias_score", "bias_score_centred", "score_shift", "name_score_shift")
_PREDICTED = (
    "flip_rate", "flip_rate_excess", "score_shift", "demographic_parity_excess",
    "equal_opportunity_excess", "false_positive_rate_excess", "accuracy_excess", *SELECTION[:2],
    "any_name_flip_rate", "name_flip_rate", "name_flip_rate_excess", "name_score_shift",
    *NEED_LABELS,
)  # fmt: skip


def compared(before: AuditRecord, after: AuditRecord) -> Changes:
    """Compare two audits."""
    answers = tuple(
        tuple(answer for part in audit.parts for answer in part.answers)
        for audit in (before, after)
    )
    pairs = changes_of(before.figures, after.figures, (answers[0], answers[1]))
    if not pairs:
        raise invalid(
            "the two audits have no figure in common; run both on the same axes, and on "
            "rows that mention them."
        )
    lacking = list(unpaired(before.figures, after.figures, pairs))
    collapsed = list(_collapsed(before, after, pairs))
    collapsed += _same_model(before, after)
    findings = [*_findings(pairs, is_accuracy_shown=not collapsed), *_settings(before, after)]
    findings += _lacking(lacking)
    order = list(SEVERITIES)

    def rank(finding: Finding) -> tuple[int, bool]:
        return order.index(finding.severity), finding.code != BETTER

    measured = {pair.before.measure for pair in pairs}
    reasons = {
        **dict.fromkeys(NOT_COMPARED, "it is not compared between audits"),
        **{figure.measure: why for figure, why in reversed(lacking)},
        **before.unmeasured,
        **after.unmeasured,
    }
    return Changes(
        before=before,
        pairs=pairs,
        findings=tuple(map(_with_subject, [*collapsed, *sorted(findings, key=rank)])),
        unmeasured={
            f"{name}{CHANGE}": why for name, why in reasons.items() if name not in measured
        },
    )


def written_change(change: Change) -> str:
    """Write a change with its interval.

    Example:
        >>> figures = [Figure(measure="flip_rate", value=value, rows=9) for value in (0.5, 0.25)]
        >>> written_change(changes_of((figures[0],), (figures[1],))[0])
        '-25.0 points'
    """
    figure, measure = change.figure, change.before.measure
    numbers = [figure.value] if math.isnan(figure.low) else [figure.value, figure.low, figure.high]
    if measure in RATIOS:
        value, *ends = [f"{number:.3g}" for number in numbers]
        value = f"a factor of {value}"
    elif measure in NUMBERS:
        value, *ends = [f"{number:+.3g}" for number in numbers]
    else:
        value, *ends = [f"{100 * number:+.1f}" for number in numbers]
        value += " points"
    return f"{value} [{', '.join(ends)}]" if ends else value


def written_value(figure: Figure) -> str:
    """Write a figure with its interval, shares as percentages.

    Example:
        >>> written_value(Figure(measure="accuracy", value=0.9, rows=10))
        '90.0%'
    """
    if figure.measure in NUMBERS:
        return str(figure)
    is_difference = figure.measure.endswith(("_difference", "_excess"))
    return format_points_ci(figure) if is_difference else format_share_ci(figure)


def _with_subject(finding: Finding) -> Finding:
    """Return a finding that says whether it is about a classifier."""
    measures = {figure.measure.removesuffix(CHANGE) for figure in finding.figures}
    is_of_classifier = bool(measures & {COLLAPSED, *_PREDICTED})
    return replace(finding, about="classifier") if is_of_classifier else finding


def _collapsed(
    before: AuditRecord, after: AuditRecord, pairs: Sequence[Change]
) -> Iterator[Finding]:
    """Report first that a classifier tells nothing: then nothing about it is better or worse.

    That rows teach a probe nothing is worth no more than a note, unless those before surely did.
    """
    sides = {
        name: {each.measure: each for each in audit.figures if not each.place}
        for name, audit in (("before", before), ("after", after))
    }
    if not all({COLLAPSED, "accuracy"} <= set(own) for own in sides.values()):
        return
    fallen = [name for name, own in sides.items() if own[COLLAPSED].value]
    if fallen:
        is_lost = fallen == ["after"] and any(
            pair.before.measure == "accuracy" and pair.is_sure and pair.direction == "worse"
            for pair in pairs
        )
        is_note = before.asks_probe and after.asks_probe and not is_lost
        yield make_finding(
            "collapsed_change", [own[COLLAPSED] for own in sides.values()],
            severity="low" if is_note else "high", fallen=fallen,
            what="The probe learned nothing" if is_note else "The classifier collapsed",
            accuracies=[own["accuracy"] for own in sides.values()],
        )  # fmt: skip


def _same_model(before: AuditRecord, after: AuditRecord) -> Iterator[Finding]:
    """Report that nothing can change about a model that is asked twice."""
    if (model := after.settings.get("model")) and model == before.settings.get("model"):
        yield make_finding("same_model", model=model)


def _findings(pairs: Sequence[Change], *, is_accuracy_shown: bool) -> Iterator[Finding]:
    """Report changes beyond chance one by one, and the others together."""
    # What a classifier does is better or worse only where `is_told`: it is one on both sides.
    tests = sum(not math.isnan(pair.figure.p_value) for pair in pairs)
    yield from (
        _sure(pair, pairs, tests, is_accuracy_shown=is_accuracy_shown)
        for pair in pairs
        if pair.is_sure
    )
    others = [pair for pair in pairs if not pair.is_sure and not pair.is_counted]
    # The same value on both sides, without a test, is no news.
    tested = [pair for pair in others if not math.isnan(pair.figure.p_value)]
    if tested:
        first = sorted(tested, key=lambda pair: pair.direction == "other")[:_MOST_FINDINGS]
        yield make_finding(
            "no_change", [pair.figure for pair in tested], tests=tests, named=_changes(first),
            more=len(tested[_MOST_FINDINGS:]), is_counted=False, **_how(tested),
        )  # fmt: skip
    unknown = [pair for pair in others if math.isnan(pair.figure.p_value) and pair.figure.value]
    if unknown:
        named = _changes(unknown[:_MOST_FINDINGS])
        yield make_finding("no_interval", [pair.figure for pair in unknown], named=named)


def _changes(pairs: Sequence[Change]) -> list[str]:
    return [f"{_named(pair)} {written_change(pair)}" for pair in pairs]


def _sure(pair: Change, pairs: Sequence[Change], tests: int, *, is_accuracy_shown: bool) -> Finding:
    code, severity, sides = "change", _severity(pair), (pair.before, pair.after)
    if pair.holds_by_construction:
        code, severity = "change_constructed", "low"
    elif pair.before.measure in _PREDICTED and not is_accuracy_shown:
        severity = "low"
    elif pair.direction != "other":
        code = BETTER if pair.direction == "better" else WORSE
    return make_finding(
        code, [pair.figure], severity=severity, pair=pair, name=_named(pair),
        plain=plain_name(pair.before), values=list(map(written_value, sides)),
        glances=list(map(_glance, sides)), change=written_change(pair),
        is_ratio=pair.before.measure in RATIOS,
        accuracies=_accuracies(pair, pairs), tests=tests, is_counted=pair.is_counted,
        **_how([] if pair.is_counted else [pair]),
    )  # fmt: skip


def plain_name(figure: Figure) -> str:
    """Name a figure for who has not read what it is called.

    Example:
        >>> plain_name(Figure(measure="accuracy", value=0.9, rows=10))
        'right answers (accuracy)'
    """
    if figure.measure not in catalogue()["plain"]:
        return f"{_words(figure.measure)}{_of(figure)}"
    return render_text("plain", figure.measure, figure=figure)


def _glance(figure: Figure) -> str:
    """Write a figure as it is read in passing."""
    if figure.measure in NUMBERS:
        return f"{figure.value:.2g}"
    if figure.measure.endswith(("_difference", "_excess")):
        return f"{100 * figure.value:.0f} points"
    return format_rounded_percent(figure.value)


def _how(pairs: Sequence[Change]) -> dict[str, Any]:
    """Return how changes were told from chance."""
    unpaired = [pair for pair in pairs if not pair.is_paired]
    return {
        "is_paired": len(unpaired) < len(pairs),
        "is_of_others": any(pair.before.measure in _PREDICTED for pair in unpaired),
        "is_unpaired": bool(unpaired),
    }


def _accuracies(pair: Change, pairs: Sequence[Change]) -> list[Change]:
    """Find the accuracy beside a change of how people are treated, as that is what it may cost."""
    if pair.before.measure not in _PREDICTED or pair.before.measure == "accuracy":
        return []
    return [each for each in pairs if each.before.measure == "accuracy" and not each.before.place]


def _severity(pair: Change) -> Severity:
    """Put first what got worse by much, at the end of its interval that is near to no change."""
    if pair.direction != "worse":
        return "low"
    figure = pair.figure
    ends, limit = [figure.value] if math.isnan(figure.low) else [figure.low, figure.high], _HIGH
    if pair.before.measure in RATIOS:
        ends, limit = [math.log(end) for end in ends], math.log(_HIGH_RATIO)
    return "high" if min(map(abs, ends)) >= limit else "medium"


def _settings(before: AuditRecord, after: AuditRecord) -> Iterator[Finding]:
    """Report that the audits were taken with other settings, if they were."""
    names = [
        name
        for name in dict.fromkeys([*before.settings, *after.settings])
        if before.settings.get(name) != after.settings.get(name)
    ]
    if not names:
        return
    named = [
        f"{name} {_setting(before, name)} before and {_setting(after, name)} after"
        for name in names
    ]
    yield make_finding("settings_differ", named=named)


def _setting(audit: AuditRecord, name: str) -> str:
    value = audit.settings.get(name)
    return "not given" if value is None else json.dumps(value, ensure_ascii=False)


def _lacking(lacking: Sequence[tuple[Figure, str]]) -> Iterator[Finding]:
    """Report what could not be compared."""
    if not lacking:
        return
    named = [
        f"{_words(figure.measure)}{_of(figure)}, {why}" for figure, why in lacking[:_MOST_FINDINGS]
    ]
    figures = [figure for figure, _ in lacking]
    yield make_finding(
        "changes_not_compared", figures, named=named, more=len(figures[_MOST_FINDINGS:])
    )


def _named(pair: Change) -> str:
    return f"{_words(pair.before.measure)}{_of(pair.before)}"


def _of(figure: Figure) -> str:
    return f" ({figure.place})" if figure.place else ""


def _words(measure: str) -> str:
    return "PMI" if measure == "pmi" else measure.replace("_", " ")
