"""The tasks of `evaluate-encoders`, as a TOML file names them."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.numbers import as_numbers
from fair_datasets.cli.text_columns import check_text_columns
from fair_datasets.encoder_evaluation import EncoderTask
from fair_datasets.encoder_evaluation.tasks import KINDS, SPLITS
from fair_datasets.system.checks import InputError, listed, one_of

if TYPE_CHECKING:
    from datasets import Dataset

FORM = """\
The file of --tasks is TOML, a table for each task; kind is text, pair or similarity:

  [STS-B]
  kind = "similarity"
  columns = ["sentence1", "sentence2"]
  label = "score"
  train = "stsb/train.csv"
  validation = "stsb/dev.csv"
  test = "stsb/test.csv"

In place of the three files, data = "stsb" names a folder or a Hub id with the splits train,
validation and test. Paths begin where the file lies.
"""
_NEEDED = ("kind", "columns", "label")
_KEYS = (*_NEEDED, "data", *SPLITS)


def read_tasks(file: Path) -> list[EncoderTask]:
    """Read the tasks that a file names.

    Args:
        file: The TOML file.

    Returns:
        The tasks.

    Raises:
        InputError: It cannot be read, a key is missing or unknown, or a task's data are wrong.

    Example:
        >>> read_tasks(Path("no.toml"))
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: --tasks: 'no.toml' cannot be read (No such file or
        directory); check the path.
    """
    try:
        named = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(
            f"--tasks: {str(file)!r} cannot be read ({error.strerror}); check the path."
        ) from error
    except ValueError as error:
        raise InputError(f"--tasks: {file.name!r} is not TOML ({error}); mend it.") from error
    if not named:
        raise InputError(f"--tasks: {file.name!r} names no task; add a table such as [STS-B].")
    return [_task(name, settings, file) for name, settings in named.items()]


def _task(name: str, settings: Any, file: Path) -> EncoderTask:
    """Read one task."""
    owner = f"--tasks, task {name!r}"
    if not isinstance(settings, Mapping):
        raise InputError(
            f"{owner}: a task must be a table, but {name!r} is {settings!r}; write [{name}] above "
            "its keys."
        )
    for key in settings:
        one_of(key, _KEYS, owner=owner, parameter="each key")
    places = ("data",) if "data" in settings else SPLITS
    missing = [key for key in (*_NEEDED, *places) if key not in settings]
    if missing:
        raise InputError(
            f"{owner}: {missing[0]!r} is missing; give {listed(_NEEDED)}, and {listed(SPLITS)} or "
            "'data'."
        )
    if "data" in settings and (other := [split for split in SPLITS if split in settings]):
        raise InputError(f"{owner}: 'data' stands for all splits; leave out {other[0]!r}.")
    columns = settings["columns"]
    texts = [columns] if isinstance(columns, str) else columns
    one_of(settings["kind"], KINDS, owner=owner, parameter="kind")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{owner}: columns must be a list of column names, not {columns!r}.")
    splits: dict[str, Dataset] = {}
    for key in places:
        splits |= _read(settings[key], key, texts, file.parent, owner)
    if settings["kind"] == "similarity":
        splits = {key: _with_numbers(rows, settings["label"]) for key, rows in splits.items()}
    return EncoderTask(name=name, kind=settings["kind"], columns=tuple(texts),
                       label=settings["label"], splits=splits)  # fmt: skip


def _read(place: Any, key: str, texts: list[str], folder: Path, owner: str) -> "dict[str, Dataset]":
    """Read what a key names: all splits, or one of them."""
    if not isinstance(place, str) or not place:
        raise InputError(f"{owner}: {key} must be a path or a Hub id, but it is {place!r}.")
    source = str(folder / place) if (folder / place).exists() else place
    found = dict(load_input(source, texts, None))
    if key != "data" and len(found) > 1:
        raise InputError(
            f"{owner}: {key} = {place!r} has the splits {listed(found)}, where one file is meant; "
            "name it as 'data'."
        )
    named = found if key == "data" else dict(zip([key], found.values(), strict=True))
    for split, rows in named.items():
        check_text_columns(rows, texts, f"{owner}, {split}")
    return named


def _with_numbers(rows: "Dataset", label: Any) -> "Dataset":
    """Return rows whose scores are numbers, where they were kept as text."""
    if label not in rows.column_names:
        return rows
    values = rows[label][:]
    read = as_numbers(values)
    if read is values:
        return rows
    return rows.remove_columns(label).add_column(label, read)
