"""Intervals of shares, and of differences between predictions for versions of the same rows."""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.rate_parity import Criterion, spread

_QUANTILE = NormalDist().inv_cdf(0.975)
_RESAMPLES = 1000
_AT_ONCE = 1 << 20
"""How many counts are drawn at once, so that many patterns do not fill the memory."""


def wilson(count: int, rows: int) -> tuple[float, float]:
    """Return the interval of 95 % of a share.

    Args:
        count: How many rows are counted.
        rows: Of how many.

    Returns:
        The lower and the upper end, in [0, 1]; NaN without rows.

    Example:
        >>> [round(end, 4) for end in wilson(0, 10)]
        [0.0, 0.2775]

    Source:
        Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    if not rows:
        return float("nan"), float("nan")
    share, square = count / rows, _QUANTILE**2
    middle = share + square / (2 * rows)
    reach = _QUANTILE * (share * (1 - share) / rows + square / (4 * rows**2)) ** 0.5
    scale = 1 + square / rows
    # Rounding must not move an end past the share itself.
    low = 0.0 if not count else (middle - reach) / scale
    high = 1.0 if count == rows else (middle + reach) / scale
    return max(0.0, low), min(1.0, high)


def versions_difference(
    predicted: NDArray[np.bool_],
    references: NDArray[np.bool_] | None,
    criterion: Criterion,
    *,
    seed: int,
) -> tuple[float, float, float]:
    """Compare predictions for versions of the same rows, with a bootstrap interval of 95 %.

    The versions of a row are drawn together, as they share all but the attribute. Rows with the
    same predictions and reference are one cell, so that the time does not grow with their number.

    Args:
        predicted: Which rows are predicted 1 in each version. Shape (N, A).
        references: Which rows have reference 1, in all their versions; None where the criterion
            needs none. Shape (N,).
        criterion: Which rates are compared between the versions.
        seed: The same seed gives the same interval.

    Returns:
        The largest rate less the smallest, and the ends of its interval; NaN where it is not
        defined.

    Example:
        >>> predicted = np.array([[True, False]] * 10 + [[True, True]] * 30)
        >>> value, low, high = versions_difference(
        ...     predicted, None, Criterion(("selection_rate",)), seed=0)
        >>> value, 0.1 < low < value < high < 0.5
        (0.25, True)

    Source:
        Efron, Bootstrap Methods: Another Look at the Jackknife, Annals of Statistics 1979.
    """
    rows, versions = predicted.shape
    known = np.zeros(rows, np.bool_) if references is None else references
    if not rows:
        return float("nan"), float("nan"), float("nan")
    patterns, counts = np.unique(np.column_stack([known, predicted]), axis=0, return_counts=True)
    # What one row of each pattern adds to the counts: by version, reference and prediction.
    adds = np.zeros((len(patterns), versions, 2, 2), np.int64)
    places = np.arange(len(patterns))[:, None], np.arange(versions)
    adds[*places, patterns[:, :1].astype(int), patterns[:, 1:].astype(int)] = 1
    flat = adds.reshape(len(patterns), -1)

    def differences(drawn: NDArray[np.int64]) -> NDArray[np.float64]:
        return spread((drawn @ flat).reshape(-1, versions, 2, 2), criterion)[0]

    generator = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // len(patterns))
    values = np.concatenate([
        differences(generator.multinomial(rows, counts / rows, min(step, _RESAMPLES - done)))
        for done in range(0, _RESAMPLES, step)
    ])  # fmt: skip
    value = float(differences(counts[None])[0])
    defined = values[~np.isnan(values)]
    if np.isnan(value) or not defined.size:
        return value, float("nan"), float("nan")
    low, high = (float(end) for end in np.quantile(defined, [0.025, 0.975]))
    if value == high == 0:
        # Where no row differs between its versions, no resample does; but of few rows that says
        # little. A difference is at most the share of rows that differ.
        sizes = [rows] if references is None else [int(references.sum())]
        if len(criterion.rates) > 1:
            sizes.append(rows - sizes[0])
        high = wilson(0, min(sizes))[1]
    return value, low, high
