"""Several files that are read as one: of one format, and with the same columns."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from fair_datasets.cli.exact.json_values import rows
from fair_datasets.cli.files import FORMATS, OPENERS, data_files, ending
from fair_datasets.system.checks import InputError, listed


def shards(places: Sequence[str]) -> list[Path]:
    """Return files that can be read as one.

    Returns:
        The files, in the order given.

    Raises:
        InputError: One is no file or is given twice, or they differ in format or columns.
    """
    files = [_file(place) for place in places]
    for number, file in enumerate(files):
        if file.resolve() in [other.resolve() for other in files[:number]]:
            raise InputError(f"{file} is given twice; give each file once.")
    first = files[0]
    for other in files[1:]:
        if ending(other) != ending(first):
            raise InputError(
                f"{first} and {other} are of different formats, and several inputs are read as "
                "one; give files of one format."
            )
    columns = {file: _columns(file) for file in files}
    for other in files[1:]:
        lacking = [name for name in columns[first] if name not in columns[other]]
        added = [name for name in columns[other] if name not in columns[first]]
        if lacking or added:
            owner, name, without = (
                (first, lacking[0], other) if lacking else (other, added[0], first)
            )
            raise InputError(
                f"{owner} has a column {name!r}, which {without} lacks (its columns are "
                f"{listed(columns[without])}); several inputs are read as one and need the same "
                "columns."
            )
    return files


def _file(place: str) -> Path:
    """Return the one file that a path names."""
    path = Path(place)
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "no file here"
        raise InputError(
            f"{place} is {kind}, but several inputs have to be files that are read as one; give "
            "files, or one input."
        )
    return data_files(path)[0]


def _columns(file: Path) -> list[str]:
    """Return the names of the columns of a file; none where Python cannot open it."""
    opener = OPENERS.get(file.suffix.lower(), open)
    kind = ending(file)
    if opener is None or kind == ".txt":
        return []
    if kind == ".parquet":
        from pyarrow.parquet import read_schema

        with opener(file, "rb") as parquet:
            return list(read_schema(parquet).names)
    with opener(file, "rt", encoding="utf-8-sig", newline="") as lines:
        if kind in (".csv", ".tsv"):
            return next(csv.reader(lines, delimiter=FORMATS[kind][1]["sep"]), [])
        return _keys(lines)


def _keys(lines: Iterable[str]) -> list[str]:
    """Return the keys of all objects of a JSON file."""
    return list(dict.fromkeys(key for _, row in rows(lines) for key in row))
