"""Saying why an input cannot be read, with the line that is at fault."""

import csv
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fair_datasets.checks import InputError
from fair_datasets.cli.errors import known_failure, reason
from fair_datasets.cli.files import FORMATS, OPENERS, data_files, ending, is_saved

_Scan = Callable[[Iterable[bytes]], str]
_NO_ROWS = re.compile(r'Instruction "(?P<split>.+)" corresponds to no data')


@contextmanager
def reading(source: str) -> Iterator[None]:
    """Turn whatever goes wrong while an input is read into a sentence about it.

    Args:
        source: The path that is read, or the Hub id.

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
        raise InputError(_unreadable(source, reason(error))) from error


def first_fault(file: Path) -> str:
    """Look for the first line of a text file that no reader could make sense of.

    Args:
        file: A file in one of the known formats.

    Returns:
        The sentence that names the line and says what to do, or nothing where none is found.
    """
    return next(filter(None, (_found(file, scan) for scan in _SCANS.get(ending(file), ()))), "")


def refuse_broken_json(files: Iterable[Path]) -> None:
    """Raise if a JSON file is not UTF-8, which datasets takes over as it is.

    Args:
        files: Files of any format.

    Raises:
        InputError: A file is not UTF-8; the sentence names the line.
    """
    for file in files:
        if FORMATS[ending(file)][0] == "json":
            fault = _found(file, _not_utf8)
            if fault:
                raise InputError(fault)


def _found(file: Path, scan: _Scan) -> str:
    """Scan a file; return nothing where it cannot be scanned."""
    opener = OPENERS.get(file.suffix.lower(), open)
    if not opener:
        return ""
    try:
        with opener(file, "rb") as lines:
            fault = scan(lines)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, csv.Error, RecursionError):
        return ""
    return f"{file}{fault}" if fault else ""


def _unreadable(source: str, why: str) -> str:
    """Say what is wrong with an input that could not be read."""
    empty = _NO_ROWS.search(why)
    if empty:
        return f"{source} (split {empty['split']}) has no rows; there is nothing to do."
    path = Path(source)
    for file in data_files(path) if path.exists() and not is_saved(path) else []:
        fault = first_fault(file)
        if fault:
            return fault
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
    """Report the first line that is not JSON."""
    for number, line in enumerate(lines, start=1):
        try:
            json.loads(line.strip() or b"{}")
        except json.JSONDecodeError as error:
            return (
                f", line {number}: the JSON is malformed ({error.msg}, character {error.colno}); "
                "write one JSON object per line."
            )
    return ""


def _too_wide(lines: Iterable[bytes], separator: str) -> str:
    """Report the first row that has more fields than the header."""
    rows = csv.reader((line.decode() for line in lines), delimiter=separator)
    header = next(rows, [])
    line = rows.line_num
    for row in rows:
        if len(row) > len(header):
            return (
                f", line {line + 1}: the row has {len(row)} fields, but the header has "
                f"{len(header)}; put texts that hold the separator in double quotes."
            )
        line = rows.line_num
    return ""


_SCANS: dict[str, tuple[_Scan, ...]] = {
    ".txt": (_blank, _not_utf8),
    ".json": (_blank, _not_utf8),
    ".jsonl": (_blank, _not_utf8, _not_json),
    ".ndjson": (_blank, _not_utf8, _not_json),
    ".csv": (_blank, _not_utf8, lambda lines: _too_wide(lines, FORMATS[".csv"][1]["sep"])),
    ".tsv": (_blank, _not_utf8, lambda lines: _too_wide(lines, FORMATS[".tsv"][1]["sep"])),
}
