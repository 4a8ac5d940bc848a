"""Tests of the counterfactual flip rate as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import evaluate
import pytest
from datasets import Dataset

from fair_datasets import InputError, load_metric
from fair_datasets.measures.flip_rate import counterfactual_flip_rate

INPUTS = {"predictions": [1, 0, 1, 1, 0], "counterfactual_predictions": [0, 0, 1, 1, 1]}
OPTIONS = {
    "scores": [0.9, 0.2, 0.7, 0.6, 0.4],
    "counterfactual_scores": [0.3, 0.2, 0.8, 0.6, 0.6],
    "changed": [1, 1, 0, 1, 1],
}


def expected(**options: Any) -> dict[str, Any]:
    """Measure by the function."""
    found = asdict(counterfactual_flip_rate(*INPUTS.values(), **options))
    groups = [{"group": name, **figures} for name, figures in found["groups"].items()]
    own = {name: found[name] for name in ("changed", "control")}
    return {**found["all"], **own, "groups": groups}


@pytest.mark.parametrize("groups", [["a", "b", "b", "a", "a"], [3, 1, 1, 3, 3]])
def test_it_is_the_function(groups: list[Any]) -> None:
    """The module adds nothing, whatever holds the inputs."""
    module = load_metric("counterfactual_flip_rate")
    assert isinstance(module, evaluate.Comparison)
    assert module.compute(**INPUTS) == expected()
    given = {**OPTIONS, "groups": groups}
    assert module.compute(**INPUTS, **given) == expected(**given)
    rows = Dataset.from_dict({**INPUTS, **given})
    columns = {name: rows[name] for name in rows.column_names}
    assert module.compute(**columns) == expected(**given)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": [0.7, 0, 1, 1, 0]}, "predictions must be classes .*, but row 0 is 0.7"),
        ({"predictions": [[0.7, 0.3]] * 5}, "predictions must have one value per row"),
        (
            {"predictions": ["a"] * 5},
            "classes must be texts in all rows or in none: predictions has",
        ),
        ({"predictions": [None, 0, 1, 1, 0]}, "predictions has no value in row 0"),
        ({"scores": [1] * 5}, "counterfactual_scores is missing"),
        ({"changed": [1, 0]}, "predictions has 5 rows, but changed has 2"),
        ({"groups": ["a", "b", None, "b", "a"]}, "groups has no label in row 2"),
        ({"groups": ["a"]}, "predictions has 5 rows, but groups has 1"),
        ({"undefined": "none"}, "undefined must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=f"counterfactual_flip_rate: {sentence}"):
        load_metric("counterfactual_flip_rate").compute(**INPUTS | wrong)
