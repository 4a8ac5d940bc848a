"""The data files and standard streams of the command line: what a path names, rows as lines."""

import argparse
import bz2
import gzip
import json
import lzma
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from datetime import date, time
from io import TextIOWrapper
from math import isfinite
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa
import pyarrow.compute as pc
from datasets import ClassLabel, Dataset, Features

from fair_datasets.rows.arrow import python_values
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import regular_file, temporary_folder

# File ending to the builder of `datasets` that reads it, with its options.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    ".csv": ("csv", {"sep": ","}),
    ".tsv": ("csv", {"sep": "\t"}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
    ".json": ("json", {}),
    ".parquet": ("parquet", {}),
    ".txt": ("text", {}),
}
# Compression to what opens it; datasets reads .zst as well, for which Python has nothing.
OPENERS: dict[str, Callable[..., Any] | None] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": None,
}
# Files that datasets does not take for data.
_NO_DATA = ("config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json")


def ending(file: Path) -> str:
    """Return a file's ending in lower case, without the one of its compression.

    Example:
        >>> ending(Path("reviews.CSV.gz"))
        '.csv'
    """
    if file.suffix.lower() in OPENERS:
        file = file.with_suffix("")
    return file.suffix.lower()


def is_saved(path: Path) -> bool:
    """Tell whether a folder was written by `save_to_disk`."""
    return (path / "dataset_dict.json").exists() or (path / "state.json").exists()


def data_files(path: Path) -> list[Path]:
    """Name the data files of a path: itself, or what lies in the folder in a known format."""
    known = ", ".join(FORMATS)
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.is_file() and ending(file) in FORMATS and not _is_hidden(file, path)
        )
        if not files:
            raise InputError(
                f"The folder {path} holds no {known} file and no saved dataset; name a folder "
                "that does."
            )
    elif ending(path) in FORMATS:
        files = [path]
    else:
        raise InputError(
            f"The file {path} is in no format that can be read; its name must end in one of "
            f"{known} (and may be compressed: {', '.join(OPENERS)})."
        )
    for file in files:
        if not regular_file(file).st_size:
            raise InputError(f"{file} is empty; give a file that has rows.")
    return files


def _is_hidden(file: Path, folder: Path) -> bool:
    """Tell whether datasets overlooks a file of a folder."""
    parts = file.relative_to(folder).parts
    return file.name in _NO_DATA or any(part.startswith((".", "__")) for part in parts)


SEPARATORS = {".csv": ",", ".tsv": "\t"}
ROW_FORMATS = (*SEPARATORS, ".jsonl", ".ndjson", ".parquet")


def refuse_unwritable(kind: str, features: Features, where: str) -> None:
    """Raise if a format has no place for what a column holds.

    Example:
        >>> from datasets import Features, List, Value
        >>> turns = Features({"turns": List(Value("string"))})
        >>> refuse_unwritable(".jsonl", turns, "chat.parquet")
        >>> refuse_unwritable(".csv", turns, "chat.parquet")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: chat.parquet: column 'turns' holds lists or objects, for
        which .csv has no place; write .jsonl or .parquet.
    """
    if kind == ".parquet":
        return
    for field in features.arrow_schema:
        if _holds_bytes(field.type):
            raise InputError(
                f"{where}: column {field.name!r} holds bytes, for which {kind} has no place; write "
                ".parquet."
            )
        is_extended = isinstance(field.type, pa.BaseExtensionType)
        if kind in SEPARATORS and (is_extended or pa.types.is_nested(field.type)):
            raise InputError(
                f"{where}: column {field.name!r} holds lists or objects, for which {kind} has no "
                "place; write .jsonl or .parquet."
            )


