"""The linear probe."""

import json
from pathlib import Path

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets.scores.probes import ProbeConfig, load_probe, predict_logits, train_probes
from fair_datasets.scores.probes.probe import TERMS_FILE, LinearProbe
from fair_datasets.system.checks import InputError

GOOD, BAD, DULL = ["good", "great", "fine"], ["bad", "awful", "poor"], ["dull", "flat", "slow"]


def films(kinds: list[list[str]], count: int = 300) -> Dataset:
    """Draw texts of one word of their class among words that say nothing."""
    draws = np.random.default_rng(0)
    labels = draws.integers(0, len(kinds), count)
    texts = [
        " ".join(["a", kinds[label][draws.integers(3)], *draws.choice(["film", "plot", "cast"], 3)])
        for label in labels
    ]
    return Dataset.from_dict({"text": texts, "label": labels})


@pytest.mark.parametrize("kinds", [[BAD, GOOD], [BAD, GOOD, DULL]])
def test_it_learns(kinds: list[list[str]], tmp_path: Path) -> None:
    """After a few epochs new texts are told apart; epochs and seeds differ."""
    config = ProbeConfig(out=tmp_path, columns="text", seeds=2, epochs=3)
    paths = train_probes(config, films(kinds))
    texts = [f"a {word} film" for words in kinds for word in words]
    expected = np.repeat(np.arange(len(kinds)), 3)
    logits = np.array([[predict_logits(path, texts) for path in seed] for seed in paths])
    assert logits.shape == (2, 3, len(texts), len(kinds))
    assert (logits[:, -1].argmax(axis=-1) == expected).all()
    assert len({seed.tobytes() for seed in logits.reshape(6, -1)}) == 6


def test_two_classes_have_opposite_logits(tmp_path: Path) -> None:
    """The logits are (-z/2, z/2), so that their softmax is the probability of the regression."""
    config = ProbeConfig(out=tmp_path, columns="text", seeds=1, epochs=1)
    ((path,),) = train_probes(config, films([BAD, GOOD]))
    logits = predict_logits(path, ["good", "awful plot", ""])
    np.testing.assert_array_equal(logits[:, 0], -logits[:, 1])


def test_it_is_saved_without_pickle(tmp_path: Path) -> None:
    """The vocabulary is JSON and the weights are safetensors; both come back as they were."""
    probe = LinearProbe(["bad", "good"], np.array([1.0, 2.0]), np.eye(2), np.array([0.5, -0.5]))
    probe.save(tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".safetensors"}
    assert json.loads((tmp_path / TERMS_FILE).read_text())["terms"] == probe.terms
    again = load_probe(tmp_path)
    rows = [("good bad",), ("",)]
    np.testing.assert_array_equal(again.logits(rows), probe.logits(rows))
    np.testing.assert_array_equal(again.logits(rows)[1], probe.biases)
    assert again.logits([]).shape == (0, 2)


@pytest.mark.parametrize("name", ["linear_probe.json", "linear_probe.safetensors"])
@pytest.mark.parametrize("content", ["{}", "garbage" * 99])
def test_a_broken_probe_is_told(tmp_path: Path, name: str, content: str) -> None:
    """A file that was cut, or is something else, gives one sentence."""
    config = ProbeConfig(out=tmp_path, columns="text", seeds=1, epochs=1)
    ((folder,),) = train_probes(config, films([GOOD, BAD]))
    (Path(folder) / name).write_text(content)
    with pytest.raises(InputError, match="holds no linear probe that can be read"):
        load_probe(folder)


def test_several_columns_are_read_as_one_text(tmp_path: Path) -> None:
    """Each column counts."""
    data = films([BAD, GOOD]).add_column("title", ["film"] * 300)
    config = ProbeConfig(out=tmp_path, columns=["title", "text"], seeds=1, epochs=1)
    ((path,),) = train_probes(config, data)
    rows = [("good", "bad"), ("bad", "good"), ("good", "good")]
    first, second, third = predict_logits(path, rows)
    np.testing.assert_array_equal(first, second)
    assert not np.allclose(first, third)


def test_texts_without_words_are_refused(tmp_path: Path) -> None:
    """There is nothing to learn from letters alone, and no checkpoint is left behind."""
    data = Dataset.from_dict({"text": ["a", "", "!"], "label": [0, 1, 1]})
    with pytest.raises(InputError, match="no word of two or more letters"):
        train_probes(ProbeConfig(out=tmp_path, columns="text"), data)
    assert not list(tmp_path.rglob("epoch-*"))
