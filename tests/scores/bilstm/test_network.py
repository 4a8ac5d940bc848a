"""The encoder's states, and what reads them: sentence vectors, importance and bias scores."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset

from fair_datasets import BiasScore, InputError
from fair_datasets.scores import sentence_direction
from fair_datasets.scores.bias.parts import maxpool_importance
from fair_datasets.scores.bias.states import token_states
from fair_datasets.scores.bilstm.network import BiLSTMEncoder
from fair_datasets.scores.embeddings import sentence_vectors
from fair_datasets.scores.models import load_model

TEXTS = ["The nurse sleeps.", "zebra she", "", "A pilot eats outside, not a miner", "he"]


def one_by_one(encoder: BiLSTMEncoder, text: str) -> Any:
    """Compute the states of a text by the equations of an LSTM, without padding. Shape (T, D)."""
    weights = {name: weight.double() for name, weight in encoder.lstm.named_parameters()}
    read = encoder.vectors[encoder.rows[encoder.tokenizer(text)["input_ids"]]].double()
    sides = []
    for suffix, order in (("", 1), ("_reverse", -1)):
        hidden = cell = torch.zeros(encoder.lstm.hidden_size, dtype=torch.float64)
        states = []
        for word in read[::1] if order == 1 else read.flip(0):
            gates = weights[f"weight_ih_l0{suffix}"] @ word + weights[f"bias_ih_l0{suffix}"]
            gates += weights[f"weight_hh_l0{suffix}"] @ hidden + weights[f"bias_hh_l0{suffix}"]
            enter, forget, new, leave = gates.chunk(4)
            cell = forget.sigmoid() * cell + enter.sigmoid() * new.tanh()
            hidden = leave.sigmoid() * cell.tanh()
            states.append(hidden)
        sides.append(torch.stack(states[::order]))
    return torch.cat(sides, dim=1).detach().numpy()


@pytest.fixture
def encoder(trained: str) -> BiLSTMEncoder:
    """Load the encoder."""
    return BiLSTMEncoder.from_pretrained(trained)


def test_weights_that_are_no_numbers_are_told(encoder: BiLSTMEncoder, tmp_path: Path) -> None:
    """However the encoder is read."""
    torch.nn.init.constant_(encoder.lstm.bias_hh_l0, float("nan"))
    encoder.save_pretrained(tmp_path)
    for read in (BiLSTMEncoder.from_pretrained, lambda name: sentence_vectors(TEXTS, name)):
        with pytest.raises(InputError, match=r"the weight 'lstm\.bias_hh_l0' of .* holds NaN"):
            read(str(tmp_path))


def test_sentence_vectors(trained: str, encoder: BiLSTMEncoder) -> None:
    """The maximum of the states, however the texts share a batch; by folder or as it is loaded."""
    expected = [one_by_one(encoder, text).max(axis=0) for text in TEXTS]
    assert sentence_vectors(TEXTS, trained) == pytest.approx(np.array(expected), abs=1e-5)
    given = sentence_vectors(TEXTS, (encoder, encoder.tokenizer), batch_size=1)
    assert given == pytest.approx(np.array(expected), abs=1e-5)
    means = [one_by_one(encoder, text).mean(axis=0) for text in TEXTS]
    found = sentence_vectors(TEXTS, trained, pooling="mean")
    assert found == pytest.approx(np.array(means), abs=1e-5)


def test_importance(trained: str, encoder: BiLSTMEncoder) -> None:
    """The share of the maxima, the markers among the tokens; none of words without a vector."""
    found = token_states(TEXTS, trained)
    for text, tokens in zip(TEXTS, found, strict=True):
        importance = maxpool_importance(one_by_one(encoder, text))
        assert tokens.importance == pytest.approx(importance[1:-1])
    assert [TEXTS[1][start:end] for start, end in found[1].spans] == ["she"]
    words = [TEXTS[3][start:end] for start, end in found[3].spans]
    assert words == ["A", "pilot", "eats", "outside", "not", "a", "miner"]


def test_bias_score(trained: str, vectors: Path, tmp_path: Path) -> None:
    """With word vectors and the encoder's importance, and with its states alone."""
    score = BiasScore(columns="text", vectors=vectors, encoder=trained, explain=True)
    assert score.importance == "max-pooling"
    scored = score({"text": ["The zebra nurse sleeps.", "she", None, ""]})
    words = {word["word"]: word for word in scored["bias_score_words"][0]}
    assert words["zebra"]["importance"] == 0
    assert words["zebra"]["cosine"] is None
    importance = token_states(["The zebra nurse sleeps."], trained)[0].importance
    expected = dict(zip(["The", "nurse", "sleeps"], importance, strict=False))
    assert {word: words[word]["importance"] for word in expected} == pytest.approx(expected)
    assert scored["bias_score"][0] == pytest.approx(
        sum(abs(words[word]["product"]) for word in expected)
    )
    assert scored["bias_score"][1:] == [0, None, 0]
    swapped = ["He sleeps.", "The woman eats", "she sings"]
    pairs = Dataset.from_dict(
        {"text": ["She sleeps.", "The man eats", "he sings"], "text_counterfactual": swapped}
    )
    sentence_direction(pairs, trained).save(tmp_path / "states.safetensors")
    alone = BiasScore(columns="text", encoder=trained, direction=tmp_path / "states.safetensors")
    assert alone({"text": ["The nurse sleeps."]})["bias_score"][0] > 0


