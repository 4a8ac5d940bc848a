"""Predictions that stand in a column of the rows."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classes import Classes
from fair_datasets.auditing.controls import CONTROLLED
from fair_datasets.auditing.findings import COLLAPSED, Figure, Finding, Part
from fair_datasets.auditing.intervals import wilson
from fair_datasets.auditing.parity import NEED_LABELS, Predicted, parity_part
from fair_datasets.auditing.reading import Material
from fair_datasets.auditing.settings import OWNER
from fair_datasets.auditing.wording import counted, percent, quoted, shared
from fair_datasets.system.checks import InputError, listed_few

_NEARLY_ALL = 0.99
"""From which share of rows with one prediction on a classifier tells nobody from anybody."""


def predictions_part(material: Material) -> Part:
    """Compare the predictions of a column between attributes and between groups.

    The rows of an attribute are those that mention it and no other of its axis.

    Returns:
        The differences, and what needs a model to be measured.

    Raises:
        InputError: The predictions and the labels have no class in common.
    """
    classes, predictions, references = _together(material)
    name = material.predictions.column if material.predictions else ""
    keys = material.hashes
    several = [
        Predicted(each.name, each.attributes, each.alone, predictions, references, classes, keys)
        for each in material.groupings
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
            f"The column {quoted(name)}", predictions[known], references[known]
        )
        figures += own
        findings.append(finding)
        answers.append(Predicted.of_all(predictions, references, classes, keys))
    return Part(
        topic=part.topic, figures=tuple(figures), findings=tuple(findings), unmeasured=unmeasured,
        notes=("Rows of an attribute are those that mention it and no other of its axis.",),
        answers=tuple(answers),
    )  # fmt: skip


def accuracy_of(
    name: str, predictions: NDArray[np.int64], references: NDArray[np.int64], *, caution: str = ""
) -> tuple[tuple[Figure, ...], Finding]:
    """Say how often predictions are right.

    Args:
        predictions: The class of each row. Shape (N,), N > 0.
        references: The label of each row. Shape (N,).
        caution: What the predictions do not show.

    Returns:
        The accuracy, and whether the classifier collapsed; and a finding beside what the most
        frequent label would reach.

    Example:
        >>> figures, _ = accuracy_of("It", np.array([0, 1, 1]), np.array([0, 1, 0]))
        >>> [round(figure.value, 2) for figure in figures]
        [0.67, 1.0]
    """
    right, total = int(np.count_nonzero(predictions == references)), len(references)
    low, high = wilson(right, total)
    usual = float(np.bincount(references).max() / total)
    figure = Figure(measure="accuracy", value=right / total, rows=total, low=low, high=high)
    said = float(np.bincount(predictions).max() / total)
    is_weak = low <= usual or said >= _NEARLY_ALL
    more = ", which is not clearly less, so its answers count for little" if low <= usual else ""
    if said >= _NEARLY_ALL:
        more += f"; it gives {percent(said)} of them one label"
    collapsed = replace(
        figure, measure=COLLAPSED, value=float(is_weak), low=math.nan, high=math.nan
    )
    finding = Finding(
        severity="medium" if is_weak else "low",
        sentence=f"{name} is right in {shared(figure)} of {counted(total, 'row')}; always saying "
        f"the most frequent label would be right in {percent(usual)}{more}.",
        figures=(figure,),
        caution=caution,
        advice="Use a better classifier before you conclude anything from its answers."
        if is_weak
        else "",
        headline=f"{name} is hardly better than always giving one answer." if is_weak else "",
    )
    return (figure, collapsed), finding


def _together(
    material: Material,
) -> tuple[
    tuple[str, ...],
    NDArray[np.int64],
    NDArray[np.int64] | None,
]:
    """Return the classes, the predictions and the references in one numbering."""
    found, labels = material.predictions, material.labels
    if found is None:
        raise InputError(f"{OWNER}: there is no column of predictions; name it.")
    if labels is None:
        return found.names, found.codes, None
    if found.names and labels.names and not set(_as_labels(found, labels)) & set(labels.names):
        raise InputError(
            f"{OWNER}: column {found.column!r} predicts {listed_few(found.names)}, but the labels "
            f"in {labels.column!r} are {listed_few(labels.names)}; write both alike."
        )
    predicted = _as_labels(found, labels)
    names = (*labels.names, *(name for name in predicted if name not in labels.names))
    places = [names.index(name) for name in predicted]
    return names, np.array([*places, -1], np.int64)[found.codes], labels.codes


def _as_labels(found: Classes, labels: Classes) -> Sequence[str]:
    """Return the predicted classes as the labels are written; numbers stand for their names."""
    if set(found.names) & set(labels.names) or not (found.are_numbers and labels.are_numbers):
        return found.names
    named = dict(zip(labels.numbers, labels.names, strict=True))
    numbered = zip(found.numbers, found.names, strict=True)
    return [named.get(number, name) for number, name in numbered]
