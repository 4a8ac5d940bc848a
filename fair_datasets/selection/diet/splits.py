"""Finding the training, validation and test rows of what a user gives."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fair_datasets.selection.splits import SIZES, divided
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

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
    where: str = "the dataset",
) -> "dict[str, Dataset]":
    """Return the training, validation and test rows.

    A dataset of one split is divided 8:1:1 by the families of its rows, so that neither rows of one
    text nor a row and its counterfactual come to lie in two splits.

    Args:
        families: Returns the family of each row of one split.
        where: What the rows were read from, for errors.

    Returns:
        `train`, `validation` and `test`.

    Raises:
        InputError: There are several splits, but not these three; or too few families to divide.

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
            raise InputError(
                f"{where}: {len(rows)} row{' is' if len(rows) == 1 else 's are'} too few to "
                f"divide 8:1:1; give at least {_LEAST} of different texts, or files named train, "
                "validation and test."
            )
        return dict(divided(rows, of_rows, SIZES, seed=seed))
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
