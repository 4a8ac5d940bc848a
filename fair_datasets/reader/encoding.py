"""Texts as a token classifier reads them: pieces of words, and for each word its first piece."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.tokens import Tokens

Integers = NDArray[np.int64]
CASED = "case_as_token_type"
"""What the config.json of a model is to hold if its token types say how words are written."""
_TITLE, _UPPER = 1, 2
TYPES = 3
"""How many token types such a model has."""
# Half of a character is none to a tokenizer.
_HALF = re.compile("[\ud800-\udfff]")


class Encoded(NamedTuple):
    """A text, or a part of one, as a token classifier reads it.

    Attributes:
        pieces: The numbers of the pieces, with those that begin and end a text. Shape (P,).
        types: How the word of each is written: 0 in small letters, 1 with a capital first, 2 in
            capitals. Shape (P,).
        words: The words that are decided here, by their number in the text. Shape (W,).
        firsts: The first piece of each. Shape (W,).
    """

    pieces: list[int]
    types: list[int]
    words: Integers
    firsts: Integers


def encoded(tokenizer: Any, texts: Sequence[Tokens], longest: int) -> Iterator[list[Encoded]]:
    """Divide texts into pieces, and those that are too long for a model into windows.

    Windows overlap by half, and each word is decided by the one whose centre is nearest.

    Args:
        tokenizer: A fast tokenizer.
        texts: The texts.
        longest: How many pieces the model reads at most.

    Yields:
        The windows of each text, which mostly are one.
    """
    found = tokenizer(
        [_HALF.sub("\ufffd", tokens.text) for tokens in texts], add_special_tokens=False,
        return_offsets_mapping=True, return_attention_mask=False, return_token_type_ids=False,
        verbose=False,
    )  # fmt: skip
    begin, end = _around(tokenizer)
    size = longest - len(begin) - len(end)
    for tokens, ids, offsets in zip(
        texts, found["input_ids"], found["offset_mapping"], strict=True
    ):
        firsts, types = _aligned(tokens, offsets)
        windows = []
        for start, stop, low, high in _windows(len(ids), size):
            words = np.flatnonzero((firsts >= low) & (firsts < high))
            pieces = [*begin, *ids[start:stop], *end]
            kinds = [0] * len(begin) + types[start:stop] + [0] * len(end)
            windows.append(Encoded(pieces, kinds, words, firsts[words] - start + len(begin)))
        yield windows


def _around(tokenizer: Any) -> tuple[list[int], list[int]]:
    """Return what a tokenizer writes before and behind a text."""
    whole = tokenizer("a")["input_ids"]
    inner = tokenizer("a", add_special_tokens=False)["input_ids"]
    begin = next(k for k in range(len(whole)) if whole[k : k + len(inner)] == inner)
    return whole[:begin], whole[begin + len(inner) :]


def _windows(count: int, size: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield where each window begins and stops, and of which pieces its centre is the nearest."""
    if count <= size:
        yield 0, count, 0, count
        return
    starts = [*range(0, count - size, max(1, size // 2)), count - size]
    centres = [start + size // 2 for start in starts]
    between = [(one + two) // 2 for one, two in pairwise(centres)]
    for start, low, high in zip(starts, [0, *between], [*between, count], strict=True):
        yield start, start + size, low, high


def _aligned(tokens: Tokens, offsets: Sequence[tuple[int, int]]) -> tuple[Integers, list[int]]:
    """Return the first piece of each word (-1 for none), and how the word of each is written."""
    if not offsets or not tokens.starts:
        return np.full(len(tokens.starts), -1), [0] * len(offsets)
    places = np.array(offsets, np.int64)
    starts = np.array(tokens.starts, np.int64)
    ends = starts + np.fromiter(map(len, tokens.lower), np.int64, len(starts))
    firsts = np.searchsorted(places[:, 1], starts, side="right")
    is_in = (firsts < len(places)) & (places[np.minimum(firsts, len(places) - 1), 0] < ends)
    owner = np.maximum(np.searchsorted(starts, places[:, 0], side="right") - 1, 0)
    kinds = np.array([_kind(word) for word in tokens.words])
    types = np.where(
        (places[:, 0] >= starts[owner]) & (places[:, 0] < ends[owner]), kinds[owner], 0
    )
    return np.where(is_in, firsts, -1), types.tolist()


def _kind(word: str) -> int:
    """Say how a word is written."""
    if not word[0].isupper():
        return 0
    return _UPPER if len(word) > 1 and word.isupper() else _TITLE
