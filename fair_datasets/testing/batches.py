"""Batches of rows as columns: taking rows out of them and putting them together again."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Columns = dict[str, list[Any]]

TOLERANCE = 1e-5


def length(batch: Mapping[str, Sequence[Any]]) -> int:
    """Return the number of rows of a batch.

    Args:
        batch: Column name to values, as many in each.
    """
    return len(next(iter(batch.values())))


def take(batch: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> Columns:
    """Return some rows of a batch.

    Args:
        rows: The rows, counted from 0.

    Returns:
        A new batch with the rows in the order asked for.
    """
    return {column: [values[row] for row in rows] for column, values in batch.items()}


def keep(batch: Mapping[str, Sequence[Any]], wanted: Sequence[bool]) -> Columns:
    """Return the rows of a batch that a filter keeps."""
    return take(batch, [row for row, is_wanted in enumerate(wanted) if is_wanted])


def joined(parts: Sequence[Any]) -> Any:
    """Put the results of several calls of a technique together.

    Args:
        parts: Batches with the same columns, or lists of bools; at least one.

    Returns:
        One batch, or one list.

    Example:
        >>> joined([{"text": ["a"]}]), joined([[True], [False]])
        ({'text': ['a']}, [True, False])
    """
    if isinstance(parts[0], list):
        return [value for part in parts for value in part]
    return {column: [value for part in parts for value in part[column]] for column in parts[0]}


def as_arrays(batch: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return a batch with numpy columns, as Ray Data gives them.

    Returns:
        Column name to a one-dimensional array of the same objects.

    Example:
        >>> as_arrays({"text": ["a", None]})
        {'text': array(['a', None], dtype=object)}
    """
    arrays = {column: np.empty(len(values), dtype=object) for column, values in batch.items()}
    for column, values in batch.items():
        arrays[column][:] = values
    return arrays


def same(left: Any, right: Any) -> bool:
    """Tell whether two results are the same.

    NaN is the same as NaN. Two floats are the same if they differ by no more than `TOLERANCE`,
    absolutely or relatively: the last digits of what a model gives depend on the rows that share
    its batch.

    Args:
        left: A batch, or a list.
    """
    if isinstance(left, float) and isinstance(right, float):
        is_close = math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        return is_close or (math.isnan(left) and math.isnan(right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)
