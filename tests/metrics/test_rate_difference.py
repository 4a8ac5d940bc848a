"""The rate difference module of `evaluate`."""

import json
import warnings
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pytest

from fair_datasets import load_metric
from fair_datasets.checks import InputError
from fair_datasets.measures.rate_difference import rate_difference

GENERATOR = np.random.default_rng(0)
COLUMNS: dict[str, Any] = {
    "predictions": GENERATOR.integers(0, 2, 60),
    "references": GENERATOR.integers(0, 2, 60),
    "groups": GENERATOR.choice(["a", "b", "c"], 60),
}


def expected(columns: dict[str, Any], **options: Any) -> Any:
    """Return what the function gives."""
    return rate_difference(
        columns["references"], columns["predictions"], columns["groups"], **options
    )


def assert_values(result: dict[str, Any], found: Any) -> None:
    """Compare the values of the module with those of the function."""
    for name in ("true_positive_rate_difference", "false_positive_rate_difference"):
        assert result[name] == getattr(found, name)
        assert result[f"absolute_{name}"] == abs(result[name])
    assert result["order"] == list(found.order) == ["b", "a"]
    assert [row["group"] for row in result["groups"]] == ["a", "b", "c"]


def test_compute_is_the_function() -> None:
    """Lists, arrays and columns of a dataset give what the function gives."""
    metric = load_metric("rate_difference")
    lists = {name: values.tolist() for name, values in COLUMNS.items()}
    dataset = datasets.Dataset.from_dict(lists)
    columns = {name: dataset[name] for name in COLUMNS}
    for given in (COLUMNS, lists, columns):
        result = metric.compute(**given, order=["b", "a"])
        assert_values(result, expected(COLUMNS, order=["b", "a"]))


def test_batches_add_up() -> None:
    """Parts of any size give what the whole gives."""
    metric = load_metric("rate_difference")
    for start, stop in ((0, 1), (1, 40), (40, 60)):
        metric.add_batch(**{name: values[start:stop] for name, values in COLUMNS.items()})
    result = metric.compute(order=["b", "a"])
    assert_values(result, expected(COLUMNS, order=["b", "a"]))


def test_labels_keep_their_kind() -> None:
    """Whole numbers and booleans stay what they are, and a mixture is no mistake."""
    metric = load_metric("rate_difference")
    for labels in ([1, 2, 3], [10**17, 10**17 + 1, 7], ["a", "b", "c"], [True, "b", 3]):
        groups = [labels["abc".index(group)] for group in COLUMNS["groups"]]
        columns = COLUMNS | {"groups": groups}
        result = metric.compute(**columns, order=[labels[0], labels[1]])
        assert {row["group"] for row in result["groups"]} == set(labels)


def test_results_can_be_saved(tmp_path: Path) -> None:
    """`evaluate.save` takes them, also where a label or a value is missing."""
    metric = load_metric("rate_difference")
    columns = {name: values[:6].tolist() for name, values in COLUMNS.items()}
    columns["groups"] = ["a", "a", "a", None, None, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = metric.compute(**columns, missing_group="own", order=["a", None])
    file = evaluate.save(tmp_path / "result.json", **result)
    assert json.loads(Path(file).read_text())["groups"][1]["group"] is None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": [0.7] * 60}, "predictions must be classes .* row 0 is 0.7"),
        ({"predictions": [0] * 59 + [2]}, "predictions must be 0 or 1, but row 59 is 2"),
        ({"references": [0.7] * 60}, "references must be classes .* row 0 is 0.7"),
        ({"predictions": [None] * 60}, r"predictions has no value in row 0 \(None\)"),
        ({"predictions": [1.0] * 59 + [float("nan")]}, r"predictions has no value in row 59"),
        ({"groups": ["a"] * 59 + [None]}, r"groups has no label in row 59 \(None\)"),
        ({"groups": ["a"] * 59 + [float("nan")]}, r"groups has no label in row 59"),
        ({"groups": [1.0] * 59 + [float("nan")]}, r"groups has no label in row 59"),
        ({"undefined": "none"}, "undefined must be one of 'nan', 'zero', 'raise'"),
    ],
)
def test_mistakes_are_told(wrong: dict[str, Any], sentence: str) -> None:
    """In the function's own sentence."""
    given: dict[str, Any] = COLUMNS | {"order": ["a", "b"]} | wrong
    with pytest.raises(InputError, match=f"^rate_difference: {sentence}"):
        load_metric("rate_difference").compute(**given)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ([[0.1, 0.9]] * 60, r"must have one value per row, but its shape is \(60, 2\)"),
        (["yes"] * 60, r"must be numbers, but row 0 is 'yes' \(str\)"),
        (["1"] * 60, r"must be numbers, but row 0 is '1' \(str\)"),
    ],
)
def test_logits_and_texts_are_no_predictions(wrong: list[Any], sentence: str) -> None:
    """Nor is a text read as a number, even where it could be."""
    with pytest.raises(InputError, match=f"^rate_difference: predictions {sentence}"):
        load_metric("rate_difference").compute(**COLUMNS | {"predictions": wrong})


def test_no_rows() -> None:
    """There are no groups to compare."""
    columns: dict[str, Any] = {name: [] for name in COLUMNS}
    with pytest.raises(InputError, match="the groups are none"):
        load_metric("rate_difference").compute(**columns)


def test_lengths_differ() -> None:
    """The two columns are named."""
    with pytest.raises(ValueError, match=r"Mismatch in the number of .* \(59\)"):
        load_metric("rate_difference").compute(**COLUMNS | {"groups": ["a"] * 59})
