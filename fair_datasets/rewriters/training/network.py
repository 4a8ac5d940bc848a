"""The model that a training starts from, and its tokenizer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.system.checks import invalid
from fair_datasets.system.pretrained import read_pretrained, refuse_revision_of_folder

if TYPE_CHECKING:
    import torch

# As BART's, whose places these are too.
BEGIN, PAD, END, UNKNOWN = "<s>", "<pad>", "</s>", "<unk>"
MASK = "<mask>"


def train_tokenizer(texts: Iterable[str], *, vocabulary: int, added: Iterable[str]) -> Any:
    """Train a byte-level BPE tokenizer, which loses nothing of a text but a space at its start.

    A word has the same tokens at the start of a text as after a space, so that the word that is
    asked for is written as it stands in the text.

    Args:
        vocabulary: How many tokens it has at most, the 256 bytes among them.
        added: Tokens with a meaning of their own, which the texts need not hold; `<mask>` is the
            mask token then.

    Example:
        >>> tokenizer = train_tokenizer(["He ran."] * 3, vocabulary=300, added=["<SEP>"])
        >>> tokenizer.decode(tokenizer("He ran.")["input_ids"], skip_special_tokens=True)
        'He ran.'
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    signs = list(added)
    special = [BEGIN, PAD, END, UNKNOWN, *signs]
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.Sequence([decoders.ByteLevel(), decoders.Strip(" ", 1, 0)])
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=vocabulary, min_frequency=2, show_progress=False, special_tokens=special,
            initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        ),
    )  # fmt: skip
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A {END}",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in (BEGIN, END)],
    )
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, bos_token=BEGIN, pad_token=PAD, eos_token=END,
        unk_token=UNKNOWN, **({"mask_token": MASK} if MASK in signs else {}),
        additional_special_tokens=signs,
        clean_up_tokenization_spaces=False,
    )  # fmt: skip


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
    config: TrainingConfig, texts: Iterable[str], *, signs: Sequence[str] = ()
) -> tuple[Any, Any]:
    """Return the model that is trained and its tokenizer, which know signs as one token each."""
    if config.model is None:
        tokenizer = train_tokenizer(texts, vocabulary=config.vocabulary, added=signs)
        if config.encoder is None:
            return _new(config, tokenizer), tokenizer
        return _warm(config, tokenizer), tokenizer
    refuse_revision_of_folder(str(config.model), config.revision)
    model, tokenizer = read_pretrained(
        str(config.model),
        "AutoModelForSeq2SeqLM",
        what="encoder-decoder",
        revision=config.revision,
    )
    if not model.config.is_encoder_decoder:
        raise invalid(f"{config.model!r} has no decoder; choose another model.")
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


def _warm(config: TrainingConfig, tokenizer: Any) -> Any:
    """Build a BART whose encoder has the weights of a model of the BERT family."""
    encoder, pieces = read_pretrained(str(config.encoder), "AutoModel", what="encoder")
    settings = encoder.config
    if settings.model_type not in _OF_BERT_FAMILY:
        raise invalid(
            f"encoder={config.encoder!r} is of the kind {settings.model_type!r}, but a new "
            f"model can start from {', '.join(_OF_BERT_FAMILY)} alone; choose one of these, or "
            "leave encoder out."
        )
    model = _new(
        config, tokenizer, d_model=settings.hidden_size, encoder_layers=settings.num_hidden_layers,
        encoder_attention_heads=settings.num_attention_heads,
        decoder_attention_heads=settings.num_attention_heads,
        encoder_ffn_dim=settings.intermediate_size, decoder_ffn_dim=settings.intermediate_size,
        activation_function=settings.hidden_act,
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
    new_vectors = torch.randn(len(tokenizer), vectors.shape[1]) * scale
    capital = torch.randn(vectors.shape[1]) * scale
    special = set(tokenizer.all_special_ids)
    for number in range(len(tokenizer)):
        text = tokenizer.decode([number]).strip()
        ids = [] if number in special else pieces(text, add_special_tokens=False)["input_ids"]
        if ids and "\ufffd" not in text and pieces.unk_token_id not in ids:
            new_vectors[number] = vectors[ids].mean(0) + capital * text[:1].isupper()
    return new_vectors


Tokens = dict[str, list[int]]
_READ = ("input_ids", "attention_mask")


def pairs_within(
    read: Sequence[str],
    written: Sequence[str],
    tokenizer: Any,
    max_length: int,
    name: str = "train",
) -> tuple[list[int], list[Tokens]]:
    """Return the token ids of rows: what the model reads, and what it is to write.

    Args:
        name: The split that they are of.

    Returns:
        The numbers of the rows that are not longer, and for each of them `input_ids`,
        `attention_mask` and `labels`.
    """
    if not read:
        raise invalid(
            f"no row is left for {name}: there are too few texts; give more, or other shares."
        )
    sources, targets = tokenizer(list(read)), tokenizer(list(written))["input_ids"]
    numbers = [
        number
        for number, (source, target) in enumerate(zip(sources["input_ids"], targets, strict=True))
        if max(len(source), len(target)) <= max_length
    ]
    if not numbers:
        raise invalid(
            f"no row is left for {name}: all {len(read):,} have more than {max_length} tokens; "
            "raise max_length, or split the texts."
        )
    return numbers, [
        {**{part: sources[part][number] for part in _READ}, "labels": targets[number]}
        for number in numbers
    ]


def decoded(ids: Sequence[Sequence[int]] | NDArray[np.int64], tokenizer: Any) -> list[str]:
    """Return the texts that a model wrote."""
    left_out = {tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id}
    selected = [[int(one) for one in row if one >= 0 and int(one) not in left_out] for row in ids]
    texts = tokenizer.batch_decode(selected, clean_up_tokenization_spaces=False)
    return [text.strip() for text in texts]


class KeyedOrder:
    """The order of the rows in each epoch, drawn anew.

    It follows from the seed and the number of the epoch alone, so that training goes on after an
    interrupt as if there had been none. Rows of similar lengths are not put together: in sentences
    of one form a batch would hold one form, from which a small model learns worse.
    """

    def __init__(self, size: int, seed: int) -> None:
        """Begin with the first epoch."""
        self._size = size
        self._seed = seed
        self._epoch = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._size

    def set_epoch(self, epoch: int) -> None:
        """Begin an epoch."""
        self._epoch = epoch

    def __iter__(self) -> Iterator[int]:
        """Yield the numbers of the rows."""
        draws = np.random.default_rng([self._seed, self._epoch])
        yield from draws.permutation(self._size).tolist()
