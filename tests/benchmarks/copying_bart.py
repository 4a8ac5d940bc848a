"""A small BART that rewrites by copying, trained in minutes on text that is at hand.

A rewrite copies nearly everything, and a decoder that has to find out where to look takes long to
learn that. So both sides begin with the same random vectors as positions, and each decoder layer
begins by looking at the encoder's state of its own position, which copies nearly all untrained;
training on the swap's own output then teaches it which words to change.
"""

import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tokenizers import ByteLevelBPETokenizer, processors
from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

POSITIONS = 1024
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<PERT_SEP>", "<SEP>"]


def byte_tokenizer(
    texts: Sequence[str], size: int, *, positions: int = POSITIONS
) -> PreTrainedTokenizerFast:
    """Train a byte-level tokenizer with BART's special tokens, and those of a perturber."""
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(texts, size, special_tokens=SPECIAL, show_progress=False)
    trained._tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>",
        unk_token="<unk>", additional_special_tokens=SPECIAL[4:], model_max_length=positions,
        clean_up_tokenization_spaces=False,
    )  # fmt: skip


def copying_bart(
    vocabulary: int,
    *,
    layers: int = 3,
    width: int = 256,
    heads: int = 4,
    positions: int = POSITIONS,
    ahead: int = 0,
) -> Any:
    """Build a BART that begins by copying the source's token of the same position, or one ahead."""
    torch.manual_seed(0)
    model = BartForConditionalGeneration(
        BartConfig(
            vocab_size=vocabulary, d_model=width, encoder_layers=layers, decoder_layers=layers,
            encoder_attention_heads=heads, decoder_attention_heads=heads,
            encoder_ffn_dim=4 * width, decoder_ffn_dim=4 * width,
            max_position_embeddings=positions, forced_bos_token_id=0, dropout=0.0,
        )
    )  # fmt: skip
    # BART keeps two positions for itself.
    count = positions + 2
    with torch.no_grad():
        model.model.shared.weight.normal_(0, 0.05)
        places = torch.randn(count + ahead, width) * 0.1
        model.model.encoder.embed_positions.weight.copy_(places[:count])
        model.model.decoder.embed_positions.weight.copy_(places[ahead:])
        for layer in model.model.decoder.layers:
            attention = layer.encoder_attn
            for part in (attention.q_proj, attention.k_proj):
                part.weight.copy_(torch.eye(width) * 1.5)
            for part in (attention.v_proj, attention.out_proj):
                part.weight.copy_(torch.eye(width))
    return model


def train(
    model: Any, pairs: Sequence[tuple[list[int], list[int]]], *, seconds: float, tokens: int = 2048
) -> float:
    """Train on pairs of token ids for so many seconds, and return the last loss."""
    draws = random.Random(0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0, fused=True)
    began, loss, step = time.monotonic(), torch.zeros(()), 0
    model.train()
    while time.monotonic() - began < seconds:
        share = (time.monotonic() - began) / seconds
        rate = 1e-3 * min(1.0, (step + 1) / 50) * (1 - share) + 1e-6
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = _batch(pairs, draws, tokens)
        optimizer.zero_grad()
        loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 50 == 0:
            print(f"  step {step}: loss {loss.item():.4f}", flush=True)
    model.eval()
    return float(loss)


def _batch(
    pairs: Sequence[tuple[list[int], list[int]]], draws: random.Random, tokens: int
) -> dict[str, torch.Tensor]:
    """Draw rows of about one length, as many as a number of tokens."""
    first = draws.randrange(len(pairs))
    longest = max(map(len, pairs[min(first + tokens // 8, len(pairs) - 1)]))
    count = max(1, tokens // max(longest, 1))
    rows = pairs[first : first + count]
    width = max(len(ids) for row in rows for ids in row)
    sources = np.full((len(rows), width), 1)
    labels = np.full((len(rows), width), -100)
    for number, (source, target) in enumerate(rows):
        sources[number, : len(source)] = source
        labels[number, : len(target)] = target
    ids = torch.tensor(sources)
    return {"input_ids": ids, "attention_mask": (ids != 1).long(), "labels": torch.tensor(labels)}
