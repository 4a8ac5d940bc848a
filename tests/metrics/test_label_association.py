"""Tests of the association of labels as an `evaluate` module."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import evaluate
import pytest
from datasets import Dataset

from fair_datasets import InputError, load_metric
from fair_datasets.matching.count_terms import count_terms
from fair_datasets.measures.label_association import label_association

TEXTS = ["He sang.", "She sang.", "They sang.", "He and she left.", "Her son.", "It rained."]
LABELS: dict[str, list[Any]] = {
    "texts": ["a", "b", "b", "a", "b", "a"],
    "numbers": [1, 0, 0, 1, 0, 1],
    "figures as texts": ["1", "0", "0", "1", "0", "1"],
}


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
    rows = Dataset.from_dict({"text": TEXTS, "label": labels})
    again = module.compute(data=rows["text"], labels=rows["label"], undefined="zero", level=0.9)
    assert again == expected(labels, level=0.9)


def test_batches(tmp_path: Path) -> None:
    """Unequal batches give what all rows at once give, and the result can be saved."""
    module = load_metric("label_association")
    labels = LABELS["texts"]
    for part in (slice(0, 1), slice(1, 4), slice(4, 6)):
        module.add_batch(data=TEXTS[part], labels=labels[part])
    result = module.compute(undefined="zero")
    assert result == expected(labels)
    evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads((tmp_path / "result.json").read_text())
    assert saved["associations"] == result["associations"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"data": [*TEXTS[:5], None]}, "data has no text in row 5"),
        ({"labels": ["a", "b", None, "a", "b", "a"]}, "labels has no label in row 2"),
        ({"data": [None, *TEXTS[1:]]}, "data has no text in row 0"),
        ({"labels": [None, "b", "a", "a", "b", "a"]}, "labels has no value in row 0"),
        ({"labels": [1, "b", "a", "a", "b", "a"]}, "labels must be numbers, but row 1 is 'b'"),
        ({"labels": [1, 0, None, 1, 0, 1]}, "labels has no value in row 2"),
        ({"labels": [0.7, 0, 1, 1, 0, 1]}, "labels must be classes .*, but row 0 is 0.7"),
        ({"level": 95}, "level must be a number from 0 to 1"),
        ({"undefined": "none"}, "undefined must be one of"),
        ({"undefined": "raise"}, "no row mentions 'non-binary'"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    inputs = {"data": TEXTS, "labels": LABELS["texts"], "undefined": "zero"}
    with pytest.raises(InputError, match=f"label_association: {sentence}"):
        load_metric("label_association").compute(**inputs | wrong)
