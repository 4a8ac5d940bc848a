"""The digests of files: what a technique was made with is told by them."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from fair_datasets.system.files import regular_file, unreadable


def file_digests(files: Mapping[str, Path]) -> tuple[tuple[str, str], ...]:
    """Return the SHA-256 of several files.

    Args:
        files: Resource name to path, as `Technique.resources` names them.

    Returns:
        Pairs of (resource name, 64 hexadecimal digits), sorted.
    """
    return tuple(sorted((name, file_digest(path)) for name, path in files.items()))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes.

    Returns:
        64 hexadecimal digits.
    """
    state = regular_file(path)
    try:
        return _digest(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise unreadable(path, error) from error


def file_states(paths: Sequence[str]) -> tuple[tuple[int, int] | None, ...]:
    """Return what tells cheaply whether files have changed, as `file_digest` tells it.

    Returns:
        Size and time of each; None where there is no such file.
    """
    return tuple(map(_state, paths))


def _state(path: str) -> tuple[int, int] | None:
    """Return the size and the time of a file; None where there is none."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_size, state.st_mtime_ns


@lru_cache(maxsize=1024)
def _digest(path: Path, size: int, modified: int) -> str:
    """Return the SHA-256 of a file, read again only if its size or time has changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
