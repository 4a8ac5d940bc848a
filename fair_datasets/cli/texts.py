"""Making sure of the texts of a dataset: in UTF-8, and of types that all parts of pyarrow know."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

_VIEWS = {"string_view": "string", "binary_view": "binary"}


def with_plain_texts(splits: "DatasetDict") -> "DatasetDict":
    """Return a dataset without string views, of which pyarrow cannot take rows.

    Args:
        splits: Split name to dataset.

    Returns:
        The same, with strings in their place.

    Raises:
        ArrowInvalid: A text is not UTF-8.
    """
    for rows in splits.values():
        rows.data.validate(full=True)
    return type(splits)({split: _without_views(rows) for split, rows in splits.items()})


def _without_views(rows: "Dataset") -> "Dataset":
    """Return a split with strings in the place of string views."""
    from datasets import Features

    features = Features({name: _plain(feature) for name, feature in rows.features.items()})
    return rows if features == rows.features else rows.cast(features)


def _plain(feature: Any) -> Any:
    """Return a feature with strings in the place of string views."""
    from datasets import LargeList, List, Value

    if isinstance(feature, Value):
        return Value(_VIEWS.get(feature.dtype, feature.dtype))
    if isinstance(feature, Mapping):
        return {name: _plain(inner) for name, inner in feature.items()}
    if isinstance(feature, LargeList):
        return LargeList(_plain(feature.feature))
    if isinstance(feature, List):
        return List(_plain(feature.feature), length=feature.length)
    return feature
