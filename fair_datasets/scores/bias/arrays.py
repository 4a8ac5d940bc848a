"""Word importance and the bias score of a sentence, as functions of arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

    Raises:
        InputError: The shapes do not fit, a state is not finite, or there is no token.

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
            f"{owner}: mask must say for each of the {len(table)} rows whether it is a token, at "
            f"least for one, but its shape is {is_token.shape}, with {int(is_token.sum())} tokens."
        )
    if not np.isfinite(table[is_token]).all():
        raise InputError(f"{owner}: a state is not finite; check the encoder.")
    winners = np.where(is_token[:, None], table, -np.inf).argmax(axis=0)
    importance: Floats = np.bincount(winners, minlength=len(table)) / table.shape[1]
    return importance


def bias_score(
    importance: ArrayLike,
    vectors: ArrayLike,
    direction: ArrayLike,
    listed: ArrayLike | None = None,
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

    Raises:
        InputError: The shapes do not fit, or the direction is zero.

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
