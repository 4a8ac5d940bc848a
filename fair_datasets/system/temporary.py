"""Temporary folders of which nothing stays: whoever makes the next one removes what was left."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from fair_datasets.system.checks import InputError


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
    """Tell whether a process holds a lock.

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
        place: The folder in which it is made; None for that of temporary files.
        prefix: How its name begins, and those of the folders that are looked at.

    Yields:
        A folder in it, which may be moved elsewhere.
    """
    root = Path(tempfile.gettempdir()) if place is None else place
    _remove_left(root, prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
    try:
        with locked(folder / _LOCK, f"{folder} is taken; run the same again."):
            (folder / _INSIDE).mkdir()
            yield folder / _INSIDE
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left(root: Path, prefix: str) -> None:
    """Remove the folders whose process is gone."""
    with suppress(OSError):
        for name in os.listdir(root):
            lock = root / name / _LOCK
            if name.startswith(prefix) and lock.is_file() and (lock.parent / _INSIDE).is_dir():
                # Those of other users stay theirs.
                with suppress(OSError, Timeout), FileLock(lock, timeout=0):
                    shutil.rmtree(lock.parent)
