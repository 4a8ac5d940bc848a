"""Models that write, from the Hub."""

from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi

from fair_datasets.rewriters.generation.loading import load_writer
from fair_datasets.system.checks import InputError
from tests.small_models import small_model


@pytest.fixture
def saved(tmp_path: Path, encoder_folder: str) -> Path:
    """Save a BART with random weights, and a tokenizer."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(encoder_folder)
    sizes = {"width": 4, "max_position_embeddings": 8}
    small_model("BartForConditionalGeneration", len(tokenizer), **sizes).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    return tmp_path


def test_pickled_weights_are_refused_and_no_service_is_asked_for_others(
    hub: Any, saved: Path
) -> None:
    """Nor are pull requests searched for some; a revision that has them is read."""
    api = HfApi()
    api.create_repo("ada/writer")
    api.create_branch("ada/writer", branch="safe")
    api.upload_folder(folder_path=saved, repo_id="ada/writer", revision="safe")
    api.upload_folder(folder_path=saved, repo_id="ada/writer", ignore_patterns="*.safetensors")
    hub.plant("model", "ada/writer", "pytorch_model.bin")
    before = len(hub.requests())
    for revision in (None, "main"):
        with pytest.raises(InputError, match="name a revision that holds safetensors, or load it"):
            load_writer("ada/writer", revision=revision)
    assert not [line for line in hub.requests()[before:] if "discussions" in line or "POST" in line]
    assert load_writer("ada/writer", revision="safe").limit == 8
