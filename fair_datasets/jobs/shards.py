"""The parts that the rows of a dataset are worked through in, and what is noted of each."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from uuid import uuid4

from fair_datasets.rows.parquet import write_parquet
from fair_datasets.system.files import NOTES, read_note

if TYPE_CHECKING:
    from datasets import Dataset, Features

_FEWEST, _MOST = 10_000, 50_000
_FILES = 32
_BYTES = 64_000_000
_GROUP = 4
"""How many times as long as other shards one may be that is read as a whole anyway."""
STEPS = "steps"
"""The folder, among the notes, of the jobs that make what this one is made from."""


class Shard(NamedTuple):
    """A part of the rows of a split, which becomes one file.

    Attributes:
        number: Its place among the shards of the split, counted from 0.
        total: How many shards the split has; 0 while it is not known.
        start: The number of its first row.
        stop: The number of the row behind its last one.
    """

    split: str
    number: int
    total: int
    start: int
    stop: int

    @property
    def name(self) -> str:
        """Its name, as the Hub names the files of a split."""
        of = f"-of-{self.total:05d}" if self.total else ""
        return f"{self.split}-{self.number:05d}{of}"

    def file(self, folder: Path) -> Path:
        """Return the file that it becomes in the folder of a dataset."""
        return folder / "data" / f"{self.name}.parquet"

    def note(self, folder: Path) -> Path:
        """Return the file that says it is finished."""
        return folder / NOTES / f"{self.name}.json"


class Finished(NamedTuple):
    """What is noted of a finished shard.

    Attributes:
        digest: The SHA-256 of its file.
    """

    name: str
    rows_in: int
    rows_out: int
    size: int
    digest: str
    tally: Any


class Selectable(Protocol):
    """What gives some of its rows."""

    def select(self, indices: range) -> "Dataset":
        """Read some of the rows."""


class Rows(Selectable, Protocol):
    """What is worked through: a Dataset, or what reads its rows from where they lie."""

    @property
    def features(self) -> "Features":
        """The columns."""

    def __len__(self) -> int:
        """Return the number of rows."""


Progress = Callable[[int], None]
"""What is told how many more rows are done."""
Work = Callable[["Dataset", Progress], tuple["Dataset", Any]]
"""What makes of the rows of a shard those that are written, and counts what JSON can hold."""


def default_rows(rows: Any) -> int:
    """Choose how many rows a shard has: few enough for memory, and for several processes.

    How many processes there are does not matter, so that any number gives the same files.

    Args:
        rows: The rows of a split: a Dataset, or what knows its `shard_rows`.

    Returns:
        The number; the same for the same rows.
    """
    known: int = getattr(rows, "shard_rows", 0)
    return known or fitting_rows(len(rows), rows.data.nbytes / max(1, len(rows.data)))


def fitting_rows(number: int, size: float, *, group: int = 0) -> int:
    """Choose how many rows a shard has, by how many there are and how long they are.

    Args:
        group: How many rows are read at once at least; a shard has that many if memory allows.
    """
    held = max(1, int(_BYTES / max(1.0, size)))
    fitting = min(max(_FEWEST, min(_MOST, ceil(number / _FILES))), held)
    return group if fitting < group <= _GROUP * held else fitting


def shards_of(split: str, total: int, size: int) -> Iterator[Shard]:
    """Divide the rows of a split; one without rows is one shard."""
    count = max(1, ceil(total / size))
    for number in range(count):
        yield Shard(split, number, count, number * size, min(total, (number + 1) * size))


@dataclass(frozen=True)
class Worker:
    """Works through shards, in whichever process.

    Attributes:
        work: Split name to what is made of its rows.
    """

    folder: Path
    splits: Mapping[str, Selectable]
    work: Mapping[str, Work]

    def __call__(self, shard: Shard, progress: Progress) -> Finished:
        """Work through a shard, and write it."""
        rows = self.splits[shard.split].select(range(shard.start, shard.stop))
        file = shard.file(self.folder)
        # What a cluster took for lost may work on the same shard still, and writes the same bytes.
        partial = self.folder / NOTES / f"{shard.name}.{uuid4().hex}.parquet.partial"
        with without_bars():
            result, tally = self.work[shard.split](rows, progress)
            write_parquet(result, partial)
        found = Finished(
            shard.name, len(rows), len(result), partial.stat().st_size, _digest(partial), tally
        )
        os.replace(partial, file)
        return found


@contextmanager
def without_bars() -> Iterator[None]:
    """Leave progress to the one bar of the job, which is there already."""
    import datasets

    if datasets.are_progress_bars_disabled():
        yield
        return
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        datasets.enable_progress_bars()


def finished(shard: Shard, folder: Path) -> Finished | None:
    """Read what was noted of a shard, if its file is what was written then.

    Returns:
        What was noted; None if it is not finished, or its file is gone or another one.
    """
    noted, file = read_note(shard.note(folder)), shard.file(folder)
    if noted is None or set(noted) != set(Finished._fields) or not file.is_file():
        return None
    found = Finished(**noted)
    is_same = file.stat().st_size == found.size and _digest(file) == found.digest
    return found if is_same else None


def _digest(file: Path) -> str:
    """Return the SHA-256 of a file, read now."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
