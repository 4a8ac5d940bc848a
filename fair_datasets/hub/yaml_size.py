"""YAML that says little and means much: names that stand for lists of names, and so on."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yaml import Node

MOST = 1_000_000
"""How many values the metadata of a card may stand for; the largest real ones have thousands."""


def refuse_expansion(text: str, most: int = MOST) -> None:
    r"""Raise if YAML stands for more values than anyone could mean to write.

    A few lines can name a list of ten names of lists of ten names, ten levels deep. Reading them,
    or what is done with them afterwards, would never end.

    Args:
        text: The YAML.
        most: How many values it may stand for.

    Raises:
        ValueError: It stands for more, or for something that holds itself.

    Example:
        >>> bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"
        >>> refuse_expansion(bomb, most=29)
        >>> refuse_expansion(bomb, most=28)
        Traceback (most recent call last):
        ...
        ValueError: it stands for more than 28 values, by names that stand for others
    """
    import yaml

    # Without both signs, no name stands for anything.
    if "&" not in text or "*" not in text:
        return
    # Not the faster one in C, which what is nested deeply takes down with the whole process.
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None and _size(root, {}, most) > most:
        raise ValueError(f"it stands for more than {most} values, by names that stand for others")


def _size(node: "Node", sizes: dict[int, int], most: int) -> int:
    """Count what a node stands for; a node that several names stand for is looked at once."""
    known = sizes.get(id(node))
    if known is not None:
        return known
    # While it is looked at, a node that holds itself is too large.
    sizes[id(node)] = most + 1
    value = node.value
    if isinstance(value, str):
        inside = []
    else:
        inside = [part for item in value for part in (item if isinstance(item, tuple) else [item])]
    sizes[id(node)] = 1 + sum(_size(part, sizes, most) for part in inside)
    return sizes[id(node)]
