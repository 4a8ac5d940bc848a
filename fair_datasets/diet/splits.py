"""Finding the training, validation and test rows of what a user gives."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fair_datasets.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_NAMES = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "val", "dev"),
    "test": ("test", "testing"),
}


def three_splits(
    splits: "Mapping[str, Dataset]", *, seed: int = 0, where: str = "the dataset"
) -> "dict[str, Dataset]":
    """Return the training, validation and test rows.

    A dataset of one split is divided 8:1:1; that comes before any counterfactual is made, so that
    no pair is divided. Rows with equal texts can still come to lie in two splits.

    Args:
        splits: Split name to its rows.
        seed: The seed of the division.
        where: What the rows were read from, for errors.

    Returns:
        `train`, `validation` and `test`.

    Raises:
        InputError: There are several splits, but not these three; or too few rows to divide.

    Example:
        >>> from datasets import Dataset
        >>> divided = three_splits({"train": Dataset.from_dict({"n": range(20)})})
        >>> {name: len(rows) for name, rows in divided.items()}
        {'train': 16, 'validation': 2, 'test': 2}
    """
    if len(splits) == 1:
        (rows,) = splits.values()
        held = len(rows) // 10
        if not held:
            raise InputError(
                f"{where}: {len(rows)} row{' is' if len(rows) == 1 else 's are'} too few to "
                "divide 8:1:1; give at least 10, or files named train, validation and test."
            )
        rows = rows.shuffle(seed=seed)
        return {
            "train": rows.select(range(2 * held, len(rows))),
            "validation": rows.select(range(held)),
            "test": rows.select(range(held, 2 * held)),
        }
    found = {
        name: splits[other]
        for name, others in _NAMES.items()
        for other in others
        if other in splits
    }
    missing = [name for name in _NAMES if name not in found]
    if missing:
        raise InputError(
            f"{where}: there is no split {missing[0]!r} among {', '.join(map(repr, splits))}; "
            "give train, validation and test, or one split to be divided."
        )
    return found
