"""Keyed randomness: a draw depends on a seed and a row's key, never on what was drawn before.

The same row gets the same draw whatever the batch size, the number of processes, the sharding or
the order of the rows.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

Option = TypeVar("Option")


def row_key(values: Iterable[object]) -> str:
    """Return the key of a row: a digest of its id, or of its texts.

    Args:
        values: The row's id alone, or its texts in column order (nulls as None).

    Returns:
        32 hexadecimal digits. Rows with equal values share a key, see `plain`.
    """
    return blake2b(b"".join([_stated(value) for value in values]), digest_size=16).hexdigest()


def _stated(value: object) -> bytes:
    """State a value so that no two sequences of values are stated alike."""
    if type(value) is str and value.isascii():
        return f"s{len(value)}:{value}".encode()
    value = plain(value)
    if value is None:
        return b"n0:"
    content = str(value).encode("utf-8", "surrogatepass")
    # The length in front keeps ("ab", "c") and ("a", "bc") apart, the letter None and "".
    return b"s%d:%b" % (len(content), content)


def plain(value: Any) -> Any:
    """Return a value as Python has it, whatever format a dataset gives it in.

    Returns:
        The Python value; a float that is whole comes back as an int, as a column of ids with
        nulls holds floats in numpy and pandas.
    """
    if type(value) is str:
        return value
    if hasattr(value, "tolist"):  # What `item` gives for a scalar, and a list for an array.
        value = value.tolist()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def uniform(seed: int, key: str, purpose: str) -> float:
    """Draw a number that is uniform on [0, 1).

    Args:
        purpose: What the draw is for, so that two draws for one row are independent.
    """
    digest = blake2b(f"{seed}\x1f{purpose}\x1f{key}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)


def drawn_seed(seed: int, key: str, purpose: str) -> int:
    """Draw the seed of what draws by itself, such as a model that writes.

    Returns:
        A whole number of at most 53 bits.

    Example:
        >>> drawn_seed(0, row_key(["a"]), "tokens")
        446414901587189
    """
    return int(uniform(seed, key, purpose) * (1 << 53))


def choice(options: Sequence[Option], seed: int, key: str, purpose: str) -> Option:
    """Draw one of several options, each with the same probability."""
    return options[int(uniform(seed, key, purpose) * len(options))]


def order(options: Sequence[Option], seed: int, key: str, purpose: str) -> list[Option]:
    """Draw all options one after another; the first is the one that `choice` draws."""
    left, drawn = list(options), list[Option]()
    while left:
        told = f"{purpose}, attempt {len(drawn)}" if drawn else purpose
        drawn.append(left.pop(int(uniform(seed, key, told) * len(left))))
    return drawn
