"""What is checked of a dataset before anything of it is sent, and how it is cut into files."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fair_datasets.hub.repositories import CARD
from fair_datasets.hub.shards import bytes_of
from fair_datasets.rows.given import SPLIT_NAME
from fair_datasets.system.checks import InputError
from fair_datasets.technique.configurations import OWN_FILES

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, Features

# It names a folder, which datasets finds by a pattern.
_TAKEN = ("data", *OWN_FILES.values(), CARD)
_CONFIG_NAME = re.compile(r"[^\W_](?:[\w+'(),=-]|\.(?!\.)){0,95}")


def checked_splits(dataset: "Dataset | DatasetDict", config_name: str) -> "DatasetDict":
    """Return the splits, or raise where datasets would, later and less plainly.

    Args:
        dataset: The dataset, or its splits; a single dataset becomes the split "train".

    Raises:
        InputError: They are no splits of the same columns, or a name is not allowed.

    Example:
        >>> from datasets import Dataset
        >>> list(checked_splits(Dataset.from_dict({"text": ["She left."]}), "cda"))
        ['train']
    """
    from datasets import Dataset, DatasetDict

    splits = DatasetDict({"train": dataset}) if isinstance(dataset, Dataset) else dataset
    if not isinstance(splits, DatasetDict):
        raise InputError(
            f"push_dataset: dataset must be a Dataset or a DatasetDict, but it is a "
            f"{type(dataset).__name__}; load it without streaming, or save it to Parquet first."
        )
    if not splits:
        raise InputError("push_dataset: dataset has no splits; there is nothing to push.")
    wrong = [split for split in splits if not SPLIT_NAME.fullmatch(str(split))]
    if wrong:
        raise InputError(
            "push_dataset: a split's name may hold letters, digits, underscores and dots only, "
            f"but one is {wrong[0]!r}; rename it."
        )
    refuse_different_columns([rows.features for rows in splits.values()])
    refuse_config_name(config_name)
    return splits


def refuse_different_columns(features: "Sequence[Features]") -> None:
    """Raise unless splits can be one configuration.

    Args:
        features: The features of each split.

    Raises:
        InputError: They are not the same.

    Example:
        >>> refuse_different_columns([])
    """
    if any(other != features[0] for other in features):
        raise InputError(
            "push_dataset: the splits have different columns; push them as configurations of "
            "their own."
        )


def refuse_config_name(config_name: str) -> None:
    """Raise unless a configuration may have a name.

    Raises:
        InputError: It is not allowed.

    Example:
        >>> refuse_config_name("data")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: push_dataset: config_name must be a plain word other than
        'data', 'lexicons' and 'weights', such as 'cda', but it is 'data'.
    """
    if not _CONFIG_NAME.fullmatch(config_name) or config_name in _TAKEN:
        raise InputError(
            "push_dataset: config_name must be a plain word other than 'data', 'lexicons' and "
            f"'weights', such as 'cda', but it is {config_name!r}."
        )


def shard_count(rows: "Dataset", max_shard_size: int | str) -> int:
    """Return the number of files of a split, by the size of its rows in memory.

    Args:
        max_shard_size: The most that one file holds, in bytes or such as "500MB".

    Raises:
        InputError: The size is none.

    Example:
        >>> from datasets import Dataset
        >>> shard_count(Dataset.from_dict({"text": ["She left."]}), "500MB")
        1
    """
    from datasets.utils.py_utils import convert_file_size_to_int

    try:
        most = convert_file_size_to_int(max_shard_size)
    except (AttributeError, ValueError):
        most = 0
    if most < 1:
        raise InputError(
            "push_dataset: max_shard_size must be a number of bytes, or one with a unit such as "
            f"'500MB', but it is {max_shard_size!r}."
        )
    return int(bytes_of(rows) // most) + 1
