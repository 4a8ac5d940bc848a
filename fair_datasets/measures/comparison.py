"""Comparing the values of groups: with each other, or with the value of all rows."""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.undefined import Undefined, undefined_value

Method = Literal["between_groups", "to_overall"]
"""What the values of groups are compared with: each other, or the value of all rows."""


def spread_of(
    values: NDArray[np.float64], overall: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute how far the values of groups lie apart, or from that of all rows.

    Args:
        values: The value of each group, NaN where it is not defined. Shape (..., G).
        overall: The value of all rows, of shape (...), or None to compare the groups with each
            other.

    Returns:
        The largest difference, and the smallest ratio of the smaller to the larger value; NaN where
        a value is not defined, and for the ratio of zeros. Each of shape (...).

    Example:
        >>> spread_of(np.array([[0.25, 0.5]]), None)
        (array([0.25]), array([0.5]))
        >>> spread_of(np.array([[0.25, 0.5]]), np.array([0.375]))
        (array([0.125]), array([0.66666667]))

    Source:
        The two methods of `MetricFrame.difference` and `MetricFrame.ratio` in fairlearn.
    """
    if overall is None:
        largest, smallest = values.max(-1), values.min(-1)
        return largest - smallest, _ratio(smallest, largest)
    whole = overall[..., None]
    ratios = _ratio(np.minimum(values, whole), np.maximum(values, whole))
    return np.abs(values - whole).max(-1), ratios.min(-1)


def lacking_groups(names: Sequence[Hashable], undefined: Undefined, *, owner: str) -> float:
    """Say that there is nothing to compare, where there are not two groups.

    Args:
        undefined: What to give for a value that is not defined.

    Returns:
        0, or NaN for a comparison that is not defined.

    Raises:
        InputError: There are not two groups, and `undefined` is `"raise"`.

    Example:
        >>> lacking_groups(["a", "b"], "raise", owner="demographic_parity")
        0.0
    """
    if len(names) > 1:
        return 0.0
    found = f"there is one group, {names[0]!r}" if names else "there are no rows"
    return undefined_value(f"{found}; a comparison needs two groups.", undefined, owner=owner)


def _ratio(smaller: NDArray[np.float64], larger: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the smaller by the larger, where that is not 0."""
    return np.where(larger == 0, np.nan, smaller / np.where(larger == 0, 1, larger))
