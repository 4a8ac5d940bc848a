"""Columns of a batch: reading them, and every error sentence about their names and values.

A sentence names what was wrong (the owner, the column, the row and the value) and says what to do.
For other parameters see `fair_datasets.system.checks`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Annotated, Any

import numpy as np

from fair_datasets.rows.arrow import Columns, python_values
from fair_datasets.system.checks import (
    FEW,
    InputError,
    format_choices,
    invalid,
    suggestion,
    truncate,
)


def column_name(value: Any, *, parameter: str) -> str:
    """Return a parameter that is the name of a column, or raise."""
    if not isinstance(value, str) or not value:
        raise invalid(f"{parameter} must be a column name, but it is {value!r}.")
    return value


def column_names(value: Any, *, parameter: str = "columns") -> tuple[str, ...]:
    """Return one column name or several as a tuple, or raise."""
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise invalid(f"{parameter} must be a column name or a list of them, but it is {value!r}.")
    if not names or len(set(names)) < len(names):
        raise invalid(
            f"{parameter} must name at least one column and none twice, but it is {value!r}."
        )
    return tuple(map(str, names))


ColumnName = Annotated[str, column_name]
ColumnNames = Annotated[tuple[str, ...] | str, column_names]


def one_for_each(value: Any, columns: Sequence[str], *, parameter: str) -> tuple[str, ...]:
    """Return column names that belong to others one by one, or raise."""
    names = column_names(value, parameter=parameter)
    if len(names) != len(columns):
        raise invalid(
            f"{parameter} must name a column for each of columns, but it is {names!r} for "
            f"{tuple(columns)!r}."
        )
    return names


def present(columns: Iterable[str], existing: Iterable[str]) -> None:
    """Raise unless every column exists."""
    names = list(existing)
    for column in columns:
        if column not in names:
            raise no_column(column, names)


def no_column(column: str, existing: Sequence[str]) -> InputError:
    """Return the error for a column that is missing.

    Example:
        >>> print(no_column("txet", []))
        no_column: there is no column 'txet'; there are no columns.
    """
    known = [name for name in existing if not name.startswith(OUR_OWN)]
    return invalid(
        f"there is no column {column!r}; "
        f"{f'the columns are {format_choices(known, FEW)}' if known else 'there are no columns'}."
        + suggestion(column, known)
    )


MOST_COLUMNS = 20_000
"""How many columns are read; more take minutes, and are seldom meant."""


def refuse_too_many(number: int, place: str) -> None:
    """Raise if a file has more columns than are read."""
    if number > MOST_COLUMNS:
        raise InputError(
            f"{place}: there are {number:,} columns, and at most {MOST_COLUMNS:,} are read; check "
            "the first line and what separates its names, or leave columns out."
        )


def free(columns: Iterable[str], existing: Iterable[str]) -> None:
    """Raise if a column that is to be added exists already."""
    taken = set(existing)
    for column in columns:
        if column in taken:
            raise invalid(
                f"the column {column!r} exists already and would be overwritten; rename "
                "or remove it first."
            )


OUR_OWN = "\0"
"""What the names of columns begin with that are put beside those of a batch for a while."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

# What an object calls its text, and the one who speaks.
TEXT_KEYS = ("content", "text", "value")
ROLE_KEYS = ("role", "from")


def as_batch(batch: Any) -> Mapping[str, Sequence[Any]]:
    """Return a batch as a mapping of columns, whatever engine hands it over.

    Args:
        batch: A mapping of column names to values; or a table of pyarrow, Polars or pandas, as
            Ray's `map_batches` and `with_format` of `datasets` give it.

    Returns:
        The mapping as it is; of a table, column name to its values, with None for nulls where
        the table knows them. Anything else comes back as it is.
    """
    if type(batch).__name__ == "LazyBatch":  # Of `map`; pictures stay the bytes that they are.
        table, unread = batch.pa_table, batch.keys_to_format
        data = {n: python_values(table[n]) if n in unread else batch[n] for n in batch}
        return Columns(data, table)
    if isinstance(batch, Mapping):
        arrow = [name for name, data in batch.items() if hasattr(data, "to_pylist")]
        return {**batch, **{name: batch[name].to_pylist() for name in arrow}} if arrow else batch
    names: list[str]
    read: Callable[[int], Any]
    kind, _, _ = type(batch).__module__.partition(".")
    if kind == "pyarrow" and hasattr(batch, "column_names"):
        names, read = batch.column_names, lambda place: python_values(batch.column(place))
    elif kind == "polars" and hasattr(batch, "to_series"):
        names, read = batch.columns, lambda place: batch.to_series(place).to_list()
    elif kind == "pandas" and hasattr(batch, "columns"):
        names, read = batch.columns.tolist(), lambda place: _values_of(batch.iloc[:, place])
    else:
        return batch  # type: ignore[no-any-return]
    refuse_twins(names)
    return {name: read(place) for place, name in enumerate(names)}


