"""The garbage collector, while tables are made that stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# How many objects some versions of Python freeze themselves, at most.
_OF_PYTHON = 1000


@contextmanager
def long_lived() -> Iterator[None]:
    """Let the garbage collector take what is made for old at once.

    While a hundred thousand objects are made that stay, it would go through all objects of the
    process several times, the caller's among them, and find nothing. So it is held off, and then
    all objects are frozen and thawed, which makes them as old as those that it looks at last.
    Nothing stays frozen, as what is the caller's is not ours to keep; and where the caller has
    frozen objects, to be shared with other processes, they are left as they are.

    Example:
        >>> with long_lived():
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
        if gc.get_freeze_count() < _OF_PYTHON:
            gc.freeze()
            gc.unfreeze()
        gc.enable()
