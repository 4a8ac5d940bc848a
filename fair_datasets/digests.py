"""The digests of files: what a technique was made with is told by them."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from fair_datasets.files import regular_file, unreadable


def file_digests(files: Mapping[str, Path]) -> tuple[tuple[str, str], ...]:
    """Return the SHA-256 of several files.

    Args:
        files: Resource name to path, as `Technique.resources` names them.

    Returns:
        Pairs of (resource name, 64 hexadecimal digits), sorted.

    Raises:
        InputError: A file cannot be read.
    """
    return tuple(sorted((name, file_digest(path)) for name, path in files.items()))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes.

    Args:
        path: The file.

    Returns:
        64 hexadecimal digits.

    Raises:
        InputError: The file cannot be read.
    """
    state = regular_file(path)
    try:
        return _digest(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise unreadable(path, error) from error


@lru_cache(maxsize=1024)
def _digest(path: Path, size: int, modified: int) -> str:
    """Return the SHA-256 of a file, read again only if its size or time has changed."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
