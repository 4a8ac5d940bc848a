"""Parity of predictions between groups of different rows, and how often predictions are right."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput
from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.findings import (
    COLLAPSED,
    LEVEL,
    Figure,
    Finding,
    Part,
    quoted,
    severity_of,
)
from fair_datasets.auditing.intervals import (
    Difference,
    groups_difference,
    independent_rows,
    share_of,
    worst_of,
)
from fair_datasets.auditing.representation import adjusted_p_values
from fair_datasets.auditing.templates import make_finding, render_text
from fair_datasets.system.checks import format_first, invalid

HIGH, MEDIUM = 0.1, 0.02
"""How far the rates of groups must lie apart at least, at the near end of the interval."""


class Rate(NamedTuple):
    """A share of rows that is compared between groups."""

    name: str
    difference: str


SELECTION = Rate("selection_rate", "demographic_parity_difference")
OPPORTUNITY = Rate("true_positive_rate", "equal_opportunity_difference")
FALSE_POSITIVES = Rate("false_positive_rate", "false_positive_rate_difference")
PRECISION = Rate("precision", "precision_difference")
ACCURACY = Rate("accuracy", "accuracy_difference")
NEED_LABELS = (
    *(name for rate in (OPPORTUNITY, FALSE_POSITIVES, PRECISION, ACCURACY) for name in rate[:2]),
    "false_negative_rate",
    "equalized_odds_difference",
    COLLAPSED,
)
"""The figures that need labels."""
CONTROLLED = (
    *("flip_rate_control", "flip_rate_excess", "score_shift", "score_shift_control"),
    *("demographic_parity_excess", "equal_opportunity_excess", "false_positive_rate_excess"),
    "accuracy_excess",
)
"""The figures that need placebos."""


class Predicted(NamedTuple):
    """Rows with predictions and groups.

    Attributes:
        name: The axis, or `column` and the name of a column.
        codes: The group of each row; -1 for rows of none. Shape (N,).
        references: The class of each row; -1 where there is none. None without labels. Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).
    """

    name: str
    groups: tuple[str, ...]
    codes: NDArray[np.int64]
    predictions: NDArray[np.int64]
    references: NDArray[np.int64] | None
    classes: tuple[str, ...]
    keys: NDArray[np.uint64]
    families: NDArray[np.intp]

    @classmethod
    def of_all(
        cls,
        predictions: NDArray[np.int64],
        references: NDArray[np.int64],
        classes: tuple[str, ...],
        keys: NDArray[np.uint64],
        families: NDArray[np.intp],
    ) -> "Predicted":
        """Return rows that are in no group."""
        groups = np.full(len(keys), -1)
        return cls("", (), groups, predictions, references, classes, keys, families)


class Compared(NamedTuple):
    """A rate that was compared between groups, or between versions of the same rows.

    Attributes:
        figure: How far they lie apart; NaN where fewer than two have the rows for it.
        within: The same difference, with an interval that holds together with another rate's.
    """

    rate: Rate
    figure: Figure
    groups: tuple[Figure, ...]
    lacking: tuple[str, ...]
    within: Difference


def parity_part(topic: str, several: Sequence[Predicted]) -> Part:
    """Compare predictions between groups."""
    compared = [each for rows in several for each in _compared(rows)]
    p_values = adjusted_p_values([each.figure.p_value for each in compared])
    compared = [
        each._replace(figure=replace(each.figure, p_value=p_value))
        for each, p_value in zip(compared, p_values, strict=True)
    ]
    rates = rates_of(compared)
    differences = [each.figure for each in compared]
    tests = sum(not math.isnan(p_value) for p_value in p_values)
    return Part(
        topic=topic,
        figures=(*rates, *differences, *odds_of(compared)),
        findings=tuple(_findings(compared, tests)),
        answers=tuple(several),
    )


def targets(classes: Sequence[str]) -> range:
    """Return the classes that are compared with the rest: of two, the second says all."""
    return range(1, 2) if len(classes) == 2 else range(len(classes))


def shared_by(
    rate: Rate, target: int, predictions: NDArray[np.int64], references: NDArray[np.int64] | None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return of which rows a rate is a share, and which of these it counts.

    Args:
        predictions: The predicted class of each row; -1 where there is none. Shape (N,).
        references: The class of each row; -1 where there is none. Shape (N,).

    Returns:
        The rows that are counted, and those that it is a share of. Shapes (N,).

    Example:
        >>> counted, among = shared_by(OPPORTUNITY, 1, np.array([1, 0, 1]), np.array([1, 1, 0]))
        >>> counted.tolist(), among.tolist()
        ([True, False, True], [True, True, False])
    """
    has_prediction, predicted = predictions >= 0, predictions == target
    if rate is SELECTION or references is None:
        return predicted, has_prediction
    known, positive = has_prediction & (references >= 0), references == target
    if rate is ACCURACY:
        return predictions == references, known
    if rate is PRECISION:
        return positive, known & predicted
    return predicted, known & (positive if rate is OPPORTUNITY else ~positive)


