"""Whether rows and the counterfactuals beside them differ at all."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fair_datasets.checks import InputError
from fair_datasets.text_fields import counterfactual_column, field_columns

if TYPE_CHECKING:
    from datasets import Dataset


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
    held = field_columns(columns, pairs.column_names, owner=owner)
    if all(texts[name][:] == texts[counterfactual_column(name)][:] for name in held):
        raise InputError(
            f"{owner}: none of the {len(pairs)} {split} rows has a word of the axis {axis!r} to "
            f"swap in {', '.join(columns)}, so that there are no counterfactuals to choose "
            f"{'among' if split == 'training' else 'by'}."
        )
