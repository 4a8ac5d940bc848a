"""Reading rows of any kind, for metrics that know themselves what they take."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures.columns import column, is_missing, listed
from fair_datasets.measures.inputs import sentence_of_missing
from fair_datasets.system.checks import InputError

_SHORT = 64
"""Up to so many letters, texts are an array of fixed width, which scikit-learn sorts far faster."""


def observations(values: ArrayLike, argument: str, *, owner: str) -> NDArray[Any]:
    """Read one value or vector per row: numbers, texts, or whatever a metric takes.

    Args:
        values: The values, or a table of numbers. Shape (N, ...).
        argument: The name of the argument, for errors.
        owner: The measure, for errors.

    Returns:
        An array of numbers or of texts where all are such, else of objects. Shape (N, ...).

    Raises:
        InputError: A value is missing, or it is no column.

    Example:
        >>> observations(["a", "b"], "predictions", owner="group_metric").dtype.kind
        'U'
        >>> observations([[0.5, 0.5], [1, 0]], "predictions", owner="group_metric").shape
        (2, 2)
    """
    read = column(values, argument, owner=owner, tables=True)
    rows = read if isinstance(read, np.ndarray) and read.dtype.kind in "biufU" else _array(read)
    if rows.dtype.kind == "O":
        places = [row for row, value in enumerate(rows) if _is_missing(value)]
    else:
        gaps = np.isnan(rows) if rows.dtype.kind == "f" else np.zeros(len(rows), np.bool_)
        places = np.unique(np.nonzero(gaps)[0]).tolist()
    if places:
        value = listed(read)[places[0]]
        raise InputError(sentence_of_missing(owner, argument, "value", places[0], value))
    return rows


def _array(values: Any) -> NDArray[Any]:
    """Make an array of a list: of numbers, of short texts, or of the objects themselves."""
    rows = listed(values)
    if all(isinstance(row, str) for row in rows) and rows:
        return np.array(rows, str if max(map(len, rows)) <= _SHORT else object)
    try:
        found = np.array(rows)
    except ValueError:
        found = np.empty(0, str)
    if found.dtype.kind in "biuf":
        return found
    objects = np.empty(len(rows), object)
    objects[:] = rows
    return objects


def _is_missing(value: Any) -> bool:
    """Tell whether a value is missing, or a part of a vector is."""
    return any(map(is_missing, value)) if isinstance(value, list) else is_missing(value)
