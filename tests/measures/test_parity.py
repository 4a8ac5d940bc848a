"""Parity between groups, against fairlearn."""

import math
from typing import Any

import numpy as np
import pytest
from fairlearn import metrics as fairlearn_metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_score

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.parity import (
    Parity,
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    predictive_parity,
)

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1),
    st.sampled_from(["a", "b", "c", "d"])), min_size=1, max_size=60)  # fmt: skip
COMPLETE = [(y, p, g) for g in "abc" for y in (0, 1) for p in (0, 1)]
"""Rows with which every rate of every group is defined and above 0."""


def same(found: float, expected: float) -> bool:
    """Whether two values are the same up to rounding; what fairlearn has as NaN is 0."""
    return found == pytest.approx(np.nan_to_num(expected), abs=1e-15)


@given(ROWS, st.sampled_from(["between_groups", "to_overall"]))
@settings(deadline=None, max_examples=8)
def test_zero_is_fairlearn(rows: list[tuple[int, int, str]], method: Any) -> None:
    """With "zero", differences and ratios equal fairlearn's, however two rates become one."""
    y_true, y_pred, groups = map(list, zip(*rows, strict=True))
    options: dict[str, Any] = {"method": method, "undefined": "zero"}

    def of_fairlearn(name: str, **more: Any) -> float:
        measure = getattr(fairlearn_metrics, name)
        return float(measure(y_true, y_pred, sensitive_features=groups, method=method, **more))

    parity = demographic_parity(y_pred, groups, **options)
    assert same(parity.difference, of_fairlearn("demographic_parity_difference"))
    assert same(parity.ratio, of_fairlearn("demographic_parity_ratio"))
    parity = equal_opportunity(y_true, y_pred, groups, **options)
    assert same(parity.difference, of_fairlearn("equal_opportunity_difference"))
    assert same(parity.ratio, of_fairlearn("equal_opportunity_ratio"))
    parity = equal_opportunity(y_true, y_pred, groups, outcome=0, **options)
    frame = fairlearn_metrics.MetricFrame(
        metrics=fairlearn_metrics.false_positive_rate, y_true=y_true, y_pred=y_pred,
        sensitive_features=groups,
    )  # fmt: skip
    assert same(parity.difference, float(frame.difference(method=method)))
    assert same(parity.ratio, float(frame.ratio(method=method)))
    for agg in ("mean", "worst_case"):
        parity = equalized_odds(y_true, y_pred, groups, agg=agg, **options)
        assert same(parity.difference, of_fairlearn("equalized_odds_difference", agg=agg))
        assert same(parity.ratio, of_fairlearn("equalized_odds_ratio", agg=agg))


@given(ROWS, st.sampled_from(["between_groups", "to_overall"]))
@settings(deadline=None, max_examples=15)
def test_predictive_parity_is_that_of_precisions(
    rows: list[tuple[int, int, str]], method: Any
) -> None:
    """A false discovery rate is 1 less a precision, a false omission rate that of class 0."""
    y_true, y_pred, groups = map(list, zip(*COMPLETE, *rows, strict=True))
    if "d" in groups:
        y_true += [0, 1] * 2
        y_pred += [0, 0, 1, 1]
        groups += ["d"] * 4
    for outcome in (1, 0):
        frame = fairlearn_metrics.MetricFrame(
            metrics=lambda y, p, outcome=outcome: 1 - precision_score(y, p, pos_label=outcome),
            y_true=y_true, y_pred=y_pred, sensitive_features=groups,
        )  # fmt: skip
        parity = predictive_parity(y_true, y_pred, groups, outcome=outcome, method=method)
        assert same(parity.difference, float(frame.difference(method=method)))
        assert same(parity.ratio, float(frame.ratio(method=method)))
        name = "false_discovery_rate" if outcome else "false_omission_rate"
        for group, rates in parity.groups.items():
            assert same(getattr(rates, name), float(frame.by_group[group]))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from("abc")),
    min_size=1), st.sampled_from(["between_groups", "to_overall"]))  # fmt: skip
