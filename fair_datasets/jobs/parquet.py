"""Parquet files by address or pattern, whose rows are read where they lie."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from os.path import abspath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.jobs.shards import fitting_rows
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.rows.parquet_columns import joined_feature, parquet_columns, refuse_encrypted
from fair_datasets.rows.table_folders import refuse_lost_columns, refuse_tables
from fair_datasets.system.checks import InputError, caller_name, in_error_context, invalid
from fair_datasets.system.portable import file_digest
from fair_datasets.system.retry import answer_of, retry_hub_requests

if TYPE_CHECKING:
    from datasets import Dataset, Features

# What says of a file what is in it, as file systems name it.
_CONTENT = ("ETag", "etag", "md5Hash", "content_md5", "blob_id", "checksum", "Last-Modified",
            "CRC", "chksum")  # fmt: skip
_LOCAL = ("file", "local")
_BUFFER = 1 << 20
"""How many bytes of a column are read at once, so that a large group is never held as a whole."""


class ParquetFile(NamedTuple):
    """A file, as it was when it was found.

    Attributes:
        digest: The SHA-256 of its content; the mark, where it does not lie on a disk here.
    """

    address: str
    rows: int
    size: int
    mark: str
    digest: str


class Footer(NamedTuple):
    """What the end of a file says of it."""

    features: "Features"
    rows: int
    group: int
    content: int


@dataclass(frozen=True)
class ParquetRows:
    """The rows of Parquet files of the same columns, one file after the other.

    Attributes:
        shard_rows: How many rows suit a shard. A group of rows in a file is read from its
            beginning, so that smaller parts would read what lies elsewhere several times.
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
        """Return what the files hold, as JSON knows it."""
        return [[_path(file.address).name, file.size, file.digest] for file in self.files]

    @property
    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.features)

    def iter(self, batch_size: int) -> Iterator[Mapping[str, list[Any]]]:
        """Read the rows in batches."""
        for start in range(0, len(self), self.shard_rows):
            part = self.select(range(start, min(len(self), start + self.shard_rows)))
            yield from part.iter(batch_size)

    def select(self, indices: range) -> "Dataset":
        """Read some of the rows."""
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
                tables.append(_read_rows(file, start - before, last, schema))
            start, place = stop, place + 1
        return Dataset(
            pa.concat_tables(tables), info=DatasetInfo(features=self.features), fingerprint="rows"
        )


def look_at(address: str) -> tuple[ParquetFile, Footer]:
    """Read the end of a file, and say how it is now."""
    try:
        system, path = file_system(address)
        size, mark = _state(system, path)
        footer = _footer_of(address)
        digest = file_digest(Path(path)) if is_here(system) else mark
        file = ParquetFile(address, footer.rows, size, mark, digest)
        _refuse_changed(file)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # Of what somebody else wrote, anything can be wrong.
        raise invalid(
            f"{address} cannot be read: {error_message(error)}; repair it, or leave it out."
        ) from error
    return file, footer


def _footer_of(address: str) -> Footer:
    """Read the end of a file."""
    with _opened(address) as file:
        parquet, features = parquet_columns(file, f"{caller_name()}: {address}")
        groups = [parquet.metadata.row_group(n) for n in range(parquet.metadata.num_row_groups)]
        return Footer(
            features,
            parquet.metadata.num_rows,
            max((group.num_rows for group in groups), default=0),
            sum(group.total_byte_size for group in groups),
        )


def file_system(address: str) -> tuple[Any, str]:
    """Return the file system of an address.

    Example:
        >>> file_system("memory://reviews/a.parquet")[1]
        '/reviews/a.parquet'
    """
    import fsspec

    if address.startswith("hf://"):
        retry_hub_requests()
    # The file system of an archive holds it open, and would read on what was replaced since.
    options = {"skip_instance_cache": True} if "::" in address else {}
    system, path = fsspec.core.url_to_fs(address, **options)
    return system, str(path)


def is_here(system: Any) -> bool:
    """Whether a file system is that of this machine."""
    named = (system.protocol,) if isinstance(system.protocol, str) else system.protocol
    return not set(_LOCAL).isdisjoint(named)


def _state(system: Any, path: str) -> tuple[int, str]:
    """Return the size of a file, and what changes with its content."""
    info = system.info(path)
    stated = [str(info[name]) for name in _CONTENT if info.get(name)]
    return int(info["size"]), stated[0] if stated else str(system.ukey(path))


def _refuse_changed(file: ParquetFile) -> None:
    """Raise if a file is not what it was when it was found."""
    system, path = file_system(file.address)
    system.invalidate_cache(path)
    if _state(system, path) != (file.size, file.mark):
        raise InputError(
            f"{file.address} was changed while it was read; run the same again once nobody "
            "writes to it."
        )


