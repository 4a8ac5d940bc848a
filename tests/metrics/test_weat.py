"""Tests of WEAT as an `evaluate` module."""

import json
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import InputError, load_metric
from fair_datasets.measures.weat import plain_weat, weat_from_rows

VECTORS = np.random.default_rng(0).normal(size=(12, 5))
SETS = list("XXXYYYAAABBB")
EXPECTED = plain_weat(weat_from_rows(VECTORS, SETS))


def test_it_is_the_function() -> None:
    """The module adds nothing, whatever holds the inputs."""
    module = load_metric("weat")
    assert isinstance(module, evaluate.Measurement)
    assert module.compute(vectors=VECTORS, sets=SETS) == EXPECTED
    assert module.compute(vectors=VECTORS.tolist(), sets=np.array(SETS)) == EXPECTED
    rows = Dataset.from_dict({"vectors": VECTORS.tolist(), "sets": SETS})
    assert module.compute(vectors=rows["vectors"], sets=rows["sets"]) == EXPECTED


def test_batches_and_saving(tmp_path: Path) -> None:
    """Unequal batches give what all rows at once give, and the result can be saved."""
    module = load_metric("weat")
    for part in (slice(0, 1), slice(1, 8), slice(8, 12)):
        module.add_batch(vectors=VECTORS[part].tolist(), sets=SETS[part])
    result = module.compute()
    assert result == EXPECTED
    evaluate.save(tmp_path / "result.json", **result)
    assert json.loads((tmp_path / "result.json").read_text()).items() >= result.items()


def test_options_reach_the_function() -> None:
    """Samples, seed and statistic."""
    options: dict[str, Any] = {"n_samples": 10, "seed": 3, "statistic": "mean"}
    found = load_metric("weat").compute(vectors=VECTORS.tolist(), sets=SETS, **options)
    assert found == plain_weat(weat_from_rows(VECTORS, SETS, **options))


@pytest.mark.parametrize(
    ("vectors", "sets", "sentence"),
    [
        ([[1.0], [0.0]], ["X", "Y"], "row 1 of vectors has nothing but zeros"),
        ([[1.0], [float("nan")]], ["X", "Y"], "row 1 of vectors has a number that is missing"),
        ([[1.0], [None]], ["X", "Y"], "must be a list of numbers in every row, but row 1 is"),
        ([[1.0], [1.0, 2.0]], ["X", "Y"], "row 0 has 1 numbers and row 1 has 2"),
        ([1.0, 2.0], ["X", "Y"], "must be a list of numbers in every row, but row 0 is 1.0"),
        ([["1"], ["2"]], ["X", "Y"], r"must be a list of numbers in every row, but row 0 is"),
        ([[1.0], [2.0]], ["X", "Z"], "sets must be 'X', 'Y', 'A' or 'B', but row 1 is 'Z'"),
        ([[1.0], [2.0]], ["X", None], "sets has no text in row 1"),
        ([[1.0], [2.0]], [0, 1], "sets must be texts, but row 0 is 0"),
    ],
)
def test_wrong_inputs(vectors: Any, sets: Any, sentence: str) -> None:
    """The sentence of the function reaches the user."""
    with pytest.raises(InputError, match=sentence):
        load_metric("weat").compute(vectors=vectors, sets=sets)