def lines(rows: Dataset, kind: str) -> Iterator[str]:
    r"""Write rows as the lines of a file, a batch at a time.

    A class is written by its name and a point in time as ISO 8601. In CSV and TSV a null is an
    empty cell and an empty text two quotes; in JSON a number that is none (NaN) is null.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He, too.", "", None], "n": [1, 2, None]})
        >>> "".join(lines(rows, ".csv"))
        'text,n\n"He, too.",1\n"",2\n,\n'
    """
    yield from _csv(rows, SEPARATORS[kind]) if kind in SEPARATORS else _json(rows)


def mixes_empty_texts(rows: Dataset) -> str:
    """Name the first column of text that holds both nulls and empty texts, if there is one.

    Example:
        >>> from datasets import Dataset
        >>> mixes_empty_texts(Dataset.from_dict({"a": ["x", None], "b": ["", None]}))
        'b'
    """
    for name in rows.column_names:
        if rows.features.arrow_schema.field(name).type in (pa.string(), pa.large_string()):
            column = rows.with_format("arrow").select_columns([name])[:][name]
            if column.null_count and pc.any(pc.equal(column, "")).as_py():
                return str(name)
    return ""


def _tables(rows: Dataset) -> Iterator[pa.Table]:
    """Yield the rows in batches, between which Ctrl-C is heeded."""
    for table in rows.with_format("arrow").iter(batch_size=ROWS_AT_ONCE):
        interrupts.obey()
        yield table


def _csv(rows: Dataset, separator: str) -> Iterator[str]:
    """Yield the header and the lines of a CSV file."""
    names = list(rows.column_names)
    # A line without anything would be no row.
    null = '""' if len(names) == 1 else ""
    yield separator.join(_quoted(pa.array(names), separator).to_pylist()) + "\n"
    for table in _tables(rows):
        cells = [
            pc.fill_null(_quoted(_texts(table[name], rows.features[name]), separator), null)
            for name in names
        ]
        joined = pc.binary_join_element_wise(*cells, separator).to_pylist()
        yield "".join(f"{line}\n" for line in joined)


def _json(rows: Dataset) -> Iterator[str]:
    """Yield the lines of a file with one JSON object for each row."""
    names = list(rows.column_names)
    for table in _tables(rows):
        columns = [_named(python_values(table[name]), rows.features[name]) for name in names]
        for values in zip(*columns, strict=True):
            yield _line(dict(zip(names, values, strict=True)))


def _line(row: dict[str, Any]) -> str:
    try:
        return json.dumps(row, ensure_ascii=False, allow_nan=False, default=_plain) + "\n"
    except ValueError:  # A number is none, of which JSON knows nothing.
        return json.dumps(finite(row), ensure_ascii=False, default=_plain) + "\n"


def finite(value: Any) -> Any:
    """Return a value with None in the place of numbers that are none.

    Example:
        >>> finite({"rate": [0.5, float("nan")]})
        {'rate': [0.5, None]}
    """
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _quoted(texts: pa.Array, separator: str) -> pa.Array:
    """Put what would not be read as one text, or as none, between quotes."""
    # A reader takes a line of spaces for none, and may cut those at the ends of a cell.
    needed = pc.match_substring_regex(texts, rf'["\r\n{separator}]|^\s|\s$|^$')
    doubled = pc.replace_substring(texts, '"', '""')
    return pc.if_else(needed, pc.binary_join_element_wise('"', doubled, '"', ""), texts)


def _texts(column: pa.ChunkedArray, feature: Any) -> pa.Array:
    """Return the values of a column as texts, from which numbers read back as they are."""
    array = column.combine_chunks()
    if pa.types.is_string(array.type):
        return array
    values = _named(array.to_pylist(), feature)
    # Python's own way to write numbers is the one that reads back.
    texts = [None if value is None else str(_plain(value)) for value in values]
    return pa.array(texts, pa.string())


def _named(values: Sequence[Any], feature: Any) -> Sequence[Any]:
    """Return the names of classes for their numbers, and other values as they are."""
    if not isinstance(feature, ClassLabel) or not feature.names:
        return values
    names = dict(enumerate(feature.names))
    return [names.get(value, value) for value in values]


