"""Telling an unexpected failure in one sentence."""

import errno
from collections.abc import Iterator

from fair_datasets.jobs.processes import LostWorkerError
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import system_error

_LONGEST = 300


class UnfinishedError(Exception):
    """What ended a command that keeps what it has finished; its text says where that is."""


class BrokenRulesError(Exception):
    """A dataset was audited, and rules about it are broken; its text has a line for each."""


def sentence(error: BaseException) -> str:
    """Say in one sentence what failed and what to do.

    Args:
        error: The exception; the causes behind it are looked through as well.

    Example:
        >>> sentence(PermissionError(13, "Permission denied", "out"))
        'no permission (out): choose a place that you may read and write.'
    """
    for cause in chain(error):
        if isinstance(cause, InputError):
            return str(cause)
    return known_failure(error) or (
        f"{reason(error)} ({left_behind(error)}; set FAIR_DATASETS_TRACEBACK=1 to see where it "
        "happened)."
    )


def left_behind(error: BaseException) -> str:
    """Say what a command that failed or was interrupted has left.

    Args:
        error: The exception; the causes behind it are looked through as well.

    Example:
        >>> left_behind(KeyboardInterrupt())
        'nothing was written'
    """
    kept = (str(cause) for cause in chain(error) if isinstance(cause, UnfinishedError))
    return next(kept, "nothing was written")


def known_failure(error: BaseException) -> str:
    """Return the sentence for a failure of the system, such as a full disk or a lost process.

    Args:
        error: The exception; the causes behind it are looked through as well.

    Returns:
        The sentence, or nothing if it is another failure.

    Example:
        >>> known_failure(ValueError("5 is not a text"))
        ''
    """
    for cause in chain(error):
        if isinstance(cause, MemoryError):
            return "there is not enough memory; close something, or give a smaller input."
        if isinstance(cause, LostWorkerError):
            return f"{cause}; {left_behind(error)}."
        number, filename = system_error(cause), getattr(cause, "filename", None)
        place = f" ({filename})" if filename else ""
        if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return (
                f"the disk is full{place}: free some space, choose another --out, or set HF_HOME "
                "and TMPDIR to move the cache of datasets and temporary files; "
                f"{left_behind(error)}."
            )
        if number in (errno.EACCES, errno.EPERM, errno.EROFS):
            return f"no permission{place}: choose a place that you may read and write."
        if number == errno.ENAMETOOLONG:
            return f"the name is too long for the file system{place}: choose a shorter one."
    return ""


def reason(error: BaseException) -> str:
    """Return the type and the message of what an exception goes back to, in one line.

    Returns:
        The reason, cut to a length that fits in a sentence.

    Example:
        >>> reason(ValueError("Expected 2 fields in line 3, saw 4"))
        'ValueError: Expected 2 fields in line 3, saw 4'
    """
    *_, cause = chain(error)
    message = " ".join(str(cause).split()) or "no message"
    if len(message) > _LONGEST:
        message = message[: _LONGEST - 3] + "..."
    return f"{type(cause).__name__}: {message}"


def chain(error: BaseException) -> Iterator[BaseException]:
    """Walk from an exception to what caused it.

    Yields:
        The exception, its cause, the cause of that, ...
    """
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
