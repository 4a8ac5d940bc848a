"""Rows of Parquet files that are read where they lie: on a disk, in an object store, on the Hub."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fair_datasets.checks import InputError
from fair_datasets.digests import file_digest
from fair_datasets.jobs.shards import fitting_rows

if TYPE_CHECKING:
    from datasets import Dataset, Features

_THREADS = 16
_NAMED = re.compile(r"(?P<split>\w+(\.\w+)*)-\d{5,}-of-\d{5,}(-[0-9a-f]+)?\.parquet")
# What says of a file what is in it, as file systems name it.
_CONTENT = ("ETag", "etag", "md5Hash", "content_md5", "blob_id", "checksum")
_LOCAL = ("file", "local")
_HUB = ("hf://", "https://huggingface.co/", "https://hf.co/")
# The words for splits in the names of files and folders, as `datasets` knows them.
_SPLITS = {
    "train": {"train", "training"},
    "validation": {"validation", "valid", "val", "dev"},
    "test": {"test", "testing", "eval", "evaluation"},
}

T = TypeVar("T")


class ParquetFile(NamedTuple):
    """A file, as it was when it was found.

    Attributes:
        address: Where it lies, with its protocol.
        rows: The number of its rows.
        size: Its bytes.
        mark: What changes with its content.
        digest: The SHA-256 of its content; the mark, where it does not lie on a disk here.
    """

    address: str
    rows: int
    size: int
    mark: str
    digest: str


class _Footer(NamedTuple):
    """What the end of a file says of it."""

    features: "Features"
    rows: int
    group: int
    content: int


@dataclass(frozen=True)
class ParquetRows:
    """The rows of Parquet files of the same columns, one file after the other.

    Attributes:
        files: The files.
        features: Their columns, as `datasets` wrote them into the files, or by their types.
        shard_rows: How many rows suit a shard. A group of rows in a file is read as a whole, so
            that a smaller part would read it several times.
    """

    files: tuple[ParquetFile, ...]
    features: "Features"
    shard_rows: int

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._stops[-1]

    @cached_property
    def _stops(self) -> list[int]:
        """Return, for each file, the number of the row behind its last one."""
        return list(accumulate(file.rows for file in self.files))

    def digest(self) -> list[list[Any]]:
        """Say what the files hold, as JSON knows it."""
        return [[PurePosixPath(file.address).name, file.size, file.digest] for file in self.files]

    @property
    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.features)

    def iter(self, batch_size: int) -> Iterator[Mapping[str, list[Any]]]:
        """Read the rows in batches.

        Args:
            batch_size: The number of rows of a batch, at most.

        Yields:
            Column name to values.
        """
        for start in range(0, len(self), self.shard_rows):
            part = self.select(range(start, min(len(self), start + self.shard_rows)))
            yield from part.iter(batch_size)

    def select(self, indices: range) -> "Dataset":
        """Read some of the rows.

        Args:
            indices: Their numbers, one after the other.

        Returns:
            The rows.

        Raises:
            InputError: A file was changed since it was found, or cannot be read.
        """
        import pyarrow as pa
        from datasets import Dataset, DatasetInfo

        schema = self.features.arrow_schema
        tables = [schema.empty_table()]
        start, place = indices.start, bisect_right(self._stops, indices.start)
        while start < indices.stop:
            stop, file = self._stops[place], self.files[place]
            before = stop - file.rows
            if file.rows:
                last = min(stop, indices.stop) - before
                tables.append(_read(file, start - before, last, schema))
            start, place = stop, place + 1
        return Dataset(
            pa.concat_tables(tables), info=DatasetInfo(features=self.features), fingerprint="rows"
        )


def is_address(source: str) -> bool:
    """Tell whether a source names Parquet files that are read where they lie.

    Args:
        source: What is to be read.

    Returns:
        Whether it is a pattern, and no file is named so, or has the protocol of a file system
        other than the Hub's.

    Example:
        >>> [is_address(each) for each in ("s3://a/b", "data/*.parquet", "hf://datasets/a/b", "b")]
        [True, True, False, False]
    """
    if "://" in source:
        is_of_hub = source.startswith(_HUB)
        return "*" in source or not is_of_hub
    return "*" in source and not Path(source).exists()


def parquet_splits(sources: str | Sequence[str], *, owner: str) -> dict[str, ParquetRows]:
    """Find Parquet files.

    Args:
        sources: The address of a file or a folder, or a pattern, such as
            "hf://datasets/ada/reviews/**/*.parquet" or "s3://reviews/*.parquet"; or several.
        owner: Who asks, for errors.

    Returns:
        Split name to its rows. Their names say it ("test-00000-of-00002.parquet", "test.parquet",
        "test/a.parquet"), as `datasets` reads them; all are "train" where none says another.

    Raises:
        InputError: There are no such files, they cannot be read, have different columns, or some
            say of which split they are and others do not.
    """
    several = [sources] if isinstance(sources, str) else list(sources)
    addresses = [address for each in several for address in _found(each, owner)]
    footers = _side_by_side(lambda address: _footer(address, owner), addresses)
    files = _side_by_side(_file, addresses, [footer.rows for footer in footers])
    splits: dict[str, list[tuple[ParquetFile, _Footer]]] = {}
    for split, file, footer in zip(_splits_of(addresses, owner), files, footers, strict=True):
        splits.setdefault(split, []).append((file, footer))
    return {split: _rows(each, owner) for split, each in splits.items()}


def _splits_of(addresses: Sequence[str], owner: str) -> list[str]:
    """Return the splits of files by their names, or raise if only some say theirs."""
    names = list(map(_split_of, addresses))
    if all(names):
        return [str(name) for name in names]
    said = [(name, address) for name, address in zip(names, addresses, strict=True) if name]
    others = [address for name, address in said if name != "train"]
    if others:
        untold = addresses[names.index(None)]
        raise InputError(
            f"{owner}: {others[0]} is by its name of the split {_split_of(others[0])!r}, and "
            f"{untold} does not say of which it is; name the files of each split by a pattern of "
            "their own, one run for each."
        )
    return ["train"] * len(addresses)


def _split_of(address: str) -> str | None:
    """Return the split that the name of a file or of its folder says."""
    path = PurePosixPath(address)
    named = _NAMED.fullmatch(path.name)
    if named:
        return named["split"]
    for words in (set(re.split(r"[^a-z]+", path.stem.lower())), {path.parent.name.lower()}):
        found = [split for split, several in _SPLITS.items() if words & several]
        if len(found) == 1:
            return found[0]
    return None


def _rows(found: Sequence[tuple[ParquetFile, _Footer]], owner: str) -> ParquetRows:
    """Put the files of a split together."""
    (first, footer), *others = found
    for file, other in others:
        if other.features != footer.features:
            name = next(
                name
                for name in {**footer.features, **other.features}
                if footer.features.get(name) != other.features.get(name)
            )
            kinds = [_kind(each.features.get(name)) for each in (footer, other)]
            raise InputError(
                f"{owner}: {file.address} has {kinds[1]} as the column {name!r}, but "
                f"{first.address} has {kinds[0]}; files that are read as one need the same columns "
                "of the same types."
            )
    rows = sum(file.rows for file, _ in found)
    size = sum(each.content for _, each in found) / max(1, rows)
    group = max(each.group for _, each in found)
    return ParquetRows(
        tuple(file for file, _ in found), footer.features, fitting_rows(rows, size, group=group)
    )


def _kind(feature: Any) -> str:
    """Name the type of a column."""
    if feature is None:
        return "nothing"
    return str(getattr(feature, "dtype", feature))


def refuse_inside(sources: str | Sequence[str], out: Path, *, owner: str) -> None:
    """Raise if what is to be written would be among the files that are read.

    Args:
        sources: As for `parquet_splits`.
        out: The folder that is to be written.
        owner: Who asks, for errors.

    Raises:
        InputError: It would.

    Example:
        >>> refuse_inside("texts/*.parquet", Path("texts/swapped"), owner="run")
    """
    from fsspec.core import url_to_fs
    from fsspec.utils import glob_translate

    for source in [sources] if isinstance(sources, str) else sources:
        system, path = url_to_fs(source)
        if set(_LOCAL).isdisjoint(_protocols(system)):
            continue
        pattern = path if "*" in path else f"{path.rstrip('/')}/**/*.parquet"
        for folder in (out, out.with_name(f"{out.name}.work")):
            file = folder.absolute() / "data" / "train-00000-of-00001.parquet"
            if re.match(glob_translate(pattern), file.as_posix()):
                raise InputError(
                    f"{owner}: {source} would name the files in {folder} too, which are written; "
                    "write to another place, or give a pattern that leaves it out."
                )


def _found(source: str, owner: str) -> list[str]:
    """Return the addresses of the files that a source names, in the order of their names."""
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(source)
        if "*" in path:
            paths = system.glob(path)
        else:
            paths = system.find(path) if system.isdir(path) else [path]
            paths = [each for each in paths if each.endswith(".parquet")]
        files = [system.unstrip_protocol(each) for each in sorted(paths)]
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"{owner}: {source} cannot be read: {_said(error)}.") from error
    wrong = [file for file in files if not file.endswith(".parquet")]
    if wrong or not files:
        raise InputError(
            f"{owner}: {source} names {wrong[0] if wrong else 'no Parquet file'}, and only Parquet "
            "files are read where they lie; check the address, or name them by a pattern that "
            "ends in *.parquet."
        )
    return files


def _footer(address: str, owner: str) -> _Footer:
    """Read the end of a file."""
    import pyarrow.parquet as pq
    from datasets import Features

    try:
        with _opened(address) as file:
            found = pq.ParquetFile(file)
            groups = [found.metadata.row_group(n) for n in range(found.metadata.num_row_groups)]
            return _Footer(
                Features.from_arrow_schema(found.schema_arrow),
                found.metadata.num_rows,
                max((group.num_rows for group in groups), default=0),
                sum(group.total_byte_size for group in groups),
            )
    except (OSError, ValueError, NotImplementedError) as error:
        raise InputError(f"{owner}: {address} cannot be read: {_said(error)}.") from error


def _file(address: str, rows: int) -> ParquetFile:
    """Say how a file is now."""
    import fsspec

    system, path = fsspec.core.url_to_fs(address)
    size, mark = _state(system, path)
    is_here = not set(_LOCAL).isdisjoint(_protocols(system))
    return ParquetFile(address, rows, size, mark, file_digest(Path(path)) if is_here else mark)


def _state(system: Any, path: str) -> tuple[int, str]:
    """Return the size of a file, and what changes with its content."""
    info = system.info(path)
    stated = [str(info[name]) for name in _CONTENT if info.get(name)]
    return int(info["size"]), stated[0] if stated else str(system.ukey(path))


def _read(file: ParquetFile, start: int, stop: int, schema: Any) -> Any:
    """Read rows of a file, of no more groups than they lie in."""
    import fsspec
    import pyarrow.parquet as pq

    system, path = fsspec.core.url_to_fs(file.address)
    system.invalidate_cache(path)
    try:
        if _state(system, path) != (file.size, file.mark):
            raise InputError(
                f"{file.address} was changed while it was read; run the same again once nobody "
                "writes to it."
            )
        with system.open(path, "rb") as opened:
            found = pq.ParquetFile(opened)
            sizes = [found.metadata.row_group(n).num_rows for n in range(found.num_row_groups)]
            stops = list(accumulate(sizes))
            groups = [
                n
                for n, (size, end) in enumerate(zip(sizes, stops, strict=True))
                if start < end and end - size < stop
            ]
            first = stops[groups[0]] - sizes[groups[0]]
            table = found.read_row_groups(groups, columns=schema.names)
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{file.address} is not there; with several machines, all of them have to see it"
        ) from error
    return table.slice(start - first, stop - start).select(schema.names).cast(schema)


def _opened(address: str) -> Any:
    """Open a file for reading."""
    import fsspec

    system, path = fsspec.core.url_to_fs(address)
    return system.open(path, "rb")


def _protocols(system: Any) -> tuple[str, ...]:
    """Return the protocols of a file system."""
    named = system.protocol
    return (named,) if isinstance(named, str) else tuple(named)


def _side_by_side(function: Callable[..., T], *several: Iterable[Any]) -> list[T]:
    """Call a function that mostly waits, for several arguments at once."""
    with ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(function, *several))


def _said(error: BaseException) -> str:
    """Return the message of an error on one line, without the full stop."""
    return " ".join(f"{error or type(error).__name__}".split()).rstrip(".")
