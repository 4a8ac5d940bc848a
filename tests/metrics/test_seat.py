"""Tests of SEAT as an `evaluate` module."""

import json
from pathlib import Path
from typing import Any

import evaluate
import pytest
from datasets import Dataset

from fair_datasets import InputError, load_metric
from fair_datasets.measures.weat import plain_weat, weat_from_rows
from fair_datasets.scores.embeddings import sentence_vectors

TEXTS = [f"the {word}" for word in ("pilot", "nurse .", "he", "she", "slept", "left", "the", ".")]
SETS = list("XXYYAABB")


def test_it_is_the_test_on_sentence_vectors(masked_model: tuple[Any, Any], tmp_path: Path) -> None:
    """The module adds nothing, whatever holds the inputs, and its result can be saved."""
    module = load_metric("seat")
    expected = plain_weat(weat_from_rows(sentence_vectors(TEXTS, masked_model), SETS))
    assert isinstance(module, evaluate.Measurement)
    rows = Dataset.from_dict({"texts": TEXTS, "sets": SETS})
    for columns in ({"texts": TEXTS, "sets": SETS}, {"texts": rows["texts"], "sets": rows["sets"]}):
        assert module.compute(**columns, model=masked_model, batch_size=32) == expected
    for part in (slice(0, 3), slice(3, 8)):
        module.add_batch(texts=TEXTS[part], sets=SETS[part])
    result = module.compute(model=masked_model)
    assert result == expected
    evaluate.save(tmp_path / "result.json", **result)
    assert json.loads((tmp_path / "result.json").read_text()).items() >= result.items()


def test_pooling_is_part_of_the_result(masked_model: tuple[Any, Any]) -> None:
    """Another pooling gives another effect size."""
    module = load_metric("seat")
    effects = {
        module.compute(texts=TEXTS, sets=SETS, model=masked_model, pooling=pooling)["effect_size"]
        for pooling in ("mean", "max", "cls", "last")
    }
    assert len(effects) == 4


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"texts": ["a", None]}, "texts has no text in row 1"),
        ({"texts": [1, 2]}, "texts must be texts, but row 0 is 1"),
        ({"sets": ["X", "x"]}, "but row 1 is 'x'"),
        ({"model": None}, "model must be a Hub id, a folder, or a tuple"),
        ({"pooling": "median"}, "pooling must be one of"),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence of the function reaches the user."""
    good: dict[str, Any] = {
        "texts": ["a", "b"],
        "sets": ["X", "Y"],
        "model": lambda texts: [[1.0, len(text)] for text in texts],
    }
    with pytest.raises(InputError, match=sentence):
        load_metric("seat").compute(**{**good, **wrong})
