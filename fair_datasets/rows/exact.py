"""Files of rows: their formats, and reading CSV and JSON so that values stay as they are written.

What `datasets` makes of them loses digits, zeros and signs: "00123" becomes 123, an integer beyond
2**63 a float, and a text that looks like a date a timestamp.
"""

import bz2
import codecs
import functools
import gzip
import lzma
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from itertools import chain
from os.path import abspath, sep
from pathlib import Path, PurePath
from typing import IO, Any

import pyarrow as pa
from datasets import (
    ArrowBasedBuilder,
    DatasetBuilder,
    DatasetDict,
    DatasetInfo,
    Features,
    IterableDatasetDict,
    SplitGenerator,
)
from datasets.fingerprint import Hasher
from datasets.packaged_modules.csv.csv import CsvConfig
from datasets.packaged_modules.json.json import JsonConfig

from fair_datasets.rows.table_folders import refuse_lost_columns
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import regular_file, temporary_folder

# File ending to the builder of `datasets` that reads it, with its options.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    ".csv": ("csv", {"sep": ","}),
    ".tsv": ("csv", {"sep": "\t"}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
    ".json": ("json", {}),
    ".parquet": ("parquet", {}),
    ".txt": ("text", {}),
}
# Compression to what opens it; datasets reads .zst as well, for which Python has nothing.
OPENERS: dict[str, Callable[..., Any] | None] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": None,
}
# Files that datasets does not take for data.
_NO_DATA = ("config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json")


def ending(file: Path) -> str:
    """Return a file's ending in lower case, without the one of its compression.

    Example:
        >>> ending(Path("reviews.CSV.gz"))
        '.csv'
    """
    if file.suffix.lower() in OPENERS:
        file = file.with_suffix("")
    return file.suffix.lower()


def is_saved(path: Path) -> bool:
    """Whether a folder was written by `save_to_disk`."""
    return (path / "dataset_dict.json").exists() or (path / "state.json").exists()


def data_files(path: Path) -> list[Path]:
    """Name the data files of a path: itself, or what lies in the folder in a known format."""
    known = ", ".join(FORMATS)
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.is_file() and ending(file) in FORMATS and not _is_hidden(file, path)
        )
        if not files:
            raise InputError(
                f"The folder {path} holds no {known} file and no saved dataset; name a folder "
                "that does."
            )
    elif ending(path) in FORMATS:
        files = [path]
    else:
        raise InputError(
            f"The file {path} is in no format that can be read; its name must end in one of "
            f"{known} (and may be compressed: {', '.join(OPENERS)})."
        )
    for file in files:
        if not regular_file(file).st_size:
            raise InputError(f"{file} is empty; give a file that has rows.")
    return files


def _is_hidden(file: Path, folder: Path) -> bool:
    """Whether datasets overlooks a file of a folder."""
    parts = file.relative_to(folder).parts
    return file.name in _NO_DATA or any(part.startswith((".", "__")) for part in parts)


CHUNK_ROWS = 10_000
"""How many rows are kept together: each part of a column takes memory once it is read."""
_BYTES = 8_000_000


def text_fault(file: IO[bytes], encoding: str) -> str:
    r"""Return where the bytes of a file are no text in an encoding; empty where all are.

    Example:
        >>> from io import BytesIO
        >>> text_fault(BytesIO(b"text\ncaf\xe9\n"), "utf-8")
        ', line 2: the bytes are not UTF-8 (from byte 8 of the file); name its encoding by
        --encoding, such as cp1252, or save the file as UTF-8.'
    """
    decoder, line, read = codecs.getincrementaldecoder(encoding)(), 1, 0
    while True:
        part = file.read(1 << 20)
        held = len(decoder.getstate()[0])
        try:
            text = decoder.decode(part, final=not part)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode(encoding, "replace")
            return (
                f", line {line + before.count(chr(10))}: the bytes are not {encoding.upper()} "
                f"(from byte {read - held + error.start:,} of the file); name its encoding by "
                f"--encoding, such as {_guess(file)}, or save the file as UTF-8."
            )
        if (nul := text.find("\0")) >= 0:
            return (
                f", line {line + text.count(chr(10), 0, nul)}: there is a NUL character, as in "
                f"UTF-16; name the encoding by --encoding, such as {_guess(file)}, save the file "
                "as UTF-8, or take it out."
            )
        if not part:
            return ""
        read, line = read + len(part), line + text.count("\n")


