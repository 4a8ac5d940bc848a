"""Which labels go with which attributes: PMI and odds ratios, corrected for the number of tests."""

import math
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fair_datasets.auditing.findings import (
    Figure,
    Finding,
    Part,
    about,
    counted,
    p_value_told,
    percent,
    quoted,
    severity_of,
    verb,
)
from fair_datasets.auditing.reading import Grouping, Material
from fair_datasets.auditing.settings import Commands
from fair_datasets.measures.controls import holm
from fair_datasets.measures.inputs import nan_is_enough
from fair_datasets.measures.label_association import Association, associations

_HIGH, _MEDIUM = 2.0, 1.2
"""How many times the odds must differ at least, at the near end of the interval."""
_LEVEL = 0.05
_TOLD = 3
"""How many associations of an axis are told as findings of their own; the table has all."""
_CAUTION = (
    "An association is not a cause: something else in these rows may explain the label. {tests} "
    "were made together; p is adjusted for their number, the intervals are not."
)
_NONE_CAUTION = (
    "This does not show that there is no association: the intervals show how strong an "
    "association these rows still allow."
)


def association_part(material: Material, commands: Commands) -> Part:
    """Measure how far each label goes with each attribute or group.

    Returns:
        The PMI and the odds ratio of each attribute and label, and the strongest as findings.
    """
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
    """Adjust p-values for the number of tests that could be made, by Holm's method.

    Args:
        p_values: The p-value of each test; NaN where none could be made.

    Returns:
        The adjusted p-values, NaN where there was none.
    """
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
    caution = _CAUTION.format(tests=tested[0].upper() + tested[1:])
    findings = [_told(ratio, each, caution, grouping, commands) for ratio, each in sure[:_TOLD]]
    if len(sure) > _TOLD:
        more = counted(len(sure) - _TOLD, "more association")
        findings.append(
            Finding(
                severity="low",
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
                severity="low",
                figures=tuple(defined),
                caution=_NONE_CAUTION,
                sentence=f"No association of a label with {grouping.name} was found beyond chance; "
                f"the intervals reach from odds ratios of {ends[0]:.3g} to {ends[1]:.3g}.",
            )
        )
    return findings


def _told(
    ratio: Figure, found: Association, caution: str, grouping: Grouping, commands: Commands
) -> Finding:
    """Tell one association."""
    share = found.both / found.mentioned
    others = (found.labelled - found.both) / max(1, found.rows - found.mentioned)
    which = f"that mention {found.attribute}" if grouping.axis else f"of {found.attribute}"
    whose = f"with words for {found.attribute}" if grouping.axis else which
    severity = severity_of(_near(ratio), _HIGH, _MEDIUM, ratio.p_value)
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
