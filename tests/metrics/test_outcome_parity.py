"""The modules of `evaluate` that compare rates by reference: equal opportunity, equalized odds."""

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
from fair_datasets.measures.parity import equal_opportunity, equalized_odds
from fair_datasets.measures.undefined import UndefinedMeasureWarning

GENERATOR = np.random.default_rng(0)
COLUMNS: dict[str, Any] = {
    "predictions": GENERATOR.integers(0, 2, 60),
    "references": GENERATOR.integers(0, 2, 60),
    "groups": GENERATOR.choice(["a", "b", "c"], 60),
}


FUNCTIONS: dict[str, Any] = {
    "equal_opportunity": equal_opportunity,
    "equalized_odds": equalized_odds,
}
OPTIONS: dict[str, dict[str, Any]] = {
    "equal_opportunity": {"outcome": 0},
    "equalized_odds": {"agg": "worst_case"},
}
BOOTSTRAP: dict[str, Any] = {"confidence": 0.9, "n_resamples": 20}
# What else is passed where labels of other kinds are tried.
WITH_LABELS: dict[str, dict[str, Any]] = {
    "equal_opportunity": {"undefined": "zero"},
    "equalized_odds": {},
}

pytestmark = pytest.mark.parametrize("name", FUNCTIONS)


def expected(name: str) -> Any:
    """Return what the function gives."""
    columns = (COLUMNS["references"], COLUMNS["predictions"], COLUMNS["groups"])
    return FUNCTIONS[name](*columns, **OPTIONS[name])


def assert_values(result: dict[str, Any], parity: Any) -> None:
    """Compare the values of the module with those of the function."""
    for value in ("score", "difference", "ratio"):
        assert result[value] == getattr(parity, value)
        assert result["intervals"][value]["n_resamples"] == 20
    for row, (label, rates) in zip(result["groups"], parity.groups.items(), strict=True):
        assert row["group"] == label
        assert row["count"] == rates.count
        assert row["selection_rate"] == rates.selection_rate


def test_compute_is_the_function(name: str) -> None:
    """Lists, arrays and columns of a dataset give what the function gives."""
    metric = load_metric(name)
    lists = {column: values.tolist() for column, values in COLUMNS.items()}
    dataset = datasets.Dataset.from_dict(lists)
    columns = {column: dataset[column] for column in COLUMNS}
    for given in (COLUMNS, lists, columns):
        result = metric.compute(**given, **BOOTSTRAP, **OPTIONS[name])
        assert_values(result, expected(name))


def test_batches_add_up(name: str) -> None:
    """Parts of any size give what the whole gives."""
    metric = load_metric(name)
    for start, stop in ((0, 1), (1, 40), (40, 60)):
        metric.add_batch(**{column: values[start:stop] for column, values in COLUMNS.items()})
    result = metric.compute(**BOOTSTRAP, **OPTIONS[name])
    assert_values(result, expected(name))


def test_labels_keep_their_kind(name: str) -> None:
    """Whole numbers and booleans stay what they are, and a mixture is no mistake."""
    metric = load_metric(name)
    for labels in ([1, 2, 3], [10**17, 10**17 + 1, 7], ["a", "b", "c"], [True, "b", 3]):
        groups = [labels["abc".index(group)] for group in COLUMNS["groups"]]
        columns = COLUMNS | {"groups": groups}
        result = metric.compute(**columns, **WITH_LABELS[name])
        assert {row["group"] for row in result["groups"]} == set(labels)


def test_results_can_be_saved(name: str, tmp_path: Path) -> None:
    """`evaluate.save` takes them, also where a label or a value is missing."""
    metric = load_metric(name)
    columns = {column: values[:6].tolist() for column, values in COLUMNS.items()}
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
        ({"references": [0.7] * 60}, "references must be classes .* row 0 is 0.7"),
        ({"predictions": [None] * 60}, r"predictions has no value in row 0 \(None\)"),
        ({"predictions": [1.0] * 59 + [float("nan")]}, r"predictions has no value in row 59"),
        ({"groups": ["a"] * 59 + [None]}, r"groups has no label in row 59 \(None\)"),
        ({"groups": ["a"] * 59 + [float("nan")]}, r"groups has no label in row 59"),
        ({"groups": [1.0] * 59 + [float("nan")]}, r"groups has no label in row 59"),
        ({"undefined": "none"}, "undefined must be one of 'nan', 'zero', 'raise'"),
    ],
)
def test_mistakes_are_told(name: str, wrong: dict[str, Any], sentence: str) -> None:
    """In the function's own sentence."""
    given: dict[str, Any] = COLUMNS | wrong
    with pytest.raises(InputError, match=f"^{name}: {sentence}"):
        load_metric(name).compute(**given)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ([[0.1, 0.9]] * 60, r"must have one value per row, but its shape is \(60, 2\)"),
        (["yes"] * 60, r"must be numbers, but row 0 is 'yes' \(str\)"),
        (["1"] * 60, r"must be numbers, but row 0 is '1' \(str\)"),
    ],
)
def test_logits_and_texts_are_no_predictions(name: str, wrong: list[Any], sentence: str) -> None:
    """Nor is a text read as a number, even where it could be."""
    with pytest.raises(InputError, match=f"^{name}: predictions {sentence}"):
        load_metric(name).compute(**COLUMNS | {"predictions": wrong})


def test_no_rows(name: str) -> None:
    """Nothing is defined."""
    columns: dict[str, Any] = {column: [] for column in COLUMNS}
    with pytest.warns(UndefinedMeasureWarning):
        assert load_metric(name).compute(**columns)["groups"] == []


def test_lengths_differ(name: str) -> None:
    """The two columns are named."""
    with pytest.raises(ValueError, match=r"Mismatch in the number of .* \(59\)"):
        load_metric(name).compute(**COLUMNS | {"groups": ["a"] * 59})
