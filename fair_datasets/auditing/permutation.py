"""Whether chance makes a probe lean on attributes as much: refits on permuted attributes.

The attributes of the training rows are dealt out anew among them, each row is written for the one
that it is dealt, and the probe is fitted again. All fits share their features: the two versions of
a row differ in a few words, so that they are the first one, what the second one adds, and the ratio
of their lengths. Several fits are made at once, by Newton's method, all from the fit to what is
expected of the rows; that of the attributes as they are, too, so that nothing sets it apart.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows.draws import row_key
from fair_datasets.scores.probes.probe import joined as text_of
from fair_datasets.swap.placebos import RowDivider, Texts, versions_of_one

REFITS = 99
ENOUGH = 5
"""How many refits that reach a figure are enough to say that chance does."""
_BATCH_SIZE = 20
"""How many fits are made at once."""
_CLOSE = 1e-3
"""Up to which share of a figure fits of equal rows may differ."""

Floats = NDArray[np.floating[Any]]
Figures = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""What makes figures, shape (J,), of the logits of the versions of rows, shape (N, 2, C)."""


def chance_of(
    training: Sequence[Texts],
    labels: NDArray[np.int64],
    versions: tuple[Sequence[Texts], Sequence[Texts]],
    divider: RowDivider,
    figures: Figures,
    *,
    seed: int,
) -> NDArray[np.float64]:
    """Test figures of a probe by refits on permuted attributes.

    All fits share one TF-IDF, which is made of both versions of the training rows. It stops where
    each figure was reached often enough.

    Args:
        labels: The class of each, from 0 on. Shape (T,).
        divider: What divides the rows where their words are swapped.
        figures: What makes figures of the logits of these versions; the larger, the further from
            none.

    Returns:
        The p-value of each figure: (1 + exceedances) / (R + 1); of one that was reached 5 times 5
        by the number of refits until then. 1 where no training row mentions one attribute alone.
        Shape (J,).

    Source:
        Besag and Clifford, Sequential Monte Carlo p-values, 1991, for the early stop.
    """
    several = map(figures, _refitted(Refits(training, labels, versions, divider), seed))
    own = next(several)
    reached, stopped = np.zeros(len(own), np.int64), np.zeros(len(own), np.int64)
    for number, values in enumerate(several, 1):
        open_ = stopped == 0
        reached += open_ & (values >= own * (1 - _CLOSE))
        stopped[open_ & (reached == ENOUGH)] = number
        if stopped.all():
            break
    early = reached / np.maximum(stopped, 1)
    return np.asarray(np.where(stopped > 0, early, (1 + reached) / (REFITS + 1)), np.float64)


def _refitted(fits: "Refits", seed: int) -> Iterator[NDArray[np.float64]]:
    """Give the logits of the versions as the rows are, then by each refit. Shape (N, 2, C)."""
    generator = np.random.default_rng(int(row_key([seed, "attributes"])[:15], 16))
    dealt = [fits.own, *(generator.permutation(fits.own) for _ in range(REFITS))]
    for first in range(0, len(dealt), _BATCH_SIZE):
        yield from fits.logits(np.column_stack(dealt[first : first + _BATCH_SIZE]))


