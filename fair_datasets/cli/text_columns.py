"""Making sure that columns hold what the user says: texts, and numbers kept as texts."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.rows.columns import instead_of, number_in, shortened
from fair_datasets.rows.given import ROWS_AT_ONCE, refuse_absent_roles
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import check_path, field_columns, is_there, text_field
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_TEXT_KINDS = ("string", "large_string", "null")
# How a whole number is written; "007" is a text.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def refuse_lists(names: Iterable[str], existing: Sequence[str], where: str) -> None:
    """Raise where several columns are given as one.

    Raises:
        InputError: A name is a list of columns.

    Example:
        >>> refuse_lists(["id,text"], ["id", "text"], "in.csv")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: in.csv: there is no column 'id,text'; give each column by
        itself: --text id --text text.
    """
    for name in names:
        parts = [part.strip() for part in name.split(",")]
        is_list = len(parts) > 1 and all(is_there(part, existing) for part in parts)
        if is_list and not is_there(name, existing):
            options = " ".join(f"--text {part}" for part in parts)
            raise InputError(
                f"{where}: there is no column {name!r}; give each column by itself: {options}."
            )


def refuse_other_separators(names: Iterable[str], existing: Sequence[str], where: str) -> None:
    """Raise where columns are missing because the fields of a file are separated otherwise.

    Raises:
        InputError: They are.

    Example:
        >>> refuse_other_separators(["text"], ["id;text"], "in.csv")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: in.csv: its one column is 'id;text', as if fields were
        separated by semicolons; save it with commas, or with tabs as .tsv.
    """
    found = [sign for sign in _SEPARATORS if sign in "".join(existing)]
    if len(existing) == 1 and found and not all(is_there(name, existing) for name in names):
        raise InputError(
            f"{where}: its one column is {existing[0]!r}, as if fields were separated by "
            f"{_SEPARATORS[found[0]]}; save it with commas, or with tabs as .tsv."
        )


def refuse_misread_columns(names: Sequence[str], existing: Sequence[str], where: str) -> None:
    """Raise where text columns are missing for a reason that can be told.

    Raises:
        InputError: As for `refuse_lists` and `refuse_other_separators`.
    """
    refuse_lists(names, existing, where)
    refuse_other_separators(names, existing, where)


def check_text_columns(
    dataset: "Dataset", names: Sequence[str], where: str, roles: Sequence[str] = ()
) -> list[str]:
    """Raise unless a dataset has rows and texts where they are said to be.

    Args:
        names: The columns of texts, or paths to the texts inside columns.

    Returns:
        The columns that the texts lie in.

    Raises:
        InputError: There are no rows, or a column is missing or holds something else.
    """
    if dataset.num_rows == 0:
        raise InputError(f"{where} has no rows; there is nothing to do.")
    refuse_misread_columns(names, dataset.column_names, where)
    for name in names:
        if text_field(name, dataset.column_names, owner=where).steps:
            _check_inside(dataset, name, where, roles)
        else:
            _check_column(dataset, name, where)
    return field_columns(names, dataset.column_names, owner=where)


def _check_column(dataset: "Dataset", column: str, where: str) -> None:
    """Raise unless a column is one of texts."""
    from datasets import Value

    feature = dataset.features[column]
    kind = feature.dtype if isinstance(feature, Value) else type(feature).__name__
    if kind in _TEXT_KINDS:
        _refuse_numbers(dataset, column, where)
        return
    for start, batch in enumerate(dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE)):
        check_texts(batch[column], column, where, first_row=ROWS_AT_ONCE * start)
    raise InputError(
        f"{where}: column {column!r} is of type {kind}, not text; name a text column with --text."
    )


def _check_inside(dataset: "Dataset", name: str, where: str, roles: Sequence[str]) -> None:
    """Raise unless there is a text where a path leads to."""
    check_path(name, dataset.features, owner=where)
    column = text_field(name, dataset.column_names, owner=where).column
    for batch in dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE):
        if any(any(row) for row in RowTexts.read(batch, [name], roles=roles, owner=where).rows):
            return
    refuse_absent_roles(dataset, [name], roles, owner=where)
    raise InputError(f"{where}: there is no text at {name!r}; look at the column's values.")


def check_texts(values: Sequence[Any], column: str, where: str, first_row: int = 0) -> None:
    """Raise unless all values are texts or nulls.

    Args:
        first_row: The number of the first value's row in the dataset.

    Raises:
        InputError: A value is something else; the sentence names its row.
    """
    for row, value in enumerate(values, start=first_row):
        if value is not None and not isinstance(value, str):
            raise InputError(
                f"{where}: column {column!r} must hold text, but row {row} (counted from 0) holds "
                f"{shortened(value)} ({type(value).__name__}); {instead_of(value, column)} with "
                "--text."
            )


def _refuse_numbers(dataset: "Dataset", column: str, where: str) -> None:
    """Raise if each text of a column is a whole number, as in a CSV file's column of labels."""
    number = None
    for batch in dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE):
        for value in batch[column]:
            if value is not None and not _NUMBER.fullmatch(value):
                return
            number = number or value
    if number is not None:
        raise InputError(
            f"{where}: column {column!r} holds whole numbers only (the first is {number}) and no "
            "text; name a text column with --text."
        )


def as_numbers(values: Sequence[Any]) -> Sequence[Any]:
    """Read a column of numbers that is kept as text.

    Returns:
        The numbers; the column as it is where something else is among them.

    Example:
        >>> as_numbers(["0.90", None]), as_numbers(["0.90", "high"])
        ([0.9, None], ['0.90', 'high'])
    """
    read = [number_in(value) for value in values]
    given = [each for each, value in zip(read, values, strict=True) if value is not None]
    is_text = any(isinstance(value, str) for value in values)
    return read if is_text and all(isinstance(each, float) for each in given) else values
