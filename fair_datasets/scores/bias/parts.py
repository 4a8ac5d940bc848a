"""The parts that words add to the bias scores of many texts: importance times cosine."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.bias.arrays import pole_sums
from fair_datasets.scores.bias.listing import Listing
from fair_datasets.scores.bias.states import TokenStates
from fair_datasets.scores.bias.words import WordCosines
from fair_datasets.scores.word_tokens import word_spans

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Parts(NamedTuple):
    """Words of many texts, one text behind the other.

    Attributes:
        size: How many texts there are.
        texts: The number of the text of each word. Shape (W,).
        importance: The importance of each. Shape (W,).
        cosines: The cosine of each, NaN without a vector. Shape (W,).
        spans: Where each begins and ends in its text, in characters. Shape (W, 2); (0, 2) where
            this was not asked for.
    """

    size: int
    texts: Integers
    importance: Floats
    cosines: Floats
    spans: Integers

    @property
    def products(self) -> Floats:
        """What each word adds: 0 without a vector. Shape (W,)."""
        return np.where(np.isnan(self.cosines), 0.0, self.importance * self.cosines)

    @property
    def coverage(self) -> float | None:
        """The share of the words that have a vector or are listed; None without words."""
        return float(1 - np.isnan(self.cosines).mean()) if self.cosines.size else None

    def sums(self) -> tuple[Floats, Floats]:
        """Return the sums of the products above and below 0, for each text. Shape (N,) each."""
        return pole_sums(self.products, self.texts, self.size)

    def explained(self, texts: Sequence[str], places: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Describe the words of each text.

        Args:
            places: Where each is, such as "text" or "messages[0].content".

        Returns:
            For each text its words, with importance, cosine and product.
        """
        found: list[list[dict[str, Any]]] = [[] for _ in texts]
        columns = (self.texts, self.spans, self.importance, self.cosines, self.products)
        for number, (start, end), importance, cosine, product in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            found[number].append(
                {
                    "column": places[number],
                    "start": start,
                    "end": end,
                    "word": texts[number][start:end],
                    "importance": importance,
                    "cosine": None if cosine != cosine else cosine,
                    "product": product,
                }
            )
        return found


def uniform_parts(texts: Sequence[str], cosines: WordCosines, *, spans: bool) -> Parts:
    """Weigh all words of a text alike.

    Returns:
        The words: the importance is 1 by their number, those without a vector among them.
    """
    counts, found = cosines.of_texts(texts)
    return Parts(
        len(texts),
        np.repeat(np.arange(len(texts)), counts),
        np.repeat(1 / np.maximum(counts, 1), counts),
        found,
        _spans(texts) if spans else np.zeros((0, 2), np.int64),
    )


def word_parts(uniform: Parts, states: Sequence[TokenStates]) -> Parts:
    """Weigh words by an encoder, whose tokens are mapped to them by where they stand.

    Args:
        states: What the encoder says of the tokens of each text.

    Returns:
        The words: the importance of each is the sum of that of its tokens.
    """
    starts = np.searchsorted(uniform.texts, np.arange(uniform.size + 1))
    importance = np.zeros(len(uniform.texts))
    for number, found in enumerate(states):
        inside = slice(starts[number], starts[number + 1])
        words = words_at(found.spans, uniform.spans[inside])
        importance[inside] = np.bincount(
            words[words >= 0], found.importance[words >= 0], minlength=inside.stop - inside.start
        )
    return uniform._replace(importance=importance)


def token_parts(
    texts: Sequence[str], listing: Listing, states: Sequence[TokenStates], offset: float
) -> Parts:
    """Take cosine and importance from the states of an encoder.

    Args:
        listing: The words whose part is 0.
        states: What the encoder says of the tokens of each text.
        offset: What is subtracted from each cosine.

    Returns:
        The tokens that are words or pieces of words; whether a piece is listed goes by its word.
    """
    numbers, importance, cosines, spans = [], [], [], []
    read = dict(listing.read(texts))
    for number, (text, found) in enumerate(zip(texts, states, strict=True)):
        of_text = np.array(word_spans(text), np.int64).reshape(-1, 2)
        words = words_at(found.spans, of_text)
        inside = words >= 0
        is_zero = np.array([listing.holds(text[start:end]) for start, end in of_text], bool)
        is_zero |= read.get(number, False)
        towards = found.cosines[inside] - offset
        towards[is_zero[words[inside]]] = 0.0
        numbers.append(np.full(int(inside.sum()), number))
        importance.append(found.importance[inside])
        cosines.append(towards)
        spans.append(found.spans[inside])
    return Parts(
        len(texts),
        np.concatenate([np.zeros(0, np.int64), *numbers]),
        np.concatenate([np.zeros(0), *importance]),
        np.concatenate([np.zeros(0), *cosines]),
        np.concatenate([np.zeros((0, 2), np.int64), *spans]),
    )


def words_at(tokens: Integers, words: Integers) -> Integers:
    """Return the word in which each token stands.

    Args:
        tokens: Where the tokens begin and end. Shape (T, 2).
        words: Where the words do, in order. Shape (W, 2).

    Returns:
        The number of the word, the first of several; -1 for a token outside of words. Shape (T,).

    Example:
        >>> words_at(np.array([[0, 2], [2, 4], [4, 5]]), np.array([[0, 4]])).tolist()
        [0, 0, -1]
    """
    found = np.searchsorted(words[:, 1], tokens[:, 0], side="right")
    is_there = found < len(words)
    is_there[is_there] = words[found[is_there], 0] < tokens[is_there, 1]
    return np.where(is_there, found, -1)


def _spans(texts: Sequence[str]) -> Integers:
    """Return where the words of all texts begin and end."""
    found = chain.from_iterable(map(word_spans, texts))
    return np.array(list(found), np.int64).reshape(-1, 2)
