"""Tests of sentence vectors, on a small model and on a published encoder."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from fair_datasets.scores.embeddings import sentence_vectors
from fair_datasets.system.checks import InputError

TEXTS = ["the nurse said that she left .", "he ate", "the pilot slept ."]


@pytest.mark.parametrize("pooling", ["mean", "max", "cls", "last"])
@pytest.mark.parametrize("batch_size", [1, 3])
def test_pooling_leaves_padding_out(
    biased_masked: tuple[Any, Any], pooling: Any, batch_size: int
) -> None:
    """Each text alone, without padding, gives the same vector."""
    found = sentence_vectors(TEXTS, biased_masked, pooling=pooling, batch_size=batch_size)
    model, tokenizer = biased_masked
    for row, text in enumerate(TEXTS):
        with torch.no_grad():
            states = model.bert(torch.tensor([tokenizer(text)["input_ids"]])).last_hidden_state[0]
        expected = {"mean": states.mean(0), "max": states.max(0).values, "cls": states[0],
            "last": states[-1]}[pooling]  # fmt: skip
        np.testing.assert_allclose(found[row], expected, atol=1e-5)


def test_a_published_encoder_gives_its_own_vectors(encoder_folder: str) -> None:
    """The cosine with the recipe of the model's card is 1."""
    from transformers import AutoModel, AutoTokenizer

    texts = ["His dog is here.", "Her dog is here.", "The stock exchange fell by two per cent."]
    found = sentence_vectors(texts, encoder_folder, batch_size=2)
    tokenizer = AutoTokenizer.from_pretrained(encoder_folder)
    model = AutoModel.from_pretrained(encoder_folder).eval()
    batch = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
    mask = batch["attention_mask"][..., None]
    with torch.no_grad():
        states = model(**batch).last_hidden_state
    expected = torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=-1).numpy()
    units = found / np.linalg.norm(found, axis=1, keepdims=True)
    np.testing.assert_allclose((units * expected).sum(axis=1), 1, atol=1e-6)
    assert units[0] @ units[1] > 0.6 > 0.3 > units[0] @ units[2]


def test_a_published_encoder_reads_the_text_that_it_was_made_for(encoder_folder: str) -> None:
    """The folder says 256 tokens, less than the model could read."""
    with pytest.warns(UserWarning, match="256 tokens that the model reads"):
        sentence_vectors(["word " * 300], encoder_folder)


def test_a_function_of_texts_may_be_the_model() -> None:
    """Whatever it gives is read as a table."""
    found = sentence_vectors(TEXTS, lambda texts: torch.ones(len(texts), 2, dtype=torch.bfloat16))
    assert found.dtype == np.float64


@pytest.mark.parametrize(
    ("module", "config", "sentence"),
    [
        ("Dense", {"pooling_mode": "mean"}, "has a module 'Dense'"),
        ("Normalize", {"pooling_mode": "weightedmean"}, "pools by"),
        ("Normalize", dict.fromkeys(("pooling_mode_cls_token", "pooling_mode_max_tokens"), True),
         "pools by"),
    ],
)  # fmt: skip
def test_poolings_of_another_kind_are_refused(
    biased_masked: tuple[Any, Any], tmp_path: Path, module: str, config: Any, sentence: str
) -> None:
    """The sentence offers the library's own function."""
    save(biased_masked, tmp_path, module, config)
    with pytest.raises(InputError, match=sentence):
        sentence_vectors(TEXTS, tmp_path)


@pytest.mark.parametrize("config", [{"pooling_mode": "cls"}, {"pooling_mode_cls_token": True}])
def test_a_folder_says_how_it_pools(
    biased_masked: tuple[Any, Any], tmp_path: Path, config: dict[str, Any]
) -> None:
    """The files of present and earlier versions of sentence-transformers are read."""
    save(biased_masked, tmp_path, "Normalize", config)
    np.testing.assert_allclose(sentence_vectors(TEXTS, tmp_path),
        sentence_vectors(TEXTS, biased_masked, pooling="cls"), atol=1e-6)  # fmt: skip


def save(pair: tuple[Any, Any], folder: Path, module: str, config: dict[str, Any]) -> None:
    """Save a model as sentence-transformers does."""
    for part in pair:
        part.save_pretrained(folder)
    names = {"Transformer": "", "Pooling": "1_Pooling", module: f"2_{module}"}
    modules = [{"type": f"models.{name}", "path": path} for name, path in names.items()]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
