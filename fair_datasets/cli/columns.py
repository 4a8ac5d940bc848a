"""The columns that a user names, also of numbers kept as texts; which splits are rewritten."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from datasets import Dataset, Value

from fair_datasets.cli.groups import Input
from fair_datasets.cli.inputs import chosen_split, is_in_place
from fair_datasets.cli.outputs import Output
from fair_datasets.rows.column_checks import instead_of, number_in, shortened
from fair_datasets.rows.given import ROWS_AT_ONCE, refuse_absent_roles
from fair_datasets.rows.row_texts import RowTexts, are_tokens
from fair_datasets.rows.text_fields import check_path, field_columns, is_there, text_field
from fair_datasets.selection.splits import TEST
from fair_datasets.system.checks import InputError, error_context, invalid

_TEXT_KINDS = ("string", "large_string", "null")
# How a whole number is written; "007" is a text.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def refuse_other_separators(names: Iterable[str], existing: Sequence[str], where: str) -> None:
    """Raise where columns are missing because the fields of a file are separated otherwise.

    Example:
        >>> refuse_other_separators(["text"], ["id;text"], "in.csv")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: in.csv: its one column is 'id;text', as if fields were
        separated by semicolons; say so by --delimiter ';'.
    """
    signs = [sign for sign in _SEPARATORS if sign in "".join(existing)]
    if len(existing) == 1 and signs and not all(is_there(name, existing) for name in names):
        raise InputError(
            f"{where}: its one column is {existing[0]!r}, as if fields were separated by "
            f"{_SEPARATORS[signs[0]]}; say so by --delimiter "
            f"{'tab' if signs[0].isspace() else repr(signs[0])}."
        )


def check_text_columns(
    dataset: Dataset, names: Sequence[str], where: str, roles: Sequence[str] = ()
) -> list[str]:
    """Raise unless a dataset has rows and texts where they are said to be."""
    if dataset.num_rows == 0:
        raise InputError(f"{where} has no rows; there is nothing to do.")
    refuse_other_separators(names, dataset.column_names, where)
    with error_context(where):
        for name in names:
            if text_field(name, dataset.column_names).steps:
                _check_inside(dataset, name, roles)
            else:
                _check_column(dataset, name, where)
        return field_columns(names, dataset.column_names)


def check_splits_texts(options: Any, splits: Mapping[str, Dataset]) -> list[list[str]]:
    """Raise unless each split that a command reads has texts where they are said to be."""
    return [
        check_text_columns(rows, options.text, f"{options.input} (split {split})", options.roles)
        for split, rows in splits.items()
    ]


def _check_column(dataset: Dataset, column: str, where: str) -> None:
    feature = dataset.features[column]
    kind = feature.dtype if isinstance(feature, Value) else type(feature).__name__
    if kind in _TEXT_KINDS:
        _refuse_numbers(dataset, column, where)
        return
    if _first_is_tokens(dataset, column):
        _check_inside(dataset, column, ())
        return
    for start, batch in enumerate(dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE)):
        check_texts(batch[column], column, where, first_row=ROWS_AT_ONCE * start)
    raise InputError(
        f"{where}: column {column!r} is of type {kind}, not text; name a text column with --text."
    )


def _first_is_tokens(dataset: Dataset, column: str) -> bool:
    """Whether the first value that is there is a list of tokens."""
    batches = dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE)
    values = (value for batch in batches for value in batch[column] if value)
    return are_tokens(next(values, None))


def _check_inside(dataset: Dataset, name: str, roles: Sequence[str]) -> None:
    """Raise unless there is a text where a path leads to."""
    check_path(name, dataset.features)
    column = text_field(name, dataset.column_names).column
    for batch in dataset.select_columns([column]).iter(batch_size=ROWS_AT_ONCE):
        if any(any(row) for row in RowTexts.read(batch, [name], roles=roles).rows):
            return
    refuse_absent_roles(dataset, [name], roles)
    raise invalid(f"there is no text at {name!r}; look at the column's values.")


def check_texts(values: Sequence[Any], column: str, where: str, first_row: int = 0) -> None:
    """Raise unless all values are texts or nulls."""
    for row, value in enumerate(values, start=first_row):
        if value and not isinstance(value, str) and not are_tokens(value):
            raise InputError(
                f"{where}: column {column!r} must hold text, but row {row} (counted from 0) holds "
                f"{shortened(value)} ({type(value).__name__}); {instead_of(value, column)} with "
                "--text."
            )


def _refuse_numbers(dataset: Dataset, column: str, where: str) -> None:
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


class Splits(Input):
    """Which rows are rewritten, and which go along as they are.

    Attributes:
        split: The one split to rewrite; the others are copied, or left out if --out is one file
            (default: all are rewritten).
        test_size: First hold out this share of the rows as the split test, which is not rewritten;
            rows with the same id, text or family_id stay together.
    """

    split: Annotated[str, "SPLIT"] | None = None
    test_size: Annotated[float, "SHARE"] | None = None


def check_splits(options: Splits, out: Output | None) -> None:
    """Refuse a share that cannot be held out, and tell of splits that a file does not hold."""
    share = options.test_size
    if share is None:
        if out and out.file and options.split is not None:
            print(
                f"fair-datasets: {out} gets the split {options.split!r} alone, because one file "
                "holds one split; a folder named with --out also gets the others, as they are.",
                file=sys.stderr,
            )
        return
    if not 0 < share < 1:
        raise invalid(
            f"--test-size must be a share between 0 and 1, such as 0.2, but it is {share:g}."
        )
    if out and out.file:
        raise invalid(
            "--test-size makes two splits, which one file cannot hold; name a folder with --out."
        )
    if is_in_place(options.inputs):
        raise invalid(
            "--test-size divides all rows at once, but these are read in "
            "place, shard by shard; leave it out, or name files that are here."
        )


# What people call the splits that they measure on.
_HELD_OUT = frozenset({"dev", "eval", "holdout", "test", "val", "valid", "validation"})


def rewritten_splits(
    splits: Mapping[str, Dataset], split: str | None, test_size: float | None, *, source: str
) -> list[str]:
    """Return which splits are rewritten, of those that are read."""
    names = list(chosen_split(splits, split, source))
    held = [name for name in names if name in _HELD_OUT]
    trained = next((name for name in names if name not in _HELD_OUT), None)
    if held and trained is not None:
        print(
            f"fair-datasets: {' and '.join(held)} {'are' if held[1:] else 'is'} rewritten as well, "
            f"so that what is measured there changes; --split {trained} rewrites that split alone, "
            "and copies the others.",
            file=sys.stderr,
        )
    if test_size is not None:
        if len(names) > 1:
            raise InputError(
                f"{source} has the splits {', '.join(splits)}, but --test-size divides one split; "
                "leave it out, and name the split to rewrite with --split."
            )
        if TEST in splits:
            raise InputError(
                f"{source} has a split {TEST!r} already; leave out --test-size, and name the split "
                "to rewrite with --split."
            )
    return names
