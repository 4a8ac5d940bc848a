"""Signed differences of two groups' rates."""

import math
from typing import Any

import pytest
from fairlearn import metrics as fairlearn_metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.measures.rate_difference import rate_difference
from fair_datasets.measures.undefined import UndefinedMeasureWarning
from fair_datasets.system.checks import InputError

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.sampled_from(["a", "b", "c"])), max_size=40
)


@given(ROWS)
@settings(deadline=None, max_examples=50)
def test_rates_are_those_of_fairlearn(rows: list[tuple[int, int, str]]) -> None:
    """The first group's rates less the second's, whatever other groups there are."""
    y_true, y_pred, groups = map(list, zip((1, 0, "a"), (0, 1, "b"), *rows, strict=True))
    found = rate_difference(y_true, y_pred, groups, order=("b", "a"), undefined="zero")
    frame = fairlearn_metrics.MetricFrame(
        metrics={
            "tpr": fairlearn_metrics.true_positive_rate,
            "fpr": fairlearn_metrics.false_positive_rate,
        },
        y_true=y_true,
        y_pred=y_pred,
        sensitive_features=groups,
    ).by_group
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


def test_one_class_against_the_rest() -> None:
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
    with pytest.raises(InputError, match="group 'c' has no rows with reference 0"):
        rate_difference(*rows, order=("a", "c"), undefined="raise")


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (None, "order must name the two groups to compare.*the groups are 'a', 'b', 'c'"),
        (("a", "x"), "there is no group 'x'; the groups are 'a', 'b', 'c'"),
        (("a", "a"), "order must be two different groups"),
        (("a", "b", "c"), "order must be two different groups"),
        ("ab", "order must be two different groups"),
        (5, "order must be two different groups"),
        ({"a", "b"}, "order must be two different groups"),
        ({"a": 0, "b": 1}, "order must be two different groups"),
    ],
)
def test_order_names_two_groups(order: Any, sentence: str) -> None:
    """An unknown group is told, with those that exist."""
    with pytest.raises(InputError, match=f"rate_difference: {sentence}"):
        rate_difference([1, 1, 1], [1, 1, 1], ["a", "b", "c"], order=order)


def test_no_rows() -> None:
    """There are no groups to compare."""
    with pytest.raises(InputError, match="the groups are none"):
        rate_difference([], [], [])
