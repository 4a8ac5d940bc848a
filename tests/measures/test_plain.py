"""Results as dictionaries and lists."""

import json

import pytest

from fair_datasets.measures.group_metric import group_metric
from fair_datasets.measures.parity import demographic_parity, equalized_odds
from fair_datasets.measures.plain import group_rows, plain_group_metric, plain_parity


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
