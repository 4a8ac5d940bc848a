"""The direction in which the members of pairs differ: arrays in, an array out."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.system.checks import InputError

# How far from 0 the mean must be to have a sign, beside the largest of its terms.
_SIGN = 1e-9


class Principal(NamedTuple):
    """The first principal component of pairs.

    Attributes:
        vector: The direction, of length 1. Shape (d,).
        explained: The share of the variance that it explains, in (0, 1].
    """

    vector: NDArray[np.float64]
    explained: float


def pair_direction(
    first: ArrayLike, second: ArrayLike, oriented: ArrayLike | None = None
) -> Principal:
    """Take the direction of pairs: the first principal component of the pair-centred vectors.

    The mean of each pair is subtracted from both of its members; the rows that remain already have
    the mean 0, so that nothing else is centred. The sign of a principal component is arbitrary, so
    it is turned to where the second members are, on average.

    Args:
        first: The vectors of the pairs' first members. Shape (N, d).
        second: Those of their second members. Shape (N, d).
        oriented: Which pairs say where the second members are. Shape (N,). None for all.

    Source:
        Bolukbasi et al. (2016), Man is to Computer Programmer as Woman is to Homemaker?
    """
    owner = "pair_direction"
    left, right = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if left.ndim != 2 or left.shape != right.shape:
        raise InputError(
            f"{owner}: both members of each pair need a vector of one length, but the shapes are "
            f"{left.shape} and {right.shape}."
        )
    if len(left) < 2:
        raise InputError(
            f"{owner}: there {'is 1 pair' if len(left) else 'are no pairs'}, but a direction needs "
            "at least 2; give more pairs, or vectors that have their words."
        )
    halves = (right - left) / 2
    # The two halves of a pair are one another's negatives, and weigh alike.
    values, vectors = np.linalg.eigh(halves.T @ halves)
    if not values[-1] > 0:
        raise InputError(f"{owner}: the members of each pair are alike; give pairs that differ.")
    vector, explained = vectors[:, -1], float(values[-1] / np.maximum(values, 0).sum())
    chosen = np.ones(len(halves), bool) if oriented is None else np.asarray(oriented, bool)
    sides = halves[chosen] @ vector
    if not sides.size or abs(sides.mean()) <= _SIGN * np.abs(halves @ vector).max():
        raise InputError(
            f"{owner}: the pairs do not say which end of the direction is which; give them all in "
            "the order of the poles, and some that mention only one attribute."
        )
    # Without the sign of a zero.
    return Principal(vector * np.sign(sides.mean()) + 0.0, explained)
