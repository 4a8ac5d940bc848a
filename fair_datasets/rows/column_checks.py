"""Every error sentence about the name of a column: whether it is one, exists, or is free.

For the values of a column see `fair_datasets.rows.columns`, for other parameters
`fair_datasets.system.checks`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from fair_datasets.system.checks import InputError, listed, suggestion


def column_name(value: Any, *, owner: str, parameter: str) -> str:
    """Return a parameter that is the name of a column, or raise."""
    if not isinstance(value, str) or not value:
        raise InputError(f"{owner}: {parameter} must be a column name, but it is {value!r}.")
    return value


def column_names(value: Any, *, owner: str, parameter: str = "columns") -> tuple[str, ...]:
    """Return one column name or several as a tuple, or raise."""
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"{owner}: {parameter} must be a column name or a list of them, but it is {value!r}."
        )
    if not names or len(set(names)) < len(names):
        raise InputError(
            f"{owner}: {parameter} must name at least one column and none twice, but it is "
            f"{value!r}."
        )
    return tuple(map(str, names))


def one_for_each(
    value: Any, columns: Sequence[str], *, owner: str, parameter: str
) -> tuple[str, ...]:
    """Return column names that belong to others one by one, or raise."""
    names = column_names(value, owner=owner, parameter=parameter)
    if len(names) != len(columns):
        raise InputError(
            f"{owner}: {parameter} must name a column for each of columns, but it is {names!r} for "
            f"{tuple(columns)!r}."
        )
    return names


def present(columns: Iterable[str], existing: Iterable[str], *, owner: str) -> None:
    """Raise unless every column exists."""
    names = list(existing)
    for column in columns:
        if column not in names:
            raise no_column(column, names, owner=owner)


def no_column(column: str, existing: Sequence[str], *, owner: str) -> InputError:
    """Return the error for a column that is missing.

    Example:
        >>> print(no_column("txet", [], owner="CounterfactualSwap"))
        CounterfactualSwap: there is no column 'txet'; there are no columns.
    """
    return InputError(
        f"{owner}: there is no column {column!r}; "
        f"{f'the columns are {listed(existing)}' if existing else 'there are no columns'}."
        + suggestion(column, existing)
    )


def free(columns: Iterable[str], existing: Iterable[str], *, owner: str) -> None:
    """Raise if a column that is to be added exists already."""
    taken = set(existing)
    for column in columns:
        if column in taken:
            raise InputError(
                f"{owner}: the column {column!r} exists already and would be overwritten; rename "
                "or remove it first."
            )
