"""Writing a dataset as a Parquet folder that is there whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from fair_datasets.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_SHARD_BYTES = 500_000_000


def refuse_taken(folder: Path) -> None:
    """Raise if an output folder cannot be made because something lies there already.

    Args:
        folder: The folder that is to be written.

    Raises:
        InputError: It is a file, lies in one, or is a folder that is not empty.
    """
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(
            f"The output folder {folder} already holds something, and nothing is overwritten; "
            "choose another --out or empty the folder."
        )
    place = _existing(folder)
    if not place.is_dir():
        raise InputError(
            f"The output folder {folder} cannot be made, as {place} is a file; "
            "choose another --out."
        )
    if "[" in folder.name or "::" in folder.name:
        raise InputError(
            f"load_dataset cannot open a folder that is named {folder.name!r}; choose an --out "
            "without [ and :: in its name."
        )


@contextmanager
def whole_folder(folder: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give a folder to write to, which becomes the output folder when all went well.

    Args:
        folder: The output folder.
        replace: Whether a folder that lies there is replaced.

    Yields:
        A hidden folder beside it. It is removed if anything fails, an interrupt included.

    Raises:
        InputError: Something lies there already and is not to be replaced.
    """
    if not replace:
        refuse_taken(folder)
    folder = folder.resolve()
    place = _existing(folder.parent)
    partial = Path(mkdtemp(prefix=f".{folder.name}.partial-", dir=place))
    old = partial.with_suffix(".old")
    try:
        # mkdtemp makes a folder that only the owner may read.
        partial.chmod(0o777 & ~_umask())
        yield partial
        if replace and folder.exists():
            os.replace(folder, old)
        else:
            refuse_taken(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        os.replace(partial, folder)
    finally:
        if old.exists() and not folder.exists():
            os.replace(old, folder)
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def write_parquet(dataset: "Dataset", folder: Path, split: str) -> None:
    """Write one split as Parquet files the way the Hub names them, with its features.

    Args:
        dataset: The rows.
        folder: The folder of the whole dataset; the files go to its `data` folder.
        split: The split's name.
    """
    (folder / "data").mkdir(exist_ok=True)
    count = max(1, ceil(dataset.data.nbytes / _SHARD_BYTES))
    for number in range(count):
        shard = dataset.shard(count, number, contiguous=True)
        shard.to_parquet(str(folder / "data" / f"{split}-{number:05d}-of-{count:05d}.parquet"))


def _existing(path: Path) -> Path:
    """Return a path, or the nearest folder above it that exists."""
    return next(place for place in (path, *path.absolute().parents) if place.exists())


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
