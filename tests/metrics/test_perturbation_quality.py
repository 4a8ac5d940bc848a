"""Tests of the perturbation quality as an `evaluate` module."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import evaluate
import pytest
from datasets import Dataset

from fair_datasets import InputError, load_metric
from fair_datasets.measures.text_overlap import text_overlap

INPUTS = {
    "predictions": ["He plays the flute.", "It rained.", "His sister isn't here, is she?"],
    "references": ["She plays the flute.", "It rained.", "Her brother isn't here, is he?"],
}


def expected() -> dict[str, Any]:
    """Measure by the function."""
    found = text_overlap(*INPUTS.values())
    return {**asdict(found.mean), "rows": [asdict(row) for row in found.rows]}


def test_it_is_the_function() -> None:
    """The module adds nothing, whatever holds the inputs."""
    module = load_metric("perturbation_quality")
    assert isinstance(module, evaluate.Metric)
    assert module.compute(**INPUTS) == expected()
    rows = Dataset.from_dict(INPUTS)
    assert module.compute(**{name: rows[name] for name in INPUTS}) == expected()


def test_batches(tmp_path: Path) -> None:
    """Unequal batches give what all rows at once give, and the result can be saved."""
    module = load_metric("perturbation_quality")
    for part in (slice(0, 1), slice(1, 3)):
        module.add_batch(**{name: values[part] for name, values in INPUTS.items()})
    result = module.compute()
    assert result == expected()
    evaluate.save(tmp_path / "result.json", **result)
    assert json.loads((tmp_path / "result.json").read_text())["rows"] == result["rows"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": ["He sang.", None, "a"]}, "predictions has no text in row 1"),
        ({"predictions": [None, "He sang.", "a"]}, "predictions has no text in row 0"),
        ({"references": ["He sang.", "a", None]}, "references has no text in row 2"),
        ({"undefined": "none"}, "undefined must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=f"text_overlap: {sentence}"):
        load_metric("perturbation_quality").compute(**INPUTS | wrong)
