"""Saying why an input cannot be read, with the line that is at fault."""

import csv
import lzma
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from fair_datasets.cli.errors import known_failure, reason
from fair_datasets.cli.exact.json_values import rows
from fair_datasets.cli.files import FORMATS, OPENERS, data_files, ending, is_saved
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import long_fields

_Scan = Callable[[IO[bytes]], str]
# Errors of pyarrow are errors of value, or of what is not implemented.
_UNSCANNABLE = (
    OSError, EOFError, zlib.error, lzma.LZMAError, csv.Error, RecursionError, ValueError,
    NotImplementedError,
)  # fmt: skip
_NO_ROWS = re.compile(r'Instruction "(?P<split>.+)" corresponds to no data')


@contextmanager
def reading(*sources: str) -> Iterator[None]:
    """Turn whatever goes wrong while an input is read into a sentence about it.

    Args:
        *sources: The paths that are read, or the Hub id.

    Yields:
        Nothing.

    Raises:
        InputError: The input cannot be read. A failure of the system, such as a full disk, is
            no fault of the input and goes through as it is.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, InputError) or known_failure(error):
            raise
        raise InputError(_unreadable(sources, reason(error))) from error


def first_fault(file: Path) -> str:
    """Look for the first line or row of a file that no reader could make sense of.

    Returns:
        The sentence that names the place and says what to do, or nothing where none is found.
    """
    return next(filter(None, (_found(file, scan) for scan in _SCANS.get(ending(file), ()))), "")


def _broken_archive(file: Path) -> str:
    """Say that a compressed file is cut or broken; nothing where it can be read to its end."""
    opener = OPENERS.get(file.suffix.lower())
    if opener is None:
        return ""
    try:
        with opener(file, "rb") as content:
            while content.read(1 << 20):
                pass
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        return (
            f"{file} is cut or broken ({reason(error)}); download it again, or compress it again."
        )
    return ""


def _found(file: Path, scan: _Scan) -> str:
    """Scan a file; return nothing where it cannot be scanned."""
    opener = OPENERS.get(file.suffix.lower(), open)
    if not opener:
        return ""
    try:
        with opener(file, "rb") as lines:
            fault = scan(lines)
    except _UNSCANNABLE:
        return ""
    return f"{file}{fault}" if fault else ""


def _unreadable(sources: Sequence[str], why: str) -> str:
    """Say what is wrong with an input that could not be read."""
    source = ", ".join(sources)
    empty = _NO_ROWS.search(why)
    if empty:
        return f"{source} (split {empty['split']}) has no rows; there is nothing to do."
    files: list[Path] = []
    for path in filter(Path.exists, map(Path, sources)):
        files += sorted(path.rglob("*.arrow")) if is_saved(path) else data_files(path)
    for file in files:
        fault = _broken_archive(file) or first_fault(file)
        if fault:
            return fault
    why = why.rstrip(".")
    return f"{source} cannot be read: {why}; repair it, or give the data in another format."


def _blank(lines: Iterable[bytes]) -> str:
    """Report a file that holds white space only."""
    return "" if any(line.strip() for line in lines) else " is empty; give a file that has rows."


def _not_utf8(lines: Iterable[bytes]) -> str:
    """Report the first line that is not UTF-8."""
    for number, line in enumerate(lines, start=1):
        try:
            line.decode()
        except UnicodeDecodeError:
            return f", line {number}: the bytes are not UTF-8; save the file as UTF-8."
    return ""


def _not_json(lines: Iterable[bytes]) -> str:
    """Report the first line that is not JSON, or that would lose something."""
    try:
        deque(rows(line.decode("utf-8-sig") for line in lines), maxlen=0)
    except ValueError as error:
        return f", {error}"
    return ""


def _no_table(lines: Iterable[bytes], separator: str) -> str:
    """Report the first row that has more fields than the header, or a text that never ends."""
    read: list[str] = []
    rows = csv.reader(_kept(lines, read), delimiter=separator)
    header, first, last, line = 0, 1, list[str](), 1
    with long_fields():
        for row in rows:
            header = header or len(row)
            if len(row) > header:
                return (
                    f", line {line}: the row has {len(row)} fields, but the header has {header}; "
                    "put texts that hold the separator in double quotes."
                )
            first, last, line = line, read[:], rows.line_num + 1
            read.clear()
        # One more line would be a row of its own, unless it were in quotes.
        if len(list(csv.reader([*last, "x"], delimiter=separator))) == 1 and last:
            return (
                f", line {first}: a text of this row begins with a double quote, and no other one "
                "ends it; add it, or write a quote that is a part of the text twice."
            )
    return ""


def _kept(lines: Iterable[bytes], read: list[str]) -> Iterator[str]:
    """Decode lines, and keep those of the row that is read."""
    for line in lines:
        read.append(line.decode())
        yield read[-1]


def _broken_parquet(file: IO[bytes]) -> str:
    """Report that a Parquet file is no whole one, or its first text that is not UTF-8."""
    from pyarrow.parquet import ParquetFile

    return _broken_rows(lambda: ParquetFile(file).iter_batches())


def _broken_arrow(file: IO[bytes]) -> str:
    """Report that a file of `save_to_disk` is cut, or its first text that is not UTF-8."""
    from pyarrow.ipc import open_stream

    return _broken_rows(lambda: open_stream(file))


def _broken_rows(batches: Callable[[], Iterable[Any]]) -> str:
    """Report what stands in the way of reading batches of rows."""
    from pyarrow import ArrowException

    try:
        return _broken_text(batches())
    except (OSError, ArrowException) as error:
        why = reason(error).rstrip(".")
        return f" cannot be read: {why}; repair it, or give the data in another format."


def _broken_text(batches: Iterable[Any]) -> str:
    """Report the first row with a text that is not UTF-8."""
    before = 0
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if _is_broken(column):
                rows = range(len(column))
                row = before + next(row for row in rows if _is_broken(column.slice(row, 1)))
                return (
                    f", row {row} (counted from 0): the bytes of column {name!r} are not UTF-8; "
                    "write the text as UTF-8."
                )
        before += batch.num_rows
    return ""


def _is_broken(column: Any) -> bool:
    """Tell whether a column of pyarrow holds what is none of its type."""
    from pyarrow import ArrowInvalid

    try:
        column.validate(full=True)
    except ArrowInvalid:
        return True
    return False


_SCANS: dict[str, tuple[_Scan, ...]] = {
    ".arrow": (_broken_arrow,),
    ".parquet": (_broken_parquet,),
    ".txt": (_blank, _not_utf8),
    ".json": (_blank, _not_utf8, _not_json),
    ".jsonl": (_blank, _not_utf8, _not_json),
    ".ndjson": (_blank, _not_utf8, _not_json),
    ".csv": (_blank, _not_utf8, lambda lines: _no_table(lines, FORMATS[".csv"][1]["sep"])),
    ".tsv": (_blank, _not_utf8, lambda lines: _no_table(lines, FORMATS[".tsv"][1]["sep"])),
}
