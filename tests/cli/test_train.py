"""The command `train encoder`."""

import csv
import re
import runpy
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi

from fair_datasets import BiasScore
from fair_datasets.scores.bilstm.network import BiLSTMEncoder
from fair_datasets.scores.embeddings import sentence_vectors
from fair_datasets.system import resume

_CORPUS = runpy.run_path(str(Path(__file__).parents[1] / "scores" / "bilstm" / "conftest.py"))
vectors = _CORPUS["vectors"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder of files of three splits, of which one has a row without a label."""
    folder = tmp_path / "data"
    folder.mkdir()
    train, held = _CORPUS["TRAIN"], _CORPUS["HELD"]
    unlabelled = {"premise": "The nurse sings.", "hypothesis": "a person", "label": "-"}
    for name, rows in {"train": [*train, unlabelled], "dev": held, "test": held}.items():
        with (folder / f"{name}.tsv").open("w") as file:
            writer = csv.DictWriter(file, list(unlabelled), delimiter="\t")
            writer.writeheader()
            writer.writerows(rows)
    return folder


def words(data: Path, vectors: Path, out: Path, *others: object) -> list[str]:
    """Return the words of the command."""
    named = ["train", "encoder", data, "--text", "premise", "--text", "hypothesis", "--vectors",
             vectors, "--preset", "small", "--out", out, *others]  # fmt: skip
    return list(map(str, named))


def test_an_encoder_is_trained_and_pushed(
    run: Any, hub: Any, data: Path, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is what sentence_vectors and BiasScore take, also from the Hub."""
    monkeypatch.setattr(resume, "_LINE_EVERY", 0.0)
    out = tmp_path / "encoder"
    ended = run(*words(data, vectors, out, "--epochs", 5)).done()
    assert "train: 63 of 64 rows, 5 epochs; epoch" in ended.out
    assert "test: accuracy" in ended.out
    assert re.search(r"Training the encoder: batch 2 of \d+, loss .*, about .* left", ended.err)
    assert "no training writes to it now" in run("status", out).out
    assert f"vectors = sentence_vectors(['It rained.'], {str(out)!r})" in ended.out
    assert [path.name for path in tmp_path.iterdir()].count("encoder.work") == 0
    card = (out / "README.md").read_text()
    assert card.count("# encoder\n") == 1
    assert "fair-datasets train encoder data --text premise --text hypothesis" in card
    assert "--vectors vectors.npz --preset small --epochs 5" in card
    assert str(tmp_path) not in card + (out / "config.json").read_text()
    assert run("push", "model", out, "ada/encoder").code == 0
    assert (
        'sentence_vectors(texts, "ada/encoder")  # this model'
        in Path(HfApi().hf_hub_download("ada/encoder", "README.md")).read_text()
    )
    texts = ["The nurse sleeps."]
    assert (sentence_vectors(texts, "ada/encoder") == sentence_vectors(texts, out)).all()
    score = BiasScore(columns="text", vectors=vectors, encoder="ada/encoder")
    assert score.importance == "max-pooling"


@pytest.mark.slow
def test_a_killed_run_goes_on(
    start: Any, run: Any, data: Path, vectors: Path, tmp_path: Path
) -> None:
    """By the same command, and ends with the same weights as one that was not killed."""
    assert run(*words(data, vectors, tmp_path / "whole", "--epochs", 30)).code == 0
    process = start(*words(data, vectors, tmp_path / "killed", "--epochs", 30))
    state = tmp_path / "killed.work" / "state.safetensors"
    while not state.exists() and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    process.communicate()
    assert not (tmp_path / "killed").exists()
    assert "not running. Training the encoder: batch" in run("status", tmp_path / "killed").out
    assert run(*words(data, vectors, tmp_path / "killed", "--epochs", 30)).code == 0
    for name in ("model.safetensors", "tokenizer.json"):
        whole, killed = (tmp_path / folder / name for folder in ("whole", "killed"))
        assert whole.read_bytes() == killed.read_bytes()


def test_one_split_is_divided_by_the_first_text(
    run: Any, data: Path, vectors: Path, tmp_path: Path
) -> None:
    """So that no premise is in two splits."""
    ended = run(*words(data / "train.tsv", vectors, tmp_path / "out", "--epochs", 1)).done()
    told = BiLSTMEncoder.from_pretrained(tmp_path / "out").provenance
    assert (told["pairs"] + told["unlabelled"]) % 3 == 1 or told["unlabelled"] == 0
    assert told["validation_pairs"] % 3 == 0
    assert ", 1 epoch; epoch 1 was best" in ended.out
