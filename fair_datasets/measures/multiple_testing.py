"""Adjusting p-values for the number of tests that were done together."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p-values of a family of tests by Holm's step-down method.

    Rejecting where the adjusted value is below a level keeps the chance of even one false
    rejection in the whole family below that level, however the tests depend on each other.

    Args:
        p_values: The p-value of each test. Shape (N,).

    Returns:
        The adjusted p-values, in the order given, each from its own p-value up to 1. Shape (N,).

    Raises:
        InputError: A p-value is missing or lies outside [0, 1].

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]

    Source:
        Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure.
    """
    given = inputs.probabilities(p_values, "p_values", owner="holm")
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * np.arange(given.size, 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
