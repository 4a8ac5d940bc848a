"""What a change bought and what it cost, in plain sentences."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fair_datasets.auditing.cards import BETTER, WORSE
from fair_datasets.auditing.changes import (
    NOT_COMPARED,
    Change,
    Changes,
    changes_of,
    unpaired,
)
from fair_datasets.auditing.findings import (
    CHANGE,
    COLLAPSED,
    COUNTERPARTS,
    RATIOS,
    SEVERITIES,
    Figure,
    Finding,
    Severity,
    about,
    counted,
    few_rows,
    joined,
    p_value_told,
    points,
    quoted,
    shared,
    verb,
)
from fair_datasets.auditing.parity import NEED_LABELS, SELECTION
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    from fair_datasets.auditing.dataset import Audit

_HIGH = 0.05
"""From where on a change for the worse is of high severity, at the end that is near to none."""
_HIGH_RATIO = 1.5
_TOLD = 5
"""How many comparisons a sentence names."""
_PLAIN = {
    "flip_rate": "answers that change when the words of {axis} are swapped",
    "accuracy": "right answers (accuracy)",
    "accuracy_difference": "the gap between right answers along {axis}",
    "demographic_parity_difference": "the gap between predictions of {label} along {axis}",
    "equal_opportunity_difference": "the gap between {label} rows that are found along {axis}",
    "false_positive_rate_difference": "the gap between false predictions of {label} along {axis}",
    "equalized_odds_difference": "the wider gap of found and of false {label} along {axis}",
    "precision_difference": "the gap between predictions of {label} that are right along {axis}",
    "odds_ratio": "the odds of {label} with words for {attribute}, by those of other rows",
    COUNTERPARTS: "the odds of {label} with words for {attribute}, by those with its counterpart",
    "mention_balance": "the share of {attribute} in rows that mention only one side of {axis}",
    "duplicate_share": "rows in both splits, {split}",
    "leak_share": "rows in both splits once {axis} is swapped, {split}",
    "contradiction_share": "rows whose texts have several labels",
    "missing_share": "rows without a {label}",
}
"""What the measures that may be better or worse are, in words that need no explanation."""
NUMBERS = (*RATIOS, "bias_score", "bias_score_centred", "score_shift")
_STARTS = {"better": BETTER, "worse": WORSE, "other": "Different"}
_APART = (
    "The two sides are treated as independent rows. If one was made from the other, they are not: "
    "the interval is too wide for rows that both have, and too narrow for rows that were copied "
    "or rewritten. "
)
_PAIRED = (
    "Both classifiers were asked about the same unchanged rows, and the interval is about what "
    "changes row by row. A classifier that is trained again may answer differently. "
)
_TESTS = "{tests} were made together; p is adjusted for their number, the intervals are not."
_COUNTED = "These are counts of all rows: chance plays no part in them."
_OTHER_ROWS = (
    "The two sides are about different rows: either the classifier changed, or the people whom it "
    "is asked about. "
)
_PREDICTED = (
    "flip_rate", "flip_rate_excess", "score_shift", "demographic_parity_excess",
    "equal_opportunity_excess", "false_positive_rate_excess", "accuracy_excess", *SELECTION[:2],
    *NEED_LABELS,
)  # fmt: skip
_CONSTRUCTED = (
    "Adding the counterfactual of every row makes counts exactly alike, and rows without a text "
    "get none: that says nothing about a classifier. "
)
_SHARED = (
    " The attributes are closer to each other than before, but further from rows that mention none."
)
_UNSURE = (
    "This does not show that nothing changed: the intervals show how large a change these rows "
    "still allow. "
)


def compared(before: "Audit", after: "Audit") -> Changes:
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
    found = [*_findings(pairs, is_told=not collapsed), *_settings(before, after)]
    found += _lacking(lacking)
    order = list(SEVERITIES)

    def rank(finding: Finding) -> tuple[int, bool]:
        return order.index(finding.severity), not finding.headline.startswith(BETTER)

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
        findings=tuple(map(_with_subject, [*collapsed, *sorted(found, key=rank)])),
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
    is_apart = figure.measure.endswith(("_difference", "_excess"))
    return points(figure) if is_apart else shared(figure)


def _with_subject(finding: Finding) -> Finding:
    """Say of a finding whether it is about a classifier."""
    measures = {figure.measure.removesuffix(CHANGE) for figure in finding.figures}
    is_of_classifier = bool(measures & {COLLAPSED, *_PREDICTED})
    return replace(finding, about="classifier") if is_of_classifier else finding


def _collapsed(before: "Audit", after: "Audit", pairs: Sequence[Change]) -> Iterator[Finding]:
    """Tell first that a classifier tells nothing: then nothing about it is better or worse.

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
        told = joined([f"{shared(own['accuracy'])} of {counted(own['accuracy'].rows, 'row')} {name}"
                       for name, own in sides.items()])  # fmt: skip
        is_lost = fallen == ["after"] and any(
            pair.before.measure == "accuracy" and pair.is_sure and pair.direction == "worse"
            for pair in pairs
        )
        is_note = before.asks_probe and after.asks_probe and not is_lost
        what = "The probe learned nothing" if is_note else "The classifier collapsed"
        yield Finding(
            severity="low" if is_note else "high",
            sentence=(
                f"{what} {joined(fallen)}: it is not clearly better than always giving the most "
                "frequent label, or it gives nearly all rows one label. It is right in "
                f"{told}."
            ),
            figures=tuple(own[COLLAPSED] for own in sides.values()),
            caution=(
                "No other change of its predictions counts as better or worse: a classifier that "
                "gives everybody the same answer treats everybody alike."
            ),
            headline=f"{what} {joined(fallen)}: it is hardly better than always giving one answer.",
        )


