"""What a linear probe says of placebo versions, from counts of words and without their texts.

A placebo changes a few words of a row. The words that stay are counted once; those that are written
are added for each draw, and the features are weighed as those of whole texts are.
"""

import itertools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.probes.linear import LinearProbe, joined
from fair_datasets.swap.placebos import PlaceboRow, Placebos, Version

_WORD_CHARACTER = re.compile(r"\w")


def linear_logits(placebos: Placebos, probe: LinearProbe) -> NDArray[np.float64]:
    """Return the logits of a probe for the placebo versions of the rows that have them.

    Returns:
        The logits, equal to those of the written texts but for rounding. Shape (M, 2, K, C).

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> from fair_datasets.swap import placebos_of
        >>> found = placebos_of([("John ran.",)], CounterfactualSwap(columns="text"), count=3)
        >>> weights = np.array([[0.0, 0.0], [1.0, 2.0]])
        >>> probe = LinearProbe(["james", "ran"], np.ones(2), weights, np.zeros(2))
        >>> linear_logits(found, probe).shape
        (1, 2, 3, 2)
    """
    rows = [row for row, has in zip(placebos.rows, placebos.controlled, strict=True) if has]
    sides = [_Side(rows, side, len(placebos.slots), probe) for side in (0, 1)]
    found = np.empty((len(rows), 2, placebos.draws, probe.classes))
    for draw in range(placebos.draws):
        words = placebos.drawn[:, draw].tolist()
        written = sides[0].counts(words)
        for side in (0, 1):
            found[:, side, draw] = sides[side].logits(written, words)
    return found


class _Side:
    """The first or the second versions of rows, as counts."""

    def __init__(
        self, rows: Sequence[PlaceboRow], side: int, slots: int, probe: LinearProbe
    ) -> None:
        """Count the words that stay, and the slots."""
        from scipy.sparse import csr_array
        from sklearn.feature_extraction.text import CountVectorizer

        self.versions = [row.versions[side] for row in rows]
        self.probe = probe
        self.counter = CountVectorizer(vocabulary=probe.terms)
        self.staying = csr_array(self.counter.transform(map(_staying, self.versions)))
        owners, numbers = [], []
        for owner, version in enumerate(self.versions):
            own = [slot for several in version.slots for slot in several]
            owners += [owner] * len(own)
            numbers += own
        ones = np.ones(len(owners))
        self.slots = csr_array((ones, (owners, numbers)), shape=(len(rows), slots))
        # A placebo that touches a letter is no word of its own.
        self.odd = [owner for owner, version in enumerate(self.versions) if _touches(version)]

    def counts(self, words: Sequence[str]) -> Any:
        """Count the words of placebos. A sparse matrix of shape (S, V)."""
        from scipy.sparse import csr_array

        return csr_array(self.counter.transform(words))

    def logits(self, written: Any, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the logits of the versions with placebos. Shape (M, C)."""
        counts = self.staying + self.slots @ written
        features = counts.multiply(self.probe.frequencies[None, :]).tocsr()
        lengths = np.sqrt(features.multiply(features).sum(axis=1))
        lengths[lengths == 0] = 1
        found = np.asarray(features @ self.probe.weights.T, np.float64) / lengths[:, None]
        found += self.probe.biases
        if self.odd:
            found[self.odd] = self.probe.logits([self.versions[k].written(words) for k in self.odd])
        return np.asarray(found, np.float64)


def _staying(version: Version) -> str:
    """Return what stays of a version as one text."""
    return joined(tuple(" ".join(pieces) for pieces in version.pieces))


def _touches(version: Version) -> bool:
    """Tell whether a letter, a digit or an underscore stands directly beside a placebo."""
    return any(
        _WORD_CHARACTER.fullmatch(beside)
        for pieces in version.pieces
        for before, after in itertools.pairwise(pieces)
        for beside in (before[-1:], after[:1])
    )
