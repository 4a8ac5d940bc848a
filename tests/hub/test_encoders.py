"""A sentence encoder is pushed and pulled as `PyTorchModelHubMixin` does it."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi

from fair_datasets import InputError
from fair_datasets.hub import push_model
from fair_datasets.scores.bilstm.network import BiLSTMEncoder
from fair_datasets.scores.embeddings import sentence_vectors

_OF_TRAINING = runpy.run_path(str(Path(__file__).parents[1] / "scores/bilstm/conftest.py"))
vectors, tiny, trained = (_OF_TRAINING[name] for name in ("vectors", "tiny", "trained"))
TEXTS = ["The nurse sleeps.", "she"]
FILES = {
    ".gitattributes", "README.md", "config.json", "model.safetensors", "tokenizer.json",
    "tokenizer_config.json",
}  # fmt: skip


def test_an_encoder_comes_back(hub: Any, trained: str) -> None:
    """With its tokenizer and its card, and no pickle."""
    BiLSTMEncoder.from_pretrained(trained).push_to_hub("ada/encoder", private=True)
    assert HfApi().repo_info("ada/encoder").private
    assert set(HfApi().list_repo_files("ada/encoder")) == FILES
    card = Path(HfApi().hf_hub_download("ada/encoder", "README.md")).read_text()
    assert "# ada/encoder" in card
    assert 'sentence_vectors(texts, "ada/encoder")  # this model' in card
    expected = sentence_vectors(TEXTS, trained)
    assert (sentence_vectors(TEXTS, "ada/encoder") == expected).all()
    again = BiLSTMEncoder.from_pretrained("ada/encoder")
    assert again.provenance == BiLSTMEncoder.from_pretrained(trained).provenance
    assert (sentence_vectors(TEXTS, (again, again.tokenizer)) == expected).all()


def test_push_model_takes_it(hub: Any, trained: str) -> None:
    """The model, or its folder; what training left beside it is not sent."""
    Path(trained, "state.safetensors").write_bytes(b"state")
    try:
        push_model(trained, "ada/folder")
    finally:
        Path(trained, "state.safetensors").unlink()
    push_model(BiLSTMEncoder.from_pretrained(trained), "ada/model")
    for name in ("ada/folder", "ada/model"):
        assert set(HfApi().list_repo_files(name)) == FILES
        assert (
            f'"{name}")  # this model'
            in Path(HfApi().hf_hub_download(name, "README.md")).read_text()
        )
        assert (sentence_vectors(TEXTS, name) == sentence_vectors(TEXTS, trained)).all()


def test_a_pickle_is_not_read(hub: Any, trained: str) -> None:
    """Where the weights are missing, as the mixin would do."""
    BiLSTMEncoder.from_pretrained(trained).push_to_hub("ada/encoder")
    HfApi().delete_file("model.safetensors", "ada/encoder")
    HfApi().upload_file(
        path_or_fileobj=b"\x80\x04.", path_in_repo="pytorch_model.bin", repo_id="ada/encoder"
    )
    with pytest.raises(InputError, match=r"'ada/encoder' has no file model.safetensors"):
        sentence_vectors(TEXTS, "ada/encoder")
