"""Tests of the association of labels as an `evaluate` module."""

from dataclasses import asdict
from typing import Any

import evaluate
import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.measures.label_association import label_association
from fair_datasets.reader.matching.find import count_terms

TEXTS = ["He sang.", "She sang.", "They sang.", "He and she left.", "Her son.", "It rained."]
LABELS: dict[str, list[Any]] = {
    "texts": ["a", "b", "b", "a", "b", "a"],
    "numbers": [1, 0, 0, 1, 0, 1],
    "figures as texts": ["1", "0", "0", "1", "0", "1"],
    "tuples": [("a", 1), ("b", 1), ("b", 1), ("a", 1), ("b", 1), ("a", 1)],
    "a mixture": ["a", 0, 0, "a", 0, "a"],
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
    for part in (slice(0, 2), slice(2, 6)):
        module.add_batch(data=TEXTS[part], labels=labels[part])
    assert module.compute(undefined="zero", level=0.9) == expected(labels, level=0.9)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"data": [*TEXTS[:5], None]}, "data has no text in row 5"),
        ({"labels": ["a", "b", None, "a", "b", "a"]}, "labels has no label in row 2"),
        ({"data": [None, *TEXTS[1:]]}, "data has no text in row 0"),
        ({"labels": [None, "b", "a", "a", "b", "a"]}, "labels has no label in row 0"),
        ({"labels": [1, 0, None, 1, 0, 1]}, "labels has no label in row 2"),
        (
            {"labels": [b"a", 0, 1, 1, 0, 1]},
            "labels must be texts and not bytes, but row 0 is b'a'",
        ),
        ({"labels": [[1], 0, 1, 1, 0, 1]}, r"labels must be one label per row, but row 0 is \[1\]"),
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
