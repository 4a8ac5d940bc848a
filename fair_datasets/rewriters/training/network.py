"""The model that a training starts from, and its tokenizer."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.tokenizer import train_tokenizer
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import read_pretrained
from fair_datasets.system.unreadable import refuse_revision_of_folder

if TYPE_CHECKING:
    import torch

# Kinds of model whose encoder has the form of BART's, layer for layer.
_OF_BERT_FAMILY = ("bert", "roberta", "xlm-roberta", "camembert")
# BERT's layer and BART's, which differ in names alone.
_LAYER = {
    "attention.self.query": "self_attn.q_proj",
    "attention.self.key": "self_attn.k_proj",
    "attention.self.value": "self_attn.v_proj",
    "attention.output.dense": "self_attn.out_proj",
    "attention.output.LayerNorm": "self_attn_layer_norm",
    "intermediate.dense": "fc1",
    "output.dense": "fc2",
    "output.LayerNorm": "final_layer_norm",
}


def starting_network(
    config: TrainingConfig, texts: Iterable[str], *, signs: Sequence[str] = (), owner: str
) -> tuple[Any, Any]:
    """Return the model that is trained and its tokenizer, which know signs as one token each.

    Args:
        owner: The function that trains, for errors.

    Raises:
        InputError: A model cannot be read, or does not suit.
    """
    if config.model is None:
        tokenizer = train_tokenizer(texts, vocabulary=config.vocabulary, added=signs)
        if config.encoder is None:
            return _new(config, tokenizer), tokenizer
        return _warm(config, tokenizer, owner), tokenizer
    refuse_revision_of_folder(str(config.model), config.revision, owner=owner)
    model, tokenizer = read_pretrained(
        str(config.model), "AutoModelForSeq2SeqLM", what="encoder-decoder", owner=owner,
        revision=config.revision,
    )  # fmt: skip
    if not model.config.is_encoder_decoder:
        raise InputError(f"{owner}: {config.model!r} has no decoder; choose another model.")
    known = set(tokenizer.get_vocab())
    tokenizer.add_tokens([name for name in signs if name not in known], special_tokens=True)
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    return model, tokenizer


def _new(config: TrainingConfig, tokenizer: Any, **sizes: Any) -> Any:
    """Build a BART with random weights."""
    from transformers import BartConfig, BartForConditionalGeneration

    defaults: dict[str, Any] = {
        "d_model": config.width, "encoder_layers": config.layers, "decoder_layers": config.layers,
        "encoder_attention_heads": config.heads, "decoder_attention_heads": config.heads,
        "encoder_ffn_dim": 4 * config.width, "decoder_ffn_dim": 4 * config.width,
        "max_position_embeddings": config.max_length, "dropout": config.dropout,
    }  # fmt: skip
    settings = defaults | sizes
    begin, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    return BartForConditionalGeneration(
        BartConfig(
            vocab_size=len(tokenizer),
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=begin,
            eos_token_id=end,
            decoder_start_token_id=end,
            forced_eos_token_id=None,
            # The usual 0.02 is of wide layers; narrow ones would take long to learn to copy.
            init_std=settings["d_model"] ** -0.5,
            **settings,
        )
    )  # fmt: skip


def _warm(config: TrainingConfig, tokenizer: Any, owner: str) -> Any:
    """Build a BART whose encoder has the weights of a model of the BERT family."""
    encoder, pieces = read_pretrained(str(config.encoder), "AutoModel", what="encoder", owner=owner)
    found = encoder.config
    if found.model_type not in _OF_BERT_FAMILY:
        raise InputError(
            f"{owner}: encoder={config.encoder!r} is of the kind {found.model_type!r}, but a new "
            f"model can start from {', '.join(_OF_BERT_FAMILY)} alone; choose one of these, or "
            "leave encoder out."
        )
    model = _new(
        config, tokenizer, d_model=found.hidden_size, encoder_layers=found.num_hidden_layers,
        encoder_attention_heads=found.num_attention_heads,
        decoder_attention_heads=found.num_attention_heads,
        encoder_ffn_dim=found.intermediate_size, decoder_ffn_dim=found.intermediate_size,
        activation_function=found.hidden_act,
    )  # fmt: skip
    copy_encoder(encoder, model.get_encoder())
    weights = model.get_input_embeddings().weight.data
    weights[:] = token_vectors(tokenizer, pieces, encoder.get_input_embeddings().weight.data)
    return model


def copy_encoder(source: Any, target: Any) -> None:
    """Give BART's encoder the weights of a model of the BERT family, but for the tokens.

    Both compute the same then: attention, its norm, the two dense layers, their norm.

    Args:
        target: The encoder, of the same sizes; it has as many places as the source at most.
    """
    own, written = source.state_dict(), target.state_dict()
    for number in range(source.config.num_hidden_layers):
        for theirs, ours in _LAYER.items():
            for part in ("weight", "bias"):
                written[f"layers.{number}.{ours}.{part}"].copy_(
                    own[f"encoder.layer.{number}.{theirs}.{part}"]
                )
    for part in ("weight", "bias"):
        written[f"layernorm_embedding.{part}"].copy_(own[f"embeddings.LayerNorm.{part}"])
    places = own["embeddings.position_embeddings.weight"]
    # RoBERTa's first place stands behind the number of its padding.
    first = 0 if source.config.model_type == "bert" else source.config.pad_token_id + 1
    table = written["embed_positions.weight"]
    offset = target.embed_positions.offset
    count = min(len(table) - offset, len(places) - first)
    segment = own["embeddings.token_type_embeddings.weight"][0]
    table[offset : offset + count].copy_(places[first : first + count] + segment)


def token_vectors(tokenizer: Any, pieces: Any, vectors: "torch.Tensor") -> "torch.Tensor":
    """Return a vector for each token of a tokenizer, from those that another one's tokens have.

    That of a token is the mean over the tokens that its text has in the other. A capital, which
    an encoder may not tell apart, is one direction more, the same for all tokens that have it.

    Args:
        vectors: Its vectors. Shape (V, d).

    Returns:
        The vectors, of shape (len(tokenizer), d).
    """
    import torch

    scale = vectors.std()
    found = torch.randn(len(tokenizer), vectors.shape[1]) * scale
    capital = torch.randn(vectors.shape[1]) * scale
    special = set(tokenizer.all_special_ids)
    for number in range(len(tokenizer)):
        text = tokenizer.decode([number]).strip()
        ids = [] if number in special else pieces(text, add_special_tokens=False)["input_ids"]
        if ids and "\ufffd" not in text and pieces.unk_token_id not in ids:
            found[number] = vectors[ids].mean(0) + capital * text[:1].isupper()
    return found
