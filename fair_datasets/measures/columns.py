"""Reading a column: one value per row, in whatever it is kept.

Every measure reads its arguments here first, and so do the `evaluate` modules, so that a list, an
array, a tensor and a column of a table mean the same to both, and what is no column is refused by
both in the same sentence.
"""

import operator
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.system.checks import InputError

Column = list[Any] | NDArray[Any]


def column(values: Any, argument: str, *, owner: str, tables: bool = False) -> Column:
    """Read one value per row.

    Args:
        values: A list, an array, a tensor, or a column of a dataset, of pandas, polars or Arrow; or
            an iterator, which is read once. Shape (N,).
        tables: Whether a row may be a vector, so that the values may be a table of numbers.

    Returns:
        The values: an array of NumPy where they are in one, or are numbers of one kind without
        gaps; else a list.
    """
    if tables and _is_table(values) and hasattr(values, "__array__"):
        values = np.asarray(values)
    problem = _what_is_no_column(values)
    if problem:
        several = " To join several columns of groups, use `intersections`."
        raise InputError(
            f"{owner}: {argument} must be a list or array with one "
            f"{'vector' if tables else 'value'} per row, but it is {problem}."
            + several
            * (argument == "groups" and (_is_table(values) or hasattr(values, "keys")))
        )
    axes = getattr(values, "ndim", 1)
    if axes != 1 and not (tables and axes == 2):
        raise InputError(shape_sentence(owner, argument, tuple(values.shape)))
    if isinstance(values, list):
        return values
    if hasattr(values, "column_name") and isinstance(values, Sequence):
        # A column of a dataset, which is read at once: row by row would be far slower.
        return column(values[:], argument, owner=owner, tables=tables)
    return _array(values) if _is_plain(values) else listed(values)


def listed(values: Any) -> list[Any]:
    """Return values as a list of Python's own objects where they can be such.

    Args:
        values: What `column` returned, or takes.
    """
    for name in ("tolist", "to_pylist", "to_list"):
        if hasattr(values, name):
            return list(getattr(values, name)())
    return list(values)


def scalar(value: Any) -> Any:
    """Return Python's own object for a number, or text, that a library keeps in its own.

    Args:
        value: Any value, such as a number of NumPy, a tensor without axes, a scalar of Arrow, or a
            tuple of them.

    Returns:
        The number or text; a list for an array; anything else as it is.
    """
    if isinstance(value, tuple):
        parts = tuple(map(scalar, value))
        return parts if any(map(operator.is_not, parts, value)) else value
    for name in ("tolist", "as_py"):
        if hasattr(value, name):
            return getattr(value, name)()
    return value


def is_missing(value: Any) -> bool:
    """Tell whether a value is missing: None, NaN, NaT or the NA of pandas.

    Returns:
        Whether it is missing, or is a tuple of which a part is. An empty text is not.
    """
    if isinstance(value, tuple):
        return any(map(is_missing, value))
    return (
        value is None
        or type(value).__name__ in {"NAType", "NaTType"}
        or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
    )


def shape_sentence(owner: str, argument: str, shape: object) -> str:
    """Say that an argument has not one value per row.

    Example:
        >>> shape_sentence("equalized_odds", "predictions", (60, 2))[:73]
        'equalized_odds: predictions must have one value per row, but its shape is'
    """
    return (
        f"{owner}: {argument} must have one value per row, but its shape is {shape}. Select one "
        "column first; if these are logits, take the argmax."
    )


def _what_is_no_column(values: Any) -> str:
    """Name what would be read as something else: letters of a text, names of columns."""
    if isinstance(values, Mapping):
        return f"a mapping ({type(values).__name__})"
    if isinstance(values, set | frozenset):
        return f"a {type(values).__name__}, whose values have no order"
    if _is_table(values):
        return f"a whole table ({type(values).__name__}); select one column first"
    if isinstance(values, str | bytes | bytearray) or not hasattr(values, "__iter__"):
        return reprlib.repr(values)
    return ""


def _is_table(values: Any) -> bool:
    """Tell whether values are a table, whose rows are not what iterating over it gives."""
    return hasattr(values, "columns") or hasattr(values, "column_names")


def _is_plain(values: Any) -> bool:
    """Tell whether values can be read as an array of NumPy without loss: no gaps, no objects."""
    if isinstance(values, np.ndarray):
        # Of a masked array, NumPy would take what the mask hides.
        return not isinstance(values, np.ma.MaskedArray)
    dtype = getattr(values, "dtype", None)
    return hasattr(values, "detach") or (isinstance(dtype, np.dtype) and dtype.kind in "biuf")


def _array(values: Any) -> NDArray[Any]:
    """Return an array of NumPy; a tensor of half precision is read in full."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        is_half = values.is_floating_point() and values.element_size() < 4
        values = (values.double() if is_half else values).numpy()
    return np.asarray(values)