@settings(deadline=None, max_examples=20)
def test_one_class_against_the_rest(rows: list[tuple[int, int, str]], method: Any) -> None:
    """Each class, as a number or a text, gives what its indicators give."""
    y_true, y_pred, groups = map(np.array, zip(*rows, strict=True))
    options: dict[str, Any] = {"method": method, "undefined": "zero"}
    for positive in {*y_true.tolist(), *y_pred.tolist()}:
        indicators = (y_true == positive, y_pred == positive, groups)
        texts = (y_true.astype(str), y_pred.astype(str), groups)
        for measure in (equal_opportunity, equalized_odds, predictive_parity):
            expected = measure(*indicators, **options)
            # As text, since an undefined ratio is not equal to itself.
            numbers = (y_true, y_pred, groups)
            for columns, name in ((numbers, positive), (texts, str(positive))):
                assert str(measure(*columns, positive=name, **options)) == str(expected)
        if positive in y_pred:
            expected = demographic_parity(*indicators[1:], **options)
            parity = demographic_parity(texts[1], groups, positive=str(positive), **options)
            assert str(parity) == str(expected)


@given(ROWS)
@settings(deadline=None)
def test_defined_values_do_not_depend_on_the_rule(rows: list[tuple[int, int, str]]) -> None:
    """Where every rate is defined, "zero", "nan" and "raise" agree, and the scores add up."""
    y_true, y_pred, groups = map(list, zip(*COMPLETE, *rows, strict=True))
    by_rule = ([equalized_odds(y_true, y_pred, groups, undefined=rule)
        for rule in ("zero", "nan", "raise")] if "d" not in groups else [])  # fmt: skip
    assert all(parity == by_rule[0] for parity in by_rule)
    first, second = (equal_opportunity(y_true, y_pred, groups, outcome=outcome,
        undefined="zero").score for outcome in (1, 0))  # fmt: skip
    mean = equalized_odds(y_true, y_pred, groups, agg="mean", undefined="zero").score
    worst = equalized_odds(y_true, y_pred, groups, undefined="zero").score
    assert same(mean, (first + second) / 2)
    assert same(worst, min(first, second))


def is_undefined(parity: Parity) -> bool:
    """Whether all three values are NaN."""
    return all(map(math.isnan, (parity.score, parity.difference, parity.ratio)))


def test_a_group_without_a_class() -> None:
    """It is named, and no comparison is made without it."""
    rows = ([1, 0, 1, 1], [1, 0, 1, 0], ["a", "a", "b", "b"])
    with pytest.warns(UndefinedMeasureWarning, match="group 'b' has no rows with reference 0"):
        assert is_undefined(equalized_odds(*rows))
    assert equal_opportunity(*rows).difference == 0.5
    with pytest.warns(UndefinedMeasureWarning, match="its false_positive_rate is not defined"):
        assert is_undefined(equal_opportunity(*rows, outcome=0))


def test_one_group_or_none() -> None:
    """There is nothing to compare: NaN, not a perfect score."""
    with pytest.warns(UndefinedMeasureWarning, match="there is one group, 'a'; a comparison needs"):
        assert is_undefined(demographic_parity([1, 0], ["a", "a"]))
    with pytest.warns(UndefinedMeasureWarning, match="there are no rows"):
        assert is_undefined(demographic_parity([], []))
    assert demographic_parity([1, 0], ["a", "a"], undefined="zero").difference == 0
    assert demographic_parity([], [], undefined="zero").difference == 0


def test_a_ratio_of_zeros() -> None:
    """It is not defined; the difference is."""
    with pytest.warns(UndefinedMeasureWarning, match="selection_rate is 0 in all groups"):
        parity = demographic_parity([0, 0], ["a", "b"])
    assert (parity.score, parity.difference) == (1, 0)
    assert math.isnan(parity.ratio)
    with pytest.warns(UndefinedMeasureWarning, match="false_positive_rate is 0 in all groups"):
        odds = equalized_odds([1, 0, 1, 0], [1, 0, 1, 0], ["a", "a", "b", "b"])
    assert odds.score == 1


def test_missing_group() -> None:
    """It is refused, or a group of its own."""
    parity = demographic_parity([1, 0, 0], ["a", None, "b"], missing_group="own")
    assert list(parity.groups) == ["a", "b", None]
