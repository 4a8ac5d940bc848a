"""Writing the inputs of a module to a file, and reading them back as they were given.

`evaluate` keeps the rows of `add` and `add_batch`, and those of several processes, in an Arrow
table. A column of numbers would turn the text "1" into a number there, one of texts NaN into "nan",
and a tuple, which is one label, would become a list, which is several. As JSON every value comes
back as it was, so that a measure can refuse it in its own words.
"""

import json
from importlib import import_module
from types import NoneType
from typing import Any

import datasets
import numpy as np
import pyarrow

from fair_datasets.measures.columns import Column, is_missing, listed, scalar
from fair_datasets.system.checks import InputError

_BY_LINE = json.JSONEncoder(separators=("\n", ":"))
"""Writes a list without lists in it as one value per line; within a text no line ends."""
_NESTED = {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}


class AsGiven(datasets.Value):  # type: ignore[misc]
    """A column of any values, each kept as its JSON.

    Example:
        >>> AsGiven(), AsGiven().pa_type
        (AsGiven(), DataType(large_string))
    """

    def __init__(self) -> None:
        """Describe the column; of a `string`, evaluate would ask that each value is a text."""
        super().__init__("large_string")

    def __repr__(self) -> str:
        """Show it as what a user gives, who need not know how it is written."""
        return "AsGiven()"


class WrittenColumns(datasets.Features):  # type: ignore[misc]
    """Features of columns that `encode_column` wrote already.

    Example:
        >>> WrittenColumns({"groups": AsGiven()}).encode_batch({"groups": ["as it is"]})
        {'groups': ['as it is']}
    """

    def encode_batch(self, batch: dict[str, pyarrow.Array]) -> dict[str, pyarrow.Array]:
        """Leave columns as they are, which `datasets` would encode value by value.

        Args:
            batch: The name of each column to its values as JSON.

        Returns:
            The same.
        """
        return batch


def encode_column(values: Column, argument: str, *, owner: str) -> pyarrow.Array:
    """Write a column as JSON; each distinct value is written once.

    Args:
        values: The values. Shape (N,), or (N, d).
        argument: The name of the column, for errors.
        owner: The measure, for errors.

    Returns:
        Each value as JSON. Length N.

    Raises:
        InputError: A value is none that can be written, such as bytes or an object of one's own.

    Example:
        >>> encode_column(["a", ("a", 1), None], "groups", owner="equalized_odds").to_pylist()
        ['"a"', '{"tuple": ["a", 1]}', 'null']
    """
    rows = listed(values)
    try:
        return _encode_distinct(rows)
    except TypeError:
        # A value is a list, or none that can be written.
        texts = [encode_value(value, argument, row, owner=owner) for row, value in enumerate(rows)]
        return pyarrow.array(texts, pyarrow.large_string())


def encode_value(value: Any, argument: str, row: int, *, owner: str) -> str:
    """Write one value as JSON.

    Args:
        value: The value.
        argument: The name of its column, for errors.
        row: The number of its row, for errors.
        owner: The measure, for errors.

    Returns:
        The value as JSON.

    Raises:
        InputError: It is none that can be written.

    Example:
        >>> encode_value(b"a", "groups", 0, owner="equalized_odds")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: equalized_odds: groups must be texts, numbers, or lists or
        tuples of them, but row 0 is b'a' (bytes). Turn it into a text first.
    """
    try:
        return json.dumps(_marked(value))
    except TypeError:
        raise InputError(
            f"{owner}: {argument} must be texts, numbers, or lists or tuples of them, but row {row}"
            f" is {value!r} ({type(value).__name__}). Turn it into a text first."
        ) from None


def decode_column(column: pyarrow.ChunkedArray) -> list[Any]:
    """Read a column from JSON; each distinct value is read once.

    Args:
        column: The values as JSON. Length N.

    Returns:
        The values. Length N.

    Example:
        >>> decode_column(pyarrow.chunked_array([["1", '"1"'], ['{"tuple": [1]}']]))
        [1, '1', (1,)]
    """
    encoded = column.combine_chunks().dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    values = json.loads(f"[{','.join(texts)}]", object_hook=_unmarked)
    return list(map(values.__getitem__, encoded.indices.to_numpy().tolist()))


def _encode_distinct(rows: list[Any]) -> pyarrow.Array:
    """Write values that can be hashed."""
    code_of = {value: code for code, value in enumerate(dict.fromkeys(rows))}
    if {str, int, float, bool, NoneType}.issuperset(map(type, code_of)):
        texts = _BY_LINE.encode(list(code_of))[1:-1].split("\n")
    else:
        texts = [json.dumps(_marked(value)) for value in code_of]
    codes = np.fromiter(map(code_of.__getitem__, rows), np.int64, len(rows))
    return pyarrow.array(texts, pyarrow.large_string()).take(pyarrow.array(codes))


def _marked(value: Any) -> Any:
    """Return what JSON writes of a value; what it lacks stands under the name of its kind."""
    value = scalar(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        return [_marked(part) for part in value]
    for name, kind in _NESTED.items():
        if isinstance(value, kind):
            parts = value.items() if isinstance(value, dict) else value
            return {name: [_marked(part) for part in parts]}
    if is_missing(value):
        return {"missing": type(value).__name__.removesuffix("Type")}
    raise TypeError(f"{type(value).__name__} is not written")


def _unmarked(marked: dict[str, Any]) -> Any:
    """Return the value of a kind that JSON lacks."""
    ((name, value),) = marked.items()
    if name == "missing":
        # Only pandas has such values, so that it is there.
        return getattr(import_module("pandas"), value)
    return _NESTED[name](value)
