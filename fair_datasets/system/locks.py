"""Having a folder for oneself, as long as one works in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from fair_datasets.system.checks import InputError


@contextmanager
def locked(file: Path, sentence: str) -> Iterator[None]:
    """Hold a lock that the system frees however a process ends.

    Args:
        file: The file of the lock, in a folder that is there.

    Yields:
        Nothing.

    Raises:
        InputError: Another process holds it.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder, locked(Path(folder) / "lock", "It is taken."):
        ...     print("at work")
        at work
    """
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
