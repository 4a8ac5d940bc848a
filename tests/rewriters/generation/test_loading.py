"""Models that write are read whole and safely, or refused in one sentence."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from fair_datasets.rewriters.generation.loading import load_writer
from fair_datasets.system.checks import InputError


@pytest.fixture
def folder(perturber_folder: str, tmp_path: Path) -> Path:
    """Give a copy of a model's folder, to break."""
    return Path(shutil.copytree(perturber_folder, tmp_path / "model"))


def refusal(name: Path | str, **options: Any) -> str:
    """Return the sentence in which a model is refused."""
    with pytest.raises(InputError) as raised:
        load_writer(str(name), **options)
    return str(raised.value)


def test_a_model_is_loaded_once_and_anew_when_its_folder_changes(folder: Path) -> None:
    """What a process has read it keeps, by the digests of the files."""
    first = load_writer(str(folder))
    assert load_writer(str(folder)) is first
    settings = folder / "generation_config.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "min_length": 4}))
    again = load_writer(str(folder))
    assert again is not first
    assert again.model.generation_config.min_length == 4


def test_the_last_two_models_are_kept(perturber_folder: str, tmp_path: Path) -> None:
    """A third one takes the place of what was not used for longest."""
    names = [str(shutil.copytree(perturber_folder, tmp_path / name)) for name in "abc"]
    first, second, _ = (load_writer(name) for name in names)
    assert load_writer(names[1]) is second
    assert load_writer(names[0]) is not first


def test_what_cannot_write_is_refused(folder: Path, encoder_folder: str) -> None:
    """Encoders, ignored revisions, foreign tokenizers, or none, and broken configurations."""
    assert "cannot be loaded as an encoder-decoder model: Bert is none" in refusal(encoder_folder)
    assert "is a folder here; leave it out" in refusal(folder, revision="main")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
        shutil.copy(Path(encoder_folder) / name, folder / name)
    assert "has 30522 tokens, but the model reads" in refusal(folder)
    for file in folder.glob("*tok*"):
        file.unlink()
    # A tokenizer that knows no word would be made in its place.
    assert "(it has no tokenizer; save one there with its save_pretrained)" in refusal(folder)
    (folder / "config.json").write_text("{")
    assert "cannot be loaded as an encoder-decoder model (" in refusal(folder)


def test_a_gpu_without_memory_for_the_model_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says how to go on without it."""
    monkeypatch.setattr("fair_datasets.system.pretrained.refuse_lost_gpu", lambda: None)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)

    def full(*_: Any, **__: Any) -> Any:
        raise torch.cuda.OutOfMemoryError

    monkeypatch.setattr("transformers.BartForConditionalGeneration.to", full)
    assert "the GPU has no memory for" in refusal(folder)


def test_weights_of_other_shapes_are_told_in_one_sentence(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No table of them is printed."""
    settings = folder / "config.json"
    config = json.loads(settings.read_text())
    settings.write_text(json.dumps({**config, "d_model": 2 * config["d_model"]}))
    assert refusal(folder).endswith(
        "its weights have other shapes than its config.json says; download both again"
    )
    assert capfd.readouterr().err == ""
