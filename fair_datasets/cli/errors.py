"""What failed, in one sentence: an input with the line at fault, a cut file, the system."""

import csv
import errno
import lzma
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import IO, Any

from pyarrow import ArrowException, ArrowInvalid
from pyarrow.ipc import open_stream
from pyarrow.parquet import ParquetFile

from fair_datasets.jobs.processes import LostWorkerError
from fair_datasets.rows.exact import OPENERS, data_files, ending, is_saved, text_fault
from fair_datasets.rows.exact_json import rows
from fair_datasets.rows.parquet_columns import parquet_columns, refuse_encrypted, unheld
from fair_datasets.system.checks import InputError, iter_causes, one_line
from fair_datasets.system.files import system_error


class UnfinishedError(Exception):
    """What ended a command that keeps what it has finished; its text says where that is."""


class BrokenRulesError(Exception):
    """A dataset was audited, and rules about it are broken; its text has a line for each."""


def sentence(error: BaseException) -> str:
    """Return in one sentence what failed and what to do.

    Example:
        >>> sentence(PermissionError(13, "Permission denied", "out"))
        'no permission (out): choose a place that you may read and write.'
    """
    for cause in iter_causes(error):
        if isinstance(cause, InputError):
            return str(cause)
    return known_failure(error) or (
        f"{reason(error)} ({work_notice(error)}; set FAIR_DATASETS_TRACEBACK=1 to see where it "
        "happened)."
    )


def work_notice(error: BaseException) -> str:
    """Return what a command that failed or was interrupted has left.

    Example:
        >>> work_notice(KeyboardInterrupt())
        'nothing was written'
    """
    messages = (str(cause) for cause in iter_causes(error) if isinstance(cause, UnfinishedError))
    return next(messages, "nothing was written")


def known_failure(error: BaseException) -> str:
    """Return the sentence for a failure of the system, such as a full disk or a lost process.

    Example:
        >>> known_failure(ValueError("5 is not a text"))
        ''
    """
    for cause in iter_causes(error):
        if isinstance(cause, MemoryError):
            return "there is not enough memory; close something, or give a smaller input."
        if isinstance(cause, LostWorkerError):
            return f"{cause}; {work_notice(error)}."
        number, filename = system_error(cause), getattr(cause, "filename", None)
        place = f" ({filename})" if filename else ""
        if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return (
                f"the disk is full{place}: free some space, choose another --out, or set HF_HOME "
                "and TMPDIR to move the cache of datasets and temporary files; "
                f"{work_notice(error)}."
            )
        if number in (errno.EACCES, errno.EPERM, errno.EROFS):
            return f"no permission{place}: choose a place that you may read and write."
        if number == errno.ENAMETOOLONG:
            return f"the name is too long for the file system{place}: choose a shorter one."
    return ""


def reason(error: BaseException) -> str:
    """Return the type and the message of what an exception goes back to, in one line.

    Example:
        >>> reason(ValueError("Expected 2 fields in line 3, saw 4"))
        'ValueError: Expected 2 fields in line 3, saw 4'
    """
    *_, cause = iter_causes(error)
    return f"{type(cause).__name__}: {one_line(cause) or 'no message'}"


_Scan = Callable[[IO[bytes]], str]
# Errors of pyarrow are errors of value, or of what is not implemented.
_UNSCANNABLE = (
    OSError, EOFError, zlib.error, lzma.LZMAError, csv.Error, RecursionError, ValueError,
    NotImplementedError,
)  # fmt: skip
_UNHELD = re.compile(r"Arrow type (.+) does not have a datasets dtype equivalent")
_NO_ROWS = re.compile(r'Instruction "(?P<split>.+)" corresponds to no data')


@contextmanager
def reading(*sources: str) -> Iterator[None]:
    """Turn whatever goes wrong while an input is read into a sentence about it."""
    try:
        yield
    except Exception as error:
        for cause in iter_causes(error):
            if isinstance(cause, InputError):
                raise cause  # noqa: B904 - It has a cause of its own.
        if known_failure(error):
            raise
        raise InputError(_unreadable(sources, reason(error))) from error