def _plain(value: Any) -> Any:
    """Write a point in time as ISO 8601, and what else JSON does not know as Python does."""
    if isinstance(value, date | time):
        return value.isoformat()
    return value if isinstance(value, bool | int | float) else str(value)


def _holds_bytes(kind: pa.DataType) -> bool:
    """Tell whether there are bytes somewhere in the values of a type."""
    of_bytes = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    if any(is_kind(kind) for is_kind in of_bytes):
        return True
    return any(_holds_bytes(kind.field(place).type) for place in range(kind.num_fields))


_TOGETHER = 1 << 20
STANDARD_INPUT = "the standard input"


@contextmanager
def standard_input(options: argparse.Namespace) -> Iterator[None]:
    """Put a temporary file in the place of the input `-` for the time of a command."""
    if getattr(options, "format", "") is None:
        options.format = "jsonl"
    elif hasattr(options, "format") and "-" not in (*options.inputs, getattr(options, "out", None)):
        raise InputError(
            f"--format {options.format} says what - is, but neither INPUT nor --out is -; leave it "
            "out: the ending of a file tells its format."
        )
    if "-" not in getattr(options, "inputs", ()):
        yield
        return
    if len(options.inputs) > 1:
        raise InputError(
            f"- is {STANDARD_INPUT}, which cannot be read together with other inputs; leave "
            "those out."
        )
    with temporary_folder() as folder:
        file = folder / f"standard-input.{options.format}"
        _keep(file)
        options.inputs, options.input, options.cache = [str(file)], str(file), f"{folder}/cache"
        try:
            yield
        except InputError as error:
            told = str(error).replace(str(file), STANDARD_INPUT).replace(file.name, STANDARD_INPUT)
            if "JSON" in told and options.format == "jsonl":
                told += " Where it is a table, say so: --format csv, or tsv."
            raise InputError(told) from error


def _keep(file: Path) -> None:
    """Copy the standard input to a file."""
    if sys.stdin is None:
        raise InputError(f"{STANDARD_INPUT} is closed, so that - cannot be read; name a file.")
    if sys.stdin.isatty():
        print("fair-datasets: reading what is typed, until Ctrl-D.", file=sys.stderr)
    with file.open("wb") as kept:
        while part := sys.stdin.buffer.read(_TOGETHER):
            kept.write(part)
            interrupts.obey()


class NoReaderError(Exception):
    """Nobody takes the rows that are written to the standard output."""


class StandardOutput:
    """Passes on what is printed until that fails once, and keeps the failure."""

    def __init__(self, stream: TextIO, *, holds_rows: bool = False) -> None:
        """Print to a stream; letters that it lacks are written as escapes.

        Args:
            holds_rows: Whether rows are written to it, so that what is printed goes to the
                standard error.
        """
        self.failure: OSError | None = None
        self.holds_rows = holds_rows
        self._stream = stream
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def __getattr__(self, name: str) -> Any:
        """Return what else is asked of the stream, such as whether it is a terminal."""
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, if nothing has failed yet."""
        if self.holds_rows:
            return sys.stderr.write(text)
        if self.failure is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Send what is written on its way, if nothing has failed yet."""
        if self.failure is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        """Keep a failure, and lead away what Python itself would write when it ends."""
        self.failure = error
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def write_row(self, row: bytes) -> None:
        """Write a part of the rows, or raise that nobody takes them."""
        try:
            self._stream.buffer.write(row)
        except OSError as error:
            self._fail(error)
            raise NoReaderError from error


@contextmanager
def printing(*, holds_rows: bool = False) -> Iterator[StandardOutput]:
    """Give a standard output for the time of some work.

    Args:
        holds_rows: Whether rows are written to it, and messages to the standard error.
    """
    output = StandardOutput(sys.stdout, holds_rows=holds_rows)
    with redirect_stdout(output):
        try:
            yield output
        finally:
            output.flush()
