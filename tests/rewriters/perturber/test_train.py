"""Training: interrupted or not it gives the same model; what is left is safe, and says how good."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset
from huggingface_hub import ModelCard
from safetensors.torch import load_file
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from fair_datasets import InputError
from fair_datasets.hub import pull_model, push_model
from fair_datasets.rewriters.generation.controls import Control
from fair_datasets.rewriters.perturber.data import perturber_quality
from fair_datasets.rewriters.perturber.swapped import two_person_perturbations
from fair_datasets.rewriters.perturber.train import (
    PerturberConfig,
    RowsConfig,
    encoded,
    train_perturber,
    trainer_of,
)
from fair_datasets.rewriters.training import work
from fair_datasets.rewriters.training.config import read_plan
from fair_datasets.rewriters.training.network import decoded, starting_network
from fair_datasets.system import interrupts

Settings = Callable[..., PerturberConfig]
SIGNS = ("<PERT_SEP>", "<SEP>")


@pytest.fixture(scope="session")
def rows() -> Dataset:
    """Sentences about two people."""
    return two_person_perturbations(80)


@pytest.mark.slow
def test_an_interrupted_training_ends_as_if_it_had_not_been(
    tiny: Settings, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in the middle of an epoch, with a checkpoint that was being written."""
    state = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state()  # noqa: NPY002
    whole = train_perturber(tiny(out=tmp_path / "whole"), rows)
    after = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state()  # noqa: NPY002
    assert state[:2] == after[:2]
    assert torch.equal(state[2], after[2])
    assert not (tmp_path / "whole.work").exists()

    steps = 0

    def interrupted() -> None:
        nonlocal steps
        steps += 1
        if steps == 8:
            raise KeyboardInterrupt(2)

    with monkeypatch.context() as patch:
        patch.setattr(interrupts, "obey", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train_perturber(tiny(out=tmp_path / "again"), rows)
    kept = tmp_path / "again.work"
    checkpoint = work.last_checkpoint(kept)
    assert checkpoint is not None
    # A checkpoint whose writing was cut short is passed over.
    (kept / "checkpoint-99").mkdir()
    (kept / "checkpoint-99" / "trainer_state.json").write_text('{"global_step": 9')
    assert work.last_checkpoint(kept) == checkpoint
    with pytest.raises(InputError, match="holds a model trained with seed=0, not 1; give"):
        train_perturber(tiny(out=tmp_path / "again", seed=1), rows)
    with pytest.raises(InputError, match="holds a model trained with other rows"):
        train_perturber(tiny(out=tmp_path / "again"), rows.select(range(60)))
    again = train_perturber(tiny(out=tmp_path / "again"), rows)
    assert not kept.exists()
    assert replace(again, folder=whole.folder) == whole
    first, second = (load_file(each.folder / "model.safetensors") for each in (whole, again))
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_what_is_left_is_a_model_with_a_card(
    tiny: Settings, rows: Dataset, tmp_path: Path, hub: Any
) -> None:
    """Safetensors alone; the card has the evaluation, and names the model where it is pushed."""
    given = rows.add_column("id", list(range(len(rows))))
    long = dict.fromkeys(("original", "perturbed"), "The king left. " * 40)
    extra = {"selected_word": "king", "target_attribute": "woman", "people": "", "id": 0}
    faulty = {"original": "He left.", "selected_word": "she", "target_attribute": "woman"}
    odd = [long | extra, {**extra, **faulty, "perturbed": "She left."}]
    given = Dataset.from_list([*given, *odd])
    trained = train_perturber(
        tiny(faulty="drop"), given, source="/home/ada/rows.csv", command="fair-datasets x"
    )
    assert sum(trained.rows.values()) == len(rows)
    assert trained.left_out == {
        "a word that is not in the text": 1, "more than 64 tokens": 1,
    }  # fmt: skip
    names = {path.name for path in trained.folder.iterdir()}
    assert names == {
        "README.md", "config.json", "generation_config.json", "model.safetensors",
        "tokenizer.json", "tokenizer_config.json",
    }  # fmt: skip
    assert list(trained.quality) == ["copying", "swap", "swap without names", "model"]
    card = ModelCard.load(trained.folder / "README.md")
    assert card.data.eval_results is not None
    values = {each.metric_type: each.metric_value for each in card.data.eval_results}
    assert values["bleu"] == trained.quality["model"].overlap.bleu
    for text in ("swap without names", "fair-datasets x", "`rows.csv`", 'model="model")'):
        assert text in card.text
    assert "/home" not in str(card)
    push_model(trained.folder, "ada/perturber")
    pulled = pull_model("ada/perturber")
    text = (pulled / "README.md").read_text("utf-8")
    assert 'control="perturber", model="ada/perturber")  # this model' in text
    assert "swap without names" in text
    AutoModelForSeq2SeqLM.from_pretrained(pulled)


def test_padding_is_not_learnt(tiny: Settings, rows: Dataset, tmp_path: Path) -> None:
    """Labels of padding are -100; a label of every other token is there."""
    config = tiny()
    model, tokenizer = starting_network(
        config, rows["original"][:] + rows["perturbed"][:], signs=SIGNS
    )
    control = Control.read("perturber")
    _, tokens = encoded(rows, tokenizer, control, 64)
    made = trainer_of(config, model, tokenizer, tokens, tokens[:2], ["a", "b"], tmp_path)
    batch = next(iter(made.get_train_dataloader()))
    batch = {name: each.cpu() for name, each in batch.items()}
    labels, read = batch["labels"], batch["input_ids"]
    assert {len(row["labels"]) for row in tokens} > {labels.shape[1]}
    assert ((labels == -100).sum() + (labels != -100).sum()) == labels.numel()
    assert (labels == -100).any()
    assert not (labels == tokenizer.pad_token_id).any()
    assert torch.equal(batch["attention_mask"] == 0, read == tokenizer.pad_token_id)
    written = decoded(labels.numpy(), tokenizer)
    assert set(written) <= set(rows["perturbed"])
    asked = decoded(read.numpy(), tokenizer)
    assert all(" <PERT_SEP> " in text or "<PERT_SEP>" in text for text in asked)


def test_a_model_that_is_there_learns_the_signs(
    tiny: Settings, rows: Dataset, tmp_path: Path
) -> None:
    """They are added before its embeddings grow; and it decodes greedily, whatever it was for."""
    plain = tiny(control="plain")
    texts = rows["original"][:] + rows["perturbed"][:]
    model, tokenizer = starting_network(plain, texts, signs=SIGNS[1:])
    model.generation_config.num_beams = 4
    model.generation_config.no_repeat_ngram_size = 3
    model.save_pretrained(tmp_path / "base")
    tokenizer.save_pretrained(tmp_path / "base")
    assert "<PERT_SEP>" not in tokenizer.get_vocab()
    settings = {"epochs": 1, "evaluations": 1}
    config = tiny(model=tmp_path / "base", **settings)
    trained = train_perturber(config, rows)
    known = AutoTokenizer.from_pretrained(trained.folder)
    assert {"<PERT_SEP>", "<SEP>"} <= set(known.get_vocab())
    ids = known("king, woman <PERT_SEP> The king.")["input_ids"]
    assert ids.count(known.get_vocab()["<PERT_SEP>"]) == 1
    network = AutoModelForSeq2SeqLM.from_pretrained(trained.folder)
    assert network.get_input_embeddings().num_embeddings == len(known) == len(tokenizer) + 1
    written = json.loads((trained.folder / "generation_config.json").read_text())
    assert written.get("num_beams", 1) == 1
    assert not written.get("no_repeat_ngram_size")
    assert written["forced_bos_token_id"] == known.bos_token_id


def test_what_cannot_be_trained(
    tiny: Settings, rows: Dataset, tmp_path: Path, encoder_folder: str
) -> None:
    """What only the models tell."""
    with pytest.raises(InputError, match="have more than 3 tokens; raise max_length"):
        train_perturber(tiny(out=tmp_path / "b", max_length=3), rows)
    with pytest.raises(InputError, match="cannot be loaded as an encoder-decoder model"):
        train_perturber(tiny(out=tmp_path / "d", model=encoder_folder), rows)


def test_quality_of_rewrites_that_need_no_model(rows: Dataset) -> None:
    """Copying is never right; the swap is where the people have different genders."""
    found = perturber_quality(rows)
    assert found["copying"].exact == 0
    assert 0.3 < found["swap"].exact < 0.7
    assert found["swap"].overlap.bleu > found["copying"].overlap.bleu


def test_the_names_of_the_swap_are_counted_apart(nameless: str) -> None:
    """A text whose name changes is right by the swap alone; another axis has its own words."""
    made = [
        ("Mary left.", "Mary", "man", "John left."),
        ("A white woman.", "white", "black", "A Black woman."),
        ("Somebody tall.", "tall", "short", "Somebody short."),
    ]
    names = ("original", "selected_word", "target_attribute", "perturbed")
    given = Dataset.from_list([dict(zip(names, row, strict=True)) for row in made])
    found = perturber_quality(given)
    assert found["swap without names"].exact == pytest.approx(1 / 3)
    assert found["swap"].exact == pytest.approx(2 / 3)
    assert perturber_quality(given, reader=nameless)["swap"].exact == pytest.approx(1 / 3)


def test_the_defaults_are_those_of_the_paper() -> None:
    """Qian et al. (2022), and the script of the released model."""
    config = PerturberConfig(out="p")
    assert (config.model, config.control) == ("facebook/bart-large", "perturber")
    assert (config.epochs, config.batch_size, config.rows_at_once) == (10, 64, 8)
    assert (config.learning_rate, config.warmup_steps) == (1e-5, 1200)
    assert (config.gradient_clip, config.max_length) == (0.1, 512)
    assert (config.evaluations, config.patience) == (4, 10)
    assert config.sizes == {"train": 0.7, "validation": 0.2, "test": 0.1}


def test_a_small_model_is_trained_on_a_laptop() -> None:
    """New, of two layers; the other settings are those that it learns by."""
    small = PerturberConfig.small(out="p")
    assert (small.model, small.layers, small.width, small.vocabulary) == (None, 2, 128, 4000)
    assert (small.epochs, small.batch_size, small.rows_at_once) == (30, 32, 32)
    assert (small.learning_rate, small.warmup_steps, small.dropout) == (1e-3, 100, 0.0)
    assert (small.gradient_clip, small.max_length) == (1.0, 128)
    assert (small.evaluations, small.evaluation_rows, small.patience) == (1, 200, 5)


def test_a_file_has_all_settings(tmp_path: Path) -> None:
    """Those of the training at its top, those of the rows in a table."""
    file = tmp_path / "perturber.toml"
    file.write_text(
        'out = "p"\npreset = "small"\nwidth = 64\nshares = [0.8, 0.1, 0.1]\n'
        '[rows]\nsource = "a.csv"\ntext = "review"\naxis = "age"\njoined = 0.25\ntwo_people = 5\n'
    )
    config, tables = read_plan(file, PerturberConfig)
    assert config == PerturberConfig.small(out="p", width=64, shares=(0.8, 0.1, 0.1))
    rows = RowsConfig(source="a.csv", text="review", axis="age", joined=0.25, two_people=5)
    assert tables == {"rows": rows}
    file.write_text('out = "p"\nencoder = "ada/bert"\n[rows]\nsource = "ada/panda"\n')
    assert read_plan(file, PerturberConfig)[0] == PerturberConfig(
        out="p", model=None, encoder="ada/bert"
    )
