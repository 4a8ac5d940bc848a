"""The rows of an evaluation and their means over seeds, as datasets."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from datasets import Dataset


def row_table(rows: Sequence[Mapping[str, Any]], versions: Sequence[str]) -> "Dataset":
    """Write rows as a dataset, the versions in their order.

    Args:
        rows: The rows of all measures.
        versions: The names of the versions.

    Returns:
        The table of `CounterfactualEvaluation.rows`.
    """
    from datasets import Dataset, Features, List, Value

    features = Features(
        {
            "version": Value("string"),
            "seed": Value("int64"),
            "measure": Value("string"),
            "value": Value("float64"),
            "p_value": Value("float64"),
            "size": Value("int64"),
            "skipped": Value("int64"),
            "left_out": List(Value("string")),
            "reason": Value("string"),
        }
    )
    ordered = sorted(rows, key=lambda row: list(versions).index(row["version"]))
    told = [{**row, **_told(row)} for row in ordered]
    return Dataset.from_dict(
        {name: [row.get(name) for row in told] for name in features}, features=features
    )


def means_over_seeds(rows: "Dataset") -> "Dataset":
    """Return the mean of each version and measure over its seeds.

    Args:
        rows: What `row_table` made.

    Returns:
        The table of `CounterfactualEvaluation.means`.
    """
    from datasets import Dataset, Features, Value

    features = Features(
        {
            "version": Value("string"),
            "measure": Value("string"),
            "n": Value("int64"),
            "mean": Value("float64"),
            "sd": Value("float64"),
        }
    )
    groups: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        values = groups.setdefault((row["version"], row["measure"]), [])
        if row["value"] is not None:
            values.append(row["value"])
    found = [
        (*key, len(values), float(np.mean(values)) if values else None,
         float(np.std(values, ddof=1)) if len(values) > 1 else None)
        for key, values in groups.items()
    ]  # fmt: skip
    return Dataset.from_dict(
        {name: [row[place] for row in found] for place, name in enumerate(features)},
        features=features,
    )


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return why a row has no value, if it has none."""
    if not isnan(row["value"]):
        return {}
    if row["measure"].startswith("effect size"):
        reason = "all targets have the same association"
    else:
        reason = "no text is long enough"
    return {"value": None, "reason": reason}
