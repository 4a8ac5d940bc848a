"""Tests of loading models: from a folder, as a pair, and every refusal."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.scores.classifiers import class_logits
from fair_datasets.scores.likelihoods import causal_likelihoods, pseudo_likelihoods
from fair_datasets.scores.models import (
    MAXIMUM_TOKENS,
    TruncatedTextWarning,
    batches_by_length,
    load_model,
    padded,
)
from fair_datasets.scores.probes import ProbeConfig, train_probes
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import on_gpu
from tests.small_models import small_model

TEXTS = ["the nurse said that she left ."]


@pytest.fixture
def saved(tmp_path: Path) -> Any:
    """Give a function that saves a pair and returns its folder."""

    def save(pair: tuple[Any, Any]) -> Path:
        for part in pair:
            part.save_pretrained(tmp_path)
        return tmp_path

    return save


def refusal(model: Any, head: Any) -> str:
    """Return the sentence that refuses a model."""
    with pytest.raises(InputError) as caught:
        load_model(model, head)
    return str(caught.value)


def test_a_folder_scores_as_the_model_does(saved: Any, biased_causal: tuple[Any, Any]) -> None:
    """A saved model gives the same scores, by the folder's name or its path."""
    folder, expected = saved(biased_causal), causal_likelihoods(TEXTS, biased_causal).losses
    for name in (folder, str(folder)):
        np.testing.assert_allclose(causal_likelihoods(TEXTS, name).losses, expected, atol=1e-6)


def test_a_saved_masked_model_and_classifier_load(
    saved: Any, biased_masked: tuple[Any, Any], untrained_classifier: tuple[Any, Any]
) -> None:
    """A checkpoint with its head is whole."""
    found = pseudo_likelihoods(TEXTS, saved(biased_masked)).per_token
    np.testing.assert_allclose(found, pseudo_likelihoods(TEXTS, biased_masked).per_token, atol=1e-6)
    found = class_logits(TEXTS, saved(untrained_classifier))
    np.testing.assert_allclose(found, class_logits(TEXTS, untrained_classifier), atol=1e-6)


@pytest.mark.parametrize("name", ["./missing", "/missing/model", "a/b/c"])
def test_a_missing_folder_is_told(name: str) -> None:
    """What can be no Hub id is not asked of the Hub."""
    assert refusal(name, "causal") == f"load_model: there is no folder {name!r}; check the path."


def test_a_model_that_the_hub_does_not_give_is_told() -> None:
    """Without network the sentence says both what was looked for and where."""
    sentence = refusal("nobody/nothing", "masked")
    assert sentence.startswith("load_model: 'nobody/nothing' is neither a folder with a model")


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    """An empty folder is no model."""
    assert "load_model: " in refusal(tmp_path, "encoder")


class Opened:
    """Something that makes a file when its pickle is read."""

    def __init__(self, file: Path) -> None:
        """Remember the file."""
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        """Tell whoever reads the pickle to make the file."""
        return Path.touch, (self.file,)


def test_pickled_weights_are_not_read(saved: Any, biased_causal: tuple[Any, Any]) -> None:
    """Neither plain ones, nor those that run code."""
    folder = saved(biased_causal)
    (folder / "model.safetensors").unlink()
    for content in (biased_causal[0].state_dict(), Opened(folder / "opened")):
        torch.save(content, folder / "pytorch_model.bin")
        assert "pickles are not read, because they can run code; load it" in refusal(
            folder, "causal"
        )
    with pytest.raises(InputError, match="cannot be loaded as a model to fine-tune: it has no"):
        fine_tuned(folder)
    assert not (folder / "opened").exists()


@pytest.mark.parametrize("content", [b"", b"garbage" * 99])
def test_weights_that_are_broken_are_told(
    saved: Any, biased_causal: tuple[Any, Any], content: bytes
) -> None:
    """A file that was cut, or is something else, gives one sentence."""
    folder = saved(biased_causal)
    (folder / "model.safetensors").write_bytes(content)
    assert "model: its weights are broken (Error while deser" in refusal(folder, "causal")
    with pytest.raises(InputError, match="to fine-tune: its weights are broken"):
        fine_tuned(folder)


