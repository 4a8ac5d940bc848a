"""Telling an unexpected failure in one sentence."""

import errno
from collections.abc import Iterator

from fair_datasets.checks import InputError


def sentence(error: BaseException) -> str:
    """Say in one sentence what failed and what to do.

    Args:
        error: The exception; the causes behind it are looked through as well.

    Returns:
        The sentence.

    Example:
        >>> sentence(PermissionError(13, "Permission denied", "out"))
        'no permission (out): choose a place that you may read and write.'
    """
    chain = list(_chain(error))
    for cause in chain:
        if isinstance(cause, InputError):
            return str(cause)
    for cause in chain:
        known = _known(cause)
        if known:
            return known
    cause = chain[-1]
    reason = str(cause).strip().splitlines()
    return (
        f"{type(cause).__name__}: {reason[0] if reason else 'no message'} (nothing was written; "
        "set FAIR_DATASETS_TRACEBACK=1 to see where it happened)."
    )


def _known(cause: BaseException) -> str:
    """Return the sentence for a failure of the system, or nothing."""
    if not isinstance(cause, OSError):
        return ""
    place = f" ({cause.filename})" if cause.filename else ""
    if cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return (
            f"the disk is full{place}: free some space, or choose another --out; nothing was "
            "written."
        )
    if cause.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"no permission{place}: choose a place that you may read and write."
    return ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Walk from an exception to what caused it."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
