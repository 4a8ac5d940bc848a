"""Reading columns of logits that a classifier gave."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import columns
from fair_datasets.system.checks import InputError
from fair_datasets.technique.contract import Batch

Floats = NDArray[np.float64]


def logit_rows(
    batch: Batch, column: str, axes: Sequence[str], *, owner: str
) -> list[Floats | None]:
    """Read a column of logits.

    Args:
        column: The column: in each row a list of C floats, or nested lists of them.
        axes: What the lists stand for, innermost last, such as `("seeds", "classes")`; the first
            may be missing.

    Returns:
        For each row an array with an axis for each of `axes`; None where the row is a null.

    Raises:
        InputError: The column is missing, a value is missing, infinite or no number, or the rows
            have different shapes.

    Example:
        >>> batch = {"logits": [[1, 2], [1, None]]}
        >>> logit_rows(batch, "logits", ("seeds", "classes"), owner="EL2N")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: EL2N: column 'logits' must hold finite logits, but row 1 of
        the batch (counted from 0) holds [1, None]; remove the row, or find out why a value is
        missing.
    """
    rows: list[Floats | None] = []
    shape: tuple[int, ...] | None = None
    for row, value in enumerate(columns.values(batch, column, owner=owner)):
        if value is None or (not hasattr(value, "__len__") and columns.is_null(value)):
            rows.append(None)
            continue
        place = f"row {row} of the batch (counted from 0)"
        array = _logits_of_a_row(value, column, place, owner)
        if array.ndim == len(axes) - 1:
            array = array[None]
        if array.ndim != len(axes) or 0 in array.shape:
            raise InputError(
                f"{owner}: column {column!r} must hold lists of {' of lists of '.join(axes)}, or "
                f"of {' of lists of '.join(axes[1:])} alone, but {place} has the shape "
                f"{np.shape(value)}."
            )
        shape = shape or array.shape
        if array.shape != shape:
            raise InputError(
                f"{owner}: column {column!r} must hold as many {' and '.join(axes)} in each row, "
                f"but {place} has the shape {array.shape}, and the first has {shape}."
            )
        rows.append(array)
    return rows


def _logits_of_a_row(value: Any, column: str, place: str, owner: str) -> Floats:
    """Return a row's logits as an array, or raise where a value is missing or no number."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().double().numpy()
    try:
        # An object array of arrays, as numpy formats give nested lists, is no array of floats.
        listed = value.tolist() if hasattr(value, "tolist") else value
        array = np.asarray(listed, dtype=np.float64)
        is_finite = bool(np.isfinite(array).all())
    except (TypeError, ValueError):
        is_finite = False
    if not is_finite:
        raise InputError(
            f"{owner}: column {column!r} must hold finite logits, but {place} holds "
            f"{columns.shortened(value)}; remove the row, or find out why a value is missing."
        )
    return array