def _compared(rows: Predicted) -> Iterator[Compared]:
    """Compare the groups by each rate, of one label after the other against the rest."""
    rates = (SELECTION, OPPORTUNITY, FALSE_POSITIVES, PRECISION)
    for target in targets(rows.classes):
        for rate in rates if rows.references is not None else rates[:1]:
            yield _compare(rows, rate, target)
    if rows.references is not None:
        yield _compare(rows, ACCURACY, None)


def _compare(rows: Predicted, rate: Rate, target: int | None) -> Compared:
    counted, among = shared_by(rate, target or 0, rows.predictions, rows.references)
    among = among & (rows.codes >= 0)
    size, label = len(rows.groups), "" if target is None else rows.classes[target]
    codes = [np.flatnonzero(among & (rows.codes == code)) for code in range(size)]
    worth = [independent_rows(counted[own], rows.families[own]) for own in codes]
    totals = [len(own) for own in codes]
    counts = [int(np.count_nonzero(counted[own])) for own in codes]
    is_there = np.bincount(rows.codes[rows.codes >= 0], minlength=size).astype(bool)
    groups = tuple(
        share_of(
            rate.name, count, total, axis=rows.name, attribute=group, label=label, independent=own
        )
        for group, count, total, own in zip(rows.groups, counts, totals, worth, strict=True)
        if total
    )
    cells = [cell for cell in zip(counts, totals, worth, strict=True) if cell[1]]
    between, within = (
        groups_difference(
            [cell[0] for cell in cells], [cell[1] for cell in cells], comparisons=comparisons,
            independent=[cell[2] for cell in cells],
        )
        for comparisons in (1, 2)
    )  # fmt: skip
    figure = Figure(
        measure=rate.difference, **between._asdict(), axis=rows.name, label=label,
        rows=sum(totals) if len(cells) > 1 else 0,
    )  # fmt: skip
    each = zip(rows.groups, totals, is_there, strict=True)
    lacking = tuple(name for name, total, has_rows in each if has_rows and not total)
    return Compared(rate, figure, groups, lacking, within)


def rates_of(compared: Sequence[Compared]) -> list[Figure]:
    """Return the rates of groups or versions, and of misses, which say what the true ones do."""
    rates = [group for each in compared for group in each.groups]
    return rates + [
        replace(
            rate, measure="false_negative_rate", value=1 - rate.value, low=1 - rate.high,
            high=1 - rate.low,
        )
        for rate in rates
        if rate.measure == OPPORTUNITY.name
    ]  # fmt: skip


def odds_of(compared: Sequence[Compared]) -> Iterator[Figure]:
    """Give the worse of the two rates of equalized odds, as fairlearn has it.

    A mean would hide half of a harm. It is surely there where one of the two is.
    """
    for true, false in pairwise(compared):
        if true.rate is not OPPORTUNITY:
            continue
        worst = worst_of([true.within, false.within])
        p_value = min(true.figure.p_value, false.figure.p_value)
        yield Figure(
            measure="equalized_odds_difference", value=worst.value, low=worst.low, high=worst.high,
            p_value=math.nan if math.isnan(worst.value) else p_value,
            rows=true.figure.rows + false.figure.rows, axis=true.figure.axis,
            label=true.figure.label,
        )  # fmt: skip


def _findings(compared: Sequence[Compared], tests: int) -> Iterator[Finding]:
    """Report differences beyond chance one by one, the surely largest first; then the others."""
    sure = [each for each in compared if each.figure.p_value < LEVEL]
    for each in sorted(sure, key=lambda each: -each.figure.low):
        yield _sure(each, tests)
    if lacking := [each.figure for each in compared if math.isnan(each.figure.value)]:
        yield make_finding("groups_not_compared", lacking)
    if others := [each.figure for each in compared if each.figure.p_value >= LEVEL]:
        yield make_finding("groups_not_apart", others, tests=tests)


def _sure(compared: Compared, tests: int) -> Finding:
    """Report a difference by the two groups that lie apart most."""
    figure, groups = compared.figure, compared.groups
    most, least = (pick(groups, key=lambda group: group.value) for pick in (max, min))
    return make_finding(
        "groups_differ", [figure], severity=severity_of(figure.low, HIGH, MEDIUM, figure.p_value),
        start=render_text("starts", figure.measure, label=figure.label), most=most, least=least,
        lacking=compared.lacking, tests=tests,
    )  # fmt: skip


