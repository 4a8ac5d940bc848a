"""Error rate equality, against its formula and scikit-learn."""

import math
from typing import Any

import numpy as np
import pytest
from fairlearn import metrics as fairlearn_metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from sklearn.metrics import confusion_matrix, roc_auc_score

from fair_datasets.measures.error_rates import (
    error_rate_equality,
    rate_difference,
    subgroup_auc,
)
from fair_datasets.measures.inputs import UndefinedMeasureWarning

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.sets(st.sampled_from("abc"))), max_size=40
)
COMPLETE = [(0, 0, {"a", "b", "c"}), (1, 1, {"a", "b", "c"})]


def rates(y_true: Any, y_pred: Any) -> tuple[float, float]:
    """Return the false positive and false negative rate."""
    (tn, fp), (fn, tp) = confusion_matrix(y_true, y_pred, labels=[0, 1])
    return fp / (fp + tn), fn / (fn + tp)


@given(ROWS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_it_is_the_sum_of_distances(rows: list[tuple[int, int, set[str]]], random: Any) -> None:
    """Over groups that overlap, as lists and as masks, in any order of the rows."""
    shuffled = random.sample(COMPLETE + rows, len(rows) + 2)
    y_true, y_pred, groups = zip(*shuffled, strict=True)
    masks = {name: np.array([name in own for own in groups]) for name in "abc"}
    overall = rates(y_true, y_pred)
    own = [rates(np.array(y_true)[mask], np.array(y_pred)[mask]) for mask in masks.values()]
    for given_groups in (list(map(sorted, groups)), masks):
        found = error_rate_equality(y_true, y_pred, given_groups)
        fped, fned = (sum(abs(overall[i] - each[i]) for each in own) for i in (0, 1))
        assert found.false_positive_equality_difference == pytest.approx(fped, abs=1e-14)
        assert found.false_negative_equality_difference == pytest.approx(fned, abs=1e-14)
        assert list(found.false_positive_terms) == ["a", "b", "c"]
        assert found.overall.count == len(groups)


def test_partition_and_masks_agree() -> None:
    """A label per row is the same as one mask per label."""
    y_true, y_pred = [0, 0, 1, 1, 0, 0, 1, 1], [1, 0, 1, 1, 0, 1, 0, 0]
    labels = [*"aaaabbbb"]
    masks = {"a": [1, 1, 1, 1, 0, 0, 0, 0], "b": [0, 0, 0, 0, 1, 1, 1, 1]}
    found = error_rate_equality(y_true, y_pred, labels)
    assert found == error_rate_equality(y_true, y_pred, masks)
    assert found == error_rate_equality(y_true, y_pred, [[label] for label in labels])
    assert found.false_negative_terms == {"a": 0.5, "b": 0.5}


def test_one_class_against_the_rest() -> None:
    """A text class gives what its indicators give."""
    y_true, y_pred = ["a", "b", "c", "b", "b", "a"], ["b", "b", "b", "c", "b", "a"]
    labels = ["x", "x", "x", "y", "y", "y"]
    found = error_rate_equality(y_true, y_pred, labels, positive="b")
    expected = error_rate_equality([0, 1, 0, 1, 1, 0], [1, 1, 1, 0, 1, 0], labels)
    assert str(found) == str(expected)


def test_undefined_terms() -> None:
    """The group is named, and the sum is not defined."""
    rows: Any = ([0, 1, 0, 1], [0, 1, 1, 1], ["a", "a", "b", "c"])
    with pytest.warns(UndefinedMeasureWarning) as caught:
        found = error_rate_equality(*rows)
    assert [str(warning.message).split(",")[0] for warning in caught] == [
        "error_rate_equality: group 'b' has no rows with reference 1",
        "error_rate_equality: group 'c' has no rows with reference 0",
    ]
    assert math.isnan(found.false_positive_equality_difference)
    assert found.false_positive_terms["a"] == 0.5
    assert math.isnan(found.false_positive_terms["c"])
    zero = error_rate_equality(*rows, undefined="zero")
    assert zero.false_positive_terms["c"] == 0.5


@pytest.mark.parametrize("groups", [["a", "a"], {"a": [1, 1]}, [[], []], {}])
def test_nothing_to_compare(groups: Any) -> None:
    """One group of all rows, or no group: NaN, not a perfect 0."""
    with pytest.warns(UndefinedMeasureWarning, match="the only group is all rows"):
        found = error_rate_equality([0, 1], [0, 1], groups)
    assert math.isnan(found.false_positive_equality_difference)


def test_missing_group() -> None:
    """Rows without a label are a group of their own if asked for."""
    rows: Any = ([0, 1, 0, 1], [0, 1, 1, 1])
    for groups in (["a", "a", None, None], [["a"], ["a"], None, None]):
        found = error_rate_equality(*rows, groups, missing_group="own")
        assert found.groups[None].count == 2


PAIR_ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.sampled_from(["a", "b", "c"])), max_size=40
)


