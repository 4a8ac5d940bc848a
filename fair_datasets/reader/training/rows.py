"""Rows to train on: texts whose words have the tags that they may have."""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

HELD_BACK = 0.05
"""The share of the tagged texts that no training reads."""


class Row(NamedTuple):
    """A text and what is known of its words.

    Attributes:
        source: Where the text is from.
        text: The text.
        allowed: The tags that each word may have, a bit for each; 0 if nothing is known.
        considered: The tags that its source tells apart from these, a bit for each.
    """

    source: str
    text: str
    allowed: Sequence[int]
    considered: Sequence[int]


def share(key: str) -> float:
    """Return a number from 0 to 1 that depends on a key alone.

    Args:
        key: Any text.

    Returns:
        The number.

    Example:
        >>> share("a") == share("a"), 0 <= share("b") < 1
        (True, True)
    """
    return zlib.crc32(key.encode("utf-8")) * 0x9E3779B1 % 2**32 / 2**32


def is_held_back(text: str) -> bool:
    """Tell whether a text is kept out of every training, for the calibration.

    Args:
        text: The text.

    Returns:
        True for one of twenty.
    """
    return share(f"held back {text}") < HELD_BACK


def lower_cased(text: str, epoch: int, rate: float) -> str:
    """Return a text, or a text in lower case for some: case is a hint, and no more.

    Args:
        text: The text.
        epoch: How often the text was seen before; it draws anew each time.
        rate: The share of texts in lower case.

    Returns:
        The text, as long as it was.

    Example:
        >>> lower_cased("Mary left.", 0, 1.0), lower_cased("Mary left.", 0, 0.0)
        ('mary left.', 'Mary left.')
    """
    lower = text.lower()
    is_drawn = share(f"{epoch} {text}") < rate and len(lower) == len(text)
    return lower if is_drawn else text
