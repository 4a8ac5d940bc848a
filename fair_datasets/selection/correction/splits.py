"""Dividing corrected rows anew, so that a row and its copy are in the same split."""

from collections.abc import Mapping, Sequence
from math import floor
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows.draws import row_key
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

TRAIN = "train"

Integers = NDArray[np.int64]


def checked_sizes(sizes: Any, *, owner: str) -> dict[str, float]:
    """Return the sizes of the splits that are held out, or raise.

    Args:
        sizes: Split name to its number of rows, or to its share of them below 1.

    Raises:
        InputError: A size is no number above 0, or the shares leave nothing to train on.

    Example:
        >>> checked_sizes({"test": 0}, owner="correct")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: correct: the size of 'test' must be a number of rows, or
        a share of them below 1, but it is 0.
    """
    if not isinstance(sizes, Mapping) or not sizes or TRAIN in sizes:
        raise InputError(
            f"{owner}: sizes must be a mapping of split names to numbers of rows, such as "
            f"{{'validation': 10000, 'test': 10000}}, but it is {sizes!r}; {TRAIN!r} gets the rest."
        )
    found: dict[str, float] = {}
    for name, size in sizes.items():
        is_number = isinstance(size, Real) and not isinstance(size, bool)
        value = float(size) if is_number else 0.0
        is_count = isinstance(size, Integral)
        if value <= 0 or not (is_count or value < 1):
            raise InputError(
                f"{owner}: the size of {name!r} must be a number of rows, or a share of them below "
                f"1, but it is {size!r}."
            )
        found[name] = int(value) if is_count else value
    shares = sum(size for size in found.values() if size < 1)
    if shares > 1 - 1e-9:
        raise InputError(
            f"{owner}: the shares of sizes sum to {shares:.6g}, which leaves nothing for "
            f"{TRAIN!r}; lower them to sum to less than 1."
        )
    return found


def group_keys(
    batch: Mapping[str, Sequence[Any]],
    *,
    columns: Sequence[str],
    roles: Sequence[str],
    output: str,
    owner: str,
) -> dict[str, list[int]]:
    """Give each row of a batch a number for its first text.

    Args:
        columns: The text columns; rows are alike that have the same text in the first. A row
            without it is alike to those with the same texts in the others.

    Returns:
        The column alone, of 60 bits of a digest.
    """
    rows = RowTexts.read(batch, columns, roles=roles, owner=owner).by_field()
    keys = (row_key(row if row[0] is None else row[:1]) for row in zip(*rows, strict=True))
    return {output: [int(key[:15], 16) for key in keys]}


def divided(
    rows: "Dataset",
    sizes: Mapping[str, float],
    *,
    seed: int,
    groups: Integers | None,
    owner: str,
) -> "DatasetDict":
    """Divide rows into the training rows and the splits that are held out.

    Args:
        sizes: The checked sizes of the splits that are held out.
        groups: The number of each row's group, which is in one split alone: a split has the rows
            that it was to have, or more by less than a group. None to shuffle the rows one by one.

    Returns:
        `train` with the rest, then the others. In groups, rows keep their order.

    Raises:
        InputError: A split has no rows.
    """
    from datasets import DatasetDict

    wanted = [size if size >= 1 else floor(size * len(rows) + 1e-9) for size in sizes.values()]
    generator = np.random.default_rng(int(row_key([seed, "correct"]), 16))
    if groups is None:
        order, ends = generator.permutation(len(rows)), np.cumsum(wanted)
        parts = np.split(order, ends) if ends[-1] < len(rows) else []
    else:
        place = _places(np.bincount(groups), wanted, generator)[groups]
        parts = [np.flatnonzero(place == number) for number in range(len(wanted) + 1)]
    if not parts or not all(map(len, parts)):
        raise InputError(
            f"{owner}: {len(rows):,} row{' is' if len(rows) == 1 else 's are'} too few for the "
            f"sizes {', '.join(f'{name}={size:g}' for name, size in sizes.items())} and a rest to "
            "train on; lower the sizes."
        )
    *held_out, train = parts
    found = {TRAIN: train, **dict(zip(sizes, held_out, strict=True))}
    return DatasetDict({name: rows.select(numbers) for name, numbers in found.items()})


def _places(counts: Integers, wanted: Sequence[float], generator: np.random.Generator) -> Integers:
    """Draw for each group the split that it is in: each is filled, one behind the other."""
    drawn = generator.permutation(len(counts))
    ends = np.cumsum(counts[drawn])
    places = np.full(len(counts), len(wanted))
    first, filled = 0, 0
    for number, size in enumerate(wanted):
        last = min(int(np.searchsorted(ends, filled + size)), len(ends) - 1)
        places[drawn[first : last + 1]] = number
        first, filled = last + 1, int(ends[last])
    return places
