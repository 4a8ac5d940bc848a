"""Heads on the sentence vectors of a frozen encoder."""

import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset, config

from fair_datasets import InputError
from fair_datasets.scores.embeddings import sentence_vectors
from fair_datasets.scores.importance import linear_gradient_norms
from fair_datasets.scores.probes import ProbeConfig, load_probe, train_probes
from fair_datasets.scores.probes import head as heads
from fair_datasets.scores.probes.head import HeadProbe

TEXTS = ["the nurse left .", "the pilot slept .", "she sang", "he ate .", "the smith said she left"]
LABELS = [0, 1, 0, 1, 0]
DATA = Dataset.from_dict({"text": TEXTS, "label": LABELS})
ROWS = [(text,) for text in TEXTS]


@pytest.fixture
def encoder(untrained_classifier: tuple[Any, Any], tmp_path: Path) -> Iterator[Path]:
    """Give the folder of a small BERT, and forget afterwards what was kept of it."""
    folder = tmp_path / "encoder"
    for part in untrained_classifier:
        part.save_pretrained(folder)
    yield folder
    heads._loaded.cache_clear()
    shutil.rmtree(Path(config.HF_CACHE_HOME) / "fair_datasets", ignore_errors=True)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that encoders have read so far."""
    found: list[str] = []
    plain = heads.pooled_states

    def noted(loaded: Any, pooling: Any, texts: Any, **options: Any) -> Any:
        found.extend(texts)
        return plain(loaded, pooling, texts, **options)

    monkeypatch.setattr(heads, "pooled_states", noted)
    return found


def trained(encoder: Path, head: str, **options: Any) -> list[list[str]]:
    """Train heads on the five sentences."""
    settings: dict[str, Any] = {"columns": "text", "seeds": 1, "epochs": 2, **options}
    out = encoder.parent / f"probes-{head}"
    return train_probes(ProbeConfig(out=out, model=encoder, head=head, **settings), DATA)


@pytest.mark.parametrize("head", ["linear", "mlp"])
def test_it_learns(head: str, encoder: Path) -> None:
    """Even on vectors of an encoder that has learnt nothing; seeds and epochs differ."""
    paths = trained(encoder, head, seeds=2, epochs=60, learning_rate=3e-2, batch_size=2)
    logits = np.array([[load_probe(path).logits(ROWS) for path in seed] for seed in paths])
    assert logits.shape == (2, 60, 5, 2)
    assert (logits[:, -1].argmax(axis=-1) == LABELS).all()
    assert len({epoch.tobytes() for seed in logits for epoch in seed}) == 120
    assert load_probe(paths[0][0]).logits([]).shape == (0, 2)


@pytest.mark.parametrize("head", ["linear", "mlp"])
def test_each_text_is_read_once(head: str, encoder: Path, read: list[str]) -> None:
    """By all seeds and scores together; another run finds the vectors in the cache."""
    paths = trained(encoder, head, seeds=3)
    assert read == TEXTS
    for path in chain(*paths):
        load_probe(path).logits([*ROWS, *ROWS, ("a new one",)])
    assert read == [*TEXTS, "a new one"]
    before = load_probe(paths[0][0]).logits(ROWS)
    heads._loaded.cache_clear()
    np.testing.assert_array_equal(load_probe(paths[0][0]).logits(ROWS), before)
    assert read == [*TEXTS, "a new one"]


def test_how_much_of_a_text_is_read_is_another_reading(encoder: Path, read: list[str]) -> None:
    """The vectors of whole texts are not taken for those of their beginnings."""
    one = heads.frozen_encoder(str(encoder), 128).vectors(TEXTS)
    other = heads.frozen_encoder(str(encoder), 4).vectors(TEXTS)
    assert read == TEXTS * 2
    assert not np.allclose(one, other)


def test_the_memory_is_bounded(
    encoder: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is forgotten comes from the file."""
    monkeypatch.setattr(heads, "_CACHE_SIZE", 3)
    frozen = heads.frozen_encoder(str(encoder), 128)
    whole = frozen.vectors(TEXTS)
    np.testing.assert_array_equal(frozen.vectors([TEXTS[3], TEXTS[0]]), whole[[3, 0]])
    assert len(frozen.known) <= 3
    assert read == TEXTS


