"""Reading scores: numbers, one per row."""

from collections.abc import Iterable
from math import nan
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows.columns import is_null, number_in
from fair_datasets.system.checks import InputError


def score_values(
    values: Iterable[Any], what: str, *, owner: str, missing: bool = False
) -> NDArray[np.float64]:
    """Return scores as an array, or raise.

    Args:
        values: The scores, one per row; infinite ones are fine, and so are numbers that are
            written as text, as in a CSV file.
        what: What they are, for instance `column 'gender_equity'`.
        owner: The class or function that needs them.
        missing: Whether a row may have no score.

    Returns:
        The scores, f(N); NaN for a row that has none.

    Raises:
        InputError: A score is missing (a null or NaN) and must not be, or is no number; the
            sentence names its row.

    Example:
        >>> score_values([0.5, float("nan")], "column 'el2n'", owner="select")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: select: column 'el2n' holds no score in row 1 (counted
        from 0) but nan; remove the row, or fill the score in.
    """
    given = values if isinstance(values, np.ndarray) else list(values)
    array = np.asarray(given)
    if array.ndim == 1 and array.dtype.kind in "iuf":
        lacking = np.flatnonzero(np.isnan(array))
        if lacking.size and not missing:
            raise _missing(what, int(lacking[0]), given[lacking[0]], owner)
        return array.astype(np.float64)
    given = list(map(number_in, given))
    for row, value in enumerate(given):
        if is_null(value):
            if missing:
                continue
            raise _missing(what, row, value, owner)
        if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
            raise InputError(
                f"{owner}: {what} must hold numbers, but row {row} (counted from 0) holds "
                f"{value!r} ({type(value).__name__}); give one score per row."
            )
    return np.array([nan if is_null(value) else float(value) for value in given], dtype=np.float64)


def _missing(what: str, row: int, value: Any, owner: str) -> InputError:
    """Tell that a row has no score."""
    return InputError(
        f"{owner}: {what} holds no score in row {row} (counted from 0) but "
        f"{None if value is None else float(value)}; remove the row, or fill the score in."
    )
