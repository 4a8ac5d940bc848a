"""Numbers that are kept as text, so that 0.90 stays as it was written."""

import re
from collections.abc import Sequence
from typing import Any

# How a number is written that the reader keeps as text, since it would be written otherwise.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def as_numbers(values: Sequence[Any]) -> Sequence[Any]:
    """Read a column of numbers that is kept as text.

    Args:
        values: The column.

    Returns:
        The numbers; the column as it is where something else is among them.

    Example:
        >>> as_numbers(["0.90", None]), as_numbers(["0.90", "high"])
        ([0.9, None], ['0.90', 'high'])
    """
    given = [value for value in values if value is not None]
    if not given or not all(isinstance(v, str) and _NUMBER.fullmatch(v) for v in given):
        return values
    return [None if value is None else float(value) for value in values]