@given(PAIR_ROWS)
@settings(deadline=None, max_examples=20)
def test_rates_are_those_of_fairlearn(rows: list[tuple[int, int, str]]) -> None:
    """The first group's rates less the second's, whatever other groups there are."""
    y_true, y_pred, groups = map(list, zip((1, 0, "a"), (0, 1, "b"), *rows, strict=True))
    found = rate_difference(y_true, y_pred, groups, order=("b", "a"), undefined="zero")
    frame = fairlearn_metrics.MetricFrame(metrics={"tpr": fairlearn_metrics.true_positive_rate,
        "fpr": fairlearn_metrics.false_positive_rate}, y_true=y_true, y_pred=y_pred,
        sensitive_features=groups).by_group  # fmt: skip
    tprd, fprd = (frame[name]["b"] - frame[name]["a"] for name in ("tpr", "fpr"))
    assert found.true_positive_rate_difference == pytest.approx(tprd, abs=1e-15)
    assert found.false_positive_rate_difference == pytest.approx(fprd, abs=1e-15)
    assert found.absolute_true_positive_rate_difference == abs(found.true_positive_rate_difference)
    other = rate_difference(y_true, y_pred, groups, order=("a", "b"), undefined="zero")
    assert other.true_positive_rate_difference == -found.true_positive_rate_difference
    assert other.false_positive_rate_difference == -found.false_positive_rate_difference


def test_two_groups_need_no_order() -> None:
    """They come in their sorted order, which is told."""
    rows = ([1, 0, 1, 0], [1, 1, 0, 0], [2, 2, 1, 1])
    found = rate_difference(*rows)
    assert found.order == (1, 2)
    assert found.true_positive_rate_difference == -1
    assert found.false_positive_rate_difference == -1
    assert list(found.groups) == [1, 2]


def test_one_class_against_the_rest_of_two_groups() -> None:
    """A class of several gives what its indicators give."""
    rows = ([7, 8, 9, 8, 8, 7], [8, 8, 7, 9, 8, 7], ["x", "x", "x", "y", "y", "y"])
    found = rate_difference(*rows, positive=8)
    assert found == rate_difference([0, 1, 0, 1, 1, 0], [1, 1, 0, 0, 1, 0], rows[2])


def test_undefined_rates() -> None:
    """Only the two groups that are compared need both classes."""
    rows: Any = ([1, 0, 1, 0, 1], [1, 0, 1, 0, 1], ["a", "a", "b", "b", "c"])
    assert rate_difference(*rows, order=("a", "b")).true_positive_rate_difference == 0
    with pytest.warns(UndefinedMeasureWarning, match="group 'c' has no rows with reference 0"):
        found = rate_difference(*rows, order=("a", "c"))
    assert found.true_positive_rate_difference == 0
    assert math.isnan(found.false_positive_rate_difference)
    assert math.isnan(found.absolute_false_positive_rate_difference)


# Few distinct scores make many ties.
SCORES = st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9, 1.0]) | st.floats(-5, 5, width=16)
ROWS_SUBGROUP_AUC = st.lists(st.tuples(st.integers(0, 1), SCORES, st.booleans()), max_size=50)


def complete(rows: list[tuple[int, float, bool]]) -> tuple[Any, Any, Any]:
    """Add what makes everything defined, and return the columns."""
    added = [(y, 0.3, inside) for y in (0, 1) for inside in (False, True)]
    y_true, scores, inside = map(np.array, zip(*rows, *added, strict=True))
    return y_true.astype(bool), scores.astype(float), inside.astype(bool)


