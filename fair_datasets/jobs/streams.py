"""Streams as the source of a job: their rows, what they are, and where to go on reading."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Features, IterableDataset

_HEAD = 1000


@dataclass(frozen=True)
class Stream:
    """The rows of a stream, as tables.

    Attributes:
        name: What names it in a sentence.
        rows: The stream; in the format of Arrow if it comes as that, or else in that of Python.
        features: Its columns.
        digest: What tells it from another one.
    """

    name: str
    rows: "IterableDataset"
    features: "Features"
    digest: str

    @classmethod
    def of(cls, rows: "IterableDataset", name: str) -> "Stream":
        """Take a stream; where its columns are unknown, they are those of its first 1,000 rows.

        Returns:
            The same.

        Raises:
            InputError: It has no rows, or one of its columns has no type yet.
        """
        is_arrow = rows._ex_iterable.iter_arrow is not None
        features = rows.features or _head_features(rows.with_format(None), name)
        digest = stream_digest(rows, features)
        return cls(name, rows.with_format("arrow" if is_arrow else None), features, digest)

    @property
    def goes_on(self) -> bool:
        """Whether its state says where it is: a shuffle buffer is no part of that."""
        return not any(
            type(part).__name__ == "BufferShuffledExamplesIterable"
            for part in _parts(self.rows._ex_iterable)
        )

    def tables(self, batch: int, state: Any = None) -> "Iterator[tuple[pa.Table, Any]]":
        """Read the stream.

        Args:
            state: Where to begin; None for the beginning.

        Yields:
            The rows of a batch, and the state behind them.

        Raises:
            InputError: Rows are of other types than the features say.
        """
        from pyarrow import ArrowException

        rows, read = copy(self.rows), 0
        if state is not None:
            rows.load_state_dict(state)
        batches = rows.iter(batch_size=batch)
        while True:
            try:
                found = next(batches, None)
                if found is None:
                    return
                table = _as_table(found, self.features)
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


def stream_digest(rows: "IterableDataset", features: "Features") -> str:
    """Say what a stream is, as far as that can be known without reading it.

    These count: its columns, its builder and configuration, its files (those of the Hub by their
    commit, those here by their size and time), the rows of a dataset that it was made of, the code
    of the functions that it maps, and the seeds that it shuffles by. What a generator reads by
    itself, and what lies at an address of the web, cannot be known.

    Returns:
        64 hexadecimal digits.

    Example:
        >>> from datasets import Dataset
        >>> stream = Dataset.from_dict({"text": ["a", "b"]}).to_iterable_dataset()
        >>> one = stream_digest(stream, stream.features)
        >>> one == stream_digest(stream, stream.features)
        True
        >>> one == stream_digest(stream.skip(1), stream.features)
        False
    """
    info = rows.info
    what = [str(features), info.builder_name, info.config_name, str(info.version),
            int(rows.epoch), repr(rows._distributed), _described(rows._ex_iterable)]  # fmt: skip
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def _parts(value: Any) -> Iterator[Any]:
    """Walk through the iterables that a stream is made of."""
    if isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _parts(each)
    elif type(value).__module__ == "datasets.iterable_dataset" and hasattr(value, "__dict__"):
        yield value
        for each in _held(value).values():
            yield from _parts(each)


def _held(value: Any) -> dict[str, Any]:
    """Return what an object of a stream holds, without what changes while it is read."""
    changes = ("last_item", "token_per_repo_id")
    return {
        name: each
        for name, each in vars(value).items()
        if not name.startswith("_") and name not in changes
    }


def _described(value: Any) -> Any:
    """Describe a part of a stream as JSON."""
    import numpy as np
    from datasets import Dataset

    from fair_datasets.jobs.run import rows_digest

    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return [value, *_file_state(value)]
    if isinstance(value, Mapping):
        return {str(name): _described(each) for name, each in value.items()}
    if isinstance(value, Sequence):
        return [_described(each) for each in value]
    if isinstance(value, np.random.Generator):
        return repr(value.bit_generator.state)
    if isinstance(value, Dataset):
        return rows_digest(value)
    kind = type(value)
    if kind.__module__.startswith("datasets.") and not callable(value):
        return [kind.__qualname__, _described(_held(value))]
    return _code_of(value)


def _file_state(place: str) -> list[int]:
    """Return the size of a file that lies here, and when it was changed."""
    try:
        found = Path(place).stat() if Path(place).is_file() else None
    except (OSError, ValueError):  # It is no name of a file.
        return []
    return [] if found is None else [found.st_size, found.st_mtime_ns]


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
