"""Counterfactual flip rate: how often a prediction, or the preferred answer, changes in a twin.

Source: Garg et al., "Counterfactual Fairness in Text Classification through Robustness", AIES 2019,
for the mean absolute change of the score; Qian et al., "Perturbation Augmentation for Fairer NLP",
EMNLP 2022, section 5, for the fairscore, which counts rows that a perturbation changes.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar, get_args

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
from fair_datasets.measures.group_labels import (
    ClassLabels,
    GroupLabels,
    MissingGroup,
    class_labels,
    family_codes,
    group_labels,
)
from fair_datasets.measures.inputs import Rows, Undefined, undefined_value
from fair_datasets.measures.results import SPREAD
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid


@dataclass(frozen=True, slots=True)
class FlipRate:
    """How often predictions flip in some rows; lower is fairer.

    Attributes:
        flip_rate: The share of rows whose prediction changes, in [0, 1]. 0: none does, as with a
            classifier that always says the same; 1: all do.
        flips: How many rows flip.
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
        control: The flip rate beside that of the placebo versions: "flip_rate_control", what is in
            excess of it ("flip_rate_excess" with its interval, "low" and "high"), and "p_value" by
            the rank among the draws; None without placebo versions.
    """

    all: FlipRate = field(metadata=SPREAD)
    changed: FlipRate | None
    groups: dict[Hashable, FlipRate]
    control: FlipRateControl | None = None


def counterfactual_flip_rate(
    predictions: ArrayLike,
    counterfactual_predictions: ArrayLike,
    *,
    scores: Rows = None,
    counterfactual_scores: Rows = None,
    changed: Rows = None,
    control_predictions: Rows = None,
    control_counterfactual_predictions: Rows = None,
    families: Rows = None,
    groups: Rows = None,
    missing_group: MissingGroup = "raise",
    undefined: Undefined = "nan",
) -> CounterfactualFlipRate:
    """Measure how often predictions flip between texts and their counterfactuals.

    A flip rate alone does not tell the group from any other change of a word: give predictions for
    placebo versions as a control; see `fair_datasets.measures.controls`.

    Args:
        predictions: The predicted class of each original text, a whole number or a text; two
            classes or more, no logits. Shape (N,).
        counterfactual_predictions: The predicted class of each counterfactual. Shape (N,).
        scores: A score of each original text, such as the probability of class 1. Shape (N,).
        counterfactual_scores: The score of each counterfactual. Shape (N,).
        changed: Which texts differ from their counterfactual, 0 or 1;
            `fair_datasets.measures.changed_texts` tells it from the texts. Shape (N,).
        control_predictions: The predicted class of the first placebo version of each text, in
            which other words stand in the same places: for each row a list, one for each draw.
            Shape (N, K).
        control_counterfactual_predictions: That of the second one. Shape (N, K).
        families: The family of each row, such as `family_id`, for the interval of the control; see
            `flip_rate_control`. Shape (N,).
        groups: A group label per row, such as the attribute that the original text mentions.
            Shape (N,).
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.
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
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    columns = {"predictions": predictions, "counterfactual_predictions": counterfactual_predictions}
    control_flips = _control_flips(control_predictions, control_counterfactual_predictions)
    classes = class_labels(columns)
    score_change = _score_change(scores, counterfactual_scores)
    is_changed = None if changed is None else inputs.binary(changed, "changed")
    labels = GroupLabels((), np.empty(0, np.intp))
    if groups is not None:
        labels = group_labels(groups, missing_group=missing_group)
    arguments = {
        **classes.codes,
        "scores": score_change,
        "changed": is_changed,
        "groups": None if groups is None else labels.codes,
    }
    given = {name: values for name, values in arguments.items() if values is not None}
    own = family_codes(families, given)
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
        _defined(_control(pairs.flips, control_flips, counted, own), undefined),
    )


