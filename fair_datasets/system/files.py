"""Reading files that a user names, and the notes that long work leaves beside what it writes."""

import csv
import errno
import json
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from typing import Any
from uuid import uuid4

from filelock import FileLock, Timeout

from fair_datasets.system.checks import InputError

_NO_FILES = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
# How safetensors tells an error of the system, and NumPy and torch that they could not write.
_NUMBERED = re.compile(r"\(os error (\d+)\)")
_UNWRITTEN = re.compile(r"\d+ requested and \d+ written|PytorchStreamWriter failed writing")


def regular_file(path: Path, *, largest: int | None = None) -> os.stat_result:
    """Return the state of a file that is to be read, or raise before anything waits for it."""
    try:
        state = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise InputError(f"The path {str(path)!r} cannot be read: {error}; check it.") from error
    if not stat.S_ISREG(state.st_mode):
        kind = next((kind for is_kind, kind in _NO_FILES if is_kind(state.st_mode)), "a device")
        raise InputError(f"{path} is {kind}, not a file; name a file.")
    if largest is not None and state.st_size > largest:
        raise InputError(
            f"The file {path} has {state.st_size / 1e6:,.0f} MB, but at most {largest / 1e6:,.0f} "
            "MB are read; check that it is the right one."
        )
    return state


def indented(value: Any, **options: Any) -> str:
    """Write a value as JSON for people to read.

    Args:
        **options: As `json.dumps` takes them.

    Example:
        >>> print(indented({"rows": 2}))
        {
          "rows": 2
        }
    """
    return json.dumps(value, indent=2, **options)


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


@contextmanager
def long_fields() -> Iterator[None]:
    """Let a text in a CSV file be of any length, which `csv` limits to 131,072 letters.

    Example:
        >>> with long_fields():
        ...     row = next(csv.reader(["a" * 200_000]))
        >>> len(row[0])
        200000
    """
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def numbered_lines(path: Path, *, largest: int) -> Iterator[tuple[int, str]]:
    """Read the lines of a text file that are not empty.

    Yields:
        The number of the line, counted from 1, and the line.
    """
    regular_file(path, largest=largest)
    try:
        content = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path}, line {line}: the bytes are not UTF-8; save the file as UTF-8."
        ) from error
    lines = content.split("\n")
    if "\r" in content:
        lines = [text.removesuffix("\r") for text in lines]
    yield from [(number, text) for number, text in enumerate(lines, start=1) if text.strip()]


def refuse_link_out(path: Path, folder: Path) -> None:
    """Raise if a file of a folder that somebody else wrote is a link that leads out of it.

    Args:
        folder: The folder. In the cache of huggingface_hub its files lie beside it, as blobs.

    Example:
        >>> refuse_link_out(Path("swap/technique.json"), Path("swap"))
    """
    root, file = folder.resolve(), path.resolve()
    is_cached = root.parent.name == "snapshots" and root.parents[1] / "blobs" in file.parents
    if root not in file.parents and not is_cached:
        raise InputError(
            f"{path} is a link that leads out of {folder}; put the file itself there, or remove "
            "the link."
        )


@contextmanager
def annotate_oserror(place: Path) -> Iterator[None]:
    """Name what is written in an error of the system, also where a library tells that in words.

    Example:
        >>> with annotate_oserror(Path("probe")):
        ...     raise ValueError("I/O error: No space left on device (os error 28)")
        Traceback (most recent call last):
        ...
        OSError: [Errno 28] No space left on device: 'probe'
    """
    try:
        yield
    except Exception as error:
        number = system_error(error)
        if number is None or getattr(error, "filename", None):
            raise
        raise OSError(number, os.strerror(number), str(place)) from error


def system_error(error: BaseException) -> int | None:
    """Return the number of an error of the system.

    Returns:
        The number, such as `errno.ENOSPC`; None where it is another error.

    Example:
        >>> system_error(ValueError("No space left on device (os error 28)"))
        28
    """
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    if numbered := _NUMBERED.search(str(error)):
        return int(numbered[1])
    return errno.ENOSPC if _UNWRITTEN.search(str(error)) else None


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error that says why the system does not let a file be read."""
    return InputError(f"The file {path} cannot be read: {error.strerror}; check the path.")


NOTES = ".job"
"""The folder, among what is written, of what is noted meanwhile."""
PROGRESS = "progress.json"
"""The file in it that says how far the work is."""
LOCK = "lock"
"""The file in it that whoever is at work holds."""
PARTIAL = ".partial"
"""How the name of a file ends that is not written to its end."""


def write_file(file: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all, also after a power cut."""
    partial = file.with_name(f"{file.name}.{uuid4().hex[:8]}{PARTIAL}")
    try:
        with annotate_oserror(file):
            with partial.open("wb") as opened:
                opened.write(content)
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(partial, file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_note(file: Path, data: Any) -> None:
    """Write JSON into a file that is there whole or not at all."""
    write_file(file, json.dumps(data).encode())


def read_note(file: Path) -> Any:
    """Read what `write_note` wrote; None if it is not there, or somebody else cut or changed it."""
    try:
        note = json.loads(file.read_text("utf-8")) if file.is_file() else None
    except ValueError:
        return None
    return note if isinstance(note, dict) else None


@contextmanager
def locked(file: Path, sentence: str) -> Iterator[None]:
    """Hold a lock that the system frees however a process ends."""
    try:
        lock = FileLock(file, timeout=0).acquire()
    except Timeout as error:
        raise InputError(sentence) from error
    with lock:
        yield


def is_locked(file: Path) -> bool:
    """Whether a process holds a lock.

    Example:
        >>> is_locked(Path("nowhere"))
        False
    """
    if not file.exists():
        return False
    try:
        FileLock(file, timeout=0).acquire().lock.release()
    except Timeout:
        return True
    return False


PREFIX = "fair-datasets-"
_LOCK, _INSIDE = "lock", "inside"


@contextmanager
def temporary_folder(place: Path | None = None, *, prefix: str = PREFIX) -> Iterator[Path]:
    """Make a folder for the time of some work.

    A process that is killed cannot remove its own. So it holds a lock, which the system frees, and
    the next one removes the folders that nobody holds.

    Args:
        prefix: How its name begins, and those of the folders that are looked at.
    """
    root = Path(tempfile.gettempdir()) if place is None else place
    _remove_stale(root, prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
    try:
        with locked(folder / _LOCK, f"{folder} is taken; run the same again."):
            (folder / _INSIDE).mkdir()
            yield folder / _INSIDE
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_stale(root: Path, prefix: str) -> None:
    """Remove the folders whose process is gone."""
    with suppress(OSError):
        for name in os.listdir(root):
            lock = root / name / _LOCK
            if name.startswith(prefix) and lock.is_file() and (lock.parent / _INSIDE).is_dir():
                # Those of other users stay theirs.
                with suppress(OSError, Timeout), FileLock(lock, timeout=0):
                    shutil.rmtree(lock.parent)
