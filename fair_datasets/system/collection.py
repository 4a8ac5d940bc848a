"""The garbage collector, while many objects are made of which none is garbage."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# How many objects some versions of Python freeze themselves, at most.
_OF_PYTHON = 1000


@contextmanager
def uncollected(*, stays: bool = False) -> Iterator[None]:
    """Hold the garbage collector off for a moment.

    It goes through all objects of the process, the caller's among them, each time that a quarter
    more have been made: while tables are built, and in the middle of a long text, so that twice the
    text took up to three times as long. What we make has next to no cycles, and a moment is one
    table or half a million characters. Nothing stays frozen, as what is the caller's is not ours to
    keep.

    Args:
        stays: Whether what is made stays as long as the process. All objects are frozen and thawed
            then, which makes them as old as those that are looked at last; not where the caller has
            frozen some, to be shared with other processes.

    Example:
        >>> with uncollected():
        ...     gc.isenabled()
        False
        >>> gc.isenabled()
        True
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if stays and gc.get_freeze_count() < _OF_PYTHON:
            gc.freeze()
            gc.unfreeze()
        gc.enable()
