"""Bootstrap intervals: the same as drawing rows, and honest about what is not defined."""

import json
import math
from typing import Any

import numpy as np
import pytest

from fair_datasets.measures.bootstrap import (
    bootstrap_interval,
    bootstrap_intervals,
    group_rows,
    plain_group_metric,
    plain_parity,
)
from fair_datasets.measures.counterfactual_parity import (
    counterfactual_demographic_parity,
    counterfactual_equalized_odds,
)
from fair_datasets.measures.group_metric import group_metric
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.parity import Parity, demographic_parity, equalized_odds
from fair_datasets.system.checks import InputError

GENERATOR = np.random.default_rng(0)
GROUPS = GENERATOR.choice(["a", "b", "c"], 600, p=[0.5, 0.3, 0.2])
Y_TRUE = GENERATOR.integers(0, 2, 600)
Y_PRED = (GENERATOR.random(600) < np.where(GROUPS == "a", 0.7, 0.4)).astype(int)


def test_counts_are_drawn_as_rows_would_be() -> None:
    """The ends agree with those of a bootstrap of rows, up to the error of the draws."""
    parity = equalized_odds(Y_TRUE, Y_PRED, GROUPS)
    draws = np.random.default_rng(1).integers(0, 600, (2000, 600))
    by_rows = [equalized_odds(Y_TRUE[rows], Y_PRED[rows], GROUPS[rows]) for rows in draws]
    for statistic in ("difference", "score", "ratio"):
        interval = bootstrap_interval(
            parity, statistic=statistic, confidence=0.9, n_resamples=20000, seed=2
        )
        values = [getattr(found, statistic) for found in by_rows]
        expected = np.quantile(values, [0.05, 0.95])
        assert (interval.low, interval.high) == pytest.approx(expected, abs=0.02), statistic
        assert interval.n_undefined == 0


@pytest.mark.parametrize("method", ["between_groups", "to_overall"])
def test_any_metric_is_drawn_by_its_rows(method: Any) -> None:
    """Drawn as counts, the same rate has the same interval up to the error of the draws."""
    found = group_metric(share_of_1, Y_TRUE, Y_PRED, GROUPS, worst="lowest", method=method)
    intervals = bootstrap_intervals(found, confidence=0.9, n_resamples=1000, seed=1)
    parity = demographic_parity(Y_PRED, GROUPS, method=method)
    expected = bootstrap_intervals(parity, confidence=0.9, n_resamples=20000, seed=0)
    assert list(intervals) == ["difference", "ratio"]
    for name, interval in intervals.items():
        ends = (expected[name].low, expected[name].high)
        assert (interval.low, interval.high) == pytest.approx(ends, abs=0.03)
    again = bootstrap_interval(found, confidence=0.9, n_resamples=1000, seed=1)
    assert again == intervals["difference"]
    with pytest.raises(InputError, match="statistic must be one of 'difference', 'ratio'"):
        bootstrap_interval(found, statistic="score")


def test_a_metric_that_is_not_defined_in_a_resample() -> None:
    """A group of one row is missing from about 37 of 100 resamples."""
    found = group_metric(share_of_1, [0] * 101, [1, 0] * 50 + [1], ["a"] * 100 + ["b"],
                         worst="lowest")  # fmt: skip
    interval = bootstrap_interval(found, n_resamples=1000)
    assert interval.n_undefined / 1000 == pytest.approx(math.exp(-1), abs=0.05)
    assert 0 <= interval.low <= interval.high <= 1


def share_of_1(references: Any, predictions: Any) -> Any:
    """Return the share of predictions of 1."""
    return predictions.mean()


def test_pairs_are_drawn_together() -> None:
    """Predictions that never flip never differ, in any resample."""
    predictions = [0, 1] * 20
    same = counterfactual_demographic_parity(predictions, predictions).all_rows
    interval = bootstrap_interval(same)
    assert (interval.low, interval.high) == (0, 0)
    generator = np.random.default_rng(3)
    factual, y_true = generator.integers(0, 2, (2, 300))
    counterfactual = np.where(generator.random(300) < 0.1, 1, factual)
    parity = counterfactual_equalized_odds(y_true, factual, counterfactual).all_rows
    values = []
    for _ in range(2000):
        rows = generator.integers(0, 300, 300)
        resample = counterfactual_equalized_odds(y_true[rows], factual[rows], counterfactual[rows])
        values.append(resample.all_rows.difference)
    interval = bootstrap_interval(parity, n_resamples=20000)
    expected = np.quantile(values, [0.025, 0.975])
    assert (interval.low, interval.high) == pytest.approx(expected, abs=0.01)


