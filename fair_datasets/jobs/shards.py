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

from fair_datasets.rows.arrow import write_parquet
from fair_datasets.system.files import LOCK, NOTES, PROGRESS, is_locked, read_note
from fair_datasets.system.resume import format_progress

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset, Features


_FEWEST, _MOST = 10_000, 50_000
_FILES = 32
_BYTES = 16_000_000
_GROUP = 16
"""How many times as long as other shards one may be that is read as a whole anyway."""
STEPS = "steps"
"""The folder, among the notes, of the jobs that make what this one is made from."""


class Shard(NamedTuple):
    """A part of the rows of a split, which becomes one file.

    Attributes:
        total: How many shards the split has; 0 while it is not known.
        rows: The rows as an Arrow stream, where they travel with the shard.
    """

    split: str
    number: int
    total: int
    start: int
    stop: int
    rows: bytes | None = None

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
    """What is noted of a finished shard."""

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
    """Works through shards, in whichever process."""

    folder: Path
    splits: Mapping[str, Selectable]
    work: Mapping[str, Work]

    def __call__(self, shard: Shard, progress: Progress) -> Finished:
        """Work through a shard, and write it."""
        rows = self.rows_of(shard)
        file = shard.file(self.folder)
        # What a cluster took for lost may work on the same shard still, and writes the same bytes.
        partial = self.folder / NOTES / f"{shard.name}.{uuid4().hex}.parquet.partial"
        with hide_progress_bars():
            result, tally = self.work[shard.split](rows, progress)
            write_parquet(result, partial)
        record = Finished(
            shard.name, len(rows), len(result), partial.stat().st_size, _digest(partial), tally
        )
        os.replace(partial, file)
        return record

    def rows_of(self, shard: Shard) -> "Dataset":
        """Return the rows of a shard."""
        import pyarrow as pa
        from datasets import Dataset

        if shard.rows is None:
            return self.splits[shard.split].select(range(shard.start, shard.stop))
        return Dataset(pa.ipc.open_stream(shard.rows).read_all(), fingerprint="rows")


def as_bytes(table: "pa.Table", features: "Features") -> bytes:
    """Write rows as an Arrow stream; equal rows give equal bytes."""
    import pyarrow as pa

    schema = features.arrow_schema
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as stream:
        for batch in table.cast(schema).combine_chunks().to_batches():
            # Parts that were read at once or one by one are the same rows.
            stream.write_batch(pa.concat_batches([batch]))
    return bytes(sink.getvalue().to_pybytes())


@contextmanager
def hide_progress_bars() -> Iterator[None]:
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


def read_finished(shard: Shard, folder: Path) -> Finished | None:
    """Read what was noted of a shard, if its file is what was written then."""
    record, file = _noted(shard.note(folder)), shard.file(folder)
    if record is None or not file.is_file() or file.stat().st_size != record.size:
        return None
    return record if _digest(file) == record.digest else None


def _noted(note: Path) -> Finished | None:
    """Read a note of a shard; None if somebody else cut or changed it."""
    record = read_note(note)
    return Finished(**record) if record and set(record) == set(Finished._fields) else None


def _digest(file: Path) -> str:
    """Return the SHA-256 of a file, read now."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


_SHARDS = "*-[0-9][0-9][0-9][0-9][0-9]*.json"
PLAN = "plan.json"
"""The file, among the notes, that says how many shards and rows there are, if that is known."""


def status_lines(folder: Path) -> list[str]:
    """Return how far the job is whose notes lie in a folder."""
    steps = sorted((folder / NOTES / STEPS).glob("*"))
    is_at_last = (folder / NOTES / PLAN).is_file() or not steps
    notes = (folder if is_at_last else steps[-1]) / NOTES
    noted = list(filter(None, map(_noted, notes.glob(_SHARDS))))
    progress = read_note(notes / PROGRESS)
    if not noted and not progress:
        return [f"{folder}: a job was begun; no row is done yet."]
    plan = read_note(notes / PLAN) or {}
    is_running = is_locked(folder / NOTES / LOCK)
    of = {name: f" of {number:,}" for name, number in plan.items()}
    step = "" if is_at_last else f"step {notes.parent.name}: "
    rows = sum(each.rows_in for each in noted)
    lines = [
        f"{folder}: {'running' if is_running else 'not running'}, {step}{len(noted):,}"
        f"{of.get('shards', '')} shards finished, {rows:,}{of.get('rows', '')} rows."
    ]
    if not is_running:
        return [*lines, "The command that began it goes on from there."]
    return [
        *lines,
        *([f"{format_progress(progress)} (process {progress['process']})."] * bool(progress)),
    ]
