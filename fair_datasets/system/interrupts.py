"""Ctrl-C, SIGTERM and a closed terminal: noted whenever they come, obeyed between two steps.

Python raises KeyboardInterrupt wherever it happens to be. In a destructor or a callback that is
printed and forgotten, and the work goes on to its end as if nothing had been asked. The command
line therefore writes down that a signal came; what works for long looks for it between two steps.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

LOOK, PATIENCE = 0.2, 5.0
"""How many seconds pass at most until an interrupt is obeyed, and are left to what shall end."""

# A terminal that is closed sends SIGHUP, which not every system has.
_SIGNALS = (signal.SIGINT, signal.SIGTERM, *filter(None, [getattr(signal, "SIGHUP", None)]))
_HELD = b"\nfair-datasets: it ends after the step that it is at; a second Ctrl-C ends it at once.\n"


@dataclass
class _Noted:
    """What came to this process, to which signals belong as a whole.

    Attributes:
        number: The last signal; None if none came.
        held: How many blocks hold signals back now.
        is_short: Whether the innermost of them ends so soon that nobody has to be told to wait.
    """

    number: int | None = None
    held: int = 0
    is_short: bool = False


_noted = _Noted()


@contextmanager
def record_signals() -> Iterator[None]:
    """Write SIGINT, SIGTERM and SIGHUP down when they come; raise KeyboardInterrupt unless held.

    A signal that whoever started the process lets it ignore (`nohup`, `&` in a script) stays so.

    Raises:
        KeyboardInterrupt: A signal came; its number is the argument.

    Example:
        >>> with record_signals():
        ...     for step in range(2):
        ...         with defer_signals():
        ...             print(f"Step {step} ends before Ctrl-C does anything.")
        Step 0 ends before Ctrl-C does anything.
        Step 1 ends before Ctrl-C does anything.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    ours = [number for number in _SIGNALS if before[number] not in (signal.SIG_IGN, None)]
    for number in ours:
        signal.signal(number, _note)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, before[number])
        _noted.number = None


@contextmanager
def defer_signals() -> Iterator[None]:
    """Let a first signal wait until the end of a block, or until `raise_if_interrupted` inside it.

    Outside of `record_signals`, it does nothing.

    Raises:
        KeyboardInterrupt: A signal came in the block, or one was lost before it.
    """
    raise_if_interrupted()
    _noted.held += 1
    try:
        yield
    finally:
        _noted.held -= 1
    raise_if_interrupted()


@contextmanager
def block_signals() -> Iterator[None]:
    """Let the system keep signals until the end of a block, such as one that starts a process.

    Whatever Python calls back while it forks forgets an error, a KeyboardInterrupt included. The
    process that is started in the block calls `leave_to_parent`.

    Example:
        >>> with block_signals():
        ...     print("forking")
        forking
    """
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows, where nothing forks
        yield
        return
    # The system gives a signal to another thread if this one blocks it, and Python tells it here.
    was_short, _noted.is_short = _noted.is_short, True
    try:
        with defer_signals():
            before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
            try:
                yield
            finally:  # What was kept comes here, when the block is still held and short.
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
    finally:
        _noted.is_short = was_short


def leave_to_parent() -> None:
    """In a process that was started inside `block_signals`: end by all but Ctrl-C."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def raise_if_interrupted() -> None:
    """End the work if a signal came; to be called between two steps.

    Raises:
        KeyboardInterrupt: One came; its number is the argument.
    """
    if _noted.number is not None:
        raise KeyboardInterrupt(_noted.number)


def _note(number: int, frame: object) -> None:
    """Write a signal down; raise unless it is the first of a block that holds it."""
    is_first = _noted.number is None
    _noted.number = number
    if not (is_first and _noted.held):
        raise KeyboardInterrupt(number)
    if _noted.is_short:
        return
    with suppress(OSError):  # Nobody may be left to read it.
        # print could be in the middle of writing, and must not be entered again.
        os.write(2, _HELD)
