"""Subgroup AUCs and equality gaps, against scikit-learn and SciPy."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from sklearn.metrics import roc_auc_score

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.subgroup_auc import SubgroupAUC, subgroup_auc
from fair_datasets.system.checks import InputError

# Few distinct scores make many ties.
SCORES = st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9, 1.0]) | st.floats(-5, 5, width=16)
ROWS = st.lists(st.tuples(st.integers(0, 1), SCORES, st.booleans()), max_size=50)


def complete(rows: list[tuple[int, float, bool]]) -> tuple[Any, Any, Any]:
    """Add what makes everything defined, and return the columns."""
    added = [(y, 0.3, inside) for y in (0, 1) for inside in (False, True)]
    y_true, scores, inside = map(np.array, zip(*rows, *added, strict=True))
    return y_true.astype(bool), scores.astype(float), inside.astype(bool)


@given(ROWS)
@settings(deadline=None)
def test_aucs_are_those_of_scikit_learn(rows: list[tuple[int, float, bool]]) -> None:
    """Each AUC is one over some of the rows; ties count half."""
    y_true, scores, inside = complete(rows)
    found = subgroup_auc(y_true, scores, {"group": inside})
    own = found.groups["group"]
    of = {
        "subgroup_auc": inside,
        "bpsn_auc": (inside & ~y_true) | (~inside & y_true),
        "bnsp_auc": (inside & y_true) | (~inside & ~y_true),
    }
    for name, part in of.items():
        assert getattr(own, name) == pytest.approx(
            roc_auc_score(y_true[part], scores[part]), abs=1e-12
        )
    assert found.overall_auc == pytest.approx(roc_auc_score(y_true, scores), abs=1e-12)
    assert own.count == inside.sum()
    assert own.positives == (inside & y_true).sum()


@given(ROWS)
@settings(deadline=None, max_examples=30)
def test_one_class_against_the_rest(rows: list[tuple[int, float, bool]]) -> None:
    """A text reference gives what its indicator gives."""
    y_true, scores, inside = complete(rows)
    texts = np.where(y_true, "joy", np.where(inside, "fear", "anger"))
    found = subgroup_auc(texts, scores, {"group": inside}, positive="joy")
    assert found == subgroup_auc(y_true, scores, {"group": inside})


@given(ROWS)
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


@given(ROWS)
@settings(deadline=None)
def test_the_shape_of_groups_does_not_matter(rows: list[tuple[int, float, bool]]) -> None:
    """Masks, lists of labels and labels say the same."""
    y_true, scores, inside = complete(rows)
    expected = subgroup_auc(y_true, scores, {"group": inside}).groups["group"]
    lists = [["group"] if member else [] for member in inside]
    assert subgroup_auc(y_true, scores, lists).groups["group"] == expected
    assert subgroup_auc(y_true, scores, inside).groups[True] == expected


def test_direction_of_the_gaps() -> None:
    """Above 0 the subgroup scores higher; equal scores make no gap."""
    own = subgroup_auc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], {"g": [1, 1, 0, 0]}).groups["g"]
    assert own == SubgroupAUC(2, 1, 1, 0, 1, 0.5, 0.5)
    own = subgroup_auc([1, 0, 1, 0], [0.5] * 4, {"g": [1, 1, 0, 0]}).groups["g"]
    assert own == SubgroupAUC(2, 1, 0.5, 0.5, 0.5, 0, 0)


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
    with pytest.raises(InputError, match="group 'g' has no rows with reference 0"):
        subgroup_auc(*rows, undefined="raise")


def test_one_class_or_no_rows() -> None:
    """There is no AUC at all."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        assert math.isnan(subgroup_auc([1], [0.5], ["a"]).overall_auc)
    assert "no row has reference 0, so no AUC is defined" in str(caught[0].message)
    with pytest.warns(UndefinedMeasureWarning):
        found = subgroup_auc([], [], [])
    assert math.isnan(found.overall_auc)
    assert found.groups == {}


@pytest.mark.parametrize(("rows", "sentence"), [
    (([1, 0], [0.5, float("nan")], ["a", "b"]), r"predictions has no value in row 1 \(nan\)"),
    (([1, 0], [0.5, float("-inf")], ["a", "b"]), "predictions must be finite, but row 1"),
    (([1, 0.5], [0.5, 0.5], ["a", "b"]), "references must be classes .* row 1 is 0.5"),
    (([1, 0], [0.5], ["a", "b"]), "predictions has 1 row, but references has 2"),
    (([1, 0], [0.5, 0.5], ["a"]), "predictions has 2 rows, but groups has 1"),
    (([1, 0], [[0.5, 0.5], [0.1, 0.9]], ["a", "b"]), r"predictions .* its shape is \(2, 2\)"),
])  # fmt: skip
def test_mistakes_are_told(rows: Any, sentence: str) -> None:
    """The sentence names the argument and the row."""
    with pytest.raises(InputError, match=f"subgroup_auc: {sentence}"):
        subgroup_auc(*rows)
