"""Tests of the association of labels as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import evaluate
import pytest

from fair_datasets import load_metric
from fair_datasets.measures.representation import label_association
from fair_datasets.reader.matching.find import count_terms

TEXTS = ["He sang.", "She sang.", "They sang.", "He and she left.", "Her son.", "It rained."]
LABELS: dict[str, list[Any]] = {"numbers": [1, 0, 0, 1, 0, 1],
    "tuples": [("a", 1), ("b", 1), ("b", 1), ("a", 1), ("b", 1), ("a", 1)],
    "a mixture": ["a", 0, 0, "a", 0, "a"]}  # fmt: skip


def expected(labels: list[Any], **options: Any) -> dict[str, Any]:
    """Measure by the function."""
    attributes, counts = count_terms(TEXTS)
    found = label_association(counts, attributes, labels, undefined="zero", **options)
    return {"associations": [asdict(each) for each in found]}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_it_is_the_functions(labels: list[Any]) -> None:
    """The module adds nothing, whatever holds the inputs; labels keep their type."""
    module = load_metric("label_association")
    assert isinstance(module, evaluate.Measurement)
    result = module.compute(data=TEXTS, labels=labels, undefined="zero")
    assert result == expected(labels)
    assert type(result["associations"][0]["label"]) is type(labels[0])
    for part in (slice(0, 2), slice(2, 6)):
        module.add_batch(data=TEXTS[part], labels=labels[part])
    assert module.compute(undefined="zero", level=0.9) == expected(labels, level=0.9)
