"""Splits in which a row and all that is made from it stay together; test rows that are held out."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from fair_datasets.rows import column_checks
from fair_datasets.rows.draws import FAMILY, family_ids, joined, row_key, text_digests
from fair_datasets.rows.given import one_dataset
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, error_context, invalid

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

SIZES: Mapping[str, float] = MappingProxyType({"train": 0.8, "validation": 0.1, "test": 0.1})


def pair_split(
    dataset: "Dataset",
    sizes: Mapping[str, float] = SIZES,
    *,
    seed: int = 0,
    family_column: str = FAMILY,
) -> "DatasetDict":
    """Split a dataset so that all rows of a family are in the same split.

    A family is a row and all that is made from it. The shares are of families, not of rows. Which
    split a family is in depends on the seed and on the set of ids, not on the order of the rows.

    Args:
        sizes: Split name to its share of the families; the shares sum to 1.
        family_column: The column that the rows of a family share: the one that techniques write.

    Raises:
        InputError: There are no rows, the column is missing or holds a null, or the shares are not
            what they must be.

    Example:
        >>> from datasets import Dataset
        >>> from fair_datasets import CounterfactualSwap
        >>> rows = Dataset.from_dict({"text": ["He ran.", "It rains."]})
        >>> twins = CounterfactualSwap(columns="text").apply(rows)
        >>> splits = pair_split(twins, {"train": 0.5, "test": 0.5})
        >>> sorted(split["text"][:] for split in splits.values())
        [['He ran.', 'She ran.'], ['It rains.']]
    """
    seed = checks.whole_number(seed, parameter="seed")
    _check_sizes(sizes)
    plain = one_dataset(dataset, rows=True).with_format(None)
    if family_column == FAMILY and FAMILY not in plain.column_names:
        raise invalid(
            f"there is no column {FAMILY!r}, which says which rows belong together. "
            "CounterfactualSwap and the other techniques that copy rows write it, unless "
            "family=False. Or name a column that the rows of a family share as family_column: "
            f"{checks.format_choices(plain.column_names, checks.FEW)}."
        )
    column_checks.present([family_column], plain.column_names)
    ids = plain[family_column][:]
    column_checks.refuse_nulls(ids, f"column {family_column!r}")
    return divided(dataset, ids, sizes, seed=seed)


def divided(
    dataset: "Dataset", families: Sequence[Any], sizes: Mapping[str, float], *, seed: int
) -> "DatasetDict":
    """Divide rows by their families.

    Args:
        sizes: Split name to its share of the families; the shares sum to 1.
    """
    from datasets import DatasetDict

    known, of_row = np.unique(np.asarray(families), return_inverse=True)
    generator = np.random.default_rng(int(row_key([seed, "split"]), 16))
    ends = [floor(share * len(known) + 1e-9) for share in accumulate(sizes.values())]
    # Behind the last end lies nothing: a sum that rounds to just under 1 loses no family.
    place = np.searchsorted(ends[:-1], generator.permutation(len(known)), side="right")
    return DatasetDict(
        {
            name: dataset.select(np.flatnonzero(place[of_row] == number))
            for number, name in enumerate(sizes)
        }
    )


def _check_sizes(sizes: Mapping[str, float]) -> None:
    """Raise unless the shares sum to 1."""
    if not isinstance(sizes, Mapping) or not sizes:
        raise invalid(
            f"sizes must be a mapping of split names to shares, but it is "
            f"{'empty' if isinstance(sizes, Mapping) else f'a {type(sizes).__name__}'}."
        )
    for name, share in sizes.items():
        checks.fraction(share, parameter=f"sizes[{name!r}]")
    if abs(sum(sizes.values()) - 1) > 1e-9:
        raise invalid(f"the shares of sizes must sum to 1, but they sum to {sum(sizes.values())}.")


_NAMES = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "val", "dev"),
    "test": ("test", "testing"),
}

_LEAST = 10


def three_splits(
    splits: "Mapping[str, Dataset]",
    families: Callable[["Dataset"], Sequence[Any]],
    *,
    seed: int = 0,
) -> "dict[str, Dataset]":
    """Return the training, validation and test rows.

    A dataset of one split is divided 8:1:1 by the families of its rows, so that neither rows of one
    text nor a row and its counterfactual come to lie in two splits.

    Returns:
        `train`, `validation` and `test`.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"n": range(20)})
        >>> found = three_splits({"train": rows}, lambda rows: rows["n"][:])
        >>> {name: len(rows) for name, rows in found.items()}
        {'train': 16, 'validation': 2, 'test': 2}
    """
    if len(splits) == 1:
        (rows,) = splits.values()
        of_rows = families(rows)
        if len(set(of_rows)) < _LEAST:
            raise invalid(
                f"{len(rows)} row{' is' if len(rows) == 1 else 's are'} too few to "
                f"divide 8:1:1; give at least {_LEAST} of different texts, or files named train, "
                "validation and test."
            )
        return dict(divided(rows, of_rows, SIZES, seed=seed))
    named_splits = {
        name: splits[other]
        for name, others in _NAMES.items()
        for other in others
        if other in splits
    }
    missing = [name for name in _NAMES if name not in named_splits]
    if missing:
        raise invalid(
            f"there is no split {missing[0]!r} among {', '.join(map(repr, splits))}; "
            "give train, validation and test, or one split to be divided."
        )
    return named_splits


TEST = "test"


def held_out(
    splits: "Mapping[str, Dataset]",
    split: str,
    share: float,
    *,
    columns: Sequence[str],
    roles: Sequence[str] = (),
    id_column: str | None = None,
    seed: int = 0,
    source: str = "the dataset",
) -> "DatasetDict":
    """Hold test rows out of a split, so that rows that belong together stay together.

    Args:
        columns: The text columns: rows of one text are on one side.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He ran.", "It rains.", "He ran."]})
        >>> found = held_out({"train": rows}, "train", 0.5, columns=["text"])
        >>> sorted(part["text"][:] for part in found.values())
        [['He ran.', 'He ran.'], ['It rains.']]
    """
    rows = splits[split]
    with error_context(source):
        families = family_ids(rows, columns, roles=roles, id_column=id_column)
        groups = joined(families, text_digests(rows, columns, roles=roles))
    parts = divided(rows, groups.tolist(), {split: 1 - share, TEST: share}, seed=seed)
    for name, part in parts.items():
        if not len(part):
            raise InputError(
                f"{source}: with --test-size {share:g}, {len(rows):,} "
                f"row{'' if len(rows) == 1 else 's'} of {len(set(groups.tolist())):,} families "
                f"leave nothing for {name!r}; change the share, or give more rows."
            )
    from datasets import DatasetDict

    return DatasetDict({**splits, **parts})
