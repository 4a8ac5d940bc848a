"""The parts that the rows of a dataset are worked through in, and what is noted of each."""

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from uuid import uuid4

from fair_datasets.rows.arrow import write_parquet
from fair_datasets.system import interrupts
from fair_datasets.system.files import LOCK, NOTES, PROGRESS, is_locked, read_note, write_note
from fair_datasets.system.steps import NOTE_EVERY

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
        total: How many shards the split has; 0 while it is not known.
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
    """Read what was noted of a shard, if its file is what was written then."""
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


_SHARDS = "*-[0-9][0-9][0-9][0-9][0-9]*.json"


class Clock(AbstractContextManager["Clock"]):
    """Counts what is done, and says how long the rest takes."""

    def __init__(
        self,
        notes: Path,
        shards: Sequence[Shard] | None,
        missing: Sequence[Shard] | None,
        log: Callable[[str], None],
        title: str,
    ) -> None:
        """Set out to count.

        Args:
            shards: All shards; None if their number is not known, as for a stream.
            missing: Those that are to be done; None if their number is not known.
        """
        from datasets.utils import tqdm

        self.notes, self.log = notes, log
        self.began = self.noted = time.time()
        self.total = None if shards is None else _rows(shards)
        self.shards = None if shards is None else len(shards)
        self.shards_done = len(shards or ()) - len(missing or ())
        self.before = _rows(shards or ()) - _rows(missing or ())
        self.at_work: dict[str, tuple[float, int, int]] = {}
        self.done = 0
        self.bar = tqdm(total=self.total, initial=self.before, unit=" examples", desc=title)

    def __enter__(self) -> "Clock":
        """Begin."""
        if self.total is not None:
            self.log(
                f"{self.shards_done} of {self.shards} shards are finished; "
                f"{self.total - self.before:,} rows are to do"
            )
        self._note()
        return self

    def __exit__(self, *raised: object) -> None:
        """End."""
        self.bar.close()

    def rows(self, shard: Shard, number: int) -> None:
        """Count rows of a shard, and end the work if a signal came."""
        now = time.time()
        began, done, _ = self.at_work.get(shard.name, (now, 0, 0))
        self.at_work[shard.name] = (began, done + number, shard.stop - shard.start)
        self.done += number
        self.bar.update(number)
        if now - self.noted >= NOTE_EVERY:
            self._note()
        interrupts.obey()

    def found(self, rows: int) -> None:
        """Count a shard of a stream that an earlier run finished."""
        self.shards_done += 1
        self.before += rows
        self.bar.update(rows)
        self.log(f"{self.shards_done} shards are finished, {self.before:,} rows")

    def finished(self, shard: Shard) -> None:
        """Count a shard."""
        self.shards_done += 1
        began, _, rows = self.at_work.pop(shard.name, (self.began, 0, shard.stop - shard.start))
        seconds = time.time() - began
        self.log(
            f"{shard.name}: {rows:,} rows in {seconds:.1f} s ({_rate(rows, seconds):,.0f} rows/s); "
            f"{self._left()}"
        )
        self._note()

    def _left(self) -> str:
        """Say how much is left, and how long it takes; of a stream, how much is done."""
        if self.total is None or self.shards is None:
            return f"{self.shards_done} shards, {self.before + self.done:,} rows so far"
        rows = self.total - self.before - self.done
        left = _time_left(rows, _rate(self.done, time.time() - self.began))
        return f"{self.shards - self.shards_done} shards and {left}"

    def _note(self) -> None:
        self.noted = time.time()
        write_note(self.notes / PROGRESS, {
            "process": os.getpid(), "began": self.began, "noted": self.noted, "rows": self.total,
            "rows_done": self.before + self.done, "rows_now": self.done,
            "shards": self.shards, "shards_done": self.shards_done,
            "at_work": {name: list(each) for name, each in self.at_work.items()},
        })  # fmt: skip


def _rows(shards: Sequence[Shard]) -> int:
    return sum(shard.stop - shard.start for shard in shards)


def status_lines(folder: Path) -> list[str]:
    """Say how far the job is whose notes lie in a folder."""
    steps = sorted((folder / NOTES / STEPS).glob("*"))
    is_at_last = (folder / NOTES / PROGRESS).is_file() or not steps
    place = folder if is_at_last else steps[-1]
    found: Any = read_note(place / NOTES / PROGRESS)
    if not found:
        return [f"{folder}: a job was begun; no row is done yet."]
    is_running = is_locked(folder / NOTES / LOCK)
    if not is_running:
        noted = list(filter(None, map(read_note, (place / NOTES).glob(_SHARDS))))
        found["shards_done"] = len(noted)
        found["rows_done"] = sum(each["rows_in"] for each in noted)
    step = "" if is_at_last else f"step {place.name}: "
    total = found["rows"]
    share = "" if total is None else f" ({found['rows_done'] / max(1, total):.1%})"
    lines = [
        f"{folder}: {'running' if is_running else 'not running'}, {step}"
        f"{_of(found, 'shards')} finished, {_of(found, 'rows')}{share}."
    ]
    if not is_running:
        lines.append("The command that began it goes on from there.")
        return lines
    if rate := _rate(found["rows_now"], found["noted"] - found["began"]):
        rest = "the length of the stream is not known"
        if total is not None:
            rest = _time_left(total - found["rows_done"], rate)
        lines.append(f"{rate:,.0f} rows/s; {rest} (process {found['process']}).")
    for name, (began, done, rows) in found["at_work"].items():
        rest = _time_left(rows - done, _rate(done, found["noted"] - began))
        lines.append(f"{name}: {done:,} of {rows:,} rows; {rest}.")
    return lines


def _of(found: Mapping[str, Any], what: str) -> str:
    """Say how many are done, and of how many where that is known."""
    done, total = found[f"{what}_done"], found[what]
    return f"{done:,} {what}" if total is None else f"{done:,} of {total:,} {what}"


def _rate(rows: int, seconds: float) -> float:
    """Return how many rows are done in a second."""
    return rows / max(seconds, 1e-3)


def _time_left(rows: int, rate: float) -> str:
    """Say how long rows take."""
    return f"about {timedelta(seconds=round(rows / rate)) if rate else '?'} left"
