"""How far groups' error rates lie from those of all rows, two groups' apart, and subgroups' AUC."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import MissingGroup, one_against_rest, subgroup_masks
from fair_datasets.measures.group_table import (
    GroupRates,
    GroupTable,
    RateName,
    count_groups,
    rate_of,
    rates_by_group,
    read_cells,
    report_undefined,
)
from fair_datasets.measures.inputs import Undefined, check_undefined, scalar, undefined_value
from fair_datasets.measures.results import plain
from fair_datasets.system.checks import invalid


@dataclass(frozen=True, slots=True)
class ErrorRateEquality:
    """How far each group's error rates lie from those of all rows.

    The two sums grow with the number of groups; compare them only over the same groups.

    Attributes:
        false_positive_equality_difference: The sum over groups of the distances between the group's
            false positive rate and that of all rows (FPED), 0 or more. Lower is fairer; 0 means
            that every group has the rate of all rows.
        false_negative_equality_difference: Likewise for false negative rates (FNED).
        false_positive_terms: Each group's term of the first sum, by its label.
        false_negative_terms: Each group's term of the second sum.
    """

    false_positive_equality_difference: float
    false_negative_equality_difference: float
    false_positive_terms: dict[Hashable, float]
    false_negative_terms: dict[Hashable, float]
    overall: GroupRates
    groups: dict[Hashable, GroupRates]


def error_rate_equality(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    positive: Hashable = None,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> ErrorRateEquality:
    """Sum the distances between each group's error rates and those of all rows.

    Groups may overlap, and rows may belong to none; such rows count among all rows. A group without
    rows of one reference has no such rate, and the sum is then not defined.

    Args:
        y_true: The true classes, 0 or 1, or others with `positive`. Shape (N,).
        y_pred: The predicted classes, 0 or 1, or others with `positive`; not probabilities or
            logits. Shape (N,).
        groups: A group label per row, or a list of labels per row, which may be empty: rows may
            belong to several groups or to none. The function also takes a mapping of labels to
            masks of shape (N,).
        positive: The class that counts as 1, if classes are texts or there are more than two; all
            others count as 0. None if the classes are 0 and 1.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for 0, as in fairlearn, or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.

    Raises:
        InputError: The lengths differ, a value is missing, something is neither 0 nor 1, or no row
            has the class that counts as 1.

    Example:
        >>> found = error_rate_equality([0, 0, 1, 0, 0, 1], [1, 0, 1, 0, 0, 1],
        ...     ["a", "a", "a", "b", "b", "b"])
        >>> found.false_positive_equality_difference
        0.5
        >>> found.false_positive_terms
        {'a': 0.25, 'b': 0.25}

    Source:
        Dixon et al., Measuring and Mitigating Unintended Bias in Text Classification, AIES 2018.
    """
    check_undefined(undefined)
    cells = read_cells(y_true, y_pred, positive=positive)
    masks = subgroup_masks(groups, missing_group=missing_group)
    for mask in masks.values():
        inputs.same_length({"predictions": cells, "groups": mask})
    counts = np.array([np.bincount(cells[mask], minlength=4) for mask in masks.values()], np.int64)
    table = GroupTable(tuple(masks), counts.reshape(-1, 2, 2), True)
    whole = GroupTable(("all rows",), np.bincount(cells, minlength=4).reshape(1, 2, 2), True)
    report_undefined(table, ("false_negative_rate", "false_positive_rate"), undefined)
    lacking = 0.0
    if not masks or (len(masks) == 1 and (counts.sum() == len(cells))):
        reason = "the only group is all rows; a comparison needs a smaller one."
        lacking = undefined_value(reason, undefined)
    false_positive = _terms(table, whole, "false_positive_rate", undefined)
    false_negative = _terms(table, whole, "false_negative_rate", undefined)
    return ErrorRateEquality(
        sum(false_positive.values()) + lacking,
        sum(false_negative.values()) + lacking,
        false_positive,
        false_negative,
        rates_by_group(whole, undefined)["all rows"],
        rates_by_group(table, undefined),
    )


def plain_error_rates(equality: ErrorRateEquality) -> dict[str, Any]:
    """Write error rate equality as a dictionary.

    Returns:
        false_positive_equality_difference: The sum over groups of the distances between the group's
            false positive rate and that of all rows (FPED), 0 or more. Lower is fairer.
        false_negative_equality_difference: Likewise for false negative rates (FNED).
        overall: The counts and rates of all rows.
        groups: One dictionary per group: its label as "group", its counts and its rates, and its
            terms of the two sums.
    """
    written: dict[str, Any] = plain(equality)
    terms = {
        name: written.pop(f"{name}s") for name in ("false_positive_term", "false_negative_term")
    }
    for row in written["groups"]:
        row |= {name: values[row["group"]] for name, values in terms.items()}
    return written


def _terms(
    table: GroupTable, whole: GroupTable, rate: RateName, undefined: Undefined
) -> dict[Hashable, float]:
    """Return the distance of each group's rate from that of all rows."""
    distances = np.abs(
        rate_of(table.counts, rate, undefined) - rate_of(whole.counts, rate, undefined)
    )
    return dict(zip(table.names, distances.tolist(), strict=True))


_RATES: tuple[RateName, ...] = ("true_positive_rate", "false_positive_rate")


