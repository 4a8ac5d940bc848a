"""A small BART that rewrites by copying, trained in minutes on text that is at hand.

A rewrite copies nearly everything, and a decoder that has to find out where to look takes long to
learn that. So both sides begin with the same random vectors as positions, and each decoder layer
begins by looking at the encoder's state of its own position, which copies nearly all untrained;
training on the swap's own output then teaches it which words to change.
"""

from collections.abc import Sequence
from typing import Any

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
    vocabulary: int, *, layers: int = 3, width: int = 256, heads: int = 4,
    positions: int = POSITIONS, ahead: int = 0,
) -> Any:  # fmt: skip
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