def _first_fault(file: Path) -> str:
    """Look for the first line or row of a file that no reader could make sense of."""
    archive = (_cut_archive,) if file.suffix.lower() in OPENERS else ()
    scans = (*archive, *_SCANS.get(ending(file), ()))
    return next(filter(None, (_run_scan(file, scan) for scan in scans)), "")


def _cut_archive(content: IO[bytes]) -> str:
    """Report a compressed file that is cut or broken."""
    try:
        while content.read(1 << 20):
            pass
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        return f" is cut or broken ({reason(error)}); download it again, or compress it again."
    return ""


def _run_scan(file: Path, scan: _Scan) -> str:
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
    """Return what is wrong with an input that could not be read."""
    source = ", ".join(sources)
    if empty := _NO_ROWS.search(why):
        return f"{source} (split {empty['split']}) has no rows; there is nothing to do."
    files: list[Path] = []
    for path in filter(Path.exists, map(Path, sources)):
        files += sorted(path.rglob("*.arrow")) if is_saved(path) else data_files(path)
    for file in files:
        if fault := _first_fault(file):
            return fault
    why = why.rstrip(".")
    if held := _UNHELD.search(why):
        return f"{source}: {unheld(held[1])}"
    return f"{source} cannot be read: {why}; repair it, or give the data in another format."


def _blank(lines: Iterable[bytes]) -> str:
    """Report a file that holds white space only."""
    return "" if any(line.strip() for line in lines) else " is empty; give a file that has rows."


def _not_utf8(file: IO[bytes]) -> str:
    """Report the first bytes that are not UTF-8, or that may be UTF-16."""
    return text_fault(file, "utf-8")


def _not_json(lines: Iterable[bytes]) -> str:
    """Report the first line that is not JSON, or that would lose something."""
    try:
        deque(rows(line.decode("utf-8-sig") for line in lines), maxlen=0)
    except ValueError as error:
        return f", {error}"
    return ""


def _no_rows(file: IO[bytes]) -> str:
    """Report a Parquet file without rows, of which datasets makes batches of none."""
    return "" if ParquetFile(file).metadata.num_rows else " has no rows; there is nothing to do."


def _unheld_column(file: IO[bytes]) -> str:
    """Report a column of a sound Parquet file that a dataset cannot hold, or that is encrypted."""
    try:
        parquet, _ = parquet_columns(file, "")
        try:
            next(parquet.iter_batches(batch_size=1), None)
        except OSError as error:
            refuse_encrypted(error, "", parquet)
    except InputError as error:
        return str(error)
    return ""


def _broken_rows(batches: Callable[[], Iterable[Any]]) -> str:
    """Report what stands in the way of reading batches of rows, or the first broken value."""
    before, place = 0, ""
    try:
        for batch in batches():
            columns = zip(batch.schema.names, batch.columns, strict=True)
            broken = [(name, column) for name, column in columns if _is_broken(column)]
            for (name, column), row in product(broken, range(batch.num_rows)):
                place = f", column {name!r}, row {before + row} (counted from 0)"
                column.slice(row, 1).validate(full=True)
            before += batch.num_rows
    except (OSError, ArrowException) as error:
        why = reason(error).rstrip(".")
        return f"{place} cannot be read: {why}; repair it, or give the data in another format."
    return ""


def _is_broken(column: Any) -> bool:
    """Whether a column of pyarrow holds what is none of its type, such as bytes for a text."""
    try:
        column.validate(full=True)
    except ArrowInvalid:
        return True
    return False


_SCANS: dict[str, tuple[_Scan, ...]] = {
    ".arrow": (lambda file: _broken_rows(lambda: open_stream(file)),),
    ".parquet": (
        _unheld_column,
        _no_rows,
        lambda file: _broken_rows(lambda: ParquetFile(file).iter_batches()),
    ),
    ".txt": (_blank, _not_utf8),
    ".json": (_blank, _not_utf8, _not_json),
    ".jsonl": (_blank, _not_utf8, _not_json),
    ".ndjson": (_blank, _not_utf8, _not_json),
    ".csv": (_blank,),
    ".tsv": (_blank,),
}
