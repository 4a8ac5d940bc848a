"""Reading the column that identifies each row, without a digit lost."""

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from fair_datasets.rows import columns, draws
from fair_datasets.system.checks import InputError


def row_ids(batch: Mapping[str, Sequence[Any]], column: str, *, owner: str) -> list[str | None]:
    """Return a column of ids as texts that keep every digit, or raise.

    Args:
        column: The column that identifies each row: texts, numbers, dates, bytes, ...

    Returns:
        For each row its id: a text as it is, bytes as hexadecimal digits, and anything else as
        Python writes it, whole floats as whole numbers; None for a null. Rows of different ids
        have different texts.
    """
    values = columns.values(batch, column, owner=owner)
    # A list of a pandas Series would hold Python's floats, which do not say what they come from.
    found = list(values.to_numpy() if hasattr(values, "to_numpy") else values)
    if not set(map(type, found)) - {str, type(None)}:
        return found
    plain = [None if columns.is_null(value) else _plain_id(value, column, owner) for value in found]
    kinds: dict[str, Any] = {}
    for value in plain:
        if value is not None:
            kinds.setdefault(_kind(value), value)
    if len(kinds) > 1:
        first, second, *_ = (
            f"{columns.shortened(value)} ({type(value).__name__})" for value in kinds.values()
        )
        raise InputError(
            f"{owner}: column {column!r} holds ids of several kinds, such as {first} and {second}, "
            "which could be written alike; cast the column to strings first."
        )
    return [None if value is None else _written(value) for value in plain]


def _plain_id(value: Any, column: str, owner: str) -> Any:
    """Return an id as Python has it, or raise if it is a float that may have lost digits."""
    if isinstance(value, Mapping):
        return {name: _plain_id(inner, column, owner) for name, inner in value.items()}
    if isinstance(value, list | tuple) or getattr(value, "shape", None):
        return [_plain_id(inner, column, owner) for inner in value]
    if isinstance(value, np.datetime64) and value.dtype == "datetime64[ns]":
        # Python's own dates end at microseconds; numpy would give the bare count.
        short = value.astype("datetime64[us]")
        return short.tolist() if short == value else str(value).replace("T", " ")
    if hasattr(value, "dtype"):
        _refuse_lost_digits(value, column, owner)
    return draws.plain(value)


def _refuse_lost_digits(value: Any, column: str, owner: str) -> None:
    """Raise if an id is a float of numpy or torch that may have been an integer of more digits."""
    number = np.asarray(value)
    if number.dtype.kind != "f" or np.isnan(number):
        return
    # From here on, not every whole number is a float of this kind.
    limit = 2 / np.finfo(number.dtype).eps
    is_short = number.dtype.itemsize < np.dtype(np.float64).itemsize
    if abs(number) >= limit or (is_short and number != np.round(number)):
        raise InputError(
            f"{owner}: column {column!r} holds the id {number.item()!r} as a {number.dtype}, which "
            "may have lost digits: numpy and pandas turn ids into floats if the column has a "
            "null; use `with_format(None)` (in Ray `batch_format='pyarrow'`), or cast the ids to "
            "strings."
        )


def _kind(value: Any) -> str:
    """Name the kind of an id: the numbers are one."""
    is_number = isinstance(value, Number) and not isinstance(value, bool)
    return "number" if is_number else type(value).__name__


def _written(value: Any) -> str:
    """Write an id."""
    return value.hex() if isinstance(value, bytes) else str(value)
