"""Results as dictionaries and lists."""

import json

from fair_datasets.measures.parity import demographic_parity, equalized_odds
from fair_datasets.measures.plain import group_rows, plain_parity


def test_values_are_plain() -> None:
    """They survive JSON, labels and all."""
    parity = equalized_odds([1, 0, 1, 0], [1, 1, 1, 0], [2, 2, None, None], missing_group="own")
    plain = plain_parity(parity, confidence=0.9, n_resamples=50, seed=3)
    assert json.loads(json.dumps(plain)) == plain
    assert [row["group"] for row in plain["groups"]] == [2, None]
    assert set(plain["intervals"]) == {"score", "difference", "ratio"}
    assert plain["intervals"]["score"]["n_resamples"] == 50


def test_what_is_not_known_is_left_out() -> None:
    """Without references there are no error rates; without confidence no intervals."""
    plain = plain_parity(demographic_parity([1, 0], ["a", "b"]))
    assert set(plain) == {"score", "difference", "ratio", "groups"}
    assert set(plain["groups"][0]) == {"group", "count", "predicted_positives", "selection_rate"}
    assert group_rows({}) == []
