"""AUCs and equality gaps of a subgroup against its background, from scores without a threshold."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import MissingGroup, one_against_rest, subgroup_masks
from fair_datasets.measures.inputs import Undefined, check_undefined, undefined_value

_OWNER = "subgroup_auc"


@dataclass(frozen=True, slots=True)
class SubgroupAUC:
    """How scores rank the rows of a subgroup among themselves, and against its background.

    The background are the rows that are not in the subgroup. In each AUC, 1 means that every
    positive row scores above every negative one, 0.5 that the scores do not tell them apart.

    Attributes:
        subgroup_auc: The AUC within the subgroup, in [0, 1].
        bpsn_auc: The AUC of background positives against subgroup negatives, in [0, 1]. Low where
            the subgroup's negatives score too high.
        bnsp_auc: The AUC of subgroup positives against background negatives, in [0, 1]. Low where
            the subgroup's positives score too low.
        positive_average_equality_gap: How much more often than not a positive row of the subgroup
            scores above one of the background, halved, in [-0.5, 0.5]. 0 means no gap; above 0 the
            subgroup scores higher.
        negative_average_equality_gap: Likewise among negative rows.
    """

    count: int
    positives: int
    subgroup_auc: float
    bpsn_auc: float
    bnsp_auc: float
    positive_average_equality_gap: float
    negative_average_equality_gap: float


@dataclass(frozen=True, slots=True)
class SubgroupAUCs:
    """The AUC of all rows, and the measures of each subgroup."""

    overall_auc: float
    groups: dict[Hashable, SubgroupAUC]


def subgroup_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: Any,
    *,
    positive: Hashable = None,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> SubgroupAUCs:
    """Compute the AUCs and the equality gaps of each subgroup.

    Each is the share of pairs of rows in which one scores above the other; ties count half. It is
    not defined where there is no such pair.

    Args:
        y_true: The references, 0 or 1. Shape (N,).
        y_score: The scores, higher for 1; finite numbers. Shape (N,).
        groups: A label per row, a list of labels per row, or a mapping of labels to masks of shape
            (N,). Groups may overlap.
        positive: The reference that counts as 1, all others as 0. None: they are 0 and 1 already.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that names
            the group and what it lacks, `"zero"`, or `"raise"`.
        missing_group: What to do where a label is missing: `"raise"`, or `"own"` for a group None.

    Raises:
        InputError: The lengths differ, a value is missing, a reference is neither 0 nor 1, or none
            is the class that counts as 1.

    Example:
        >>> found = subgroup_auc([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], {"women": [1, 1, 0, 0]})
        >>> found.overall_auc, found.groups["women"].bpsn_auc
        (0.75, 0.0)
        >>> found.groups["women"].negative_average_equality_gap
        0.5

    Source:
        Borkan et al., Nuanced Metrics for Measuring Unintended Bias with Real Data for Text
        Classification, WWW 2019.
    """
    check_undefined(undefined, owner=_OWNER)
    references = one_against_rest({"references": y_true}, positive, owner=_OWNER)["references"]
    scores = inputs.scores(y_score, "predictions", owner=_OWNER)
    inputs.same_length({"predictions": scores, "references": references}, owner=_OWNER)
    masks = subgroup_masks(groups, owner=_OWNER, missing_group=missing_group)
    for mask in masks.values():
        inputs.same_length({"predictions": scores, "groups": mask}, owner=_OWNER)
    # Sorted once, every part of the rows is sorted.
    order = np.argsort(scores)
    references, scores = references[order], scores[order]
    everything = {reference: scores[references == reference] for reference in (0, 1)}
    for reference, part in everything.items():
        if not part.size:
            reason = f"no row has reference {reference}, so no AUC is defined."
            undefined_value(reason, undefined, owner=_OWNER)
    overall = _share_above(everything[1], everything[0], undefined)
    found = {
        name: _of_subgroup(references, scores, mask[order], name, undefined)
        for name, mask in masks.items()
    }
    return SubgroupAUCs(overall, found)


def _of_subgroup(
    references: NDArray[np.bool_],
    scores: NDArray[np.float64],
    mask: NDArray[np.bool_],
    name: Hashable,
    undefined: Undefined,
) -> SubgroupAUC:
    """Compute the measures of one subgroup from sorted scores."""
    positives, negatives = scores[mask & references], scores[mask & ~references]
    background_positives = scores[~mask & references]
    background_negatives = scores[~mask & ~references]
    parts = {
        f"group {name!r} has no rows with reference 1": positives,
        f"group {name!r} has no rows with reference 0": negatives,
        f"the background of group {name!r} has no rows with reference 1": background_positives,
        f"the background of group {name!r} has no rows with reference 0": background_negatives,
    }
    for lack, part in parts.items():
        if not part.size:
            reason = f"{lack}, so some of its AUCs and equality gaps are not defined."
            undefined_value(reason, undefined, owner=_OWNER)
    return SubgroupAUC(
        count=int(mask.sum()),
        positives=positives.size,
        subgroup_auc=_share_above(positives, negatives, undefined),
        bpsn_auc=_share_above(background_positives, negatives, undefined),
        bnsp_auc=_share_above(positives, background_negatives, undefined),
        positive_average_equality_gap=_gap(positives, background_positives, undefined),
        negative_average_equality_gap=_gap(negatives, background_negatives, undefined),
    )


def _gap(
    subgroup: NDArray[np.float64], background: NDArray[np.float64], undefined: Undefined
) -> float:
    """Return how much more often than not the subgroup scores above the background, halved."""
    if not subgroup.size or not background.size:
        return 0.0 if undefined == "zero" else math.nan
    return 0.5 - _share_above(background, subgroup, undefined)


def _share_above(
    high: NDArray[np.float64], low: NDArray[np.float64], undefined: Undefined
) -> float:
    """Return the share of pairs in which the first is above the second; both are sorted."""
    # This is the Mann-Whitney statistic divided by the number of pairs: ties count half.
    if not high.size or not low.size:
        return 0.0 if undefined == "zero" else math.nan
    below = np.searchsorted(low, high, "left").sum() + np.searchsorted(low, high, "right").sum()
    return float(below / (2 * high.size * low.size))