def fine_tuned(folder: Path) -> None:
    """Fine-tune a model on two rows."""
    rows = Dataset.from_dict({"text": ["a", "b"], "label": [0, 1]})
    config = ProbeConfig(out=folder / "out", columns="text", model=folder, seeds=1, epochs=1)
    train_probes(config, rows)


def test_code_of_a_model_does_not_run(
    saved: Any, biased_causal: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is asked whether it may, either."""
    folder = saved(biased_causal)
    settings = json.loads((folder / "config.json").read_text())
    code = {"AutoConfig": "own.Settings", "AutoModelForCausalLM": "own.Model"}
    settings |= {"auto_map": code, "model_type": "own"}
    (folder / "config.json").write_text(json.dumps(settings))
    (folder / "own.py").write_text(f"open({str(folder / 'ran')!r}, 'w')")
    monkeypatch.setattr("builtins.input", lambda *asked: pytest.fail(f"it asked {asked}"))
    assert "needs code of its own, which is not run here; choose" in refusal(folder, "causal")
    with pytest.raises(InputError, match="needs code of its own, which is not run here"):
        fine_tuned(folder)
    assert not (folder / "ran").exists()


@pytest.mark.parametrize("name", ["x\0y", "a" * 5000, "a--b/c", "a/..", "a b"])
def test_what_is_no_name_is_told(name: str) -> None:
    """A NUL, a name that is too long, or one that the Hub does not have, is one sentence."""
    assert "load_model: " in refusal(name, "causal")


@pytest.mark.parametrize("model", [None, 3, ["a", "b"], ("only",)])
def test_another_kind_of_model_is_told(model: object) -> None:
    """The sentence says what a model may be."""
    assert "must be a Hub id, a folder, or a tuple" in refusal(model, "causal")


def test_a_causal_model_is_no_masked_model(saved: Any, biased_causal: tuple[Any, Any]) -> None:
    """As a pair it reads from left to right; as a folder there is no such class."""
    assert "reads from left to right" in refusal(biased_causal, "masked")
    assert "cannot be loaded as a masked model" in refusal(saved(biased_causal), "masked")


def test_a_masked_model_is_no_causal_model(saved: Any, biased_masked: tuple[Any, Any]) -> None:
    """It would see the token that it is asked to predict."""
    for model in (biased_masked, saved(biased_masked)):
        assert "sees the tokens that it is asked to predict" in refusal(model, "causal")


def test_random_heads_are_refused(saved: Any, biased_masked: tuple[Any, Any]) -> None:
    """A checkpoint of an encoder has no head; transformers would make one up."""
    model, tokenizer = biased_masked
    folder = saved((model.bert, tokenizer))
    for head in ("masked", "classifier"):
        assert "they would be random" in refusal(folder, head)


def test_pairs_without_a_head_are_refused(
    biased_masked: tuple[Any, Any], untrained_classifier: tuple[Any, Any]
) -> None:
    """Each head has its sentence."""
    model, tokenizer = biased_masked
    assert "has no head that predicts tokens" in refusal((model.bert, tokenizer), "masked")
    assert "has no head that predicts tokens" in refusal(untrained_classifier, "causal")
    assert "is not a text classifier" in refusal(biased_masked, "classifier")


def test_a_masked_model_needs_a_mask(biased_masked: tuple[Any, Any], causal_tokenizer: Any) -> None:
    """The tokenizer has to have a token for it."""
    assert "no token for masks" in refusal((biased_masked[0], causal_tokenizer), "masked")


def test_a_device_that_was_asked_for_is_used(biased_masked: tuple[Any, Any]) -> None:
    """A model that was given stays where it is, unless a device is named."""
    loaded = load_model(biased_masked, "masked", device="cpu")
    assert loaded.model.device.type == "cpu"
    assert load_model(biased_masked, "masked").model is biased_masked[0]


@pytest.mark.parametrize("device", ["gpu", "cuda:99", 3.5])
def test_a_device_that_does_not_exist_is_told(biased_masked: tuple[Any, Any], device: Any) -> None:
    """Before anything is loaded."""
    with pytest.raises(InputError, match=r"load_model: device .* cannot be used"):
        load_model(biased_masked, "masked", device=device)


def test_a_gpu_that_a_forked_process_cannot_use_is_told(
    biased_masked: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a process of `num_proc` inherits a model on it, and before one is put there."""
    network = biased_masked[0]
    loaded = load_model(biased_masked, "masked")

    def forked(*_: Any, **__: Any) -> Any:
        raise RuntimeError("Cannot re-initialize CUDA in forked subprocess.")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch, "empty", forked)
    told = "the GPU cannot be used in this process .*; leave num_proc out"
    with loaded.scoring():
        pass  # A model on the CPU needs no GPU.
    monkeypatch.setattr(type(network), "device", torch.device("cuda"))
    with pytest.raises(InputError, match=told), loaded.scoring():
        pass
    with pytest.raises(InputError, match=told):
        on_gpu(network, "a model")


