"""Folders that say more than their files do: tables of Delta Lake and others, and partitions.

A table of Delta Lake, Iceberg, Hudi or Lance keeps the files of rows that were deleted or replaced;
only its log says which of them count. A partition, such as `label=0/a.parquet`, names a column in
the path of a file.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import PurePath
from urllib.parse import unquote

from fair_datasets.system.checks import InputError

Names = Callable[[str], Collection[str]]
"""What gives the names of what lies in a folder; none where there is no folder."""
# Kind of table to what reads its rows of now.
_READERS = {
    "a Delta table": "deltalake.DeltaTable({0!r}).to_pyarrow_table()",
    "an Iceberg table": "pyiceberg.table.StaticTable.from_metadata({0!r}).scan().to_arrow()",
    "a Hudi table": "spark.read.format('hudi').load({0!r})",
    "a Lance table": "lance.dataset({0!r}).to_table()",
}

_HIVE = re.compile(r"[^=]+=")


def refuse_tables(files: Iterable[str], base: str, names_in: Names) -> None:
    """Raise if files belong to a table, of which they may hold rows that count no more.

    Args:
        files: The paths of the files that are to be read.
        base: The folder that was given, or in which what was given begins.
        names_in: What gives the names of what lies in a folder.
    """
    starts = (base, *(file.rpartition("/")[0] for file in files))
    for folder in dict.fromkeys(each for start in starts for each in _upwards(start, base)):
        if kind := _table_kind(folder, names_in):
            raise InputError(
                f"{folder} is {kind}, whose files may also hold rows that were deleted or replaced "
                "since; write the rows that count to a file first, by "
                f"{_READERS[kind].format(folder)}, and give that file."
            )


def _table_kind(folder: str, names_in: Names) -> str:
    """Name the kind of table that a folder is; nothing if it is none."""
    names = names_in(folder)
    if "_delta_log" in names:
        return "a Delta table"
    if not {".hoodie", ".hoodie_partition_metadata"}.isdisjoint(names):
        return "a Hudi table"
    if {"_versions", "data"} <= set(names):
        return "a Lance table"
    metadata = names_in(f"{folder}/metadata") if "metadata" in names else ()
    is_iceberg = any(name.endswith(".metadata.json") for name in metadata)
    return "an Iceberg table" if is_iceberg else ""


def _upwards(folder: str, base: str) -> Iterator[str]:
    """Yield a folder and those above it that may be the table that it is a part of."""
    while folder.strip("/"):
        yield folder
        is_inside = len(folder) > len(base)
        if not (is_inside or "=" in folder.rpartition("/")[2] or folder.endswith("/data")):
            return
        folder = folder.rpartition("/")[0]


def refuse_lost_columns(
    files: Sequence[PurePath], bases: Sequence[PurePath], columns: Callable[[], Collection[str]]
) -> None:
    """Raise if the folders of files name a column that the files lack, as it would be lost.

    Args:
        files: The paths of files that are read as one.
        bases: The folders that were given, or in which what was given begins.
        columns: What gives the columns of the rows; it is asked where folders name some.

    Example:
        >>> files = [PurePath("in/label=0/a.parquet")]
        >>> refuse_lost_columns(files, [PurePath("in")], lambda: ["text", "label"])
        >>> refuse_lost_columns(files, [PurePath("in")], lambda: ["text"])
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: in/label=0/a.parquet: its folder 'label=0' names a column
        'label' that no file has, and that would be lost; write it into the files first
        (pyarrow.dataset.dataset(folder, partitioning='hive') reads it), or give one such
        folder at a time.
    """
    folders = [*(base.parts for base in bases), *(file.parts[:-1] for file in files)]
    common = takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False))
    start = len(list(common))
    named = [(file, part) for file in files for part in file.parts[start:-1] if _HIVE.match(part)]
    known = columns() if named else ()
    for file, part in named:
        name = unquote(part.partition("=")[0])
        if name not in known:
            raise InputError(
                f"{file}: its folder {part!r} names a column {name!r} that no file has, and that "
                "would be lost; write it into the files first (pyarrow.dataset.dataset(folder, "
                "partitioning='hive') reads it), or give one such folder at a time."
            )
