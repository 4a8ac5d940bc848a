"""What a linear probe says of placebo versions, and what it takes from chance.

A placebo changes a few words of a row. The words that stay are counted once; those that are written
are added for each draw, and the features are weighed as those of whole texts are. For chance, the
attributes of the training rows are dealt out anew among them, each row is written for the one that
it is dealt, and the probe is fitted again.
"""

import itertools
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows.draws import row_key
from fair_datasets.scores.probes.probe import LinearProbe, joined
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import PlaceboRow, Placebos, Texts, Version, versions_of_one

REFITS = 99
ENOUGH = 5
"""How many refits that reach a figure are enough to say that chance does."""
_TOLERANCE = 1e-12

Figures = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""What makes figures, shape (J,), of the logits of the versions of rows, shape (N, 2, C)."""


def chance_of(
    training: Sequence[Texts],
    labels: NDArray[np.int64],
    versions: tuple[Sequence[Texts], Sequence[Texts]],
    swap: CounterfactualSwap,
    figures: Figures,
    *,
    refits: int = REFITS,
    seed: int,
) -> NDArray[np.float64]:
    """Test figures of a probe by refits on permuted attributes.

    All fits share one TF-IDF, which is made of both versions of the training rows. It stops where
    each figure was reached often enough.

    Args:
        labels: The class of each, from 0 on. Shape (T,).
        figures: What makes figures of the logits of these versions; the larger, the further from
            none.

    Returns:
        The p-value of each figure: (1 + exceedances) / (R + 1); of one that was reached 5 times 5
        by the number of refits until then. 1 where no training row mentions one attribute alone.
        Shape (J,).

    Source:
        Besag and Clifford, Sequential Monte Carlo p-values, 1991, for the early stop.
    """
    fits = _Fits(training, labels, versions, swap)
    own = figures(fits.logits(fits.own))
    if not len(fits.own):
        return np.ones_like(own)
    generator = np.random.default_rng(int(row_key([seed, "attributes"])[:15], 16))
    reached, stopped = np.zeros(len(own), np.int64), np.zeros(len(own), np.int64)
    for number in range(1, refits + 1):
        open_ = stopped == 0
        found = figures(fits.logits(generator.permutation(fits.own)))
        reached += open_ & (found >= own - _TOLERANCE)
        stopped[open_ & (reached == ENOUGH)] = number
        if stopped.all():
            break
    early = reached / np.maximum(stopped, 1)
    return np.asarray(np.where(stopped > 0, early, (1 + reached) / (refits + 1)), np.float64)


class _Fits:
    """Probes on one TF-IDF, for training rows of which some are written for other attributes."""

    def __init__(
        self,
        training: Sequence[Texts],
        labels: NDArray[np.int64],
        versions: tuple[Sequence[Texts], Sequence[Texts]],
        swap: CounterfactualSwap,
    ) -> None:
        """Make the features."""
        from scipy.sparse import vstack
        from sklearn.feature_extraction.text import TfidfVectorizer

        numbers, self.own, first, second = versions_of_one(training, swap)
        texts = list(map(joined, training))
        written = [list(map(joined, each)) for each in (first, second)]
        others = [written[1 - own][row] for row, own in enumerate(self.own.tolist())]
        vectorizer = TfidfVectorizer().fit([*texts, *others])
        rest = np.delete(np.arange(len(texts)), numbers)
        parts = [[texts[row] for row in rest], *written]
        self.features = vstack([vectorizer.transform(part) for part in parts if part]).tocsr()
        self.labels = np.concatenate([labels[rest], labels[numbers]])
        self.rest = len(rest)
        self.asked = [vectorizer.transform(map(joined, each)) for each in versions]

    def logits(self, attributes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Fit a probe, and return its logits of the versions. Shape (N, 2, C)."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        count = len(attributes)
        places = self.rest + count * attributes + np.arange(count)
        rows = np.concatenate([np.arange(self.rest), places])
        model = LogisticRegression(solver="newton-cg")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(self.features[rows], self.labels)
        return np.stack([_logits(model, features) for features in self.asked], axis=1)


def _logits(model: Any, features: Any) -> NDArray[np.float64]:
    """Return the logits of all classes; of two the first has none."""
    found = np.asarray(model.decision_function(features), np.float64)
    return np.column_stack([np.zeros_like(found), found]) if found.ndim == 1 else found


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
            owners += [owner] * len(version.slots)
            numbers += version.slots
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
    return joined(tuple(" ".join(part for part, _ in parts[::2]) for parts in version.texts))


def _touches(version: Version) -> bool:
    """Tell whether a letter, a digit or an underscore stands directly beside a placebo."""
    return any(
        _WORD_CHARACTER.fullmatch(beside)
        for parts in version.texts
        for (before, _), (after, _) in itertools.pairwise(parts[::2])
        for beside in (before[-1:], after[:1])
    )
