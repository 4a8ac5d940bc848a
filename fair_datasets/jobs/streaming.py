"""Working through streams: how many shards there are is known only at their end."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.jobs.engines import Engine
from fair_datasets.jobs.job import Job, discard
from fair_datasets.jobs.progress import Clock
from fair_datasets.jobs.shards import Finished, Shard, Work, Worker, finished
from fair_datasets.jobs.streams import Stream
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.notes import NOTES, read_note, write_note
from fair_datasets.system.waiting import UnansweredError

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset, Features

SHARD_ROWS = 10_000
"""How many rows of a stream a shard has where nobody says."""
_STATES = "states"


def run_streams(
    job: Job,
    streams: Mapping[str, Stream],
    work: Mapping[str, Work],
    *,
    size: int,
    engine: Engine,
    log: Callable[[str], None] = lambda line: None,
) -> dict[str, list[Finished]]:
    """Work through the shards of streams that are not finished yet, one stream after the other.

    This process reads; where there are several, the others rewrite.

    Returns:
        Split name to what was noted of its shards.

    Raises:
        InputError: The rows are refused, or are others than before; nothing is kept of the job.
    """
    readers = {split: Reader(job.folder, split, rows, size) for split, rows in streams.items()}
    try:
        for reader in readers.values():
            reader.tidy()
        with Clock(job.folder / NOTES, None, None, log, "Rewriting") as clock:
            for split, reader in readers.items():
                worker = Worker(job.folder, {split: reader.read}, {split: work[split]})
                for shard, noted in engine(reader.missing(clock), worker, clock.rows):
                    write_note(shard.note(job.folder), noted._asdict())
                    reader.finish(shard, noted)
                    clock.finished(shard)
    except UnansweredError:
        raise
    except InputError:
        discard(job.folder)
        raise
    found = {split: reader.named() for split, reader in readers.items()}
    job.finished = {each.name: each for shards in found.values() for each in shards}
    return found


@dataclass(frozen=True)
class ReadRows:
    """The rows of a stream that were read and are not worked through yet: files of Arrow.

    Attributes:
        notes: The folder of the notes.
        split: The split's name.
        size: The number of rows of a shard.
        features: The columns.
    """

    notes: Path
    split: str
    size: int
    features: "Features"

    def file(self, number: int) -> Path:
        """Return the file of a shard."""
        return self.notes / f"{self.split}-{number:05d}.arrow.partial"

    def select(self, indices: range) -> "Dataset":
        """Return the rows of a shard."""
        from datasets import Dataset

        return Dataset.from_file(str(self.file(indices.start // self.size)))


@dataclass
class Reader:
    """Reads the shards of a stream that are missing.

    Attributes:
        folder: The folder of the job.
        split: The split's name.
        stream: The stream.
        size: The number of rows of a shard.
        found: What was noted of each finished shard, by its number.
    """

    folder: Path
    split: str
    stream: Stream
    size: int
    found: dict[int, Finished] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin nowhere."""
        self.read = ReadRows(self.folder / NOTES, self.split, self.size, self.stream.features)
        self._tables: Iterator[tuple[pa.Table, Any]] = iter(())
        self._place = -1
        # Batches end where shards do.
        self._batch = self.size if self.size % ROWS_AT_ONCE else ROWS_AT_ONCE

    def tidy(self) -> None:
        """Remove what is half-written, and take back the names that finished shards had."""
        (self.folder / "data").mkdir(exist_ok=True)
        (self.folder / NOTES / _STATES).mkdir(exist_ok=True)
        for left in (self.folder / NOTES).glob("*.partial"):
            left.unlink()
        for file in (self.folder / "data").glob(f"{self.split}-[0-9]*-of-*.parquet"):
            os.replace(file, file.with_name(f"{file.name.partition('-of-')[0]}.parquet"))

    def missing(self, clock: Clock) -> Iterator[Shard]:
        """Read the shards that are not finished; those that are, are read only if they must be.

        Yields:
            Each shard once its rows lie in a file.

        Raises:
            InputError: The stream gives other rows than it did.
        """
        number = 0
        while True:
            shard = self._shard(number, self.size)
            noted = finished(shard, self.folder)
            if noted is None:
                rows = self._rows_of(number)
                if not rows:
                    return
                yield self._shard(number, rows)
            else:
                rows = noted.rows_in
                self.found[number] = noted
                clock.found(rows)
            number += 1
            if rows < self.size:
                return

    def finish(self, shard: Shard, noted: Finished) -> None:
        """Note a shard that was worked through."""
        self.found[shard.number] = noted
        self.read.file(shard.number).unlink(missing_ok=True)

    def named(self) -> list[Finished]:
        """Give the shards the names that they have once it is known how many there are.

        Returns:
            What was noted of them, in their order.

        Raises:
            InputError: There is none.
        """
        if not self.found:
            discard(self.folder)
            raise InputError(f"{self.stream.name} has no rows; leave it out.")
        made = []
        for number, noted in sorted(self.found.items()):
            shard = self._shard(number, noted.rows_in)
            last = shard._replace(total=len(self.found))
            os.replace(shard.file(self.folder), last.file(self.folder))
            made.append(noted._replace(name=last.name))
        return made

    def _shard(self, number: int, rows: int) -> Shard:
        """Return a shard, of which nobody knows how many there are."""
        return Shard(self.split, number, 0, number * self.size, number * self.size + rows)

    def _state(self, number: int) -> Path:
        """Return the file of what is known of the stream behind a shard."""
        return self.folder / NOTES / _STATES / f"{self.split}-{number:05d}.json"

    def _rows_of(self, number: int) -> int:
        """Read the rows of a shard into a file, and return how many there are."""
        before = read_note(self._state(number - 1)) if self.stream.goes_on else None
        if self._place != number and (number == 0 or before):
            self._open(number, before["state"] if before else None)
        elif not 0 <= self._place <= number:
            self._open(0, None)
        while self._place < number:
            self._copied(self._place)
        return self._copied(number)

    def _open(self, number: int, state: Any) -> None:
        """Begin to read at a shard."""
        self._tables = self.stream.tables(self._batch, state)
        self._place = number

    def _copied(self, number: int) -> int:
        """Copy the next shard into a file, which must hold what it held before."""
        import pyarrow as pa

        digest, rows, state = hashlib.sha256(), 0, None
        file, schema = self.read.file(number), self.stream.features.arrow_schema
        with pa.OSFile(str(file), "wb") as opened, pa.ipc.new_stream(opened, schema) as writer:
            while rows < self.size and (found := next(self._tables, None)) is not None:
                interrupts.obey()
                table, state = found
                for batch in table.combine_chunks().to_batches():
                    # Parts that were read at once or one by one are the same rows.
                    whole = pa.concat_batches([batch])
                    digest.update(whole.serialize())
                    writer.write_batch(whole)
                rows += len(table)
        self._place = number + 1
        known = read_note(self._state(number))
        if known and known["digest"] != digest.hexdigest():
            raise InputError(
                f"{self.stream.name}: the stream gives other rows than it did before, so the job "
                "cannot resume; give one that is the same each time, such as `shuffle(seed=...)`."
            )
        if rows and not known:
            note = {"digest": digest.hexdigest(), "state": state}
            write_note(self._state(number), note)
        if number in self.found:
            file.unlink()
        return rows
