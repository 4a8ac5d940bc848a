"""Fairscore: how often a prediction changes when the demographic terms of its text do.

Source: Qian et al., "Perturbation Augmentation for Fairer NLP", EMNLP 2022, section 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import class_labels
from fair_datasets.measures.inputs import Undefined, undefined_value
from fair_datasets.system import checks


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
    excluded: ArrayLike | None = None,
    undefined: Undefined = "nan",
) -> Fairscore:
    """Measure how often predictions change when the demographic terms of the texts do.

    Args:
        predictions: The predicted class of each original text, a whole number or a text; two
            classes or more, never logits or probabilities. Shape (N,).
        changed: Which texts the perturbation changed, 0 or 1; see `changed_texts`. Shape (N,).
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
    owner = "fairscore"
    checks.one_of(undefined, get_args(Undefined), owner=owner, parameter="undefined")
    columns = {"predictions": predictions, "counterfactual_predictions": counterfactual_predictions}
    if references is not None:
        columns["references"] = references
    classes = class_labels(columns, owner=owner).codes
    is_changed = inputs.binary(changed, "changed", owner=owner)
    left_out = None if excluded is None else inputs.binary(excluded, "excluded", owner=owner)
    given: dict[str, NDArray[Any]] = {**classes, "changed": is_changed}
    if left_out is not None:
        given["excluded"] = left_out
    inputs.same_length(given, owner=owner)
    kept = np.ones(is_changed.size, dtype=np.bool_) if left_out is None else ~left_out
    return _fairscore(
        classes["predictions"][kept],
        classes["counterfactual_predictions"][kept],
        is_changed[kept],
        classes["references"][kept] if "references" in classes else None,
        excluded=int(np.count_nonzero(~kept)),
        undefined=undefined,
    )


def changed_texts(texts: Sequence[Any], counterfactual_texts: Sequence[Any]) -> NDArray[np.bool_]:
    """Tell which texts a perturbation changed, ignoring white space.

    Returns:
        Which rows differ once runs of white space are one space and the ends are bare. Shape (N,).

    Raises:
        InputError: A text is missing or no text, or the lengths differ.

    Example:
        >>> changed_texts(["She sang.", "It rained."], ["He sang.", "It  rained. "])
        array([ True, False])
    """
    owner = "changed_texts"
    before = inputs.texts(texts, "texts", owner=owner)
    after = inputs.texts(counterfactual_texts, "counterfactual_texts", owner=owner)
    inputs.same_length({"texts": before, "counterfactual_texts": after}, owner=owner)
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
        by_perturbed = undefined_value("no row is perturbed.", undefined, owner="fairscore")
    if not changed.size:
        by_all = undefined_value("there are no rows.", undefined, owner="fairscore")
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
