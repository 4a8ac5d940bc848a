"""Reading group labels: which group each row belongs to.

Labels are whatever Python can hash. A million rows must not take longer to sort into groups than to
count, so arrays are compared as whole numbers: a text of fixed width is a row of them.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from fair_datasets import checks
from fair_datasets.checks import InputError
from fair_datasets.measures import inputs

MissingGroup = Literal["raise", "own"]
"""What to do where a row has no group label: `"raise"`, or `"own"`: such rows are a group of their
own, whose label is None."""

Codes = NDArray[np.uint8] | NDArray[np.intp]
_FEW = 32
"""Up to so many distinct numbers, comparing with each in turn is faster than sorting."""


class GroupLabels(NamedTuple):
    """The group of each row.

    Attributes:
        names: The distinct labels: sorted where they can be compared, else by first appearance; the
            group of missing labels, None, comes last. Length G.
        codes: The position of each row's label in `names`. Shape (N,).
    """

    names: tuple[Hashable, ...]
    codes: Codes


def group_labels(
    groups: Any, *, owner: str, missing_group: MissingGroup = "raise", argument: str = "groups"
) -> GroupLabels:
    """Read one group label per row.

    Args:
        groups: Labels of any hashable kind, such as strings or whole numbers; an array or a list.
            Labels that Python holds equal, as 1 and True, are one group. Shape (N,).
        owner: The measure, for errors.
        missing_group: What to do with a label that is None, NaN or NA: `"raise"`, or `"own"` for a
            group of their own.
        argument: The name of the argument, for errors.

    Returns:
        The distinct labels, and the position of each row's label among them.

    Raises:
        InputError: A label is missing or cannot be hashed, or there is more than one axis.

    Example:
        >>> found = group_labels(["w", "m", "w"], owner="demographic_parity")
        >>> found.names
        ('m', 'w')
        >>> found.codes.tolist()
        [1, 0, 1]
    """
    checks.one_of(missing_group, ("raise", "own"), owner=owner, parameter="missing_group")
    array = _plain_array(groups)
    if array is not None:
        first_rows, codes = _distinct_rows(array)
        names = array[first_rows].tolist()
    else:
        values = _listed(groups, argument, owner=owner)
        names, codes = _distinct_labels(values, argument, owner=owner)
    missing = [code for code, name in enumerate(names) if inputs.is_missing(name)]
    if missing and missing_group == "raise":
        row = int(np.flatnonzero(np.isin(codes, missing))[0])
        raise InputError(
            f"{owner}: {argument} has no label in row {row} ({names[codes[row]]!r}). Drop that row "
            "first, or pass missing_group='own' to make such rows a group of their own."
        )
    return _in_order(names, codes, missing)


def _plain_array(groups: Any) -> NDArray[Any] | None:
    """Return the labels as an array that can be read as whole numbers, if they are one."""
    if hasattr(groups, "detach") and not groups.is_floating_point():
        groups = groups.detach().cpu().numpy()
    is_plain = isinstance(groups, np.ndarray) and not isinstance(groups, np.ma.MaskedArray)
    return groups if is_plain and groups.ndim == 1 and groups.dtype.kind in "biuUS" else None


def _listed(groups: Any, argument: str, *, owner: str) -> list[Any]:
    """Return the labels as a list of Python's own objects."""
    if isinstance(groups, str | bytes | Mapping) or not hasattr(groups, "__iter__"):
        raise InputError(
            f"{owner}: {argument} must be a list or array with one label per row, but it is "
            f"{groups!r}."
        )
    return inputs.listed(groups)


def _distinct_labels(
    values: list[Any], argument: str, *, owner: str
) -> tuple[list[Hashable], Codes]:
    """Return the distinct labels of a list by first appearance, and the label of each row."""
    try:
        names = list(dict.fromkeys(values))
    except TypeError:
        row = next(row for row, value in enumerate(values) if not _is_hashable(value))
        raise InputError(
            f"{owner}: {argument} must be one label per row, but row {row} is {values[row]!r} "
            f"({type(values[row]).__name__})."
        ) from None
    code = {name: code for code, name in enumerate(names)}
    return names, np.fromiter(map(code.__getitem__, values), np.intp, len(values))


def _is_hashable(value: Any) -> bool:
    """Tell whether a value can be hashed; a tuple that holds a list cannot."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _distinct_rows(array: NDArray[Any]) -> tuple[NDArray[np.intp], Codes]:
    """Return the first row of each distinct value of an array, and the value of each row.

    A text of fixed width is compared by its memory, a block of whole numbers at a time; the blocks'
    codes are the digits of one number, so that no two texts are ever mixed up.
    """
    if array.dtype.kind in "biu":
        return _distinct_numbers(array)
    size = array.dtype.itemsize
    width = next((width for width in (8, 4, 2, 1) if size and size % width == 0), 0)
    if not array.size or not width:
        return np.zeros(min(array.size, 1), np.intp), np.zeros(array.size, np.uint8)
    blocks = np.ascontiguousarray(array).view(f"u{width}").reshape(array.size, -1)
    first_rows, codes = _distinct_numbers(blocks[:, 0])
    for block in blocks.T[1:]:
        if (block == block[0]).all():
            continue
        own_rows, own_codes = _distinct_numbers(block)
        both = codes.astype(np.intp) * len(own_rows) + own_codes
        first_rows, codes = _distinct_numbers(both)
    return first_rows, codes


def _distinct_numbers(numbers: NDArray[Any]) -> tuple[NDArray[np.intp], Codes]:
    """Return the first row of each distinct whole number, and the number of each row."""
    if not numbers.size:
        return np.zeros(0, np.intp), np.zeros(0, np.uint8)
    numbers = np.ascontiguousarray(numbers)
    few = np.zeros(numbers.size, np.uint8)
    first_rows: list[int] = []
    unseen = np.ones(numbers.size, np.bool_)
    for code in range(_FEW):
        row = int(unseen.argmax())
        if not unseen[row]:
            return np.array(first_rows, np.intp), few
        same = numbers == numbers[row]
        unseen ^= same
        few += same * np.uint8(code)
        first_rows.append(row)
    distinct = np.unique(numbers)
    codes = np.searchsorted(distinct, numbers)
    rows = np.empty(distinct.size, np.intp)
    rows[codes[::-1]] = np.arange(numbers.size)[::-1]
    return rows, codes


def _in_order(names: Sequence[Hashable], codes: Codes, missing: Sequence[int]) -> GroupLabels:
    """Sort the names where they can be compared, else keep their order; missing ones are one."""
    lacking = set(missing)
    order = [code for code in range(len(names)) if code not in lacking]
    with suppress(TypeError):
        order = sorted(order, key=cast(Callable[[int], Any], lambda code: names[code]))
    labels = tuple(names[code] for code in order) + (None,) * bool(missing)
    if order == list(range(len(names))):
        return GroupLabels(labels, codes)
    rank = np.full(len(names), len(order), codes.dtype)
    rank[order] = np.arange(len(order))
    return GroupLabels(labels, rank[codes])
