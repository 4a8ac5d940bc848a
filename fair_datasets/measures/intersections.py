"""Groups of several columns: who is which by gender, by race and so on, all at once."""

from collections.abc import Hashable, Mapping
from types import NoneType
from typing import Any

from fair_datasets.measures.columns import Column, column, scalar
from fair_datasets.measures.columns import listed as plain
from fair_datasets.measures.inputs import same_length
from fair_datasets.system.checks import InputError, listed

_OWNER = "intersections"


def intersections(columns: Any) -> list[tuple[Hashable, ...]]:
    """Join several columns of group labels into one label per row.

    What compares groups takes the result as its groups. A row of which one label is missing has no
    label, as a row without any.

    Args:
        columns: A mapping of names to columns, or a table of them: a DataFrame, a Dataset, or a
            table of Arrow or Polars. Each column of shape (N,).

    Returns:
        The labels of each row, in the order of the columns. Length N.

    Raises:
        InputError: There are no columns, they differ in length, or one is no column.

    Example:
        >>> groups = intersections({"gender": ["w", "w", "m"], "race": ["black", "white", "black"]})
        >>> groups
        [('w', 'black'), ('w', 'white'), ('m', 'black')]
        >>> from fair_datasets.measures.parity import demographic_parity
        >>> demographic_parity([1, 0, 1], groups).difference
        1.0

    Source:
        Crenshaw, Demarginalizing the Intersection of Race and Sex, 1989; Foulds et al., An
        Intersectional Definition of Fairness, ICDE 2020.
    """
    names = _names(columns)
    read = {str(name): column(columns[name], str(name), owner=_OWNER) for name in names}
    same_length(read, owner=_OWNER)
    return list(zip(*map(_labels, read.values()), strict=True))


def _labels(values: Column) -> list[Hashable]:
    """Return the labels of a column as Python's own objects."""
    labels = plain(values)
    if not set(map(type, labels)) - {str, int, float, bool, NoneType}:
        return labels
    return list(map(scalar, labels))


def _names(columns: Any) -> list[Any]:
    """Return the names of the columns of a mapping or a table."""
    names = list(columns) if isinstance(columns, Mapping) else []
    if not isinstance(columns, Mapping) and hasattr(columns, "__getitem__"):
        kind = "column_names" if hasattr(type(columns), "column_names") else "columns"
        names = list(getattr(columns, kind, []))
    if not names:
        raise InputError(
            f"{_OWNER}: columns must be a mapping of names to columns, such as "
            "{'gender': gender, 'race': race}, or a table with columns, but it is "
            f"{type(columns).__name__!r}."
        )
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise InputError(
            f"{_OWNER}: the table has the columns {listed(map(str, repeated))} twice; name them "
            "differently."
        )
    return names