def test_classify_in_batches(encoder: BiLSTMEncoder) -> None:
    """The logits of u, v, |u - v| and u * v, however many run at once."""
    ids = encoder.tokenizer(TEXTS)["input_ids"]
    found = encoder.classify(ids, ids[::-1], batch_size=2)
    u = np.array([one_by_one(encoder, text).max(axis=0) for text in TEXTS])
    v = u[::-1]
    state = np.concatenate([u, v, abs(u - v), u * v], axis=1)
    for layer in encoder.classifier:
        state = state @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()
    assert found == pytest.approx(state, abs=1e-4)


def test_saved_and_loaded(encoder: BiLSTMEncoder, trained: str, tmp_path: Path) -> None:
    """With equal bytes; and the card says what it was trained on."""
    encoder.save_pretrained(tmp_path / "again", model_card_kwargs={"title": "my encoder"})
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        assert (tmp_path / "again" / name).read_bytes() == Path(trained, name).read_bytes()
    card = (tmp_path / "again" / "README.md").read_text()
    assert "Trained from `vectors.npz` on `pairs of sentences`." in card
    assert 'sentence_vectors(texts, "my encoder")  # this model' in card
    assert "library_name: fair_datasets" in card
    assert "| accuracy | 0.333" in card


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda folder: (folder / "model.safetensors").unlink(), "has no file model.safetensors"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"xx"), "weights are broken"),
        (lambda folder: (folder / "config.json").write_text("{"), "config.json .* is not JSON"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "cannot be loaded as an encoder mod"),
        (lambda folder: changed(folder, units=7), "do not fit its config.json"),
        (lambda folder: changed(folder, architecture="lstm"), "cannot be loaded as an encoder"),
    ],
)
def test_broken_folders(spoil: Any, sentence: str, trained: str, tmp_path: Path) -> None:
    """Each is told, and a pickle beside them is not read."""
    folder = tmp_path / "broken"
    shutil.copytree(trained, folder)
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    spoil(folder)
    with pytest.raises(InputError, match=sentence):
        sentence_vectors(["she"], folder)


def changed(folder: Path, **values: Any) -> None:
    """Change the config of a folder."""
    file = folder / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def test_it_is_nothing_else(trained: str) -> None:
    """No language model, and no classifier of single texts."""
    for head in ("causal", "masked", "classifier"):
        with pytest.raises(InputError, match=f"cannot be loaded as a {head} model"):
            load_model(trained, head)
