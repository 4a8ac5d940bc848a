"""What users give as rows: one dataset, or a sentence that says how to make one of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset, IterableDataset


def one_dataset(given: Any, *, owner: str, rows: bool = False) -> "Dataset":
    """Return a dataset, or raise if it is a stream, several, or something else.

    Args:
        given: What the user gave.
        owner: The function that needs it.
        rows: Whether it must have rows.

    Returns:
        The same.

    Raises:
        InputError: It is something else than one `datasets.Dataset`, or has no rows.

    Example:
        >>> one_dataset([], owner="select")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: select: it needs one datasets.Dataset, but it was given a
        list; make one by Dataset.from_list, Dataset.from_dict or load_dataset.
    """
    from datasets import Dataset

    if not isinstance(given, Dataset):
        raise _other(given, "one datasets.Dataset", owner)
    if rows and not len(given):
        raise InputError(f"{owner}: the dataset has no rows; give one that has some.")
    return given


def dataset_or_stream(given: Any, *, owner: str) -> "Dataset | IterableDataset":
    """Return a dataset or a stream, or raise if it is something else.

    Args:
        given: What the user gave.
        owner: The function that needs it.

    Returns:
        The same.

    Raises:
        InputError: It is neither.

    Example:
        >>> dataset_or_stream(None, owner="fit_threshold")
        Traceback (most recent call last):
        ...
        fair_datasets.checks.InputError: fit_threshold: it needs a dataset of Hugging Face Datasets,
        but it was given nothing (None); make one by Dataset.from_list, Dataset.from_dict or
        load_dataset.
    """
    from datasets import Dataset, IterableDataset

    if not isinstance(given, Dataset | IterableDataset):
        raise _other(given, "a dataset of Hugging Face Datasets", owner)
    return given


def _other(given: Any, needed: str, owner: str) -> InputError:
    """Say what was given, and how to make a dataset of it."""
    from datasets import IterableDataset

    kind = type(given).__name__
    what = f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
    if given is None:
        what = "nothing (None)"
    advice = "make one by Dataset.from_list, Dataset.from_dict or load_dataset"
    if isinstance(given, Mapping) and any(hasattr(rows, "features") for rows in given.values()):
        advice = f"take one of its splits: {', '.join(map(repr, given))}"
    elif isinstance(given, IterableDataset):
        advice = "load it without streaming, as all rows are needed at once"
    elif hasattr(given, "columns") and hasattr(given, "iloc"):
        advice = "make one by Dataset.from_pandas(frame, preserve_index=False)"
    return InputError(f"{owner}: it needs {needed}, but it was given {what}; {advice}.")
