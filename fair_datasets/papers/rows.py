"""Reading the data sets of papers: from the Hub or from files, with the columns they must have."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import InputError, listed, suggestion

if TYPE_CHECKING:
    from datasets import Dataset

_READERS = {"csv": "csv", "tsv": "csv", "json": "json", "jsonl": "json", "parquet": "parquet"}


def refuse_script(name: str, place: str, known: Mapping[str, Any]) -> None:
    """Raise for a data set that exists as a script alone, which `datasets` runs no longer.

    Args:
        name: What the command calls it.
        place: Its Hub id or file.
        known: What the paper's file says of it.

    Raises:
        InputError: It is one.

    Example:
        >>> refuse_script("ecthr", "coastalcph/fairlex",
        ...               {"script": "coastalcph/fairlex", "form": "give a CSV file"})
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: --data ecthr: 'coastalcph/fairlex' is a script on the Hub,
        which datasets no longer runs; give a CSV file.
    """
    if place and place == known.get("script"):
        raise InputError(
            f"--data {name}: {place!r} is a script on the Hub, which datasets no longer runs; "
            f"{known['form']}."
        )


def read_rows(name: str, place: str, known: Mapping[str, Any]) -> "dict[str, Dataset]":
    """Read the splits of a data set.

    Args:
        name: What the command calls it.
        place: A Hub id, a folder or a file.
        known: What the paper's file says of it.

    Returns:
        Split to rows; a file alone is the split `train`.

    Raises:
        InputError: It cannot be read.
    """
    from datasets import Dataset, load_dataset

    from fair_datasets.hub.reading import pull_dataset

    path = Path(place)
    ending = path.name.removesuffix(".gz").rpartition(".")[2]
    if not path.exists():
        found: Any = pull_dataset(place, known.get("config"), split=known.get("split"))
    elif path.is_dir():
        found = load_dataset(place)
    elif ending in _READERS:
        options = {"sep": "\t"} if ending == "tsv" else {}
        found = load_dataset(_READERS[ending], data_files=place, split="train", **options)
    else:
        raise InputError(
            f"--data {name}: {path.name!r} is of no known form; give a file that ends in "
            f"{listed(_READERS)}, or a folder of them."
        )
    return {"train": found} if isinstance(found, Dataset) else dict(found)


def require_columns(name: str, found: "Mapping[str, Dataset]", known: Mapping[str, Any]) -> None:
    """Raise unless each split has the columns that the paper's code reads.

    Args:
        name: What the command calls the data set.
        found: Its splits.
        known: What the paper's file says of it.

    Raises:
        InputError: A column is missing.
    """
    for split, rows in found.items():
        for column in known.get("columns", ()):
            if column not in rows.column_names:
                raise InputError(
                    f"--data {name}, split {split}: the column {column!r} is missing; there are "
                    f"{listed(rows.column_names)}.{suggestion(column, rows.column_names)} "
                    f"What works: {known['form']}."
                )


def cut(rows: "Dataset", most: int, seed: int = 0) -> "Dataset":
    """Return so many rows at most, drawn by chance.

    Args:
        rows: The rows.
        most: How many; 0 for all.
        seed: Decides which.

    Returns:
        The rows.
    """
    return rows.shuffle(seed=seed).select(range(most)) if 0 < most < len(rows) else rows