def test_vectors_are_those_of_the_encoder(encoder: Path) -> None:
    """Brought to the length 1, also where a text is asked for twice."""
    plain = sentence_vectors([*TEXTS, TEXTS[0]], str(encoder))
    expected = plain / np.linalg.norm(plain, axis=1, keepdims=True)
    found = heads.frozen_encoder(str(encoder), 128).vectors([*TEXTS, TEXTS[0]])
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("head", ["linear", "mlp"])
def test_logits_and_gradients_are_those_of_autograd(head: str, encoder: Path) -> None:
    """The norm over all weights and biases of the head, row by row."""
    ((*_, path),) = trained(encoder, head, learning_rate=0.1)
    probe = load_probe(path)
    assert isinstance(probe, HeadProbe)
    features = torch.from_numpy(heads.frozen_encoder(str(encoder), 128).vectors(TEXTS)).double()
    weights = [torch.tensor(part, dtype=torch.float64, requires_grad=True) for layer in probe.layers
        for part in layer]  # fmt: skip
    assert len(weights) == (2 if head == "linear" else 4)
    labels = np.array([1, 0, 0, 1, 1])
    norms = probe.gradient_norms(ROWS, labels)
    logits = probe.logits(ROWS)
    for row, label in enumerate(labels.tolist()):
        state = torch.nn.functional.linear(features[row], *weights[:2])
        if head == "mlp":
            state = torch.nn.functional.linear(state.relu(), *weights[2:])
        np.testing.assert_allclose(logits[row], state.detach(), rtol=1e-9)
        loss = torch.nn.functional.cross_entropy(state[None], torch.tensor([label]))
        gradients = torch.autograd.grad(loss, weights)
        expected = torch.sqrt(sum((part**2).sum() for part in gradients))  # type: ignore[arg-type]
        np.testing.assert_allclose(norms[row], expected, rtol=1e-9)
    if head == "linear":
        squares = (features.numpy() ** 2).sum(axis=1)
        np.testing.assert_allclose(norms, linear_gradient_norms(squares, logits, labels))


def test_several_columns_stand_side_by_side(encoder: Path, tmp_path: Path) -> None:
    """As many as there are, and in their order."""
    data = DATA.add_column("one", TEXTS[::-1]).add_column("two", TEXTS)
    settings: dict[str, Any] = {"model": encoder, "head": "linear", "seeds": 1, "epochs": 1}
    config = ProbeConfig(out=tmp_path / "out", columns=("text", "one", "two"), **settings)
    ((path,),) = train_probes(config, data)
    probe = load_probe(path)
    one, other, again = probe.logits([("he", "she", "."), ("she", "he", "."), ("he", "she", ".")])
    np.testing.assert_array_equal(one, again)
    assert not np.allclose(one, other)


def test_an_encoder_that_changed_is_refused(encoder: Path) -> None:
    """The head was trained on other vectors."""
    ((path, _),) = trained(encoder, "linear")
    (encoder / "modules.json").write_text("[]")
    with pytest.raises(InputError, match=r"the encoder .* has changed since a head was trained"):
        load_probe(path).logits(ROWS)
    shutil.rmtree(encoder)
    with pytest.raises(InputError, match="there is no folder"):
        load_probe(path).logits(ROWS)


@pytest.mark.parametrize("name", ["head_probe.json", "head_probe.safetensors"])
@pytest.mark.parametrize("content", ["{}", "garbage" * 99])
def test_a_broken_head_is_told(name: str, content: str, encoder: Path) -> None:
    """A file that was cut, or is something else, gives one sentence."""
    ((path, _),) = trained(encoder, "linear")
    (Path(path) / name).write_text(content)
    with pytest.raises(InputError, match="holds no head that can be read"):
        load_probe(path)


def test_a_broken_cache_is_told(encoder: Path) -> None:
    """The sentence names the file."""
    frozen = heads.frozen_encoder(str(encoder), 128)
    frozen.vectors(TEXTS[:1])
    (file,) = (Path(config.HF_CACHE_HOME) / "fair_datasets" / "vectors").iterdir()
    assert all(text.encode() not in file.read_bytes() for text in TEXTS)
    file.write_text("garbage" * 999)
    with pytest.raises(InputError, match=rf"kept in {file} cannot be used .*remove the file"):
        frozen.vectors(TEXTS)


def test_a_cache_that_cannot_be_written_is_told(
    encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says where another is named."""
    monkeypatch.setattr(config, "HF_CACHE_HOME", str(encoder / "config.json"))
    with pytest.raises(InputError, match=r"cannot be kept in .*; set HF_HOME to a writable folder"):
        heads.frozen_encoder(str(encoder), 128).vectors(TEXTS)


def test_a_model_of_the_hub_is_told_by_its_commit(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another commit has other vectors; the same one has the same wherever the cache lies."""
    digests = []
    for number, commit in enumerate(("a" * 40, "b" * 40, "b" * 40)):
        cache = tmp_path / f"cache-{number}"
        home = cache / "models--ada--encoder"
        (home / "refs").mkdir(parents=True)
        (home / "refs" / "main").write_text(commit)
        shutil.copytree(encoder, home / "snapshots" / commit)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
        heads._loaded.cache_clear()
        digests.append(heads.frozen_encoder("ada/encoder", 128).digest)
    assert digests[0] != digests[1] == digests[2]


def test_the_learning_rate_is_the_usual_one() -> None:
    """Unless it is given."""
    found = [
        ProbeConfig(out="x", columns="text", model="m", head=head, learning_rate=rate).learning_rate
        for head, rate in [(None, None), ("linear", None), ("mlp", None), ("mlp", 0.5)]
    ]
    assert found == [2e-5, 1e-2, 1e-3, 0.5]
