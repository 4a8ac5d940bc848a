"""Parquet files that a command reads where they lie, shard by shard, and never as a whole."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fair_datasets.jobs.parquet import ParquetRows
from fair_datasets.jobs.parquet_files import is_address, parquet_splits
from fair_datasets.system.checks import InputError, one_of

if TYPE_CHECKING:
    from datasets import Dataset

_HEAD = 1000


def is_in_place(places: Sequence[str]) -> bool:
    """Tell whether what a command is given is read where it lies.

    Args:
        places: The paths, addresses or patterns, or the Hub id.

    Returns:
        Whether one of them is a pattern, or the address of an object store.
    """
    return any(map(is_address, places))


def rows_in_place(
    places: Sequence[str], split: str | None, *, config: str | None, limit: int | None
) -> "Mapping[str, Dataset | ParquetRows]":
    """Find the rows, of which none is read yet.

    Args:
        places: The addresses or patterns.
        split: The one split to read; None for all.
        config: Must be None, as files have no configurations.
        limit: How many rows of each split to keep, the first ones; they are read.

    Raises:
        InputError: There are no such files, or an option is for something else.
    """
    shown = ", ".join(places)
    if config is not None:
        raise InputError(
            f"--config applies to one dataset, but {shown} names files; put the configuration's "
            "folder into the address."
        )
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, but it is {limit}.")
    splits = parquet_splits(places, owner="augment")
    if split is not None:
        one_of(split, splits, owner=shown, parameter="--split")
        splits = {split: splits[split]}
    if limit is None:
        return splits
    return {name: rows.select(range(min(limit, len(rows)))) for name, rows in splits.items()}


def head(rows: "Dataset | ParquetRows") -> "Dataset":
    """Return what columns are checked by: all rows, or the first of those read in place."""
    return rows.select(range(min(_HEAD, len(rows)))) if isinstance(rows, ParquetRows) else rows
