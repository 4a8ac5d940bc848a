"""Reading files that a user names, whatever they turn out to be."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from fair_datasets.checks import InputError

_NO_FILES = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def regular_file(path: Path, *, largest: int | None = None) -> os.stat_result:
    """Return the state of a file that is to be read, or raise before anything waits for it.

    Args:
        path: The file.
        largest: How many bytes it may have; None for any number.

    Returns:
        What `os.stat` says of it.

    Raises:
        InputError: There is no such file; it is a folder, a pipe or a device, whose end might never
            come; or it is too large.

    Example:
        >>> regular_file(Path("/dev/null"))
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: /dev/null is a device and no file; name a file.
    """
    try:
        state = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise InputError(f"The path {str(path)!r} cannot be read: {error}; check it.") from error
    if not stat.S_ISREG(state.st_mode):
        kind = next((kind for is_kind, kind in _NO_FILES if is_kind(state.st_mode)), "a device")
        raise InputError(f"{path} is {kind} and no file; name a file.")
    if largest is not None and state.st_size > largest:
        raise InputError(
            f"The file {path} has {state.st_size / 1e6:,.0f} MB, but at most {largest / 1e6:,.0f} "
            "MB are read; check that it is the one that is meant."
        )
    return state


def numbered_lines(path: Path, *, largest: int) -> Iterator[tuple[int, str]]:
    """Read the lines of a text file that are not empty.

    Args:
        path: The file, in UTF-8.
        largest: How many bytes it may have.

    Yields:
        The number of the line, counted from 1, and the line.

    Raises:
        InputError: The file cannot be read, is too large, or is not UTF-8.
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
    for number, text in enumerate(content.split("\n"), start=1):
        if text.strip():
            yield number, text.removesuffix("\r")


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error that says why the system does not let a file be read.

    Args:
        path: The file.
        error: What the system said.

    Returns:
        The error.
    """
    return InputError(f"The file {path} cannot be read: {error.strerror}; check the path.")
