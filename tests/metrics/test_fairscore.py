"""Tests of the fairscore as an `evaluate` module."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import InputError, load_metric
from fair_datasets.measures.fairscore import fairscore

INPUTS = {
    "predictions": [1, 0, 2, 1, 0],
    "perturbed_predictions": [0, 0, 2, 2, 1],
    "references": [1, 0, 0, 1, 1],
    "changed": [True, True, False, True, False],
}


def expected(**options: Any) -> dict[str, Any]:
    """Measure by the function."""
    before, after, right, changed = INPUTS.values()
    return asdict(fairscore(before, after, changed, right, **options))


def test_it_is_the_function() -> None:
    """The module adds nothing, whatever holds the inputs."""
    module = load_metric("fairscore")
    assert isinstance(module, evaluate.Comparison)
    assert module.compute(**INPUTS) == expected()
    assert module.compute(**{k: np.array(v) for k, v in INPUTS.items()}) == expected()
    columns = Dataset.from_dict(INPUTS)
    assert module.compute(**{name: columns[name] for name in INPUTS}) == expected()
    excluded = [0, 0, 0, 1, 0]
    assert module.compute(**INPUTS, excluded=excluded) == expected(excluded=excluded)


def test_batches(tmp_path: Path) -> None:
    """Unequal batches give what all rows at once give, and the result can be saved."""
    module = load_metric("fairscore")
    for part in (slice(0, 1), slice(1, 4), slice(4, 5)):
        module.add_batch(**{name: values[part] for name, values in INPUTS.items()})
    result = module.compute()
    assert result == expected()
    evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved.items() >= result.items()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": [0.7, 0, 2, 1, 0]}, "predictions must be classes .*, but row 0 is 0.7"),
        (
            {"perturbed_predictions": [0, None, 2, 2, 1]},
            "perturbed_predictions has no value in row 1",
        ),
        ({"references": [1, 0, 0, 1, float("nan")]}, "references has no value in row 4"),
        ({"changed": [1, 0, 0.5, 1, 0]}, "changed must be classes .*, but row 2 is 0.5"),
        ({"excluded": [1]}, "predictions has 5 rows, but excluded has 1"),
        ({"changed": [0] * 5, "undefined": "raise"}, "no row is perturbed"),
        ({"undefined": "none"}, "undefined must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=f"fairscore: {sentence}"):
        load_metric("fairscore").compute(**INPUTS | wrong)


def test_logits() -> None:
    """Logits are refused, never taken for classes."""
    with pytest.raises(InputError, match="predictions must have one value per row"):
        load_metric("fairscore").compute(**INPUTS | {"predictions": [[0.2, 0.8]] * 5})
