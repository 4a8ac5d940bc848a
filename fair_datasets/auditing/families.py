"""Rows and their counterfactuals, which belong together wherever rows are divided."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def families(
    hashes: NDArray[np.uint64],
    written: Iterable[tuple[NDArray[np.int64], NDArray[np.uint64]]],
) -> NDArray[np.uint64]:
    """Give a number to each row that it shares with its counterfactuals, whichever way they lead.

    Args:
        hashes: A hash of the texts of each row. Shape (N,).
        written: For each axis the numbers of the rows that its swap changes, shape (K,), and the
            hashes of what it writes, shape (K,).

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