def _same_model(before: "Audit", after: "Audit") -> Iterator[Finding]:
    """Tell that nothing can change about a model that is asked twice."""
    if (model := after.settings.get("model")) and model == before.settings.get("model"):
        yield Finding(
            sentence=(
                f"Both sides ask the model {model} about the same rows, so nothing about its "
                "predictions can change."
            ),
            caution="Compare it with another one (--against-model), or leave --model out for "
            "probes that learn from each side.",
        )


def _findings(pairs: Sequence[Change], *, is_told: bool) -> Iterator[Finding]:
    """Tell the changes beyond chance one by one, and the others together."""
    # What a classifier does is better or worse only where `is_told`: it is one on both sides.
    tests = counted(sum(not math.isnan(pair.figure.p_value) for pair in pairs), "test")
    caution = _TESTS.format(tests=tests)
    for pair in pairs:
        if pair.is_sure:
            yield _sure(pair, pairs, _how(pair) + caution, is_told=is_told)
    others = [pair for pair in pairs if not pair.is_sure and not pair.is_counted]
    # The same value on both sides, without a test, is no news.
    tested = [pair for pair in others if not math.isnan(pair.figure.p_value)]
    if tested:
        number = len(tested)
        first = sorted(tested, key=lambda pair: pair.direction == "other")[:_TOLD]
        told = "; ".join(f"{_named(pair)} {written_change(pair)}" for pair in first)
        more = f"; and {number - _TOLD:,} more" if number > _TOLD else ""
        yield Finding(
            sentence=f"{counted(number, 'comparison')} {verb(number, 'shows', 'show')} no change "
            f"beyond chance, adjusted for {tests}: {told}{more}.",
            figures=tuple(pair.figure for pair in tested),
            caution=_UNSURE + "".join(dict.fromkeys(map(_how, tested))) + caution,
        )
    unknown = [pair for pair in others if math.isnan(pair.figure.p_value) and pair.figure.value]
    if unknown:
        told = "; ".join(f"{_named(pair)} {written_change(pair)}" for pair in unknown[:_TOLD])
        yield Finding(
            sentence=(
                f"{counted(len(unknown), 'figure')} {verb(len(unknown), 'has', 'have')} no "
                f"interval to tell a change from chance, such as {told}."
            ),
            figures=tuple(pair.figure for pair in unknown),
            caution="Nothing can be concluded from them.",
        )


