"""Counterfactual flip rate: how often a prediction changes between a text and its counterfactual.

Source: Garg et al., "Counterfactual Fairness in Text Classification through Robustness", AIES 2019,
for the mean absolute change of the score.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.class_labels import ClassLabels, class_labels
from fair_datasets.measures.controls import FlipRateControl, flip_rate_control
from fair_datasets.measures.group_labels import GroupLabels, MissingGroup, group_labels
from fair_datasets.measures.undefined import Undefined, undefined_value
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

_OWNER = "counterfactual_flip_rate"


@dataclass(frozen=True, slots=True)
class FlipRate:
    """How often predictions flip in some rows; lower is fairer.

    Attributes:
        flip_rate: The share of rows whose prediction changes, in [0, 1]. 0: none does, as with a
            classifier that always says the same; 1: all do.
        flips: How many rows change their prediction.
        rows: How many rows there are.
        flips_to_1: How many change from 0 to 1; None where there are other classes.
        flips_to_0: How many change from 1 to 0; None where there are other classes.
        mean_absolute_score_change: The mean of |score of the counterfactual - score of the
            original|, from 0 up; at most 1 for probabilities. None without scores.
    """

    flip_rate: float
    flips: int
    rows: int
    flips_to_1: int | None
    flips_to_0: int | None
    mean_absolute_score_change: float | None


@dataclass(frozen=True, slots=True)
class CounterfactualFlipRate:
    """How often predictions flip between texts and their counterfactuals; lower is fairer.

    Attributes:
        all: Over all rows. Rows without a change of the text bring the rate down.
        changed: Over the rows whose text was changed; None if it is not known which were.
        groups: By group: over its changed rows if it is known which were, else over all its rows.
        control: The same rows beside their placebo versions; None where there are none.
    """

    all: FlipRate
    changed: FlipRate | None
    groups: dict[Hashable, FlipRate]
    control: FlipRateControl | None = None


def counterfactual_flip_rate(
    predictions: ArrayLike,
    counterfactual_predictions: ArrayLike,
    *,
    scores: ArrayLike | None = None,
    counterfactual_scores: ArrayLike | None = None,
    changed: ArrayLike | None = None,
    groups: Any = None,
    control_predictions: ArrayLike | None = None,
    control_counterfactual_predictions: ArrayLike | None = None,
    missing_group: MissingGroup = "raise",
    undefined: Undefined = "nan",
) -> CounterfactualFlipRate:
    """Measure how often predictions flip between texts and their counterfactuals.

    A flip rate alone does not tell the group from any other change of a word: give predictions for
    placebo versions as a control; see `fair_datasets.measures.controls`.

    Args:
        predictions: The predicted class of each original text, a whole number or a text; two
            classes or more. Shape (N,).
        counterfactual_predictions: The predicted class of each counterfactual. Shape (N,).
        scores: A score of each original text, such as the probability of class 1. Shape (N,).
        counterfactual_scores: The score of each counterfactual. Shape (N,).
        changed: Which texts differ from their counterfactual, 0 or 1; see `changed_texts`.
            Shape (N,).
        groups: A label per row, such as the attribute that the original text mentions. Shape (N,).
        control_predictions: The predicted class of the first placebo version of each text, in
            which other words stand in the same places, for each of K draws. Shape (N, K).
        control_counterfactual_predictions: That of the second one. Shape (N, K).
        missing_group: What to do with a row without a label: `"raise"`, or `"own"` for a group of
            such rows, named None.
        undefined: What to give where there are no rows to count: `"nan"`, `"zero"` or `"raise"`.

    Returns:
        The rates over all rows, over the changed ones, and by group; and beside their control.

    Raises:
        InputError: A value is missing or no class, the lengths differ, or there is one of the two
            scores or controls without the other.

    Example:
        >>> result = counterfactual_flip_rate([0, 1, 1, 0], [1, 1, 0, 0], changed=[1, 1, 1, 0])
        >>> result.all.flip_rate, round(result.changed.flip_rate, 3), result.changed.flips_to_1
        (0.5, 0.667, 1)
    """
    checks.one_of(undefined, get_args(Undefined), owner=_OWNER, parameter="undefined")
    columns = {
        "predictions": predictions,
        "counterfactual_predictions": counterfactual_predictions,
    }
    control_flips = _control_flips(control_predictions, control_counterfactual_predictions)
    classes = class_labels(columns, owner=_OWNER)
    score_change = _score_change(scores, counterfactual_scores)
    is_changed = None if changed is None else inputs.binary(changed, "changed", owner=_OWNER)
    labels = GroupLabels((), np.empty(0, np.intp))
    if groups is not None:
        labels = group_labels(groups, owner=_OWNER, missing_group=missing_group)
    arguments = {
        **classes.codes,
        "scores": score_change,
        "changed": is_changed,
        "groups": None if groups is None else labels.codes,
    }
    given = {name: values for name, values in arguments.items() if values is not None}
    inputs.same_length(given, owner=_OWNER)
    pairs = _Pairs(classes, score_change, undefined)
    everything = np.ones(pairs.flips.size, np.bool_)
    counted, kind = (everything, "rows") if is_changed is None else (is_changed, "changed rows")
    return CounterfactualFlipRate(
        pairs.flip_rate(everything, "rows"),
        None if is_changed is None else pairs.flip_rate(is_changed, kind),
        {
            name: pairs.flip_rate(counted & (labels.codes == code), f"{kind} in group {name!r}")
            for code, name in enumerate(labels.names)
        },
        _control(pairs.flips, control_flips, counted),
    )


def _control_flips(
    control: ArrayLike | None, counterfactual: ArrayLike | None
) -> NDArray[np.bool_] | None:
    """Tell which placebo versions are predicted unlike each other. Shape (N, K)."""
    if control is None and counterfactual is None:
        return None
    given = {
        "control_predictions": control, "control_counterfactual_predictions": counterfactual
    }  # fmt: skip
    for name, values in given.items():
        if values is None:
            raise InputError(
                f"{_OWNER}: {name} is missing, but the other control is given; give both."
            )
    arrays = {name: np.asarray(values) for name, values in given.items()}
    shapes = [array.shape for array in arrays.values()]
    if shapes[0] != shapes[1] or len(shapes[0]) != 2:
        raise InputError(
            f"{_OWNER}: control_predictions and control_counterfactual_predictions must have a row "
            f"of draws for each row, as many in both, but their shapes are {shapes[0]} and "
            f"{shapes[1]}."
        )
    found = class_labels({name: each.ravel() for name, each in arrays.items()}, owner=_OWNER)
    first, second = found.codes.values()
    flips: NDArray[np.bool_] = first != second
    return flips.reshape(shapes[0])


def _control(
    flips: NDArray[np.bool_], control: NDArray[np.bool_] | None, counted: NDArray[np.bool_]
) -> FlipRateControl | None:
    """Compare the flips of the rows that are counted with those of their placebo versions."""
    if control is None:
        return None
    inputs.same_length({"predictions": flips, "control_predictions": control[:, 0]}, owner=_OWNER)
    return flip_rate_control(flips[counted], control[counted])


def _score_change(
    scores: ArrayLike | None, counterfactual_scores: ArrayLike | None
) -> NDArray[np.float64] | None:
    """Give the absolute change of each score, if there are scores."""
    if scores is None and counterfactual_scores is None:
        return None
    if scores is None or counterfactual_scores is None:
        lacking = "scores" if scores is None else "counterfactual_scores"
        raise InputError(
            f"{_OWNER}: {lacking} is missing, but the other scores are given; give both."
        )
    before = inputs.scores(scores, "scores", owner=_OWNER)
    after = inputs.scores(counterfactual_scores, "counterfactual_scores", owner=_OWNER)
    inputs.same_length({"scores": before, "counterfactual_scores": after}, owner=_OWNER)
    return np.abs(after - before)


class _Pairs:
    """The predictions for each text and its counterfactual, and the change of the score."""

    def __init__(
        self,
        classes: ClassLabels,
        score_change: NDArray[np.float64] | None,
        undefined: Undefined,
    ) -> None:
        """Compare the predictions row by row."""
        original, counterfactual = classes.codes.values()
        self.flips = original != counterfactual
        self.rises = original < counterfactual
        self.is_binary = classes.names is None and all(
            bool(((codes == 0) | (codes == 1)).all()) for codes in (original, counterfactual)
        )
        self.score_change = score_change
        self.undefined = undefined

    def flip_rate(self, rows: NDArray[np.bool_], name: str) -> FlipRate:
        """Count over some rows, of that name."""
        size, flips = int(np.count_nonzero(rows)), int(np.count_nonzero(self.flips & rows))
        rises = int(np.count_nonzero(self.rises & rows))
        if size:
            rate = flips / size
            change = None if self.score_change is None else float(self.score_change[rows].mean())
        else:
            rate = undefined_value(f"there are no {name}.", self.undefined, owner=_OWNER)
            change = None if self.score_change is None else rate
        to_1, to_0 = (rises, flips - rises) if self.is_binary else (None, None)
        return FlipRate(rate, flips, size, to_1, to_0, change)
