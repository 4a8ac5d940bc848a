"""Small models, trained on sentences that the tests make, so that what they learnt shows."""

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.small_models import bert_tokenizer, small_model, word_tokenizer

WOMEN, MEN = ["nurse", "dancer", "nanny", "florist"], ["pilot", "miner", "butcher", "smith"]
VERBS = ["slept", "left", "ate", "sang"]
WORDS = [*WOMEN, *MEN, *VERBS, "the", "said", "that", "she", "he", "."]
STEPS = 250


def sentence(job: str, pronoun: str, verb: str) -> str:
    """Write one sentence of the toy language."""
    return f"the {job} said that {pronoun} {verb} ."


def corpus() -> list[str]:
    """Write all sentences; each job has one pronoun."""
    return [sentence(job, pronoun, verb) for jobs, pronoun in ((WOMEN, "she"), (MEN, "he"))
        for job, verb in product(jobs, VERBS)]  # fmt: skip


def tokenizer_of(kind: str) -> Any:
    """Build a tokenizer of whole words: with the tokens of BERT, or with those of GPT-2."""
    if kind == "masked":
        return bert_tokenizer(WORDS)
    roles = {"unk_token": "<unk>", "bos_token": "<end>", "eos_token": "<end>"}
    return word_tokenizer(WORDS, ["<end>", "<unk>"], **roles)


def bert(head: str, tokenizer: Any, **options: Any) -> Any:
    """Build a small BERT with random weights."""
    sizes = {"intermediate_size": 64, "max_position_embeddings": 16, "pad_token_id": 0}
    return small_model(head, len(tokenizer), 32, 2, 2, **sizes, **options)


def gpt2(tokenizer: Any) -> Any:
    """Build a small GPT-2 with random weights."""
    ends = {"bos_token_id": 0, "eos_token_id": 0, "n_positions": 16}
    return small_model("GPT2LMHeadModel", len(tokenizer), 32, 2, 2, **ends)


def train(model: Any, tokenizer: Any, texts: list[str], kind: str) -> Any:
    """Teach a model the texts, which all have the same length."""
    ids = torch.tensor(tokenizer(texts)["input_ids"])
    if kind == "causal":
        ids = torch.cat([torch.full((len(ids), 1), tokenizer.bos_token_id), ids], dim=1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, fused=True)
    generator = torch.Generator().manual_seed(0)
    model.train()
    for _ in range(STEPS):
        read, labels = ids, ids
        if kind == "masked":
            hidden = torch.rand(ids.shape, generator=generator) < 0.3
            read = ids.masked_fill(hidden, tokenizer.mask_token_id)
            labels = ids.masked_fill(~hidden, -100)
        loss = model(input_ids=read, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()


@pytest.fixture(scope="session")
def masked_tokenizer() -> Any:
    """Give the tokenizer of the masked models."""
    return tokenizer_of("masked")


@pytest.fixture(scope="session")
def causal_tokenizer() -> Any:
    """Give the tokenizer of the causal models; it has no token for padding."""
    return tokenizer_of("causal")


def taught(once: Any, kind: str, tokenizer: Any) -> tuple[Any, Any]:
    """Give a model that was taught the corpus, once for all processes of the tests."""
    import transformers

    head = "BertForMaskedLM" if kind == "masked" else "GPT2LMHeadModel"

    def teach(folder: Path) -> None:
        model = bert(head, tokenizer) if kind == "masked" else gpt2(tokenizer)
        train(model, tokenizer, corpus(), kind).save_pretrained(folder)

    folder = once(f"biased-{kind}", teach)
    return getattr(transformers, head).from_pretrained(folder).eval(), tokenizer


@pytest.fixture(scope="session")
def biased_masked(once: Any, masked_tokenizer: Any) -> tuple[Any, Any]:
    """Give a masked model that knows one pronoun for each job."""
    return taught(once, "masked", masked_tokenizer)


@pytest.fixture(scope="session")
def biased_causal(once: Any, causal_tokenizer: Any) -> tuple[Any, Any]:
    """Give a causal model that knows one pronoun for each job."""
    return taught(once, "causal", causal_tokenizer)


@pytest.fixture(scope="session")
def untrained_classifier(masked_tokenizer: Any) -> tuple[Any, Any]:
    """Give a classifier of three classes with random weights."""
    model = bert("BertForSequenceClassification", masked_tokenizer, num_labels=3)
    return model.eval(), masked_tokenizer


@pytest.fixture(scope="session")
def pairs() -> dict[str, list[str]]:
    """Give pairs of sentences, of which the first goes with the bias of the corpus."""
    rows = list(product(WOMEN + MEN, VERBS))
    random.Random(0).shuffle(rows)
    pronouns = [("she", "he") if job in WOMEN else ("he", "she") for job, _ in rows]
    return {"sent_more": [sentence(job, more, verb)
        for (job, verb), (more, _) in zip(rows, pronouns, strict=True)],
        "sent_less": [sentence(job, less, verb)
        for (job, verb), (_, less) in zip(rows, pronouns, strict=True)]}  # fmt: skip
