"""Small language models with random weights: what a module passes on needs no training."""

from typing import Any

import pytest

WORDS = ["she", "he", "slept", "left", "the", "nurse", "pilot", "."]


def tokenizer_of(names: list[str], **options: Any) -> Any:
    """Build a tokenizer of whole words."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(names + WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=names[0]))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token=names[0], **options)


@pytest.fixture(scope="session")
def masked_model() -> tuple[Any, Any]:
    """Give a small BERT and its tokenizer."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    tokenizer = tokenizer_of(["[UNK]", "[PAD]", "[MASK]"], pad_token="[PAD]", mask_token="[MASK]")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=16,
        max_position_embeddings=16,
        pad_token_id=1,
        initializer_range=0.5,
    )
    return BertForMaskedLM(config).eval(), tokenizer


@pytest.fixture(scope="session")
def causal_model() -> tuple[Any, Any]:
    """Give a small GPT-2 and its tokenizer."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = tokenizer_of(["<unk>", "<end>"], bos_token="<end>", eos_token="<end>")
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=16,
        n_layer=1,
        n_head=1,
        n_positions=16,
        bos_token_id=1,
        eos_token_id=1,
        initializer_range=0.5,
    )
    return GPT2LMHeadModel(config).eval(), tokenizer


@pytest.fixture(scope="session")
def classifier() -> tuple[Any, Any]:
    """Give a small BERT of two classes and its tokenizer."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = tokenizer_of(["[UNK]", "[PAD]", "[MASK]"], pad_token="[PAD]", mask_token="[MASK]")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=16,
        max_position_embeddings=16,
        pad_token_id=1,
        initializer_range=0.5,
        id2label={0: "man", 1: "woman"},
        label2id={"man": 0, "woman": 1},
    )
    return BertForSequenceClassification(config).eval(), tokenizer
