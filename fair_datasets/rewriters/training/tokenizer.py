"""A tokenizer of our own, trained on the rows that a small model is trained on."""

from collections.abc import Iterable
from typing import Any

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

    Returns:
        The tokenizer, as `transformers` has it.

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