def _control_flips(
    control: ArrayLike | None, counterfactual: ArrayLike | None
) -> NDArray[np.bool_] | None:
    """Return which placebo versions are predicted unlike each other. Shape (N, K)."""
    if control is None and counterfactual is None:
        return None
    given = {
        "control_predictions": control, "control_counterfactual_predictions": counterfactual
    }  # fmt: skip
    for name, values in given.items():
        if values is None:
            raise invalid(f"{name} is missing, but the other control is given; give both.")
    arrays = {name: np.asarray(values) for name, values in given.items()}
    shapes = [array.shape for array in arrays.values()]
    if shapes[0] != shapes[1] or len(shapes[0]) != 2:
        raise invalid(
            "control_predictions and control_counterfactual_predictions must have a row of draws "
            f"for each row, as many in both, but their shapes are {shapes[0]} and {shapes[1]}."
        )
    labels = class_labels({name: each.ravel() for name, each in arrays.items()})
    first, second = labels.codes.values()
    flips: NDArray[np.bool_] = first != second
    return flips.reshape(shapes[0])


def _control(
    flips: NDArray[np.bool_],
    control: NDArray[np.bool_] | None,
    counted: NDArray[np.bool_],
    families: NDArray[np.intp] | None,
) -> FlipRateControl | None:
    """Compare the flips of the rows that are counted with those of their placebo versions."""
    if control is None:
        return None
    inputs.same_length({"predictions": flips, "control_predictions": control[:, 0]})
    own = None if families is None else families[counted]
    return flip_rate_control(flips[counted], control[counted], families=own)


_Control = TypeVar("_Control", FlipRateControl | None, ScoreShiftControl | None)


def _defined(control: _Control, undefined: Undefined) -> _Control:
    """Give 0 for the figures of no rows where that is asked for, and 1 for their p-value."""
    if control is None or control.rows or undefined != "zero":
        return control
    values = {each.name: getattr(control, each.name) for each in fields(control)}
    lacking = [name for name, value in values.items() if value is not None and np.isnan(value)]
    known: dict[str, Any] = {name: float(name == "p_value") for name in lacking}
    return replace(control, **known)


def _score_change(
    scores: ArrayLike | None, counterfactual_scores: ArrayLike | None
) -> NDArray[np.float64] | None:
    """Give the absolute change of each score, if there are scores."""
    if scores is None and counterfactual_scores is None:
        return None
    if scores is None or counterfactual_scores is None:
        lacking = "scores" if scores is None else "counterfactual_scores"
        raise invalid(f"{lacking} is missing, but the other scores are given; give both.")
    before = inputs.scores(scores, "scores")
    after = inputs.scores(counterfactual_scores, "counterfactual_scores")
    inputs.same_length({"scores": before, "counterfactual_scores": after})
    return np.abs(after - before)


