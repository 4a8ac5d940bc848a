"""Small models that write: random ones, and one that was taught a toy language."""

import random
import runpy
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import T5Config, T5ForConditionalGeneration

from fair_datasets.scores.models import ScoringModel
from tests.small_models import small_model

PAIRS = [("he", "she"), ("his", "her"), ("himself", "herself"), ("man", "woman"), ("boy", "girl")]
JOBS = ["pilot", "nurse", "miner", "dancer"]
VERBS = ["said", "thought", "knew"]
ASIDES = ["It rained.", "The door closed."]
ENDS = ["left", "slept", "sang", "lost"]
# What builds a model that copies is shared with the benchmarks, which lie in no package.
COPYING = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "copying_bart.py"))
VOCABULARY = 24
STEPS = 130


class Ids:
    """A tokenizer of which only the ids are asked."""

    model_max_length = 10**30

    def __init__(self, padding: int) -> None:
        """Hold the id of padding."""
        self.pad_token_id = self.eos_token_id = padding


def random_bart(**options: Any) -> ScoringModel:
    """Build a BART with random weights, in double precision, so that no two tokens are as good."""
    model = small_model(
        "BartForConditionalGeneration", VOCABULARY, 16, heads=2, decoder_layers=2, init_std=0.6,
        max_position_embeddings=64, **options,
    ).double()  # fmt: skip
    model.final_logits_bias.normal_(0, 1)
    return ScoringModel(model, Ids(1))


def random_t5(**options: Any) -> ScoringModel:
    """Build a T5 with random weights, in double precision."""
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=VOCABULARY, d_model=16, num_layers=2, num_heads=2, d_ff=16, d_kv=8,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, initializer_factor=3.0,
        **options,
    )  # fmt: skip
    return ScoringModel(T5ForConditionalGeneration(config).double().eval(), Ids(0))


@pytest.fixture(scope="session")
def random_models() -> dict[str, ScoringModel]:
    """Give models with random weights, by name."""
    return {
        "bart": random_bart(), "bart with a first token": random_bart(forced_bos_token_id=0),
        "t5": random_t5(), "t5 untied": random_t5(tie_word_embeddings=False),
    }  # fmt: skip


def sentences() -> list[str]:
    """Write sentences about one person each."""
    found = []
    for job, verb, end in product(JOBS, VERBS, ENDS):
        found += [f"The {job} {verb} that {pronoun} {end}." for pronoun in ("he", "she")]
        for noun, owner in product(("man", "woman", "boy", "girl"), ("his", "her")):
            if (noun in ("man", "boy")) == (owner == "his"):
                found.append(f"The {noun} {verb} that {owner} {job} {end}.")
    return found


def swapped(text: str) -> str:
    """Rewrite a sentence to the other gender."""
    other = dict([*PAIRS, *((b, a) for a, b in PAIRS)])
    return " ".join(other.get(word, word) for word in text.split(" "))


def control_of(text: str) -> str:
    """Write what a perturber is given for a sentence."""
    men = {man for man, _ in PAIRS}
    word = next(word for word in text.split(" ") if word != swapped(word))
    return f"{word}, {'woman' if word in men else 'man'} <PERT_SEP> {text}"


def teach(model: Any, tokenizer: Any, pairs: list[tuple[str, str]]) -> None:
    """Teach a model what it has to write for what it is given."""
    draws = random.Random(0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.0, fused=True)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, STEPS)
    model.train()
    for _ in range(STEPS):
        batch = draws.sample(pairs, 24)
        given = tokenizer([source for source, _ in batch], padding=True, return_tensors="pt")
        labels = tokenizer([target for _, target in batch], padding=True, return_tensors="pt")
        ids = labels["input_ids"].masked_fill(labels["attention_mask"] == 0, -100)
        loss = model(
            input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=ids
        ).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    model.eval()


def lessons() -> list[tuple[str, str]]:
    """Write what the toy language teaches: sentences alone, and in front of another text."""
    known = [text for number, text in enumerate(sentences()) if number % 4]
    alone = [(control_of(text), swapped(text)) for text in known]
    followed = [
        (f"{given} <SEP> {ASIDES[k % 2]}", f"{written} <SEP> {ASIDES[k % 2]}")
        for k, (given, written) in enumerate(alone[::2])
    ]
    return alone + followed


@pytest.fixture(scope="session")
def perturber_folder(once: Any) -> str:
    """Give a perturber that knows the toy language; every fourth sentence is unseen."""

    def train(folder: Path) -> None:
        pairs = lessons()
        texts = [text for pair in pairs for text in pair] * 2
        tokenizer = COPYING["byte_tokenizer"](texts, 500, positions=96)
        model = COPYING["copying_bart"](
            len(tokenizer), layers=2, width=64, heads=2, positions=96, ahead=5
        )
        teach(model, tokenizer, pairs)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)

    return str(once("toy-perturber", train))


@pytest.fixture(scope="session")
def perturber(perturber_folder: str) -> ScoringModel:
    """Give the perturber of the toy language, loaded."""
    from fair_datasets.rewriters.generation.loading import load_writer

    return load_writer(perturber_folder)


@pytest.fixture(scope="session")
def toy_sentences() -> tuple[list[str], list[str]]:
    """Give the sentences that were held back, and what each becomes."""
    unseen = sentences()[::4]
    return unseen, list(map(swapped, unseen))
