"""Tests of demographic representation as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import evaluate
import pytest
from datasets import Dataset

from fair_datasets import load_metric
from fair_datasets.measures.representation import representation
from fair_datasets.reader.matching.find import count_terms

TEXTS = ["He saw his sister.", "The queen waved.", "Mary left.", "It rained.", "Her older brother."]


def expected(axis: str = "gender", names: bool | None = None, **options: Any) -> dict[str, Any]:
    """Measure by the function."""
    attributes, counts = count_terms(TEXTS, axis, names=names)
    found = asdict(representation(counts, attributes, **options))
    labels = [{"label": label, **shares} for label, shares in found["labels"].items()]
    return {**found["all"], "labels": labels, "reference": found["reference"]}


@pytest.mark.parametrize("options", [
    {},
    {"names": False},
    {"labels": ["a", "b", "a", "a", "b"]},
    {"labels": [1, 0, 1, 1, 0]},
    {"reference": {"man": 0.49, "woman": 0.5, "non-binary": 0.01}},
])  # fmt: skip
def test_it_is_the_functions(options: dict[str, Any]) -> None:
    """The module adds nothing, whatever holds the inputs."""
    module = load_metric("representation")
    assert isinstance(module, evaluate.Measurement)
    assert module.compute(data=TEXTS, **options) == expected(**options)
    rows = Dataset.from_dict({"text": TEXTS})
    assert module.compute(data=rows["text"], **options) == expected(**options)