class _Pairs:
    """The predictions for each text and its counterfactual, and the change of the score."""

    def __init__(
        self, classes: ClassLabels, score_change: NDArray[np.float64] | None, undefined: Undefined
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
            rate = undefined_value(f"there are no {name}.", self.undefined)
            change = None if self.score_change is None else rate
        to_1, to_0 = (rises, flips - rises) if self.is_binary else (None, None)
        return FlipRate(rate, flips, size, to_1, to_0, change)


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
        control: The flip rate beside that of the placebo versions: "flip_rate_control", what is in
            excess of it ("flip_rate_excess" with its interval, "low" and "high"), and "p_value" by
            the rank among the draws; None without placebo versions.
        shift_control: The signed shift of the difference, "score_shift", beside that of the placebo
            versions, with "p_value"; None without them.
    """

    all: FlipRate = field(metadata=SPREAD)
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
    changed: Rows = None,
    control_differences: Rows = None,
    control_counterfactual_differences: Rows = None,
    families: Rows = None,
    groups: Rows = None,
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
        control_differences: The difference of the first placebo version of each row, in which other
            words stand in the same places: for each row a list, one for each draw. Shape (N, K).
        control_counterfactual_differences: That of the second one. Shape (N, K).
        families: The family of each row, such as `family_id`, for the interval of the control; see
            `flip_rate_control`. Shape (N,).
        groups: A group label per row, such as the attribute that the original mentions.
            Shape (N,).
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.
        undefined: What to give where there are no rows to count: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A value is missing or not finite, the lengths differ, or there is one control
            without the other.

    Example:
        >>> found = preference_flip_rate([2.0, 0.5, -1.0], [1.5, -0.5, -1.0], changed=[1, 1, 0])
        >>> found.changed.flip_rate, found.changed.flips_to_0, found.counterfactual_accuracy
        (0.5, 1, 0.5)
    """
    read = [
        inputs.scores(values, name)
        for name, values in (
            ("differences", differences),
            ("counterfactual_differences", counterfactual_differences),
        )
    ]
    before, after = read
    lengths: dict[str, Any] = {"differences": before, "counterfactual_differences": after}
    counted = np.ones(before.size, np.bool_)
    if changed is not None:
        counted = inputs.binary(changed, "changed")
        lengths["changed"] = counted
    if isinstance(groups, Sequence | np.ndarray):
        lengths["groups"] = groups
    inputs.same_length(lengths)
    own = family_codes(families, lengths)
    control = _draws(control_differences, control_counterfactual_differences, before.size)
    rates = counterfactual_flip_rate(
        before > 0, after > 0, scores=before, counterfactual_scores=after, changed=changed,
        groups=groups, missing_group=missing_group, undefined=undefined,
    )  # fmt: skip
    # Without rows all is undefined alike.
    empty = (rates.changed or rates.all).flip_rate
    accuracy, counterfactual_accuracy = (
        float((values[counted] > 0).mean()) if counted.any() else empty for values in read
    )
    flip_control = shift_control = None
    if control is not None:
        first, second = (values[counted] for values in control)
        flips = (before > 0)[counted] != (after > 0)[counted]
        flip_control = flip_rate_control(
            flips, (first > 0) != (second > 0), families=None if own is None else own[counted]
        )
        shift_control = score_shift_control((after - before)[counted], second - first)
    return PreferenceFlipRate(
        rates.all,
        rates.changed,
        rates.groups,
        accuracy,
        counterfactual_accuracy,
        _defined(flip_control, undefined),
        _defined(shift_control, undefined),
    )


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
            raise invalid(f"{name} is missing, but the other control is given; give both.")
        read.append(read_draws(values, name, rows))
    first, second = read
    if first.shape != second.shape:
        raise invalid(
            f"there must be as many draws in both controls, but control_differences "
            f"has {first.shape[1]} and control_counterfactual_differences {second.shape[1]}."
        )
    return first, second


@dataclass(frozen=True, slots=True)
class Fairscore:
    """How often predictions change with the demographic terms of the texts; lower is fairer.

    All counts and shares are over the rows that are not excluded.

    Attributes:
        fairscore_perturbed: The share of perturbed rows whose prediction changes, in [0, 1]. 0: no
            prediction changes, as with a classifier that always says the same; 1: all do. The
            figure to compare with the tables of the paper.
        fairscore_all: The same changes by all rows, in [0, 1]; equation 1 of the paper.
        flipped: How many perturbed rows change their prediction.
        perturbed: How many rows are perturbed: the denominator of `fairscore_perturbed`.
        rows: How many rows there are: the denominator of `fairscore_all`.
        excluded: How many rows were left out.
        flipped_unperturbed: How many rows change their prediction though their text is the same.
            Anything but 0 says that the rows are not aligned or the classifier is not
            deterministic. They count in neither score.
        accuracy: The share of rows whose original prediction is right, in [0, 1]; None without
            references.
        accuracy_of_perturbed: The share of rows whose prediction for the perturbed text is right,
            in [0, 1]; None without references.
        both_correct: The share of perturbed rows of which both predictions are right, in [0, 1];
            None without references.
        neither_correct: The share of perturbed rows of which neither is right, in [0, 1]; None
            without references.
    """

    fairscore_perturbed: float
    fairscore_all: float
    flipped: int
    perturbed: int
    rows: int
    excluded: int
    flipped_unperturbed: int
    accuracy: float | None
    accuracy_of_perturbed: float | None
    both_correct: float | None
    neither_correct: float | None


def fairscore(
    predictions: ArrayLike,
    counterfactual_predictions: ArrayLike,
    changed: ArrayLike,
    references: ArrayLike | None = None,
    *,
    excluded: Rows = None,
    undefined: Undefined = "nan",
) -> Fairscore:
    """Measure how often predictions change when the demographic terms of the texts do.

    Args:
        predictions: The predicted class of each original text, a whole number or a text; two
            classes or more, never logits or probabilities. Shape (N,).
        counterfactual_predictions: The predicted class of each perturbed text. Shape (N,).
        changed: Which texts the perturbation changed, 0 or 1;
            `fair_datasets.measures.changed_texts` tells it from the texts. Shape (N,).
        references: The right class of each text, the same before and after. Shape (N,). None: no
            accuracy is given.
        excluded: Rows to leave out, 0 or 1, such as those whose right class changes with the
            demographic terms. Shape (N,).
        undefined: What to give where there are no rows to count: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A value is missing or no class, or the lengths differ.

    Example:
        >>> result = fairscore([1, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [1, 0, 0, 1])
        >>> result.fairscore_perturbed, result.fairscore_all, result.accuracy
        (0.5, 0.25, 0.75)
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    columns = {"predictions": predictions, "counterfactual_predictions": counterfactual_predictions}
    if references is not None:
        columns["references"] = references
    classes = class_labels(columns).codes
    is_changed = inputs.binary(changed, "changed")
    left_out = None if excluded is None else inputs.binary(excluded, "excluded")
    given: dict[str, NDArray[Any]] = {**classes, "changed": is_changed}
    if left_out is not None:
        given["excluded"] = left_out
    inputs.same_length(given)
    selected = np.ones(is_changed.size, dtype=np.bool_) if left_out is None else ~left_out
    return _fairscore(
        classes["predictions"][selected],
        classes["counterfactual_predictions"][selected],
        is_changed[selected],
        classes["references"][selected] if "references" in classes else None,
        excluded=int(np.count_nonzero(~selected)),
        undefined=undefined,
    )


def changed_texts(texts: Sequence[Any], counterfactual_texts: Sequence[Any]) -> NDArray[np.bool_]:
    """Return which texts a perturbation changed, ignoring white space.

    Returns:
        Which rows differ once runs of white space are one space and the ends are bare. Shape (N,).

    Raises:
        InputError: A text is missing or no text, or the lengths differ.

    Example:
        >>> changed_texts(["She sang.", "It rained."], ["He sang.", "It  rained. "])
        array([ True, False])
    """
    before = inputs.texts(texts, "texts")
    after = inputs.texts(counterfactual_texts, "counterfactual_texts")
    inputs.same_length({"texts": before, "counterfactual_texts": after})
    pairs = zip(before, after, strict=True)
    return np.array([one != two and one.split() != two.split() for one, two in pairs], dtype=bool)


def _fairscore(
    original: NDArray[np.int64],
    perturbed: NDArray[np.int64],
    changed: NDArray[np.bool_],
    references: NDArray[np.int64] | None,
    *,
    excluded: int,
    undefined: Undefined,
) -> Fairscore:
    """Count over the rows that are kept."""
    differs = original != perturbed
    flipped = int(np.count_nonzero(differs & changed))
    by_perturbed = by_all = None
    if not changed.any():
        by_perturbed = undefined_value("no row is perturbed.", undefined)
    if not changed.size:
        by_all = undefined_value("there are no rows.", undefined)
    accuracies: list[float | None] = [None] * 4
    if references is not None:
        before, after = original == references, perturbed == references
        accuracies = [
            _share(before, by_all),
            _share(after, by_all),
            _share((before & after)[changed], by_perturbed),
            _share(~(before | after)[changed], by_perturbed),
        ]
    return Fairscore(
        _share(differs[changed], by_perturbed),
        _share(differs & changed, by_all),
        flipped,
        int(np.count_nonzero(changed)),
        changed.size,
        excluded,
        int(np.count_nonzero(differs)) - flipped,
        *accuracies,
    )


def _share(rows: NDArray[np.bool_], undefined: float | None) -> float:
    """Give the share of rows, or what stands for it where there are none."""
    return int(np.count_nonzero(rows)) / rows.size if undefined is None else undefined