def test_texts_are_cut_with_the_tokens_that_the_tokenizer_adds(
    biased_masked: tuple[Any, Any],
) -> None:
    """A start and an end stay; which texts were cut is told."""
    loaded = load_model(biased_masked, "masked")
    assert loaded.limit == 16
    encoded = loaded.encode(["the nurse left .", "he", "the nurse"], max_tokens=4)
    assert encoded.ids[0] == biased_masked[1]("the nurse")["input_ids"]
    assert encoded.ids[2] == encoded.ids[0]
    assert encoded.special[:2] == [[True, False, False, True], [True, False, True]]
    assert encoded.truncated.tolist() == [True, False, False]
    assert encoded.lengths.tolist() == [4, 3, 4]
    with pytest.raises(InputError, match="ScoringModel: max_tokens must be at least 1"):
        loaded.encode(["he"], max_tokens=0)


def test_the_end_of_a_text_stands_in_for_padding(biased_causal: tuple[Any, Any]) -> None:
    """GPT-2 has no token for padding."""
    loaded = load_model(biased_causal, "causal")
    assert loaded.tokenizer.pad_token_id is None
    assert loaded.padding == loaded.tokenizer.eos_token_id


def test_scoring_ends_as_it_began(biased_masked: tuple[Any, Any]) -> None:
    """Also after an error."""
    loaded = load_model(biased_masked, "masked")
    loaded.model.train()
    with pytest.raises(ZeroDivisionError), loaded.scoring():
        _ = 1 / loaded.model.training
    assert loaded.model.training
    loaded.model.eval()


def test_positions_behind_that_of_padding_count(masked_tokenizer: Any) -> None:
    """RoBERTa has as many positions less as its id of padding says."""
    sizes = {"max_position_embeddings": 12, "pad_token_id": 0, "initializer_range": 0.5}
    pair = small_model("RobertaForMaskedLM", len(masked_tokenizer), **sizes), masked_tokenizer
    with pytest.warns(TruncatedTextWarning, match="longer than the 11 tokens"):
        found = pseudo_likelihoods(["the " * 30], pair)
    assert found.tokens.tolist() == [9]


@settings(deadline=None)
@given(st.lists(st.integers(0, 10_000)), st.integers(1, 50))
def test_every_row_is_in_one_batch_and_no_batch_is_too_large(
    lengths: list[int], batch_size: int
) -> None:
    """Batches divide the rows, go from long to short, and keep to both limits."""
    batches = list(batches_by_length(lengths, batch_size, "Test"))
    rows = [row for batch in batches for row in batch.tolist()]
    assert sorted(rows) == list(range(len(lengths)))
    assert [lengths[row] for row in rows] == sorted(lengths, reverse=True)
    for batch in batches:
        assert 1 <= batch.size <= batch_size
        assert batch.size == 1 or batch.size * max(lengths[row] for row in batch) <= MAXIMUM_TOKENS


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 9), min_size=1), min_size=1))
def test_padding_is_hidden_by_the_mask(rows: list[list[int]]) -> None:
    """What the mask does not hide is the row as it was."""
    ids, mask = padded(rows, padding=0)
    for row, tokens in enumerate(rows):
        assert ids[row][mask[row] == 1].tolist() == tokens
    assert np.array_equal(ids.numpy() > 0, mask.numpy() > 0)
