"""Fitting a logistic regression with a penalty on the squared weights, the same one everywhere.

Source: Liu and Nocedal (1989), On the Limited Memory BFGS Method for Large Scale Optimization.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Of the optimiser: how many steps, how many of them it remembers, when a step gains too little,
# and which sizes of a step are tried.
STEPS, MEMORY, TOLERANCE = 200, 8, 1e-7
SIZES = [0.5**halvings for halvings in range(20)]

Vector = NDArray[np.float64]


def fit(rows: Any, signs: Vector, counts: Vector, penalty: float) -> Vector:
    """Fit the weights of features by L-BFGS.

    Sums are NumPy's, as those of a BLAS depend on how many threads it has.

    Args:
        rows: The features of the examples, a sparse matrix of SciPy with a row for each.
        signs: The answers: 1 for yes, -1 for no.
        counts: How much each example counts.
        penalty: What half the sum of the squared weights is multiplied by.

    Returns:
        The weight of each feature.

    Example:
        >>> from scipy.sparse import csr_matrix
        >>> rows = csr_matrix([[1.0, 0.0], [0.0, 1.0]])
        >>> fit(rows, np.array([1.0, -1.0]), np.ones(2), 1.0).round(2).tolist()
        [0.4, -0.4]
    """
    from scipy.special import expit

    columns = rows.T.tocsr()

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = signs * (rows @ weights)
        gradient = columns @ (-signs * counts * expit(-margins)) + penalty * weights
        return _dot(counts, np.logaddexp(0, -margins)) + penalty / 2 * _dot(
            weights, weights
        ), gradient

    weights = np.zeros(rows.shape[1])
    value, gradient = loss(weights)
    history: deque[tuple[Vector, Vector]] = deque(maxlen=MEMORY)
    for _ in range(STEPS):
        direction = _direction(gradient, history)
        slope = _dot(direction, gradient)
        for size in SIZES:
            next_value, next_gradient = loss(weights + size * direction)
            if next_value <= value + 1e-4 * size * slope:
                break
        else:
            break
        history.append((size * direction, next_gradient - gradient))
        weights, gradient = weights + size * direction, next_gradient
        if value - next_value <= TOLERANCE * value:
            break
        value = next_value
    return weights


def _direction(gradient: Vector, history: Sequence[tuple[Vector, Vector]]) -> Vector:
    """Return where to go from the last steps and what they changed in the gradient."""
    direction = -gradient
    if not history:
        return direction / max(1.0, float(np.abs(gradient).sum()))
    shares = []
    for step, change in reversed(history):
        shares.append(_dot(step, direction) / _dot(step, change))
        direction = direction - shares[-1] * change
    step, change = history[-1]
    direction = direction * (_dot(step, change) / _dot(change, change))
    for (step, change), share in zip(history, reversed(shares), strict=True):
        direction = direction + (share - _dot(change, direction) / _dot(step, change)) * step
    return direction


def _dot(left: Vector, right: Vector) -> float:
    """Return the scalar product."""
    return float((left * right).sum())
