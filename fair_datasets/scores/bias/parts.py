"""The parts of words in bias scores, importance times cosine, and the scores of sentences."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.scores.bias.states import TokenStates
from fair_datasets.scores.bias.words import Listing, WordCosines
from fair_datasets.scores.word_tokens import word_spans
from fair_datasets.system.checks import InputError

Floats = NDArray[np.float64]


class SentenceBias(NamedTuple):
    """The bias score of a sentence.

    Attributes:
        positive: The sum of the parts above 0: towards the positive end of the direction.
        negative: The sum of the parts below 0, at most 0: towards its negative end.
        parts: The part of each token: its importance times its cosine. Shape (T,).
    """

    positive: float
    negative: float
    parts: Floats

    @property
    def absolute(self) -> float:
        """The sum of the absolute parts: `positive - negative`."""
        return self.positive - self.negative


def maxpool_importance(states: ArrayLike, mask: ArrayLike | None = None) -> Floats:
    """Return the importance of each token for a sentence vector that is pooled by the maximum.

    It is the share of the dimensions whose maximum over the tokens is at the token, the first of
    several that are equal. Over all tokens, markers and punctuation among them, it sums to 1.

    Args:
        states: The encoder's states. Shape (T, D).
        mask: Which are tokens and not padding. Shape (T,). None for all.

    Returns:
        The importance, 0 for padding. Shape (T,).

    Example:
        >>> maxpool_importance([[1.0, 0.0, 5.0, 2.0], [0.0, 3.0, 5.0, 1.0]]).tolist()
        [0.75, 0.25]

    Source:
        Conneau et al. (2017), Supervised Learning of Universal Sentence Representations, section 6.
    """
    owner = "maxpool_importance"
    table = np.asarray(states, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise InputError(
            f"{owner}: states must have a row for each token, at least one, but their shape is "
            f"{table.shape}."
        )
    is_token = np.ones(len(table), bool) if mask is None else np.asarray(mask).astype(bool)
    if is_token.shape != (len(table),) or not is_token.any():
        raise InputError(
            f"{owner}: mask must say for each of the {len(table)} rows whether it is a token, and "
            f"at least one must be, but its shape is {is_token.shape}, with "
            f"{int(is_token.sum())} tokens."
        )
    if not np.isfinite(table[is_token]).all():
        raise InputError(f"{owner}: a state is not finite; check the encoder.")
    winners = np.where(is_token[:, None], table, -np.inf).argmax(axis=0)
    importance: Floats = np.bincount(winners, minlength=len(table)) / table.shape[1]
    return importance


def bias_score(
    importance: ArrayLike, vectors: ArrayLike, direction: ArrayLike, listed: ArrayLike | None = None
) -> SentenceBias:
    """Return the bias score of a sentence: its tokens' importance times their cosine, summed.

    It sums what it is given: leave out markers and punctuation, whose importance counts all the
    same. A token on the list of the axis, and one whose vector is zero, has the part 0.

    Args:
        importance: The importance of each token, as `maxpool_importance` gives it. Shape (T,).
        vectors: The vector of each token. Shape (T, d).
        direction: The demographic direction. Shape (d,).
        listed: Which tokens name the attribute by their meaning, such as "she". Shape (T,).

    Returns:
        The sums and the parts; 0 for a sentence without tokens.

    Example:
        >>> bias_score([0.5, 0.25], [[3.0, 4.0], [-1.0, 0.0]], [1.0, 0.0], [False, False])
        SentenceBias(positive=0.3, negative=-0.25, parts=array([ 0.3 , -0.25]))

    Source:
        Dolci, Azzalini and Tanelli, equation of the bias score.
    """
    owner = "bias_score"
    shares = np.asarray(importance, dtype=np.float64)
    towards = np.asarray(direction, dtype=np.float64)
    rows = np.asarray(vectors, dtype=np.float64)
    length = float(np.linalg.norm(towards))
    if not length > 0:
        raise InputError(f"{owner}: the direction is zero; make one from pairs that differ.")
    if not shares.size and not rows.size:
        return SentenceBias(0.0, 0.0, np.zeros(0))
    is_zero = np.zeros(len(shares), bool) if listed is None else np.asarray(listed).astype(bool)
    if rows.ndim != 2 or not len(rows) == len(shares) == len(is_zero):
        raise InputError(
            f"{owner}: each token needs an importance and a vector, but the shapes are "
            f"{shares.shape}, {rows.shape} and (of listed) {is_zero.shape}."
        )
    if rows.shape[1] != len(towards):
        raise InputError(
            f"{owner}: the vectors have {rows.shape[1]} numbers, but the direction has "
            f"{len(towards)}; make the direction from the same vectors."
        )
    lengths = np.linalg.norm(rows, axis=1)
    cosines = np.divide(
        rows @ towards, lengths * length, out=np.zeros(len(rows)), where=lengths > 0
    )
    cosines[is_zero] = 0.0
    parts = shares * cosines
    (positive,), (negative,) = pole_sums(parts, np.zeros(len(parts), np.int64), 1)
    return SentenceBias(float(positive), float(negative), parts)


def pole_sums(parts: Floats, texts: NDArray[np.int64], count: int) -> tuple[Floats, Floats]:
    """Sum the parts above 0 and those below 0 of many texts at once.

    Args:
        parts: The parts of all words. Shape (W,).
        texts: The number of the text that each is of. Shape (W,).

    Returns:
        Both sums, the second at most 0. Shape (N,) each.

    Example:
        >>> pole_sums(np.array([0.5, -0.25, 0.5]), np.array([0, 0, 2]), 3)
        (array([0.5, 0. , 0.5]), array([-0.25,  0.  ,  0.  ]))
    """
    above, below = np.maximum(parts, 0.0), np.minimum(parts, 0.0)
    positive, negative = (
        np.bincount(texts, side, minlength=count).astype(np.float64) for side in (above, below)
    )
    return positive, negative


Integers = NDArray[np.int64]


class Parts(NamedTuple):
    """Words of many texts, one text behind the other.

    Attributes:
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
    """Weigh words by an encoder, whose tokens are mapped to them by where they stand."""
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
    """
    found = np.searchsorted(words[:, 1], tokens[:, 0], side="right")
    is_there = found < len(words)
    is_there[is_there] = words[found[is_there], 0] < tokens[is_there, 1]
    return np.where(is_there, found, -1)


def _spans(texts: Sequence[str]) -> Integers:
    """Return where the words of all texts begin and end."""
    found = chain.from_iterable(map(word_spans, texts))
    return np.array(list(found), np.int64).reshape(-1, 2)
