"""Means over encoders that differ by their seed alone, and how sure they are."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from datasets import Dataset

CONFIDENCE = 0.95
LEVEL = 0.05
"""Below which an adjusted p-value counts as significant."""


def t_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the interval of a mean by Student's t distribution.

    It takes the values for draws from a normal distribution: of few seeds it is wide, as little is
    known of them.

    Args:
        values: The value of each seed.

    Returns:
        The ends of the 95% interval; None for fewer than two values.

    Example:
        >>> [round(end, 3) for end in t_interval([1.0, 2.0, 3.0])]
        [-0.484, 4.484]
    """
    from scipy.stats import t

    if len(values) < 2:
        return None
    half = t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * np.std(values, ddof=1)
    half = float(half / np.sqrt(len(values)))
    mean = float(np.mean(values))
    return mean - half, mean + half


def means_over_seeds(rows: Sequence[Mapping[str, Any]]) -> "Dataset":
    """Return the mean of each test and measure over the encoders of one name.

    Args:
        rows: The rows of single encoders.

    Returns:
        The table of `EncoderEvaluation.means`.
    """
    from datasets import Dataset, Features, Value

    features = Features(
        {
            **dict.fromkeys(("encoder", "kind", "test", "measure"), Value("string")),
            "n": Value("int64"),
            **dict.fromkeys(("mean", "low", "high"), Value("float64")),
            "significant": Value("int64"),
            "baseline": Value("float64"),
        }
    )
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        key = tuple(row[name] for name in ("encoder", "kind", "test", "measure"))
        groups.setdefault(key, []).append(row)
    found = [dict(zip(features, (*key, *_summary(group)), strict=True))
             for key, group in groups.items()]  # fmt: skip
    return Dataset.from_list(found, features=features)


def _summary(rows: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    """Return number, mean, interval, how many are significant, and the baseline."""
    values = [row["value"] for row in rows if row["value"] is not None]
    adjusted = [row["p_holm"] for row in rows if row.get("p_holm") is not None]
    return (
        len(values),
        float(np.mean(values)) if values else None,
        *(t_interval(values) or (None, None)),
        sum(p < LEVEL for p in adjusted) if adjusted else None,
        rows[0].get("baseline"),
    )