def _guess(file: IO[bytes]) -> str:
    """Name an encoding that a file may have."""
    file.seek(0)
    start = file.read(4)
    marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    if start.startswith(marks):
        return "utf-16"
    return "utf-16-le" if start[1:2] == b"\0" else "utf-16-be" if start[:1] == b"\0" else "cp1252"


def format_file_name(file: str) -> str:
    """Name a file in a sentence: from the folder at work, and not as it is decompressed.

    Example:
        >>> format_file_name("gzip://a.csv::/data/a.csv.gz"), format_file_name(abspath("a.csv"))
        ('/data/a.csv.gz', 'a.csv')
    """
    return file.rpartition("::")[2].removeprefix(abspath("") + sep)


class ExactBuilder(ArrowBasedBuilder):  # type: ignore[misc]
    """Reads the files of each split, all with the types that the first pass found.

    In a stream there is one pass, and what a subclass gives then has to do.
    """

    # The types of the columns; None as long as they are not known, or where a card declares them.
    types: pa.Schema | None = None

    @abstractmethod
    def look(self, files: Iterable[str]) -> pa.Schema:
        """Return the types that hold each value of the columns as it was written."""

    @abstractmethod
    def tables(self, file: str) -> Iterator[pa.Table]:
        """Yield the rows of a file."""

    @property
    def encoding(self) -> str:
        """How the files are encoded; UTF-8 may have a mark at its beginning."""
        encoding = self.config.encoding or "utf-8"
        return "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else str(encoding)

    @contextmanager
    def locating_errors(self, file: str) -> Iterator[None]:
        """Raise an error with the place where a file is no text."""
        try:
            yield
        except UnicodeError as error:
            with open(file, "rb") as content:
                if fault := text_fault(content, self.config.encoding or "utf-8"):
                    raise InputError(f"{format_file_name(file)}{fault}") from error
            raise

    def _info(self) -> DatasetInfo:
        """Return what is known before anything was read."""
        return DatasetInfo(features=self.config.features)

    def _split_generators(self, manager: Any) -> list[SplitGenerator]:
        """Name the files of each split, and look at all of them."""
        manager.download_config.extract_on_the_fly = True
        places = manager.extract(manager.download(self.config.data_files))
        splits = {
            split: list(chain.from_iterable(map(manager.iter_files, paths)))
            for split, paths in ((s, [f] if isinstance(f, str) else f) for s, f in places.items())
        }
        if self.info.features is None and not manager.is_streaming:
            self.types = self.look(chain.from_iterable(splits.values()))
            self.info.features = Features.from_arrow_schema(self.types)
        return [
            SplitGenerator(name=split, gen_kwargs={"files": files})
            for split, files in splits.items()
        ]

    def _generate_tables(self, files: Sequence[str]) -> Iterator[tuple[str, pa.Table]]:
        """Yield the rows of a split."""
        tables = chain.from_iterable(map(self.tables, files))
        first = next(tables, None)
        if first is None:  # of which datasets would say that it has no schema
            first = (self.types or pa.schema([])).empty_table()
        several = chain([first], tables)
        for number, table in enumerate(several if self.types is None else _merge_small(several)):
            yield str(number), table


