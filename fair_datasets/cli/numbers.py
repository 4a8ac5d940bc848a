"""Numbers that are kept as text, so that 0.90 stays as it was written."""

from collections.abc import Sequence
from typing import Any

from fair_datasets.rows.columns import number_in


def as_numbers(values: Sequence[Any]) -> Sequence[Any]:
    """Read a column of numbers that is kept as text.

    Returns:
        The numbers; the column as it is where something else is among them.

    Example:
        >>> as_numbers(["0.90", None]), as_numbers(["0.90", "high"])
        ([0.9, None], ['0.90', 'high'])
    """
    read = [number_in(value) for value in values]
    given = [each for each, value in zip(read, values, strict=True) if value is not None]
    is_text = any(isinstance(value, str) for value in values)
    return read if is_text and all(isinstance(each, float) for each in given) else values
