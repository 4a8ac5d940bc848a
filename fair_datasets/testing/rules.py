"""How a broken rule is told."""

from collections.abc import Iterator
from contextlib import contextmanager


def require(is_kept: bool, fault: str) -> None:
    """Raise unless a rule is kept."""
    if not is_kept:
        raise AssertionError(f"The contract is broken: {fault}.")


@contextmanager
def working(situation: str) -> Iterator[None]:
    """Tell in which situation the technique fails, where it should work."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(
            f"The contract is broken: it fails on {situation}: {error!r}."
        ) from error
