"""Putting the counterfactual of each row beside it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fair_datasets.checks import InputError
from fair_datasets.swap.counterfactual import CounterfactualSwap, counterfactual_column

if TYPE_CHECKING:
    from datasets import Dataset


def paired(
    dataset: "Dataset", columns: Sequence[str], axis: str, names: bool | None, split: str
) -> "Dataset":
    """Add the counterfactual of each text column.

    Args:
        dataset: The rows.
        columns: The text columns.
        axis: The demographic axis.
        names: Whether names are swapped too; see `CounterfactualSwap`.
        split: The split's name, for the progress bar.

    Returns:
        The rows with a column `<column>_counterfactual` for each text column.

    Raises:
        InputError: A column is missing or holds something else than text.

    Example:
        >>> from datasets import Dataset
        >>> paired(Dataset.from_dict({"text": ["He ran."]}), ["text"], "gender", None, "train")[0]
        {'text': 'He ran.', 'text_counterfactual': 'She ran.'}
    """
    swap = CounterfactualSwap(columns=tuple(columns), axis=axis, names=names, mode="pair")
    return swap.apply(dataset, desc=f"Swapping {split}")


def refuse_unchanged(
    pairs: "Dataset", columns: Sequence[str], axis: str, *, owner: str, split: str = "training"
) -> None:
    """Raise if no row differs from its counterfactual.

    Args:
        pairs: What `paired` returned.
        columns: The text columns.
        axis: The demographic axis.
        owner: What needs counterfactuals, for errors.
        split: Which rows they are, for errors.

    Raises:
        InputError: The swap changes none of the rows.

    Example:
        >>> from datasets import Dataset
        >>> pairs = Dataset.from_dict({"text": ["Rain."], "text_counterfactual": ["Rain."]})
        >>> refuse_unchanged(pairs, ["text"], "gender", owner="score")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: score: none of the 1 training rows has a word of the axis
        'gender' to swap in text, so that there are no counterfactuals to choose among.
    """
    texts = pairs.with_format(None)
    if all(texts[name][:] == texts[counterfactual_column(name)][:] for name in columns):
        raise InputError(
            f"{owner}: none of the {len(pairs)} {split} rows has a word of the axis {axis!r} to "
            f"swap in {', '.join(columns)}, so that there are no counterfactuals to choose "
            f"{'among' if split == 'training' else 'by'}."
        )
