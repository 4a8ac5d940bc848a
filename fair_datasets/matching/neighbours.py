"""Lists of words by what they say about the word beside them, kept in `neighbours.toml`."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def neighbours(name: str) -> frozenset[str]:
    """Return a list of words, read once per process.

    Args:
        name: The list's name in `neighbours.toml`.

    Returns:
        The words, in lower case.

    Example:
        >>> "the" in neighbours("determiners")
        True
    """
    lists = tomllib.loads(Path(__file__).with_name("neighbours.toml").read_text("utf-8"))
    return frozenset(lists[name].split())
