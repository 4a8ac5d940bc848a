"""Preference flip rate: how often the preferred answer changes between a pair and its twin."""

import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.controls import (
    FlipRateControl,
    ScoreShiftControl,
    flip_rate_control,
    read_draws,
    score_shift_control,
)
from fair_datasets.measures.flip_rate import FlipRate, counterfactual_flip_rate
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.undefined import Undefined
from fair_datasets.system.checks import InputError, warn

_OWNER = "preference_flip_rate"


@dataclass(frozen=True, slots=True)
class PreferenceFlipRate:
    """How often the preferred answer changes between preferences and their twins; lower is fairer.

    Attributes:
        all: Over all rows; `flips_to_1` counts those where the chosen answer is preferred in the
            twin alone, and `mean_absolute_score_change` is how far the difference moves.
        changed: Over the rows that have a twin; None if it is not known which do.
        groups: By group: over its changed rows if it is known which were, else over all its rows.
        accuracy: The share of the counted rows whose chosen answer is preferred, in [0, 1].
        counterfactual_accuracy: The same of their twins.
        control: The flips beside those of placebo versions; None where there are none.
        shift_control: The signed shift of the difference beside that of placebo versions.
    """

    all: FlipRate
    changed: FlipRate | None
    groups: dict[Hashable, FlipRate]
    accuracy: float
    counterfactual_accuracy: float
    control: FlipRateControl | None = None
    shift_control: ScoreShiftControl | None = None


def preference_flip_rate(
    differences: ArrayLike,
    counterfactual_differences: ArrayLike,
    *,
    changed: ArrayLike | None = None,
    groups: Any = None,
    control_differences: ArrayLike | None = None,
    control_counterfactual_differences: ArrayLike | None = None,
    missing_group: MissingGroup = "raise",
    undefined: Undefined = "nan",
) -> PreferenceFlipRate:
    """Measure how often the preferred answer changes between preferences and their twins.

    An answer is preferred where its score is strictly higher: a difference of 0 counts as the
    rejected one, as in the accuracy of a trainer. A flip rate alone does not tell the group from
    any other change of a word: give placebo versions as a control.

    Args:
        differences: The score of the chosen answer less that of the rejected one: rewards, or
            log-likelihoods less those of a reference model. Shape (N,).
        counterfactual_differences: The same of the twin of each row. Shape (N,).
        changed: Which rows differ from their twin, 0 or 1. Shape (N,).
        groups: A label per row, such as the attribute that the original mentions. Shape (N,).
        control_differences: The difference of the first placebo version of each row, in which other
            words stand in the same places, for each of K draws. Shape (N, K).
        control_counterfactual_differences: That of the second one. Shape (N, K).
        missing_group: What to do with a row without a label: `"raise"`, or `"own"` for a group of
            such rows, named None.
        undefined: What to give where there are no rows to count: `"nan"`, `"zero"` or `"raise"`.

    Returns:
        The rates, the accuracies, and the controls over the rows that are counted.

    Raises:
        InputError: A value is missing or not finite, the lengths differ, or there is one control
            without the other.

    Example:
        >>> found = preference_flip_rate([2.0, 0.5, -1.0], [1.5, -0.5, -1.0], changed=[1, 1, 0])
        >>> found.changed.flip_rate, found.changed.flips_to_0, found.counterfactual_accuracy
        (0.5, 1, 0.5)
    """
    read = [
        inputs.scores(values, name, owner=_OWNER)
        for name, values in (
            ("differences", differences),
            ("counterfactual_differences", counterfactual_differences),
        )
    ]
    before, after = read
    lengths: dict[str, NDArray[Any]] = {"differences": before, "counterfactual_differences": after}
    counted = np.ones(before.size, np.bool_)
    if changed is not None:
        counted = inputs.binary(changed, "changed", owner=_OWNER)
        lengths["changed"] = counted
    inputs.same_length(lengths, owner=_OWNER)
    control = _draws(control_differences, control_counterfactual_differences, before.size)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = counterfactual_flip_rate(
                before > 0, after > 0, scores=before, counterfactual_scores=after, changed=changed,
                groups=groups, missing_group=missing_group, undefined=undefined,
            )  # fmt: skip
        except InputError as error:
            raise InputError(_own(error)) from None
    for each in caught:
        warn(_own(each.message), each.category)
    # Without rows all is undefined alike.
    empty = (found.changed or found.all).flip_rate
    accuracy, counterfactual_accuracy = (
        float((values[counted] > 0).mean()) if counted.any() else empty for values in read
    )
    flip_control = shift_control = None
    if control is not None:
        first, second = (values[counted] for values in control)
        flips = (before > 0)[counted] != (after > 0)[counted]
        flip_control = flip_rate_control(flips, (first > 0) != (second > 0))
        shift_control = score_shift_control((after - before)[counted], second - first)
    return PreferenceFlipRate(
        found.all,
        found.changed,
        found.groups,
        accuracy,
        counterfactual_accuracy,
        flip_control,
        shift_control,
    )


def _own(told: Exception | str) -> str:
    """Say under the name of this measure what the flip rate says."""
    own = str(told).replace("counterfactual_flip_rate: ", f"{_OWNER}: ", 1)
    return own.replace("predictions has", "differences has", 1)


def _draws(
    control: ArrayLike | None, counterfactual: ArrayLike | None, rows: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Read the differences of the placebo versions. Shape (N, K) each."""
    if control is None and counterfactual is None:
        return None
    read = []
    for name, values in (
        ("control_differences", control), ("control_counterfactual_differences", counterfactual),
    ):  # fmt: skip
        if values is None:
            raise InputError(
                f"{_OWNER}: {name} is missing, but the other control is given; give both."
            )
        read.append(read_draws(values, name, rows, _OWNER))
    first, second = read
    if first.shape != second.shape:
        raise InputError(
            f"{_OWNER}: there must be as many draws in both controls, but control_differences has "
            f"{first.shape[1]} and control_counterfactual_differences {second.shape[1]}."
        )
    return first, second
