"""Putting the counterfactual of each row beside it, once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.rows.text_fields import counterfactual_column, field_columns
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset


def paired(dataset: "Dataset", config: DietConfig, split: str) -> "Dataset":
    """Add the counterfactuals; those that are there already must be the same.

    Args:
        dataset: The rows, or what `fair-datasets score` wrote of them.
        split: The split's name, for errors and the progress bar.

    Returns:
        The rows with a column `<column>_counterfactual` for each column with texts.

    Raises:
        InputError: A column is missing or holds something else than text, or a counterfactual is
            there and is another.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He ran."], "text_counterfactual": ["It ran."]})
        >>> paired(rows, DietConfig(columns="text"), "train")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: healthy_diet, split train: column 'text_counterfactual'
        does not hold in row 0 (counted from 0) what the swap on the axis 'gender'
        writes, so the scores of the rows belong to other pairs; remove the column and these
        scores, or give the axis and names that they were made with.
    """
    owner = f"healthy_diet, split {split}"
    held = field_columns(config.columns, dataset.column_names, owner=owner)
    there = [name for name in map(counterfactual_column, held) if name in dataset.column_names]
    swap = CounterfactualSwap(**config.reading, mode="pair")
    pairs = swap.apply(dataset.remove_columns(there), desc=f"Swapping {split}")
    for column in there:
        both = (rows.with_format(None)[column][:] for rows in (dataset, pairs))
        for row, (given, written) in enumerate(zip(*both, strict=True)):
            if given != written:
                raise InputError(
                    f"{owner}: column {column!r} does not hold in row {row} (counted from 0) what "
                    f"the swap on the axis {config.axis!r} writes, so the scores of the rows "
                    "belong to other pairs; remove the column and these scores, or give the axis "
                    "and names that they were made with."
                )
    return pairs


def refuse_unchanged(
    pairs: "Dataset", columns: Sequence[str], axis: str, *, owner: str, split: str = "training"
) -> None:
    """Raise if no row differs from its counterfactual.

    Args:
        pairs: What `paired` returned.
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
        fair_datasets.InputError: score: none of the 1 training rows has a word of the axis
        'gender' to swap in text, so there are no counterfactuals to choose among.
    """
    texts = pairs.with_format(None)
    held = field_columns(columns, pairs.column_names, owner=owner)
    if all(texts[name][:] == texts[counterfactual_column(name)][:] for name in held):
        raise _unswapped(len(pairs), columns, axis, owner, split)


def refuse_unswapped(rows: "Dataset", swap: CounterfactualSwap, *, owner: str) -> None:
    """Raise if a swap changes no row; it ends at the first that it does.

    Args:
        owner: What needs counterfactuals, for errors.

    Raises:
        InputError: The swap changes none of the rows.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["Rain.", "He ran."]})
        >>> refuse_unswapped(rows, CounterfactualSwap(columns="text", mode="pair"), owner="score")
    """
    plain = rows.with_format(None)
    held = field_columns(swap.columns, rows.column_names, owner=owner)
    for batch in plain.iter(batch_size=ROWS_AT_ONCE):
        pairs = swap(batch)
        if any(pairs[name] != pairs[counterfactual_column(name)] for name in held):
            return
    raise _unswapped(len(rows), swap.columns, str(swap.axis), owner, "training")


def _unswapped(
    number: int, columns: Sequence[str], axis: str, owner: str, split: str
) -> InputError:
    """Return the error for rows that are all their own counterfactuals."""
    return InputError(
        f"{owner}: none of the {number} {split} rows has a word of the axis {axis!r} to swap in "
        f"{', '.join(columns)}, so there are no counterfactuals to choose "
        f"{'among' if split == 'training' else 'by'}."
    )