@dataclass(frozen=True, slots=True)
class RateDifference:
    """How the rates of one group differ from those of another.

    Attributes:
        true_positive_rate_difference: The rate of the first group less that of the second (TPRD),
            in [-1, 1]. 0 means equal rates; above 0 the first group is found more often.
        false_positive_rate_difference: Likewise for false positive rates (FPRD).
        absolute_true_positive_rate_difference: The first without its sign, in [0, 1]. Lower is
            fairer.
        absolute_false_positive_rate_difference: The second without its sign.
        order: The two groups: the first less the second.
        groups: The counts and rates of all groups.
    """

    true_positive_rate_difference: float
    false_positive_rate_difference: float
    absolute_true_positive_rate_difference: float
    absolute_false_positive_rate_difference: float
    order: tuple[Hashable, Hashable]
    groups: dict[Hashable, GroupRates]


def rate_difference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: Any,
    *,
    order: Sequence[Hashable] | None = None,
    positive: Hashable = None,
    undefined: Undefined = "nan",
    missing_group: MissingGroup = "raise",
) -> RateDifference:
    """Subtract the true and the false positive rate of one group from those of another.

    Args:
        y_true: The true classes, 0 or 1, or others with `positive`. Shape (N,).
        y_pred: The predicted classes, 0 or 1, or others with `positive`; not probabilities or
            logits. Shape (N,).
        groups: A group label per row: strings, whole numbers or booleans, or tuples of them.
            Shape (N,).
        order: The labels of the two groups to compare; the second is subtracted. It can be left out
            where there are just two groups, which are then compared in their sorted order.
        positive: The class that counts as 1, if classes are texts or there are more than two; all
            others count as 0. None if the classes are 0 and 1.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for 0, as in fairlearn, or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.

    Raises:
        InputError: A group of the order does not exist, the lengths differ, a value is missing,
            something is neither 0 nor 1, or no row has the class that counts as 1.

    Example:
        >>> found = rate_difference([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1],
        ...     ["w", "w", "m", "m", "w", "m"], order=("w", "m"))
        >>> found.true_positive_rate_difference, found.false_positive_rate_difference
        (0.5, -1.0)

    Source:
        De-Arteaga et al., Bias in Bios, FAT* 2019 (true positive rates); Tokpo and Calders, 2023.
    """
    check_undefined(undefined)
    table = count_groups(y_true, y_pred, groups, positive=positive, missing_group=missing_group)
    rows = _compared(table, order)
    counts = table.counts[rows]
    pair = GroupTable(tuple(table.names[row] for row in rows), counts, True)
    report_undefined(pair, _RATES, undefined)
    rates = [rate_of(counts, rate, undefined).tolist() for rate in _RATES]
    true_positive, false_positive = (first - second for first, second in rates)
    return RateDifference(
        true_positive,
        false_positive,
        abs(true_positive),
        abs(false_positive),
        (pair.names[0], pair.names[1]),
        rates_by_group(table, undefined),
    )


def _compared(table: GroupTable, order: Sequence[Hashable] | None) -> list[int]:
    """Return the positions of the two groups that are compared."""
    names = list(table.names)
    listing = ", ".join(map(repr, names)) or "none"
    if order is None and len(names) != 2:
        raise invalid(
            f"order must name the two groups to compare, because there are not "
            f"exactly two; the groups are {listing}."
        )
    chosen = names if order is None else order
    if (
        isinstance(chosen, str | Mapping)
        or not hasattr(chosen, "__getitem__")
        or len(chosen) != 2
        or chosen[0] == chosen[1]
    ):
        raise invalid(f"order must be two different groups, but it is {order!r}.")
    chosen = [scalar(name) for name in chosen]
    for name in chosen:
        if name not in names:
            raise invalid(f"there is no group {name!r}; the groups are {listing}.")
    return [names.index(name) for name in chosen]


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
    """The AUC of all rows, and the measures of each subgroup.

    Attributes:
        overall_auc: The AUC of all rows, from 0 to 1. Higher is better.
        groups: The measures of each subgroup.
    """

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
        y_true: The true classes, 0 or 1, or others with `positive`. Shape (N,).
        y_score: The scores: finite numbers, higher for class 1. Not classes. Shape (N,).
        groups: A group label per row, or a list of labels per row, which may be empty: rows may
            belong to several groups or to none. The function also takes a mapping of labels to
            masks of shape (N,).
        positive: The class that counts as 1, if classes are texts or there are more than two; all
            others count as 0. None if the classes are 0 and 1.
        undefined: What to give for a value that is not defined: `"nan"` with a warning that says
            why, `"zero"` for 0, as in fairlearn, or `"raise"`.
        missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
            rows a group of their own.

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
    check_undefined(undefined)
    references = one_against_rest({"references": y_true}, positive)["references"]
    scores = inputs.scores(y_score, "predictions")
    inputs.same_length({"predictions": scores, "references": references})
    masks = subgroup_masks(groups, missing_group=missing_group)
    for mask in masks.values():
        inputs.same_length({"predictions": scores, "groups": mask})
    # Sorted once, every part of the rows is sorted.
    order = np.argsort(scores)
    references, scores = references[order], scores[order]
    everything = {reference: scores[references == reference] for reference in (0, 1)}
    for reference, part in everything.items():
        if not part.size:
            reason = f"no row has reference {reference}, so no AUC is defined."
            undefined_value(reason, undefined)
    overall = _share_above(everything[1], everything[0], undefined)
    subgroups = {
        name: _of_subgroup(references, scores, mask[order], name, undefined)
        for name, mask in masks.items()
    }
    return SubgroupAUCs(overall, subgroups)


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
            undefined_value(reason, undefined)
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
