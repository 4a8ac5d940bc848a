"""Families of rows: a row and all that is made from it, which belong in one split."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks
from fair_datasets.rows.draws import row_key
from fair_datasets.rows.given import batches
from fair_datasets.rows.row_ids import row_ids
from fair_datasets.rows.row_texts import Row, RowTexts

if TYPE_CHECKING:
    from datasets import Dataset

FAMILY = "family_id"
"""The column that names the family of each row."""

TOLD = (
    f"Rows of one `{FAMILY}` belong in one split: divide them by "
    "`fair_datasets.selection.pair_split`, not by `train_test_split`."
)
UNTOLD = (
    f"No `{FAMILY}` says which rows belong in one split: divide the rows before they are copied."
)
"""What cards and the terminal say of rows and their copies, with the column and without."""


def family_id(row_id: str | None, texts: Row) -> str:
    """Name the family of a row.

    Returns:
        The id, or else a digest of the texts: rows with equal texts are one family.

    Example:
        >>> family_id("7", ("He ran.",)), len(family_id(None, ("He ran.", None)))
        ('7', 32)
    """
    return row_key(texts) if row_id is None else row_id


def family_ids(
    dataset: "Dataset",
    columns: Sequence[str],
    *,
    roles: Sequence[str] = (),
    id_column: str | None = None,
    owner: str,
) -> list[Any]:
    """Name the family of each row of a dataset.

    Args:
        columns: The text columns, or paths into them.
        roles: Whose texts of a conversation are read; none for everybody's.
        id_column: The column that identifies each row; None for the texts.

    Returns:
        What the column `family_id` holds, if it is there; else the names as `family_id` gives them.
    """
    plain = dataset.with_format(None)
    if FAMILY in plain.column_names:
        found: list[Any] = plain[FAMILY][:]
        return found
    digests = text_digests(plain, columns, roles=roles, owner=owner)
    if id_column is None:
        return digests
    column_checks.column_name(id_column, owner=owner, parameter="id_column")
    column_checks.present([id_column], plain.column_names, owner=owner)
    ids = row_ids({id_column: plain[id_column][:]}, id_column, owner=owner)
    return [digest if own is None else own for own, digest in zip(ids, digests, strict=True)]


def text_digests(
    dataset: "Dataset", columns: Sequence[str], *, roles: Sequence[str] = (), owner: str
) -> list[str]:
    """Return a digest of the texts of each row, which rows with equal texts have in common.

    Args:
        columns: The text columns, or paths into them.
        roles: Whose texts of a conversation are read; none for everybody's.

    Returns:
        32 hexadecimal digits for each row.
    """
    return [
        row_key(row)
        for batch in batches(dataset, columns, owner=owner)
        for row in RowTexts.read(batch, columns, roles=roles, owner=owner).rows
    ]


def joined(*keys: Sequence[object]) -> NDArray[np.int64]:
    """Number the groups of rows that have a key in common, directly or by way of others.

    Args:
        *keys: Keys of the rows, as many in each as there are rows: ids, texts, families, ...

    Returns:
        The number of each row's group. Shape (N,). It depends on the keys, not on their order.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    written = [list(map(str, key)) for key in keys]
    numbers = {key: number for number, key in enumerate(sorted({*chain(*written)}))}
    first, *others = (np.array([numbers[key] for key in each], np.int64) for each in written)
    edges = (np.tile(first, len(others)), np.concatenate([first[:0], *others]))
    graph = coo_array((np.ones(len(edges[0]), np.bool_), edges), shape=(len(numbers),) * 2)
    labels: NDArray[np.int64] = connected_components(graph, directed=False)[1][first]
    return labels