@given(ROWS_SUBGROUP_AUC)
@settings(deadline=None)
def test_aucs_are_those_of_scikit_learn(rows: list[tuple[int, float, bool]]) -> None:
    """Each AUC is one over some of the rows; ties count half."""
    y_true, scores, inside = complete(rows)
    found = subgroup_auc(y_true, scores, {"group": inside})
    own = found.groups["group"]
    of = {"subgroup_auc": inside, "bpsn_auc": (inside & ~y_true) | (~inside & y_true),
        "bnsp_auc": (inside & y_true) | (~inside & ~y_true)}  # fmt: skip
    for name, part in of.items():
        assert getattr(own, name) == pytest.approx(
            roc_auc_score(y_true[part], scores[part]), abs=1e-12
        )
    assert found.overall_auc == pytest.approx(roc_auc_score(y_true, scores), abs=1e-12)
    assert own.count == inside.sum()
    assert own.positives == (inside & y_true).sum()


@given(ROWS_SUBGROUP_AUC)
@settings(deadline=None, max_examples=30)
def test_one_class_against_the_rest_subgroup_auc(rows: list[tuple[int, float, bool]]) -> None:
    """A text reference gives what its indicator gives."""
    y_true, scores, inside = complete(rows)
    texts = np.where(y_true, "joy", np.where(inside, "fear", "anger"))
    found = subgroup_auc(texts, scores, {"group": inside}, positive="joy")
    assert found == subgroup_auc(y_true, scores, {"group": inside})


@given(ROWS_SUBGROUP_AUC)
@settings(deadline=None)
def test_gaps_are_those_of_scipy(rows: list[tuple[int, float, bool]]) -> None:
    """Half less the Mann-Whitney statistic of the background per pair."""
    y_true, scores, inside = complete(rows)
    own = subgroup_auc(y_true, scores, {"group": inside}).groups["group"]
    for gap, part in (
        (own.positive_average_equality_gap, y_true),
        (own.negative_average_equality_gap, ~y_true),
    ):
        background, subgroup = scores[part & ~inside], scores[part & inside]
        statistic = mannwhitneyu(background, subgroup, method="asymptotic").statistic
        expected = 0.5 - statistic / (len(background) * len(subgroup))
        assert gap == pytest.approx(expected, abs=1e-12)


@given(ROWS_SUBGROUP_AUC)
@settings(deadline=None)
def test_the_shape_of_groups_does_not_matter(rows: list[tuple[int, float, bool]]) -> None:
    """Masks, lists of labels and labels say the same."""
    y_true, scores, inside = complete(rows)
    expected = subgroup_auc(y_true, scores, {"group": inside}).groups["group"]
    lists = [["group"] if member else [] for member in inside]
    assert subgroup_auc(y_true, scores, lists).groups["group"] == expected
    assert subgroup_auc(y_true, scores, inside).groups[True] == expected


def test_undefined_values() -> None:
    """The group is named with what it lacks; what can be computed is."""
    rows: Any = ([1, 1, 1, 0], [0.9, 0.8, 0.3, 0.5], {"g": [1, 1, 0, 0]})
    with pytest.warns(UndefinedMeasureWarning, match="group 'g' has no rows with reference 0"):
        own = subgroup_auc(*rows).groups["g"]
    assert math.isnan(own.subgroup_auc)
    assert math.isnan(own.bpsn_auc)
    assert math.isnan(own.negative_average_equality_gap)
    assert own.bnsp_auc == 1
    assert own.positive_average_equality_gap == 0.5
    zero = subgroup_auc(*rows, undefined="zero").groups["g"]
    assert (zero.subgroup_auc, zero.bpsn_auc, zero.negative_average_equality_gap) == (0, 0, 0)


def test_one_class_or_no_rows() -> None:
    """There is no AUC at all."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        assert math.isnan(subgroup_auc([1], [0.5], ["a"]).overall_auc)
    assert "no row has reference 0, so no AUC is defined" in str(caught[0].message)
    with pytest.warns(UndefinedMeasureWarning):
        found = subgroup_auc([], [], [])
    assert math.isnan(found.overall_auc)
    assert found.groups == {}