def refuse_twins(names: Sequence[str]) -> None:
    """Raise if two columns have one name."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise invalid(f"the batch has two columns {twice!r}, and one would be lost; rename one.")


def values(batch: Mapping[str, Sequence[Any]], column: str) -> Sequence[Any]:
    """Return a column of a batch as it is, or raise."""
    if not hasattr(batch, "items"):
        kind = f"{type(batch).__module__.partition('.')[0]} {type(batch).__name__}"
        raise invalid(
            f"it was given a {kind}, not a mapping of column names to values; use "
            "`with_format(None)` on the dataset first."
        )
    present([column], batch)
    data = batch[column]
    refuse_one_row(data, column)
    return data


def refuse_one_row(data: Any, column: str, *, method: str = "map") -> None:
    """Raise if a column of a batch holds the one value of a row."""
    if not _is_column(data):
        raise invalid(
            f"it was given one row, not a batch (column {column!r} holds a single "
            f"{type(data).__name__}); use `{method}(..., batched=True)`."
        )


def texts(batch: Mapping[str, Sequence[Any]], column: str) -> list[str | None]:
    """Return a column of a batch as a list of texts and nulls, or raise.

    A missing value (None, NaN, pandas NA) counts as a null and comes back as None.
    """
    cells = list(values(batch, column))
    if not set(map(type, cells)) - {str, type(None)}:
        return cells
    for row, value in enumerate(cells):
        if is_null(value):
            cells[row] = None
        elif not isinstance(value, str):
            raise no_text(value, column, row)
    return cells


def no_text(value: Any, name: str, row: int, *, place: str | None = None) -> InputError:
    """Return the error for something else than text.

    Example:
        >>> chat = [{"role": "user", "content": "Hello"}]
        >>> print(no_text(chat, "messages", 0))
        no_text: column 'messages' must hold text or nulls, but row 0 of the batch
        (counted from 0) holds [{'role': 'user', 'content': 'Hello'}] (list); name the texts inside
        it, such as 'messages[].content'.
    """
    return invalid(
        f"column {(place or name)!r} must hold text or nulls, but row {row} of the batch (counted "
        f"from 0) holds {shortened(value)} ({type(value).__name__}); {instead_of(value, name)}."
    )


def instead_of(value: Any, name: str) -> str:
    """Return what to name in place of a column that holds something else than text.

    Example:
        >>> instead_of(["Hello"], "turns"), instead_of(5, "label")
        ("name the texts inside it, such as 'turns[]'", 'name a column of texts')
    """
    inside = _path_to_text(value)
    return (
        f"name the texts inside it, such as {name + inside!r}"
        if inside
        else "name a column of texts"
    )


def _path_to_text(value: Any) -> str | None:
    """Return the way to the first text inside a value; None if there is none."""
    if isinstance(value, str):
        return ""
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: key not in TEXT_KEYS)
        inner = ((f".{key}", value[key]) for key in keys if key not in ROLE_KEYS)
    elif isinstance(value, list | tuple | np.ndarray):
        inner = (("[]", item) for item in value)
    else:
        return None
    paths = ((step, _path_to_text(item)) for step, item in inner)
    return next((step + path for step, path in paths if path is not None), None)


def refuse_ragged(batch: Mapping[str, Sequence[Any]]) -> None:
    """Raise unless all columns of a batch have the same length."""
    lengths = {column: len(values(batch, column)) for column in batch}
    if len(set(lengths.values())) > 1:
        summary = ", ".join(f"{column!r} has {length}" for column, length in lengths.items())
        raise invalid(
            f"the columns have different lengths ({summary}); give each column one value per row."
        )


def refuse_nulls(cells: Sequence[Any], what: str) -> None:
    """Raise if a value is missing where each row needs one."""
    for row, value in enumerate(cells):
        if is_null(value):
            raise invalid(
                f"{what} holds a null in row {row} (counted from 0); remove the row or "
                "fill the value in."
            )


def is_null(value: Any) -> bool:
    """Whether a value stands for a missing one: None, NaN, NaT or pandas NA.

    Example:
        >>> is_null(float("nan")), is_null("")
        (True, False)
    """
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    return isinstance(value, Real) and bool(value != value)


def number_in(value: Any) -> Any:
    """Read a number that is kept as text, as in a CSV file whose 0.90 stays as it was written.

    Example:
        >>> number_in("0.90"), number_in("high"), number_in(None)
        (0.9, 'high', None)
    """
    is_number = isinstance(value, str) and _NUMBER.fullmatch(value.strip())
    return float(value) if is_number else value


def shortened(value: Any, length: int = 60) -> str:
    """Write a value's repr, cut to a length that fits in a sentence.

    Example:
        >>> shortened("a text", length=8), shortened("a longer text", length=8)
        ("'a text'", "'a lo...")
    """
    return truncate(repr(value), length)


def _values_of(series: Any) -> Any:
    """Return the values of a pandas column; floats stay numpy's, as they may have been integers."""
    if isinstance(series.dtype, np.dtype) and series.dtype.kind == "f":
        return series.to_numpy()
    cells = series.astype(object).where(series.notna(), None).tolist()
    is_nested = any(isinstance(value, np.ndarray | list | dict) for value in cells)
    return [_plain(value) for value in cells] if is_nested else cells


def _plain(value: Any) -> Any:
    """Return lists for the arrays that pandas keeps inside a value; Arrow takes no others back."""
    if isinstance(value, np.ndarray | list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def _is_column(data: Any) -> bool:
    """Whether a batch holds several values in a column, and not the one value of a row."""
    if isinstance(data, str | bytes | Mapping):
        return False
    try:
        len(data)
    except TypeError:
        return False
    return True
