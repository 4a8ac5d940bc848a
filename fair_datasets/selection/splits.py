"""Splits in which no pair of a factual row and its counterfactual is torn apart."""

from collections.abc import Mapping
from itertools import accumulate
from math import floor
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from fair_datasets import checks, column_checks, columns
from fair_datasets.checks import InputError
from fair_datasets.draws import row_key
from fair_datasets.given import one_dataset
from fair_datasets.selection.select import PAIR_ID

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

SIZES: Mapping[str, float] = MappingProxyType({"train": 0.8, "validation": 0.1, "test": 0.1})


def pair_split(
    dataset: "Dataset",
    sizes: Mapping[str, float] = SIZES,
    *,
    seed: int = 0,
    pair_column: str = PAIR_ID,
) -> "DatasetDict":
    """Split a dataset so that all rows of a pair are in the same split.

    The shares are of pairs, not of rows. Which split a pair is in depends on the seed and on the
    set of ids, not on the order of the rows.

    Args:
        dataset: The rows.
        sizes: Split name to its share of the pairs; the shares sum to 1.
        seed: The seed of the draws.
        pair_column: The column that the rows of a pair share.

    Returns:
        Split name to its rows, in their old order.

    Raises:
        InputError: There are no rows, the column is missing or holds a null, or the shares are not
            what they must be.

    Example:
        >>> from datasets import Dataset
        >>> data = Dataset.from_dict({"pair_id": ["a", "b", "a", "b"]})
        >>> splits = pair_split(data, {"train": 0.5, "test": 0.5})
        >>> [len(set(split["pair_id"])) for split in splits.values()]
        [1, 1]
    """
    from datasets import DatasetDict

    owner = "pair_split"
    seed = checks.whole_number(seed, owner=owner, parameter="seed")
    _check_sizes(sizes, owner)
    plain = one_dataset(dataset, owner=owner, rows=True).with_format(None)
    column_checks.present([pair_column], plain.column_names, owner=owner)
    ids = plain[pair_column][:]
    columns.refuse_nulls(ids, f"column {pair_column!r}", owner=owner)
    pairs, of_row = np.unique(np.asarray(ids), return_inverse=True)
    generator = np.random.default_rng(int(row_key([seed, "split"]), 16))
    ends = [floor(share * len(pairs) + 1e-9) for share in accumulate(sizes.values())]
    # Behind the last end lies nothing: a sum that rounds to just under 1 loses no pair.
    place = np.searchsorted(ends[:-1], generator.permutation(len(pairs)), side="right")
    return DatasetDict(
        {
            name: dataset.select(np.flatnonzero(place[of_row] == number))
            for number, name in enumerate(sizes)
        }
    )


def _check_sizes(sizes: Mapping[str, float], owner: str) -> None:
    """Raise unless the shares sum to 1."""
    if not isinstance(sizes, Mapping) or not sizes:
        raise InputError(
            f"{owner}: sizes must be a mapping of split names to shares, but it is "
            f"{'empty' if isinstance(sizes, Mapping) else f'a {type(sizes).__name__}'}."
        )
    for name, share in sizes.items():
        checks.fraction(share, owner=owner, parameter=f"sizes[{name!r}]")
    if abs(sum(sizes.values()) - 1) > 1e-9:
        raise InputError(
            f"{owner}: the shares of sizes must sum to 1, but they sum to {sum(sizes.values())}."
        )