def test_the_seed_decides() -> None:
    """The same seed gives the same interval, also where the draws are split."""
    parity = demographic_parity(Y_PRED, GROUPS)
    assert bootstrap_interval(parity, seed=5) == bootstrap_interval(parity, seed=5)
    assert bootstrap_interval(parity, seed=5) != bootstrap_interval(parity, seed=6)
    score = bootstrap_interval(parity, seed=5, statistic="score")
    difference = bootstrap_interval(parity, seed=5)
    assert score.low == pytest.approx(1 - difference.high)
    many = demographic_parity(np.arange(40000) % 3 == 0, np.arange(40000) % 100)
    assert bootstrap_interval(many, n_resamples=4000) == bootstrap_interval(many, n_resamples=4000)


def test_undefined_resamples_are_counted() -> None:
    """A group of one row is missing from about 37 of 100 resamples."""
    parity = demographic_parity([1, 0, 1, 0, 1] * 20 + [1], ["a"] * 100 + ["b"])
    interval = bootstrap_interval(parity, n_resamples=4000)
    assert interval.n_undefined / 4000 == pytest.approx(math.exp(-1), abs=0.03)
    assert 0 <= interval.low <= interval.high <= 1


@pytest.mark.parametrize("parity", [
    demographic_parity([1, 0], ["a", "a"], undefined="zero"),
    demographic_parity([], [], undefined="zero"),
])  # fmt: skip
def test_no_defined_resample(parity: Parity) -> None:
    """One group, or no rows: NaN, and a warning."""
    with pytest.warns(UndefinedMeasureWarning, match="no resample has a defined value"):
        interval = bootstrap_interval(parity, n_resamples=10)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert interval.n_undefined == 10


def test_other_results_are_refused() -> None:
    """A table of groups is no comparison."""
    with pytest.raises(InputError, match="parity must be what a parity measure returned"):
        bootstrap_interval(demographic_parity([1, 0], ["a", "b"]).groups)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [
    {"confidence": 1}, {"confidence": 95}, {"n_resamples": 0}, {"n_resamples": 1.5}, {"seed": -1},
    {"statistic": "scores"},
])  # fmt: skip
def test_parameters_out_of_range(options: dict[str, float]) -> None:
    """They are refused."""
    with pytest.raises(InputError, match=f"bootstrap_interval: .*{next(iter(options))}"):
        bootstrap_interval(demographic_parity([1, 0], ["a", "b"]), **options)


def test_values_are_plain() -> None:
    """They survive JSON, labels and all."""
    parity = equalized_odds(
        [1, 0, 0, 1, 0], [1, 1, 0, 1, 0], [2, 2, 2, None, None], missing_group="own"
    )
    plain = plain_parity(parity, confidence=0.9, n_resamples=50, seed=3)
    assert json.loads(json.dumps(plain)) == plain
    assert [row["group"] for row in plain["groups"]] == [2, None]
    assert set(plain["intervals"]) == {"score", "difference", "ratio"}
    assert plain["intervals"]["score"]["n_resamples"] == 50


def test_all_rows_stand_beside_the_groups_that_are_compared_with_them() -> None:
    """Without references there are no error rates of theirs either."""
    plain = plain_parity(demographic_parity([1, 0, 1], ["a", "b", "b"], method="to_overall"))
    assert plain["overall"] == {
        "count": 3,
        "predicted_positives": 2,
        "selection_rate": pytest.approx(2 / 3),
    }
    assert plain["difference"] == pytest.approx(1 / 3)


def test_a_metric_by_group_is_plain() -> None:
    """Its intervals are those that it has."""
    found = group_metric("accuracy_score", [1, 0, 1, 0], [1, 0, 0, 0], [2, 2, None, None],
                         missing_group="own")  # fmt: skip
    plain = plain_group_metric(found, confidence=0.9, n_resamples=10)
    assert json.loads(json.dumps(plain)) == plain
    assert (plain["worst_group"], plain["worst"]) == (None, 0.5)
    assert set(plain["intervals"]) == {"difference", "ratio"}


def test_what_is_not_known_is_left_out() -> None:
    """Without references there are no error rates; without confidence no intervals."""
    plain = plain_parity(demographic_parity([1, 0], ["a", "b"]))
    assert set(plain) == {"score", "difference", "ratio", "groups"}
    assert set(plain["groups"][0]) == {"group", "count", "predicted_positives", "selection_rate"}
    assert group_rows({}) == []
