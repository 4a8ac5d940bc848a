"""Small language models with random weights: what a module passes on needs no training."""

from typing import Any

import pytest

from tests.small_models import small_model, word_tokenizer

WORDS = ["she", "he", "slept", "left", "the", "nurse", "pilot", "."]


def bert(kind: str, **options: Any) -> tuple[Any, Any]:
    """Give a small BERT and its tokenizer."""
    roles = {"unk_token": "[UNK]", "pad_token": "[PAD]", "mask_token": "[MASK]"}
    tokenizer = word_tokenizer(WORDS, list(roles.values()), **roles)
    sizes = {"max_position_embeddings": 16, "pad_token_id": 1, "initializer_range": 0.5}
    return small_model(kind, len(tokenizer), 16, **sizes, **options), tokenizer


@pytest.fixture(scope="session")
def masked_model() -> tuple[Any, Any]:
    """Give a small BERT and its tokenizer."""
    return bert("BertForMaskedLM")


@pytest.fixture(scope="session")
def causal_model() -> tuple[Any, Any]:
    """Give a small GPT-2 and its tokenizer."""
    roles = {"unk_token": "<unk>", "bos_token": "<end>", "eos_token": "<end>"}
    tokenizer = word_tokenizer(WORDS, ["<unk>", "<end>"], **roles)
    ends = {"bos_token_id": 1, "eos_token_id": 1, "n_positions": 16, "initializer_range": 0.5}
    return small_model("GPT2LMHeadModel", len(tokenizer), 16, **ends), tokenizer


@pytest.fixture(scope="session")
def classifier() -> tuple[Any, Any]:
    """Give a small BERT of two classes and its tokenizer."""
    names = {0: "man", 1: "woman"}
    label2id = {name: number for number, name in names.items()}
    return bert("BertForSequenceClassification", id2label=names, label2id=label2id)