def _read_rows(file: ParquetFile, start: int, stop: int, schema: Any) -> Any:
    """Read rows of a file, of no more groups than they lie in."""
    from pyarrow import ArrowException

    try:
        _refuse_changed(file)
        try:
            table = _table(file, start, stop, schema)
        except (OSError, ArrowException) as error:
            _refuse_changed(file)
            # An error of the system has a number, and says nothing of what is in the file.
            if isinstance(error, ArrowException) or (type(error) is OSError and not error.errno):
                # A file that lies elsewhere may be whole, and what came from there was not.
                kind = InputError if is_here(file_system(file.address)[0]) else OSError
                raise kind(
                    f"{file.address} is broken among its rows {start:,} to {stop - 1:,}: "
                    f"{error_message(error)}; download it again."
                ) from error
            raise
        _refuse_changed(file)
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{file.address} is not there; with several machines, all of them have to see it"
        ) from error
    return table


def _table(file: ParquetFile, start: int, stop: int, schema: Any) -> Any:
    """Return rows of a file as they are now."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _opened(file.address) as opened:
        parquet = pq.ParquetFile(opened, buffer_size=_BUFFER, pre_buffer=False)
        stops = list(accumulate(parquet.metadata.row_group(n).num_rows
                                for n in range(parquet.num_row_groups)))  # fmt: skip
        first, last = bisect_right(stops, start), bisect_left(stops, stop)
        before, tables = stops[first - 1] if first else 0, []
        batches = parquet.iter_batches(
            min(ROWS_AT_ONCE, stop - start), range(first, last + 1), schema.names
        )
        try:
            # Before the rows there may be others of their group, of which none is kept.
            for batch in batches:
                if before + len(batch) > start:
                    of_it = batch.slice(max(0, start - before), stop - max(start, before))
                    tables.append(pa.Table.from_batches([of_it]))
                if (before := before + len(batch)) >= stop:
                    break
        except OSError as error:
            refuse_encrypted(error, file.address, parquet)
            raise
    return pa.concat_tables(tables).select(schema.names).cast(schema)


@contextmanager
def _opened(address: str) -> Iterator[Any]:
    """Open a file for reading; an archive is closed once nobody holds its file system."""
    system, path = file_system(address)
    with system.open(path, "rb") as file:
        yield file


def error_message(error: BaseException) -> str:
    r"""Return the message of an error on one line, without the full stop."""
    message = answer_of(error) or f"{error or type(error).__name__}"
    return " ".join(message.split()).rstrip(".")


_THREADS = 16
_NAMED = re.compile(r"(?P<split>\w+(\.\w+)*)-\d{5,}-of-\d{5,}(-[0-9a-f]+)?\.parquet")
_HUB = ("hf://", "https://huggingface.co/", "https://hf.co/")


def is_address(source: str) -> bool:
    """Whether a source names Parquet files that are read where they lie.

    Returns:
        Whether it is a pattern, and no file is named so, or has the protocol of a file system
        other than the Hub's.

    Example:
        >>> [is_address(each) for each in ("s3://a/b", "data/*.parquet", "hf://datasets/a/b", "b")]
        [True, True, False, False]
    """
    if "://" in source:
        return "*" in source or not source.startswith(_HUB)
    return "*" in source and not Path(source).exists()


def parquet_splits(sources: str | Sequence[str]) -> dict[str, ParquetRows]:
    """Find Parquet files.

    Args:
        sources: The address of a file or a folder, or a pattern, such as
            "hf://datasets/ada/reviews/**/*.parquet" or "s3://reviews/*.parquet"; or several.

    Returns:
        Split name to its rows. Their names say it ("test-00000-of-00002.parquet", "test.parquet",
        "test/a.parquet"), as `datasets` reads them; all are "train" where none says another.
    """
    several = [sources] if isinstance(sources, str) else list(sources)
    listings = [_find_files(each) for each in several]
    addresses = [address for _, each in listings for address in each]
    with ThreadPoolExecutor(_THREADS) as threads:
        files = list(threads.map(in_error_context(look_at), addresses))
    features = _joined(files)
    bases = [_path(base) for base, _ in listings]
    refuse_lost_columns(list(map(_path, addresses)), bases, lambda: features)
    splits: dict[str, list[tuple[ParquetFile, Footer]]] = {}
    for split, file in zip(_splits_of(addresses), files, strict=True):
        splits.setdefault(split, []).append(file)
    return {split: _rows(each, features) for split, each in splits.items()}


def _splits_of(addresses: Sequence[str]) -> list[str]:
    """Return the splits of files by their names, or raise if only some say theirs."""
    names = list(map(_split_of, addresses))
    if all(names):
        return [str(name) for name in names]
    other = next((name for name in names if name not in (None, "train")), None)
    if other is not None:
        one, untold = addresses[names.index(other)], addresses[names.index(None)]
        raise invalid(
            f"the name of {one} gives the split {other!r}, but the name of {untold} gives none; "
            "run once for each split, with a pattern that names its files only."
        )
    return ["train"] * len(addresses)


def _split_of(address: str) -> str | None:
    """Return the split that the name of a file or of its folder says."""
    from datasets.data_files import SPLIT_KEYWORDS

    path = _path(address)
    if named := _NAMED.fullmatch(path.name):
        return named["split"]
    for words in (set(re.split(r"[^a-z]+", path.stem.lower())), {path.parent.name.lower()}):
        splits = [split for split, several in SPLIT_KEYWORDS.items() if words & {*several}]
        if len(splits) == 1:
            return str(splits[0])
    return None


def _joined(entries: Sequence[tuple[ParquetFile, Footer]]) -> "Features":
    """Return the columns that files have in common, or raise."""
    from datasets import Features

    (first, footer), *others = entries
    columns = dict(footer.features)
    for file, other in others:
        for name in {**columns, **other.features}:
            kinds = [each.get(name, "nothing") for each in (columns, other.features)]
            joined = None if "nothing" in kinds else joined_feature(*kinds)
            if joined is None:
                dtypes = [getattr(kind, "dtype", kind) for kind in kinds]
                raise invalid(
                    f"{file.address} has {dtypes[1]} as the column {name!r}, but "
                    f"{first.address} has {dtypes[0]}; files that are read as one need the same "
                    "columns of the same types."
                )
            columns[name] = joined
    return Features(columns)


def _rows(entries: Sequence[tuple[ParquetFile, Footer]], features: "Features") -> ParquetRows:
    """Put the files of a split together."""
    rows = sum(file.rows for file, _ in entries)
    size = sum(each.content for _, each in entries) / max(1, rows)
    files = tuple(file for file, _ in entries)
    is_near = all(is_here(file_system(file.address)[0]) for file in files)
    group = 0 if is_near else max(each.group for _, each in entries)
    return ParquetRows(files, features, fitting_rows(rows, size, group=group))


def refuse_inside(sources: str | Sequence[str], out: Path) -> None:
    """Raise if what is to be written would be among the files that are read.

    Example:
        >>> refuse_inside("texts/*.parquet", Path("texts/swapped"))
    """
    from fsspec.core import url_to_fs
    from fsspec.utils import glob_translate

    for source in [sources] if isinstance(sources, str) else sources:
        system, path = url_to_fs(source)
        if not is_here(system):
            continue
        pattern = path if "*" in path else f"{path.rstrip('/')}/**/*.parquet"
        for folder in (out, out.with_name(f"{out.name}.work")):
            file = folder.absolute() / "data" / "train-00000-of-00001.parquet"
            if re.match(glob_translate(pattern), file.as_posix()):
                raise invalid(
                    f"{source} would also name the files that are written in {folder}; "
                    "write to another place, or give a pattern that leaves that folder out."
                )


def _find_files(source: str) -> tuple[str, list[str]]:
    """Return the folder in which a source begins, and its files in the order of their names."""
    try:
        system, path = file_system(source)
        if "*" in path:
            paths = system.glob(path)
            base = path.partition("*")[0].rpartition("/")[0]
        elif system.isdir(path):
            base = path.rstrip("/")
            paths = [each for each in system.find(path) if each.endswith(".parquet")]
        else:
            base, paths = path.rpartition("/")[0], [path] * path.endswith(".parquet")
        start, *files = (_address(system, each, source) for each in (base, *sorted(paths)))
    except MemoryError:
        raise
    except Exception as error:  # Each file system fails in its own way.
        raise invalid(f"{source} cannot be read: {error_message(error)}.") from error
    refuse_tables(paths, base, partial(_names_in, system))
    wrong = [file for file in files if _path(file).suffix != ".parquet"]
    if wrong or not files:
        raise invalid(
            f"{source} names {wrong[0] if wrong else 'no Parquet file'}, and only Parquet "
            "files are read in place; check the address, or name them by a pattern that "
            "ends in *.parquet (of other files, leave the quotes out)."
        )
    return start, files


def _address(system: Any, path: str, source: str) -> str:
    """Return the address of a path of a source, which may lead through an archive or a cache."""
    first, chain, behind = source.partition("::")
    if not chain:
        return path if is_here(system) else str(system.unstrip_protocol(path))
    if "://" not in first:
        return f"{first}::{_address(system, path, behind)}"
    behind = behind if "://" in behind else abspath(behind)
    return f"{system.unstrip_protocol(path)}::{behind}"


def _path(address: str) -> PurePosixPath:
    """Return the path in an address, without the archive or the cache that it leads through."""
    path = next((part for part in address.split("::") if "://" in part), address)
    return PurePosixPath(path.removeprefix("file://"))


def _names_in(system: Any, folder: str) -> set[str]:
    """Return the names of what lies in a folder; none where nobody may or can list it."""
    if "http" in system.protocol:
        return set()  # A page of links is no folder.
    try:
        return {PurePosixPath(each).name for each in system.ls(folder, detail=False)}
    except (OSError, NotImplementedError):
        return set()
