"""What is a perturber's own: what it reads and writes, and what its rewrites are worth."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from datasets import Dataset
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from fair_datasets import InputError
from fair_datasets.rewriters.generation.controls import Control
from fair_datasets.rewriters.perturber.data import perturber_quality
from fair_datasets.rewriters.perturber.swapped import two_person_perturbations
from fair_datasets.rewriters.perturber.train import (
    PerturberConfig,
    encoded,
    train_perturber,
    trainer_of,
)
from fair_datasets.rewriters.training.network import decoded, starting_network

Settings = Callable[..., PerturberConfig]
SIGNS = ("<PERT_SEP>", "<SEP>")


@pytest.fixture(scope="session")
def rows() -> Dataset:
    """Sentences about two people."""
    return two_person_perturbations(80)


def test_padding_is_not_learnt(tiny: Settings, rows: Dataset, tmp_path: Path) -> None:
    """Labels of padding are -100; a label of every other token is there."""
    config = tiny("perturber")
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
    plain = tiny("perturber", control="plain")
    texts = rows["original"][:] + rows["perturbed"][:]
    model, tokenizer = starting_network(plain, texts, signs=SIGNS[1:])
    model.generation_config.num_beams = 4
    model.generation_config.no_repeat_ngram_size = 3
    model.save_pretrained(tmp_path / "base")
    tokenizer.save_pretrained(tmp_path / "base")
    assert "<PERT_SEP>" not in tokenizer.get_vocab()
    settings = {"epochs": 1, "evaluations": 1}
    config = tiny("perturber", model=tmp_path / "base", **settings)
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
        train_perturber(tiny("perturber", out=tmp_path / "b", max_length=3), rows)
    with pytest.raises(InputError, match="cannot be loaded as an encoder-decoder model"):
        train_perturber(tiny("perturber", out=tmp_path / "d", model=encoder_folder), rows)


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
