"""Tests of the bias score as an `evaluate` module."""

import json
from pathlib import Path

import evaluate
import pytest
from datasets import Dataset

from fair_datasets import BiasScore, load_metric
from fair_datasets.cards.report.pictures import bias_score_plot
from fair_datasets.measures import bias_distribution
from fair_datasets.models import load_word_vectors

TEXTS = ["She wears pink.", "A truck, a truck!", "It rained.", "", "pink truck"]
WORDS = {"he": [1.0, 0.0], "she": [0.0, 1.0], "man": [1.0, 0.5], "woman": [0.5, 1.0],
         "pink": [0.0, 1.0], "truck": [1.0, 0.0]}  # fmt: skip


@pytest.fixture
def vectors(tmp_path: Path) -> str:
    """Return a file of word vectors."""
    load_word_vectors(WORDS).save(tmp_path / "vectors.npz")
    return str(tmp_path / "vectors.npz")


def test_it_is_the_technique_and_the_function(vectors: str, tmp_path: Path) -> None:
    """Whether the texts or their scores are given; the result can be saved."""
    module = load_metric("bias_score")
    assert isinstance(module, evaluate.Measurement)
    result = module.compute(data=TEXTS, vectors=vectors)
    scored = BiasScore(columns="text", vectors=vectors).apply(Dataset.from_dict({"text": TEXTS}))
    towards = {name: scored[f"bias_score_{name}"] for name in ("man", "woman")}
    given = module.compute(data=TEXTS, scores=scored["bias_score"], attributes=towards)
    own = {name: result[name] for name in ("name", "coverage", "direction")}
    assert {name: given[name] for name in own} == dict.fromkeys(own)
    assert {**given, **own} == result
    above = {"threshold": 0.1, "families": [0, 0, 1, 2, 3]}
    found = bias_distribution(scored["bias_score"], towards, **above)
    assert result["percentiles"]["95"] == found.percentiles[95]
    assert found.interval is not None
    interval = module.compute(data=TEXTS, scores=scored["bias_score"], **above)["interval"]
    assert interval == dict(zip(("low", "high", "level"), (*found.interval, 0.95), strict=True))
    man, woman = result["attributes"]
    assert (man["attribute"], man["most"][0]["text"]) == ("man", TEXTS[1])
    assert (woman["attribute"], woman["most"][0]["row"]) == ("woman", 4)
    for part in (slice(0, 2), slice(2, 5)):
        module.add_batch(data=TEXTS[part])
    assert module.compute(vectors=vectors) == result
    evaluate.save(tmp_path / "result.json", **result)
    assert json.loads((tmp_path / "result.json").read_text()).items() >= result.items()


@pytest.mark.parametrize("centred", [False, True])
def test_what_was_scored_along_is_told(vectors: str, centred: bool) -> None:
    """Six of eleven words have a vector or are listed."""
    result = load_metric("bias_score").compute(data=TEXTS, vectors=vectors, centred=centred)
    name = "bias_score_centred" if centred else "bias_score"
    assert result["name"] == name
    assert bias_score_plot(result).axes[0].get_xlabel().startswith(name.replace("_", " "))
    direction = BiasScore(columns="text", vectors=vectors).scorer().direction
    assert result["direction"]["poles"] == ["man", "woman"]
    assert result["direction"]["offset"] == direction.offset
    assert result["coverage"] == pytest.approx(6 / 11)
    assert load_metric("bias_score").compute(data=[""], vectors=vectors)["coverage"] is None