_NEARLY_ALL = 0.99
"""From which share of rows with one prediction on a classifier tells nobody from anybody."""


def predictions_part(data: AuditInput) -> Part:
    """Compare the predictions of a column between attributes and between groups.

    The rows of an attribute are those that mention it and no other of its axis.
    """
    classes, predictions, references = _aligned_codes(data)
    name = data.predictions.column if data.predictions else ""
    of_rows = (predictions, references, classes, data.hashes, data.families)
    several = [
        Predicted(each.name, each.attributes, each.alone, *of_rows) for each in data.groupings
    ]
    part = parity_part("predictions", several)
    why = (
        "the column of predictions says nothing about swapped texts; give the classifier itself "
        "(--model), or leave --predictions out for a probe"
    )
    unmeasured = dict.fromkeys(("flip_rate", *CONTROLLED), why)
    if references is None:
        unmeasured |= dict.fromkeys(NEED_LABELS, "no column of labels is named (--label)")
    figures, findings, answers = list(part.figures), list(part.findings), list(part.answers)
    known = np.zeros(0, np.bool_) if references is None else (predictions >= 0) & (references >= 0)
    if references is not None and known.any():
        own, finding = accuracy_of(
            f"The column {quoted(name)}", predictions[known], references[known],
            data.families[known],
        )  # fmt: skip
        figures += own
        findings.append(finding)
        answers.append(Predicted.of_all(predictions, references, *of_rows[2:]))
    return Part(
        topic=part.topic, figures=tuple(figures), findings=tuple(findings), unmeasured=unmeasured,
        notes=("Rows of an attribute are those that mention it and no other of its axis.",),
        answers=tuple(answers),
    )  # fmt: skip


def accuracy_of(
    name: str,
    predictions: NDArray[np.int64],
    references: NDArray[np.int64],
    families: NDArray[np.intp],
    *,
    caution: str = "",
) -> tuple[tuple[Figure, ...], Finding]:
    """Measure how often predictions are right.

    Args:
        predictions: The class of each row. Shape (N,), N > 0.
        references: The label of each row. Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).

    Example:
        >>> figures, _ = accuracy_of("It", np.array([0, 1, 1]), np.array([0, 1, 0]), np.arange(3))
        >>> [round(figure.value, 2) for figure in figures]
        [0.67, 1.0]
    """
    is_right, total = predictions == references, len(references)
    figure = share_of(
        "accuracy", int(np.count_nonzero(is_right)), total,
        independent=independent_rows(is_right, families),
    )  # fmt: skip
    usual = float(np.bincount(references).max() / total)
    majority = float(np.bincount(predictions).max() / total)
    is_near = figure.low <= usual
    is_weak = is_near or majority >= _NEARLY_ALL
    collapsed = replace(
        figure, measure=COLLAPSED, value=float(is_weak), low=math.nan, high=math.nan
    )
    finding = make_finding(
        "accuracy", [figure], severity="medium" if is_weak else "low", name=name, usual=usual,
        is_near=is_near, is_one=majority >= _NEARLY_ALL, majority=majority, of_whom=caution,
    )  # fmt: skip
    return (figure, collapsed), finding


def _aligned_codes(
    data: AuditInput,
) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the classes, the predictions and the references in one numbering."""
    outputs, labels = data.predictions, data.labels
    if outputs is None:
        raise invalid("there is no column of predictions; name it.")
    if labels is None:
        return outputs.names, outputs.codes, None
    if outputs.names and labels.names and not set(_as_labels(outputs, labels)) & set(labels.names):
        raise invalid(
            f"column {outputs.column!r} predicts {format_first(outputs.names)}, but the labels "
            f"in {labels.column!r} are {format_first(labels.names)}; write both alike."
        )
    predicted = _as_labels(outputs, labels)
    names = (*labels.names, *(name for name in predicted if name not in labels.names))
    places = [names.index(name) for name in predicted]
    return names, np.array([*places, -1], np.int64)[outputs.codes], labels.codes


def _as_labels(outputs: Classes, labels: Classes) -> Sequence[str]:
    """Return the predicted classes as the labels are written; numbers stand for their names."""
    if set(outputs.names) & set(labels.names) or not (outputs.are_numbers and labels.are_numbers):
        return outputs.names
    named = dict(zip(labels.numbers, labels.names, strict=True))
    numbered = zip(outputs.numbers, outputs.names, strict=True)
    return [named.get(number, name) for number, name in numbered]