def _merge_small(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Put small tables of the same columns together."""
    held: list[pa.Table] = []
    for table in tables:
        held.append(table)
        if sum(map(len, held)) >= CHUNK_ROWS or sum(each.nbytes for each in held) >= _BYTES:
            yield pa.concat_tables(held)
            held = []
    if held:
        yield pa.concat_tables(held)


# Settings of a configuration that the builder itself is given, or that say nothing of the files.
_OF_THE_BUILDER = ("name", "version", "data_dir", "data_files", "description", "features")


def loaded(
    open_builder: Callable[..., DatasetBuilder],
    texts: Sequence[str],
    *,
    streaming: bool = False,
    download_mode: str | None = None,
    cache: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> DatasetDict | IterableDatasetDict:
    """Read a source, CSV and JSON exactly, and anything else by `datasets`.

    Args:
        open_builder: Gives what `datasets` would read it with; takes the keyword `cache_dir`.
        texts: The columns of a CSV file that are text, whatever they hold.
        delimiter: What separates the cells of CSV files; None to find it by their first lines.
        encoding: How files of text are encoded; None for UTF-8, or what a card says.
        streaming: Whether to read lazily. Types are then those of the rows at hand, and the numbers
            of a CSV file are texts: nobody knows yet what the later rows hold.
    """
    # From the cache a builder takes the features that were found, or guessed, in an earlier run.
    with temporary_folder() as folder:
        empty = str(folder)
        cache = empty if streaming else cache
        first = open_builder(cache_dir=empty)
        _refuse_lost_columns(first)
        both = {"sep": delimiter, "encoding": encoding}
        given = {name: value for name, value in both.items() if value is not None}
        _refuse_unused(given, first)
        builder = _exact(first, texts, cache, given) or open_builder(cache_dir=cache, **given)
    if streaming:
        return builder.as_streaming_dataset()
    builder.download_and_prepare(download_mode=download_mode)
    return builder.as_dataset()


def _refuse_lost_columns(builder: DatasetBuilder) -> None:
    """Raise if folders name columns that the files of a builder lack."""
    files = list(map(PurePath, chain.from_iterable((builder.config.data_files or {}).values())))
    place = builder.base_path or ""
    place = place if "://" in place else abspath(place) if place else ""
    bases = [PurePath(place)] if place else [file.parent for file in files]
    split = next(iter(builder.config.data_files or ()), "")
    refuse_lost_columns(
        files, bases, lambda: list(next(iter(builder.as_streaming_dataset(split)), {}))
    )


def _refuse_unused(given: Mapping[str, str], builder: DatasetBuilder) -> None:
    """Raise if files of their format have no delimiter, or no encoding, that can be given."""
    for setting, option, formats in (
        ("sep", "--delimiter", "CSV and TSV"), ("encoding", "--encoding", "CSV, TSV, JSON and text")
    ):  # fmt: skip
        if setting in given and not hasattr(builder.config, setting):
            raise InputError(
                f"{option} is for {formats} files, but these are read as "
                f"{type(builder).__name__}; leave it out."
            )


def _exact(
    builder: DatasetBuilder,
    texts: Sequence[str],
    cache_dir: str | None,
    given: Mapping[str, str],
) -> DatasetBuilder | None:
    """Return what reads the same files exactly; None where their format states its types."""
    from fair_datasets.rows.exact_csv import ExactCsv
    from fair_datasets.rows.exact_json import ExactJson

    if isinstance(builder.config, CsvConfig):
        return _copied(builder, ExactCsv, given, cache_dir=cache_dir, texts=tuple(texts))
    if isinstance(builder.config, JsonConfig):
        return _copied(builder, ExactJson, given, cache_dir=cache_dir)
    return None


@functools.cache
def _code() -> list[str]:
    """Return the code that reads, so that nothing is taken from the cache of older code."""
    return [file.read_text("utf-8") for file in sorted(Path(__file__).parent.glob("exact*.py"))]


def _copied(
    builder: DatasetBuilder, kind: type[Any], given: Mapping[str, str], **settings: Any
) -> DatasetBuilder:
    """Return a builder of another kind for the same files, with the same settings or given ones."""
    for field in fields(builder.config):
        default = None if field.default is MISSING else field.default
        value = getattr(builder.config, field.name)
        if field.name not in _OF_THE_BUILDER and value != default:
            settings[field.name] = value
    settings |= given
    return kind(
        dataset_name=builder.dataset_name,
        config_name=builder.config.name,
        hash=Hasher.hash([builder.hash, _code()]),
        base_path=builder.base_path,
        info=builder.info,
        features=builder.config.features,
        token=builder.token,
        repo_id=builder.repo_id,
        data_files=builder.config.data_files,
        data_dir=builder.config.data_dir,
        storage_options=builder.storage_options,
        writer_batch_size=CHUNK_ROWS,
        **settings,
    )
