"""Telling that a file was cut which is read as a part of memory."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fair_datasets.cli.files import is_saved


@contextmanager
def cuts_told(places: Sequence[str]) -> Iterator[None]:
    """Have the end of this process told that the system brings where such a file is cut.

    A folder of `save_to_disk` is read in place. Where a part of it is gone, the system sends
    SIGBUS, of which Python's own handlers would only take note, and come back to the same read.

    Yields:
        Nothing.
    """
    folders = [Path(place) for place in places if is_saved(Path(place))]
    if not folders or not sys.platform.startswith("linux"):
        yield
        return
    sizes = {file: file.stat().st_size for folder in folders for file in folder.rglob("*.arrow")}
    this, system = os.getpid(), ctypes.CDLL(None)
    system.signal.restype = ctypes.c_void_p
    system.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)

    def tell(number: int) -> None:
        if os.getpid() != this:  # as of one of several, whose end the first process tells
            system.signal(number, None)
            return
        file = next((file for file, size in sizes.items() if _size(file) < size), folders[0])
        sentence = (
            f"\nfair-datasets: {file} was cut while it was read; restore it, let nobody write to "
            "it, and run the same command again: it goes on with what is finished.\n"
        )
        os.write(2, os.fsencode(sentence))
        os._exit(2)

    # It has to stay until the end.
    handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(tell)

    before = system.signal(signal.SIGBUS, ctypes.cast(handler, ctypes.c_void_p))
    try:
        yield
    finally:
        system.signal(signal.SIGBUS, before)


def _size(file: Path) -> int:
    """Return how many bytes a file has, also one that is gone."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
