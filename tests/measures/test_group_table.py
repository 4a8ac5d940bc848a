"""Counts and rates of groups, against scikit-learn and fairlearn."""

import math
from typing import Any

import numpy as np
import pytest
from fairlearn import metrics as fairlearn_metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix

from fair_datasets.measures.group_table import counts_of, group_rates
from fair_datasets.measures.inputs import UndefinedMeasureWarning


def share(y_true: Any, y_pred: Any, predicted: int, counted: int) -> float:
    """Return the share of a reference among the rows of a prediction; 0 where there are none."""
    table = confusion_matrix(y_true, y_pred, labels=[0, 1])[:, predicted]
    return float(table[counted] / table.sum()) if table.sum() else 0.0


RATES = {
    "selection_rate": fairlearn_metrics.selection_rate,
    "true_positive_rate": fairlearn_metrics.true_positive_rate,
    "false_positive_rate": fairlearn_metrics.false_positive_rate,
    "true_negative_rate": fairlearn_metrics.true_negative_rate,
    "false_negative_rate": fairlearn_metrics.false_negative_rate,
    "false_discovery_rate": lambda y_true, y_pred: share(y_true, y_pred, 1, 0),
    "false_omission_rate": lambda y_true, y_pred: share(y_true, y_pred, 0, 1),
    "accuracy": accuracy_score,
}

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1),
    st.sampled_from(["a", "b", "c", "d"])), min_size=1, max_size=60)  # fmt: skip


@given(ROWS)
@settings(deadline=None, max_examples=10)
def test_rates_are_those_of_fairlearn(rows: list[tuple[int, int, str]]) -> None:
    """With "zero", every rate of every group, also where a group lacks a class."""
    y_true, y_pred, groups = map(list, zip(*rows, strict=True))
    found = group_rates(y_true, y_pred, groups, undefined="zero")
    frame = fairlearn_metrics.MetricFrame(
        metrics=RATES, y_true=y_true, y_pred=y_pred, sensitive_features=groups
    )
    assert list(found) == list(frame.by_group.index)
    for group, rates in found.items():
        for name in RATES:
            assert getattr(rates, name) == pytest.approx(frame.by_group[name][group], abs=1e-15)


@given(ROWS)
@settings(deadline=None)
def test_counts_are_those_of_scikit_learn(rows: list[tuple[int, int, str]]) -> None:
    """The four cells of each group's confusion matrix, and their sums."""
    y_true, y_pred, groups = map(np.array, zip(*rows, strict=True))
    found = group_rates(y_true, y_pred, groups, undefined="zero")
    for (group, rates), table in zip(found.items(), counts_of(found), strict=True):
        own = groups == group
        expected = confusion_matrix(y_true[own], y_pred[own], labels=[0, 1])
        assert table.tolist() == expected.tolist()
        assert [rates.true_negatives, rates.false_positives] == expected[0].tolist()
        assert [rates.false_negatives, rates.true_positives] == expected[1].tolist()
        assert rates.count == own.sum()
        assert rates.positives == y_true[own].sum()
        assert rates.predicted_positives == y_pred[own].sum()


def test_without_references() -> None:
    """There are only predictions to count."""
    rates = group_rates(None, [1, 0, 1], ["a", "a", "b"])
    assert (rates["a"].count, rates["a"].predicted_positives) == (2, 1)
    assert rates["a"].selection_rate == 0.5
    assert rates["a"].accuracy is None
    assert counts_of(rates).tolist() == [[[1, 1], [0, 0]], [[0, 1], [0, 0]]]


def test_many_groups_are_counted() -> None:
    """More groups than a byte can hold four cells of."""
    codes = np.arange(1000) % 70
    rates = group_rates(codes % 2, codes % 2, codes, undefined="zero")
    assert len(rates) == 70
    assert all(group.accuracy == 1 for group in rates.values())


def test_undefined_rates() -> None:
    """NaN with one warning per class that names the groups, 0, or an error."""
    rows = ([1, 1, 0, 1], [1, 0, 1, 0], ["a", "b", "c", "c"])
    with pytest.warns(UndefinedMeasureWarning) as caught:
        rates = group_rates(*rows)
    assert [str(each.message) for each in caught] == [
        "group_rates: groups 'a' and 'b' have no rows with reference 0, so that their "
        "false_positive_rate and true_negative_rate are not defined. The value is NaN.",
        "group_rates: group 'b' has no rows with prediction 1, so that its false_discovery_rate is "
        "not defined. The value is NaN.",
        "group_rates: group 'a' has no rows with prediction 0, so that its false_omission_rate is "
        "not defined. The value is NaN.",
    ]
    assert math.isnan(rates["a"].false_positive_rate or 0)
    assert rates["c"].false_positive_rate == 1
    assert group_rates(*rows, undefined="zero")["a"].false_positive_rate == 0
