"""Streams as the source of a job: how many shards there are is known only at their end."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.jobs.job import Job, discard
from fair_datasets.jobs.processes import Engine
from fair_datasets.jobs.shards import Finished, Shard, Work, Worker, as_bytes, read_finished
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.rows.parquet_columns import plain_features
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import NOTES, read_note, write_note
from fair_datasets.system.resume import ProgressTracker

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Features, IterableDataset

_HEAD = 1000


@dataclass(frozen=True)
class Stream:
    """The rows of a stream, as tables.

    Attributes:
        rows: The stream; in the format of Arrow if it comes as that, or else in that of Python.
        goes_on: Whether its state says where it is.
    """

    name: str
    rows: "IterableDataset"
    features: "Features"
    digest: str
    goes_on: bool

    @classmethod
    def of(cls, rows: "IterableDataset", name: str) -> "Stream":
        """Take a stream; where its columns are unknown, they are those of its first 1,000 rows."""
        is_arrow = rows._ex_iterable.iter_arrow is not None
        features = plain_features(rows.features or _head_features(rows.with_format(None), name))
        what = describe_stream(rows, features)
        digest = hashlib.sha256(what.encode()).hexdigest()
        # A shuffle buffer is no part of the state.
        goes_on = "BufferShuffledExamplesIterable" not in what
        given = rows.with_format("arrow" if is_arrow else None)
        return cls(name, given, features, digest, goes_on)

    def tables(self, batch: int, state: Any = None) -> "Iterator[tuple[pa.Table, Any]]":
        """Read the stream."""
        from pyarrow import ArrowException

        rows, read = copy(self.rows), 0
        if state is not None:
            rows.load_state_dict(state)
        batches = rows.iter(batch_size=batch)
        while True:
            try:
                columns = next(batches, None)
                if columns is None:
                    return
                table = _as_table(columns, self.features)
            except InputError:
                raise
            except (ArrowException, ValueError, TypeError, KeyError) as error:
                raise InputError(
                    f"{self.name}: after {read:,} rows, a row has other columns or types than "
                    f"those before ({error}); declare them, as by "
                    "`load_dataset(..., features=...)` or `stream.cast(features)`."
                ) from error
            read += len(table)
            yield table, rows.state_dict()


def _as_table(rows: Any, features: "Features") -> "pa.Table":
    """Return a batch of a stream as a table that has the features."""
    import pyarrow as pa
    from datasets import Dataset
    from datasets.table import table_cast

    if isinstance(rows, pa.Table):
        return table_cast(rows, features.arrow_schema)
    length = len(next(iter(rows.values())))
    every = {name: rows.get(name, [None] * length) for name in {**features, **rows}}
    return Dataset.from_dict(every, features=features).data.table


def describe_stream(rows: "IterableDataset", features: "Features") -> str:
    """Describe a stream as JSON, as far as it can be known without reading it.

    These count: its columns, its builder and configuration, its files (those of the Hub by their
    commit, those here by their size and time), the rows of a dataset that it was made of, the code
    of the functions that it maps, and the seeds that it shuffles by. What a generator reads by
    itself, and what lies at an address of the web, cannot be known.

    Example:
        >>> from datasets import Dataset
        >>> stream = Dataset.from_dict({"text": ["a", "b"]}).to_iterable_dataset()
        >>> one = describe_stream(stream, stream.features)
        >>> one == describe_stream(stream, stream.features)
        True
        >>> one == describe_stream(stream.skip(1), stream.features)
        False
    """
    info = rows.info
    what = [str(features), info.builder_name, info.config_name, str(info.version),
            int(rows.epoch), repr(rows._distributed), _describe(rows._ex_iterable)]  # fmt: skip
    return json.dumps(what, sort_keys=True)


def _held(value: Any) -> dict[str, Any]:
    """Return what an object of a stream holds, without what changes while it is read."""
    changes = ("last_item", "token_per_repo_id")
    return {
        name: each
        for name, each in vars(value).items()
        if not name.startswith("_") and name not in changes
    }


def _describe(value: Any) -> Any:
    """Describe a part of a stream as JSON."""
    import numpy as np
    from datasets import Dataset

    from fair_datasets.jobs.run import rows_digest

    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return [value, *_file_state(value)]
    if isinstance(value, Mapping):
        return {str(name): _describe(each) for name, each in value.items()}
    if isinstance(value, Sequence):
        return [_describe(each) for each in value]
    if isinstance(value, np.random.Generator):
        return repr(value.bit_generator.state)
    if isinstance(value, Dataset):
        return rows_digest(value)
    kind = type(value)
    if kind.__module__.startswith("datasets.") and not callable(value):
        return [kind.__qualname__, _describe(_held(value))]
    return _code_of(value)


def _file_state(place: str) -> list[int]:
    """Return the size of a file that lies here, and when it was changed."""
    try:
        status = Path(place).stat() if Path(place).is_file() else None
    except (OSError, ValueError):  # It is no name of a file.
        return []
    return [] if status is None else [status.st_size, status.st_mtime_ns]


def _code_of(value: Any) -> str:
    """Describe a function, or another object, by what it is made of."""
    from datasets.fingerprint import Hasher

    owner = getattr(value, "__self__", None)
    if type(owner).__module__.startswith("datasets."):
        # A method of a builder, whose files and settings are described by themselves.
        config = getattr(owner, "config", None)
        return f"{type(owner).__qualname__}.{value.__name__} {config!r}"
    try:
        return str(Hasher.hash(value))
    except Exception:  # What cannot be pickled fails in any way.
        return f"{type(value).__module__}.{type(value).__qualname__}"


def _head_features(rows: "IterableDataset", name: str) -> "Features":
    """Return the columns of the first rows of a stream."""
    from datasets import Dataset

    head = list(rows.take(_HEAD))
    if not head:
        raise InputError(f"{name} has no rows; leave it out.")
    features = Dataset.from_list(head).features
    for column, feature in features.items():
        if "null" in str(feature):
            raise InputError(
                f"{name}: the stream does not declare its columns, and its first {len(head):,} "
                f"rows do not show the type of {column!r}; declare them, as by "
                "`load_dataset(..., features=...)` or `stream.cast(features)`."
            )
    return features


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
) -> dict[str, list[Finished]]:
    """Work through the shards of streams that are not finished yet, one stream after the other.

    This process reads; where there are several, the others rewrite.
    """
    readers = {split: Reader(job.folder, split, rows, size) for split, rows in streams.items()}
    for reader in readers.values():
        reader.tidy()
    with job.counting("Rewriting", None) as steps:
        for split, reader in readers.items():
            worker = Worker(job.folder, {}, {split: work[split]})
            for shard, noted in job.performed(reader.missing(steps), worker, engine, steps):
                reader.finished[shard.number] = noted
    records = {split: reader.named() for split, reader in readers.items()}
    job.finished = {each.name: each for shards in records.values() for each in shards}
    return records


@dataclass
class Reader:
    """Reads the shards of a stream that are missing."""

    folder: Path
    split: str
    stream: Stream
    size: int
    finished: dict[int, Finished] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin nowhere."""
        self._tables: Iterator[tuple[pa.Table, Any]] = iter(())
        self._place = -1
        # Batches end where shards do.
        self._batch = self.size if self.size % ROWS_AT_ONCE else ROWS_AT_ONCE

    def tidy(self) -> None:
        """Take back the names that finished shards had."""
        (self.folder / NOTES / _STATES).mkdir(exist_ok=True)
        for file in (self.folder / "data").glob(f"{self.split}-[0-9]*-of-*.parquet"):
            os.replace(file, file.with_name(f"{file.name.partition('-of-')[0]}.parquet"))

    def missing(self, steps: ProgressTracker) -> Iterator[Shard]:
        """Read the shards that are not finished; those that are, are read only if they must be."""
        number = 0
        while True:
            shard = self._shard(number, self.size)
            noted = read_finished(shard, self.folder)
            if noted is None:
                shard = self._read_shard(number)
                rows = shard.stop - shard.start
                if not rows:
                    return
                yield shard
            else:
                rows = noted.rows_in
                self.finished[number] = noted
                steps.skip(rows)
            number += 1
            if rows < self.size:
                return

    def named(self) -> list[Finished]:
        """Give the shards the names that they have once it is known how many there are."""
        if not self.finished:
            discard(self.folder)
            raise InputError(f"{self.stream.name} has no rows; leave it out.")
        made = []
        for number, noted in sorted(self.finished.items()):
            shard = self._shard(number, noted.rows_in)
            last = shard._replace(total=len(self.finished))
            os.replace(shard.file(self.folder), last.file(self.folder))
            made.append(noted._replace(name=last.name))
        return made

    def _shard(self, number: int, rows: int) -> Shard:
        """Return a shard of a split whose number of shards is not known."""
        return Shard(self.split, number, 0, number * self.size, number * self.size + rows)

    def _state(self, number: int) -> Path:
        """Return the file of what is known of the stream behind a shard."""
        return self.folder / NOTES / _STATES / f"{self.split}-{number:05d}.json"

    def _read_shard(self, number: int) -> Shard:
        """Read the rows of a shard, from the state behind the one before if that is known."""
        before = read_note(self._state(number - 1)) if self.stream.goes_on else None
        if self._place != number and (number == 0 or before):
            self._open(number, before["state"] if before else None)
        elif not 0 <= self._place <= number:
            self._open(0, None)
        while self._place < number:
            self._next()
        return self._next()

    def _open(self, number: int, state: Any) -> None:
        """Begin to read at a shard."""
        self._tables = self.stream.tables(self._batch, state)
        self._place = number

    def _next(self) -> Shard:
        """Read the next shard, which must hold what it held before."""
        import pyarrow as pa

        number, rows, state = self._place, 0, None
        tables = [self.stream.features.arrow_schema.empty_table()]
        while rows < self.size and (item := next(self._tables, None)) is not None:
            interrupts.raise_if_interrupted()
            table, state = item
            tables.append(table)
            rows += len(table)
        self._place += 1
        content = as_bytes(pa.concat_tables(tables), self.stream.features)
        note = {"digest": hashlib.sha256(content).hexdigest(), "state": state}
        known = read_note(self._state(number))
        if known and known["digest"] != note["digest"]:
            raise InputError(
                f"{self.stream.name}: the stream gives other rows than it did before, so the job "
                "cannot resume; give one that is the same each time, such as `shuffle(seed=...)`."
            )
        if rows and not known:
            write_note(self._state(number), note)
        return self._shard(number, rows)._replace(rows=content)
