"""The label column: texts become classes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fair_datasets.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset, Features

_TEXT_KINDS = ("string", "large_string", "string_view")


def with_classes(
    splits: "Mapping[str, Dataset]", label: str, *, owner: str
) -> "dict[str, Dataset]":
    """Number labels that are texts in alphabetical order, alike in all splits.

    Args:
        splits: The rows; a split without the column, and labels that are no texts, stay as they
            are.
        label: The label column.
        owner: What the rows are, for errors.

    Returns:
        The splits; a column of texts is a `ClassLabel` in all that have it.

    Raises:
        InputError: The labels are texts in some splits alone, or there are too many for classes.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"label": ["rude", "kind", "rude", "kind"]})
        >>> encoded = with_classes({"train": rows}, "label", owner="rows.csv")["train"]
        >>> encoded["label"][:], encoded.features["label"].names
        ([1, 0, 1, 0], ['kind', 'rude'])
    """
    from datasets import ClassLabel

    labelled = {name: rows for name, rows in splits.items() if label in rows.column_names}
    texts = {name: rows for name, rows in labelled.items() if _is_text(rows.features, label)}
    if not texts:
        return dict(splits)
    for name in labelled:
        if name not in texts:
            raise InputError(
                f"{owner}: column {label!r} holds texts in {next(iter(texts))}, but not in {name}; "
                "give all rows labels of one kind."
            )
    found = {text for rows in texts.values() for text in rows.unique(label) if text is not None}
    count = sum(map(len, texts.values()))
    if len(found) > max(2, count // 2):
        raise InputError(
            f"{owner}: column {label!r} holds {len(found):,} different texts in {count:,} rows, "
            "which are no classes; name the column with the classes by --label."
        )
    kind = ClassLabel(names=sorted(found))
    encoded = {name: rows.cast_column(label, kind) for name, rows in texts.items()}
    return {**splits, **encoded}


def with_classes_of(pool: "Dataset", rows: "Dataset", label: str, *, owner: str) -> "Dataset":
    """Number the labels of other rows as those of some rows are numbered.

    Args:
        pool: The other rows; labels that are no texts stay as they are.
        rows: The rows whose classes they have.
        label: The label column.
        owner: What the other rows are, for errors.

    Returns:
        The other rows.

    Raises:
        InputError: A label is none of the classes.

    Example:
        >>> from datasets import ClassLabel, Dataset, Features
        >>> rows = Dataset.from_dict({"tone": [1]}, Features(tone=ClassLabel(names=["a", "b"])))
        >>> pool = Dataset.from_dict({"tone": ["b", "a"]})
        >>> with_classes_of(pool, rows, "tone", owner="pool.csv")["tone"][:]
        [1, 0]
    """
    if label not in pool.column_names or not _is_text(pool.features, label):
        return pool
    names = getattr(rows.features[label], "names", [])
    for text in pool.unique(label):
        if text is not None and text not in names:
            raise InputError(
                f"{owner}: column {label!r} holds {text!r}, but the classes of the training rows "
                f"are {', '.join(map(repr, names)) or 'numbers'}; give labels of the same kind."
            )
    return pool.cast_column(label, rows.features[label])


def _is_text(features: "Features", label: str) -> bool:
    """Tell whether a column holds texts."""
    return getattr(features[label], "dtype", None) in _TEXT_KINDS