class Refits:
    """Probes on one TF-IDF, for training rows of which some are written for other attributes.

    Attributes:
        own: Which of two attributes each of these rows mentions. Shape (M,).
    """

    def __init__(
        self,
        training: Sequence[Texts],
        labels: NDArray[np.int64],
        versions: tuple[Sequence[Texts], Sequence[Texts]],
        divider: RowDivider,
    ) -> None:
        """Make the features, and fit what is expected of the rows."""
        from scipy.sparse import csr_array
        from sklearn.feature_extraction.text import CountVectorizer

        numbers, self.own, first, second = versions_of_one(training, divider)
        texts = list(training)
        for number, version in zip(numbers.tolist(), first, strict=True):
            texts[number] = version
        counter = CountVectorizer()
        counts = csr_array(counter.fit_transform(map(text_of, [*texts, *second])))
        rows_with = np.bincount(counts.indices, minlength=counts.shape[1])
        frequencies = 1 + np.log((1 + counts.shape[0]) / (1 + rows_with))
        features = counts.multiply(frequencies[None, :]).tocsr()
        change = features[len(texts) :] - features[numbers]
        change.eliminate_zeros()
        self._fits = LogisticFits(features[: len(texts)], change, numbers, labels)
        expected = self.own.sum() / max(1, len(numbers))
        self._start = self._fits.fitted(np.full((len(numbers), 1), expected))
        asked = (csr_array(counter.transform(map(text_of, rows))) for rows in versions)
        weighted = [rows.multiply(frequencies[None, :]) for rows in asked]
        self._asked = [_scaled(rows, _lengths(rows)) for rows in weighted]

    def logits(self, attributes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Fit probes, and return their logits of the versions.

        Args:
            attributes: What the rows of each fit are written for. Shape (M, R).

        Returns:
            The logits; of two classes the first has none. Shape (R, N, 2, C).
        """
        weights = self._fits.fitted(attributes, self._start)
        flat = _flat(weights)
        logits = np.stack([each @ flat[:-1] + flat[-1] for each in self._asked], axis=1)
        logits = np.moveaxis(logits.reshape(*logits.shape[:2], *weights.shape[1:]), 2, 0)
        both = logits if logits.shape[-1] > 1 else np.concatenate([0 * logits, logits], axis=-1)
        return np.asarray(both, np.float64)


class LogisticFits:
    """Logistic regressions on rows of unit length, some of which vary, with a ridge of 1.

    Scores have the shape (T, R, K) for R fits; K is 1 of two classes, else their number. Weights
    have the shape (V + 1, R, K), the last ones being those of a feature of 1, without ridge. In
    single precision, whose rounding is far below what fits are told apart by.

    Source:
        Newton's method with truncated conjugate gradients: Lin, Weng and Keerthi, Trust Region
        Newton Method for Large-Scale Logistic Regression, 2008.
    """

    precision = 1e-4
    """How far the mean gradient of a fit may be from none; steps are exacter than that."""
    steps, halves = 100, 20

    def __init__(
        self, rows: Any, change: Any, numbers: NDArray[np.int64], labels: NDArray[np.int64]
    ) -> None:
        """Take the rows before they are scaled, and what is added to those that vary."""
        lengths = _lengths(rows)
        own = lengths[numbers]
        self.numbers = numbers
        self.ratios = (own / _lengths(rows[numbers] + change)).astype(np.float32)
        self.rows, self.change = _scaled(rows, lengths), _scaled(change, own)
        self.columns, self.changed = self.rows.T.tocsr(), self.change.T.tocsr()
        self.squares = self.columns.power(2)
        classes = int(labels.max()) + 1
        wanted = labels[:, None] == np.arange(classes)
        self.wanted = (wanted if classes > 2 else wanted[:, 1:]).astype(np.float32)[:, None, :]

    def fitted(self, varied: NDArray[Any], start: Floats | None = None) -> Floats:
        """Fit R regressions.

        Args:
            varied: How much of each row that may vary does, in each. Shape (M, R).
            start: The weights of one fit to begin with.

        Returns:
            The weights.
        """
        rows = _Rows(self, varied)
        shape = self.rows.shape[1] + 1, varied.shape[1], self.wanted.shape[2]
        weights = np.zeros(shape, np.float32)
        if start is not None:
            weights += start
        scores = rows.scores(weights)
        for _ in range(self.steps):
            shares = _shares(scores)
            gradient = rows.sums(shares - self.wanted) + _ridge(weights)
            if np.abs(gradient).max() <= self.precision * len(scores):
                break
            step, along = rows.step(shares, gradient)
            size = self._size(weights, scores, step, along, gradient)
            weights += size * step
            scores += size * along
        return weights

    def _size(
        self, weights: Floats, scores: Floats, step: Floats, along: Floats, gradient: Floats
    ) -> Floats:
        """Return how much of its step each fit takes: less where it would go too far. (R, 1)."""
        size = np.ones((step.shape[1], 1), np.float32)
        steep = np.abs(_products(step, gradient)) / 2
        for _ in range(self.halves):
            residuals = _shares(scores + size * along) - self.wanted
            slope = _products(_ridge(weights + size * step), step) + _products(residuals, along)
            if not (slope > steep).any():
                break
            size[slope > steep] /= 2
        return size


class _Rows:
    """The rows of R fits, in each of which other ones vary."""

    forcing = 1e-2
    """To which share of its square the residual of a step is brought down."""

    def __init__(self, fits: LogisticFits, varied: NDArray[Any]) -> None:
        """Take how much of each row varies. Shape (M, R)."""
        self._fits = fits
        share = varied.astype(np.float32)[..., None]
        ratios = fits.ratios[:, None, None]
        self._scales, self._added = 1 + share * (ratios - 1), share * ratios

    def scores(self, weights: Floats) -> Floats:
        """Return the scores of weights."""
        fits, flat, shape = self._fits, _flat(weights[:-1]), weights.shape[1:]
        scores = (fits.rows @ flat).reshape(-1, *shape)
        added = (fits.change @ flat).reshape(len(fits.numbers), *shape)
        scores[fits.numbers] = scores[fits.numbers] * self._scales + added * self._added
        scores += weights[-1]
        return np.asarray(scores)

    def sums(self, values: Floats) -> Floats:
        """Return the sums of features times values of rows, which are like scores; like weights."""
        fits, some = self._fits, values[self._fits.numbers]
        added, scaled = some * self._added, values.copy()
        scaled[fits.numbers] = some * self._scales
        sums = np.empty((fits.rows.shape[1] + 1, *values.shape[1:]), np.float32)
        np.add(fits.columns @ _flat(scaled), fits.changed @ _flat(added), out=_flat(sums[:-1]))
        sums[-1] = np.einsum("trk->rk", values)
        return sums

    def step(self, shares: Floats, gradient: Floats) -> tuple[Floats, Floats]:
        """Find where the loss is least if it is curved as here, and what that adds to scores."""
        spread = (shares * (1 - shares)).mean(axis=1)
        curved = np.concatenate([1 + self._fits.squares @ spread, spread.sum(axis=0)[None]])
        faster = 1 / np.maximum(curved, _TINY)[:, None]
        step, along = np.zeros_like(gradient), np.zeros_like(shares)
        rest = -gradient
        ahead = rest * faster
        residual = first = _products(rest, ahead)
        while (residual > self.forcing * first).any():
            scores = self.scores(ahead)
            leaning = shares * scores
            several = leaning.shape[2] > 1
            both = leaning.sum(axis=2, keepdims=True) if several else leaning
            bent = self.sums(leaning - shares * both)
            bent[:-1] += ahead[:-1]
            size = (residual / np.maximum(_products(ahead, bent), _TINY))[:, None]
            step += size * ahead
            along += size * scores
            rest -= size * bent
            scaled = rest * faster
            before, residual = residual, _products(rest, scaled)
            ahead *= (residual / np.maximum(before, _TINY))[:, None]
            ahead += scaled
        return step, along


_TINY = np.float32(1e-30)


def _flat(values: Floats) -> Floats:
    """Return weights or scores of several fits beside each other. Shape (V or T, R * K)."""
    return values.reshape(len(values), math.prod(values.shape[1:]))


def _products(one: Floats, other: Floats) -> Floats:
    """Return the scalar products of each fit. Shape (R,)."""
    return np.asarray(np.einsum("vrk,vrk->r", one, other))


def _ridge(weights: Floats) -> Floats:
    """Return the gradient of half the squares of all weights but the last ones."""
    gradient = weights.copy()
    gradient[-1] = 0
    return gradient


def _shares(scores: Floats) -> Floats:
    """Return the probability of each class, of two of the second one."""
    from scipy.special import expit, softmax

    return np.asarray(expit(scores) if scores.shape[2] == 1 else softmax(scores, axis=2))


def _lengths(rows: Any) -> Floats:
    """Return the length of each row, 1 of one of nothing. Shape (N,)."""
    lengths = np.sqrt(rows.multiply(rows).sum(axis=1))
    return np.where(lengths == 0, 1.0, lengths)


def _scaled(rows: Any, lengths: Floats) -> Any:
    """Return rows divided by lengths, in single precision."""
    return rows.multiply(1 / lengths[:, None]).tocsr().astype(np.float32)