def _sure(pair: Change, pairs: Sequence[Change], caution: str, *, is_told: bool) -> Finding:
    before, after, figure = pair.before, pair.after, pair.figure
    p_value = "" if math.isnan(figure.p_value) else f" ({p_value_told(figure)})"
    reason = _COUNTED if pair.is_counted else few_rows(figure) + caution
    start, severity = _STARTS[pair.direction], _severity(pair)
    if pair.holds_by_construction:
        start, severity = "By construction", "low"
        reason = _CONSTRUCTED + reason
    elif before.measure in _PREDICTED and not is_told:
        start, severity = _STARTS["other"], "low"
    return Finding(
        severity=severity,
        sentence=f"{start}: {_named(pair)} was {written_value(before)} of "
        f"{counted(before.rows, 'row')} before and is {written_value(after)} of "
        f"{counted(after.rows, 'row')} after: {written_change(pair)}{p_value}."
        f"{_SHARED if pair.is_shared else ''}{_beside(pair, pairs)}",
        figures=(figure,),
        caution=reason,
        headline=f"{start}: {_plain(before)}, {_glance(before)} before and {_glance(after)} after.",
    )


def _plain(figure: Figure) -> str:
    """Name a figure for who has not read what it is called."""
    plain = _PLAIN.get(figure.measure)
    if plain is None:
        return f"{_words(figure.measure)}{_of(figure)}"
    label = quoted(figure.label)
    return plain.format(
        axis=figure.axis, attribute=figure.attribute, label=label, split=figure.split
    ) + (f" of {figure.attribute}" if figure.measure == "flip_rate" and figure.attribute else "")


def _glance(figure: Figure) -> str:
    """Write a figure as it is read in passing."""
    if figure.measure in NUMBERS:
        return f"{figure.value:.2g}"
    if figure.measure.endswith(("_difference", "_excess")):
        return f"{100 * figure.value:.0f} points"
    return about(figure.value)


def _how(pair: Change) -> str:
    """Say how a change was told from chance."""
    if pair.is_paired:
        return _PAIRED
    return f"{_OTHER_ROWS if pair.before.measure in _PREDICTED else ''}{_APART}"


def _beside(pair: Change, pairs: Sequence[Change]) -> str:
    """Tell the accuracy beside a change of how people are treated, as that is what it may cost."""
    if pair.before.measure not in _PREDICTED or pair.before.measure == "accuracy":
        return ""
    own = [each for each in pairs if each.before.measure == "accuracy" and not each.before.place]
    told = (f" Accuracy was {shared(each.before)} and is {shared(each.after)}." for each in own)
    return "".join(told)


def _severity(pair: Change) -> Severity:
    """Put first what got worse by much, at the end of its interval that is near to no change."""
    if pair.direction != "worse":
        return "low"
    figure = pair.figure
    ends, limit = [figure.value] if math.isnan(figure.low) else [figure.low, figure.high], _HIGH
    if pair.before.measure in RATIOS:
        ends, limit = [math.log(end) for end in ends], math.log(_HIGH_RATIO)
    return "high" if min(map(abs, ends)) >= limit else "medium"


def _settings(before: "Audit", after: "Audit") -> Iterator[Finding]:
    """Tell that the audits were taken with other settings, if they were."""
    names = [
        name
        for name in dict.fromkeys([*before.settings, *after.settings])
        if before.settings.get(name) != after.settings.get(name)
    ]
    if not names:
        return
    told = [
        f"{name} {_setting(before, name)} before and {_setting(after, name)} after"
        for name in names
    ]
    yield Finding(
        sentence=f"The two audits have different settings: {joined(told)}.",
        caution="They may be the reason for a change.",
    )


def _setting(audit: "Audit", name: str) -> str:
    value = audit.settings.get(name)
    return "not given" if value is None else json.dumps(value, ensure_ascii=False)


def _lacking(lacking: Sequence[tuple[Figure, str]]) -> Iterator[Finding]:
    """Tell what could not be compared."""
    if not lacking:
        return
    told = [f"{_words(figure.measure)}{_of(figure)}, {why}" for figure, why in lacking[:_TOLD]]
    more = f"; and {len(lacking) - _TOLD:,} more" if len(lacking) > _TOLD else ""
    yield Finding(
        sentence=f"{counted(len(lacking), 'figure')} could not be compared: "
        f"{'; '.join(told)}{more}.",
        figures=tuple(figure for figure, _ in lacking),
        caution="They may have become better, worse or neither.",
    )


def _named(pair: Change) -> str:
    return f"{_words(pair.before.measure)}{_of(pair.before)}"


def _of(figure: Figure) -> str:
    return f" ({figure.place})" if figure.place else ""


def _words(measure: str) -> str:
    return "PMI" if measure == "pmi" else measure.replace("_", " ")
