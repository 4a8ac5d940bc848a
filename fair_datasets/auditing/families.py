"""Rows and their counterfactuals, which belong together wherever rows are divided."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.axes import hash_of
from fair_datasets.rows.families import FAMILY

if TYPE_CHECKING:
    from datasets import Dataset


def families(
    hashes: NDArray[np.uint64],
    written: Iterable[tuple[NDArray[np.int64], NDArray[np.uint64]]],
) -> NDArray[np.uint64]:
    """Give a number to each row that it shares with its counterfactuals, whichever way they lead.

    Args:
        hashes: A hash of the texts of each row. Shape (N,).
        written: For each axis the numbers of the rows that its swap changes, shape (K,), and the
            hashes of what it writes, shape (K,). Or of what else a row may share with others.

    Returns:
        The smallest hash of the family of each row; of a row without others its own. Shape (N,).

    Example:
        >>> hashes = np.array([5, 3, 9], np.uint64)
        >>> families(hashes, [(np.array([0]), np.array([3], np.uint64))]).tolist()
        [3, 3, 9]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    several = list(written)
    rows = np.concatenate([np.zeros(0, np.int64), *(rows for rows, _ in several)])
    known, places = np.unique(
        np.concatenate([hashes, *(found for _, found in several)]), return_inverse=True
    )
    own, other = places[: len(hashes)], places[len(hashes) :]
    edges = coo_array((np.ones(len(rows), np.bool_), (own[rows], other)), (len(known),) * 2)
    count, members = connected_components(edges, directed=False)
    smallest = np.full(count, np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(smallest, members, known)
    return np.asarray(smallest[members][own], np.uint64)


def named_families(
    splits: "Mapping[str, Dataset]",
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
    """Read which rows belong together from the column `family_id`, where there is one.

    Args:
        splits: Split name to its rows.

    Yields:
        For a split that has it, what `families` takes: the numbers of the rows that have an id,
        counted over all splits, and hashes of the ids.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"family_id": ["a", None, "b"]})
        >>> [numbers.tolist() for numbers, _ in named_families({"train": rows})]
        [[0, 2]]
    """
    start = 0
    for rows in splits.values():
        if FAMILY in rows.column_names:
            ids = enumerate(rows.with_format(None)[FAMILY], start)
            found = {
                number: hash_of((FAMILY, str(each))) for number, each in ids if each is not None
            }
            yield np.array([*found], np.int64), np.array([*found.values()], np.uint64)
        start += len(rows)
