"""The words that an encoder knows, and the tokenizer that finds them in texts.

A word without a vector is no token at all: it is dropped before the encoder reads, and takes no
part in the maximum.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.word_tokens import WORD
from fair_datasets.system.checks import InputError
from fair_datasets.vectors.word_vectors import WordVectors

PADDING, START, END = SPECIAL = ("<pad>", "<s>", "</s>")
_PATTERN = rf"{WORD}|\.{{2,}}|-{{2,}}|[^\w\s]|_"
# In front of each word, so that no letter of an unknown word is taken for a word.
_MARK = "▁"
# Over how many words it is seen whether vectors tell capitals apart, and from which share on.
_LOOKED_AT, _FEW = 10_000, 0.01


class Vocabulary(NamedTuple):
    """What an encoder knows of the words of its vectors.

    Attributes:
        tokens: The tokens by their number: the special ones, then words as they may be written.
        rows: The row of each token's vector; several ways to write a word share one. Shape (T,).
        vectors: The vectors; the first is zero. Shape (V, d).
        is_lower: Whether texts are read in lower case, as the vectors have no capitals.
    """

    tokens: list[str]
    rows: NDArray[np.int64]
    vectors: NDArray[np.float32]
    is_lower: bool


def vocabulary(vectors: WordVectors, texts: Iterable[str], frequent_words: int) -> Vocabulary:
    """Choose the words that an encoder knows: those of texts, and the first ones of a file.

    A word is looked up as it is written, then in lower case. Where the vectors tell capitals apart,
    each word is also known with a capital and in capitals.

    Args:
        vectors: The word vectors.
        texts: The texts.
        frequent_words: How many of the first words of the vectors are known.

    Returns:
        The words with their vectors.

    Raises:
        InputError: No word of the texts has a vector.

    Example:
        >>> vectors = WordVectors.of(["The", "cat", "dog"], [[1.0], [2.0], [3.0]])
        >>> known = vocabulary(vectors, ["A Cat sleeps."], 1)
        >>> known.tokens, known.rows.tolist(), known.vectors.tolist()
        (['<pad>', '<s>', '</s>', 'CAT', 'Cat', 'The'], [0, 0, 0, 2, 2, 1], [[0.0], [1.0], [2.0]])
    """
    first = vectors.words(range(min(max(frequent_words, _LOOKED_AT), len(vectors))))
    is_lower = bool(np.mean([word != word.lower() for word in first]) < _FEW)
    splitter = tokenizer_of(SPECIAL, is_lower=is_lower, markers=False).backend_tokenizer
    in_texts = _words(splitter, texts)
    if not (vectors.find(sorted(in_texts)) >= 0).any():
        raise InputError(
            f"The word vectors {vectors.name!r} have a vector for none of the texts' words; give "
            "vectors of the texts' language."
        )
    known = in_texts | _words(splitter, first[:frequent_words])
    if not is_lower:
        known.update({*map(str.capitalize, known), *map(str.upper, known)})
    forms = sorted(known)
    found = vectors.find(forms)
    kept = np.flatnonzero(found >= 0)
    of_file = np.concatenate([[-1], vectors.index.find([START, END]), found[kept]])
    distinct = np.unique(of_file[of_file >= 0])
    rows = np.where(of_file < 0, 0, np.searchsorted(distinct, of_file) + 1)
    table = np.zeros((len(distinct) + 1, vectors.width), np.float32)
    table[1:] = vectors.matrix[distinct]
    tokens = [*SPECIAL, *(forms[place] for place in kept.tolist())]
    return Vocabulary(tokens, rows.astype(np.int64), table, is_lower)


def tokenizer_of(tokens: Sequence[str], *, is_lower: bool, markers: bool) -> Any:
    """Build the tokenizer of an encoder, which transformers reads anew without any code of ours.

    Args:
        tokens: The tokens by their number, of which the first are `SPECIAL`.
        is_lower: Whether texts are read in lower case.
        markers: Whether `<s>` and `</s>` are put around each text.

    Returns:
        A fast tokenizer.

    Example:
        >>> tokenizer = tokenizer_of([*SPECIAL, "do", "n't", "!"], is_lower=True, markers=True)
        >>> found = tokenizer("Don’t shout!", return_offsets_mapping=True)
        >>> found["input_ids"], found["offset_mapping"]
        ([1, 3, 4, 5, 2], [(0, 0), (0, 2), (2, 5), (11, 12), (0, 0)])
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    count = len(SPECIAL)
    marked = [*tokens[:count], *(f"{_MARK}{token}" for token in tokens[count:])]
    numbers = {token: number for number, token in enumerate(marked)}
    # Whole words alone, as there is nothing to merge; this model drops what it does not know.
    tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=[], ignore_merges=True))
    straight = normalizers.Replace("’", "'")
    tokenizer.normalizer = normalizers.Sequence(
        [straight, *([normalizers.Lowercase()] if is_lower else [])]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PATTERN), "removed", invert=True),
            pre_tokenizers.Metaspace(_MARK, prepend_scheme="always", split=False),
        ]
    )
    if markers:
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{START} $A {END}",
            special_tokens=[(token, numbers[token]) for token in (START, END)],
        )
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        pad_token=PADDING,
        bos_token=START,
        eos_token=END,
        # A text that holds "<s>" holds signs and a letter, and no marker.
        split_special_tokens=True,
    )


def _words(splitter: Any, texts: Iterable[str]) -> set[str]:
    """Return the words of texts, as a tokenizer divides them."""
    divided = (
        splitter.pre_tokenizer.pre_tokenize_str(splitter.normalizer.normalize_str(text))
        for text in texts
    )
    return {word.removeprefix(_MARK) for word, _ in chain.from_iterable(divided)} - set(SPECIAL)
