"""The demographic parity module of `evaluate`."""

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
from fair_datasets.measures.parity import demographic_parity
from fair_datasets.measures.undefined import UndefinedMeasureWarning

GENERATOR = np.random.default_rng(0)
COLUMNS: dict[str, Any] = {
    "predictions": GENERATOR.integers(0, 2, 60),
    "groups": GENERATOR.choice(["a", "b", "c"], 60),
}


def expected(columns: dict[str, Any], **options: Any) -> Any:
    """Return what the function gives."""
    return demographic_parity(columns["predictions"], columns["groups"])


def assert_values(result: dict[str, Any], parity: Any) -> None:
    """Compare the values of the module with those of the function."""
    for name in ("score", "difference", "ratio"):
        assert result[name] == getattr(parity, name)
        assert result["intervals"][name]["n_resamples"] == 20
    for row, (label, rates) in zip(result["groups"], parity.groups.items(), strict=True):
        assert row["group"] == label
        assert row["count"] == rates.count
        assert row["selection_rate"] == rates.selection_rate


def test_compute_is_the_function() -> None:
    """Lists, arrays and columns of a dataset give what the function gives."""
    metric = load_metric("demographic_parity")
    lists = {name: values.tolist() for name, values in COLUMNS.items()}
    dataset = datasets.Dataset.from_dict(lists)
    columns = {name: dataset[name] for name in COLUMNS}
    for given in (COLUMNS, lists, columns):
        result = metric.compute(**given, confidence=0.9, n_resamples=20)
        assert_values(result, expected(COLUMNS, confidence=0.9, n_resamples=20))


def test_batches_add_up() -> None:
    """Parts of any size give what the whole gives."""
    metric = load_metric("demographic_parity")
    for start, stop in ((0, 1), (1, 40), (40, 60)):
        metric.add_batch(**{name: values[start:stop] for name, values in COLUMNS.items()})
    result = metric.compute(confidence=0.9, n_resamples=20)
    assert_values(result, expected(COLUMNS, confidence=0.9, n_resamples=20))


def test_labels_keep_their_kind() -> None:
    """Whole numbers and booleans stay what they are, and a mixture is no mistake."""
    metric = load_metric("demographic_parity")
    for labels in ([1, 2, 3], [10**17, 10**17 + 1, 7], ["a", "b", "c"], [True, "b", 3]):
        groups = [labels["abc".index(group)] for group in COLUMNS["groups"]]
        columns = COLUMNS | {"groups": groups}
        result = metric.compute(**columns, confidence=0.9, n_resamples=20)
        assert {row["group"] for row in result["groups"]} == set(labels)


def test_results_can_be_saved(tmp_path: Path) -> None:
    """`evaluate.save` takes them, also where a label or a value is missing."""
    metric = load_metric("demographic_parity")
    columns = {name: values[:6].tolist() for name, values in COLUMNS.items()}
    columns["groups"] = ["a", "a", "a", None, None, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = metric.compute(**columns, missing_group="own")
    file = evaluate.save(tmp_path / "result.json", **result)
    assert json.loads(Path(file).read_text())["groups"][1]["group"] is None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"predictions": [0.7] * 60}, "predictions must be classes .* row 0 is 0.7"),
        ({"predictions": [0] * 59 + [2]}, "predictions must be 0 or 1, but row 59 is 2"),
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
    given: dict[str, Any] = COLUMNS | wrong
    with pytest.raises(InputError, match=f"^demographic_parity: {sentence}"):
        load_metric("demographic_parity").compute(**given)


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
    with pytest.raises(InputError, match=f"^demographic_parity: predictions {sentence}"):
        load_metric("demographic_parity").compute(**COLUMNS | {"predictions": wrong})


@pytest.mark.parametrize("groups", [["1", "0"], [1, 0], ["1", 1], ["null", "true"], [0.7, 0.1]])
@pytest.mark.parametrize("in_memory", [False, True])
def test_labels_stay_as_they_are(groups: list[Any], in_memory: bool) -> None:
    """The text "1" is no number, and a group called "null" is not missing."""
    module = load_metric("demographic_parity", keep_in_memory=in_memory)
    result = module.compute(predictions=[1, 0], groups=groups)
    labels = [row["group"] for row in result["groups"]]
    assert sorted(map(repr, labels)) == sorted(map(repr, groups))


def test_no_rows() -> None:
    """Nothing is defined."""
    columns: dict[str, Any] = {name: [] for name in COLUMNS}
    with pytest.warns(UndefinedMeasureWarning):
        assert load_metric("demographic_parity").compute(**columns)["groups"] == []


def test_lengths_differ() -> None:
    """The two columns are named."""
    with pytest.raises(ValueError, match=r"Mismatch in the number of .* \(59\)"):
        load_metric("demographic_parity").compute(**COLUMNS | {"groups": ["a"] * 59})
