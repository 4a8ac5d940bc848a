"""Files of rows: their formats, and CSV and JSON whose values read back as they were written.

What `datasets` makes of them loses digits, zeros and signs: "00123" becomes 123, an integer beyond
2**63 a float, and a text that looks like a date a timestamp.
"""

import bz2
import codecs
import functools
import gzip
import json
import lzma
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from datetime import date, time
from itertools import chain
from os.path import abspath, sep
from pathlib import Path, PurePath
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
from datasets import (
    ArrowBasedBuilder,
    ClassLabel,
    Dataset,
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

from fair_datasets.rows.arrow import python_values
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.rows.table_folders import refuse_lost_columns
from fair_datasets.system import interrupts
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
    """Tell whether a folder was written by `save_to_disk`."""
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
    """Tell whether datasets overlooks a file of a folder."""
    parts = file.relative_to(folder).parts
    return file.name in _NO_DATA or any(part.startswith((".", "__")) for part in parts)


TOGETHER = 10_000
"""How many rows are kept together: each part of a column takes memory once it is read."""
_BYTES = 8_000_000


def text_fault(file: IO[bytes], encoding: str) -> str:
    r"""Say where the bytes of a file are no text in an encoding; nothing where all are.

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


def named(file: str) -> str:
    """Name a file in a sentence: from the folder at work, and not as it is decompressed.

    Example:
        >>> named("gzip://a.csv::/data/a.csv.gz"), named(abspath("a.csv"))
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
    def telling(self, file: str) -> Iterator[None]:
        """Say in a sentence where a file is no text."""
        try:
            yield
        except UnicodeError as error:
            with open(file, "rb") as content:
                if fault := text_fault(content, self.config.encoding or "utf-8"):
                    raise InputError(f"{named(file)}{fault}") from error
            raise

    def _info(self) -> DatasetInfo:
        """Return what is known before anything was read."""
        return DatasetInfo(features=self.config.features)

    def _split_generators(self, manager: Any) -> list[SplitGenerator]:
        """Name the files of each split, and look at all of them."""
        manager.download_config.extract_on_the_fly = True
        places = manager.extract(manager.download(self.config.data_files))
        splits = {
            split: list(chain.from_iterable(map(manager.iter_files, found)))
            for split, found in ((s, [f] if isinstance(f, str) else f) for s, f in places.items())
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
        for number, table in enumerate(several if self.types is None else _together(several)):
            yield str(number), table


def _together(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Put small tables of the same columns together."""
    held: list[pa.Table] = []
    for table in tables:
        held.append(table)
        if sum(map(len, held)) >= TOGETHER or sum(each.nbytes for each in held) >= _BYTES:
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
        writer_batch_size=TOGETHER,
        **settings,
    )


SEPARATORS = {".csv": ",", ".tsv": "\t"}
ROW_FORMATS = (*SEPARATORS, ".jsonl", ".ndjson", ".parquet")


def refuse_unwritable(kind: str, features: Features, where: str) -> None:
    """Raise if a format has no place for what a column holds.

    Example:
        >>> from datasets import Features, List, Value
        >>> turns = Features({"turns": List(Value("string"))})
        >>> refuse_unwritable(".jsonl", turns, "chat.parquet")
        >>> refuse_unwritable(".csv", turns, "chat.parquet")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: chat.parquet: column 'turns' holds lists or objects, for
        which .csv has no place; write .jsonl or .parquet.
    """
    if kind == ".parquet":
        return
    for field in features.arrow_schema:
        if _holds_bytes(field.type):
            raise InputError(
                f"{where}: column {field.name!r} holds bytes, for which {kind} has no place; write "
                ".parquet."
            )
        is_extended = isinstance(field.type, pa.BaseExtensionType)
        if kind in SEPARATORS and (is_extended or pa.types.is_nested(field.type)):
            what = "JSON" if is_extended else "lists or objects"
            raise InputError(
                f"{where}: column {field.name!r} holds {what}, for which {kind} has no place; "
                "write .jsonl or .parquet."
            )


def lines(rows: Dataset, kind: str, delimiter: str = ",") -> Iterator[str]:
    r"""Write rows as the lines of a file, a batch at a time.

    A class is written by its name and a point in time as ISO 8601. In CSV and TSV a null is an
    empty cell and an empty text two quotes. In JSON, NaN and Infinity are written as Python does.

    Args:
        delimiter: What separates the cells of a CSV file.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He, too.", "", None], "n": [1, 2, None]})
        >>> "".join(lines(rows, ".csv"))
        'text,n\n"He, too.",1\n"",2\n,\n'
    """
    separators = {**SEPARATORS, ".csv": delimiter}
    yield from _csv(rows, separators[kind]) if kind in separators else _json(rows)


def mixes_empty_texts(rows: Dataset) -> str:
    """Name the first column of text that holds both nulls and empty texts, if there is one.

    Example:
        >>> from datasets import Dataset
        >>> mixes_empty_texts(Dataset.from_dict({"a": ["x", None], "b": ["", None]}))
        'b'
    """
    for name in rows.column_names:
        if rows.features.arrow_schema.field(name).type in (pa.string(), pa.large_string()):
            column = rows.with_format("arrow").select_columns([name])[:][name]
            if column.null_count and pc.any(pc.equal(column, "")).as_py():
                return str(name)
    return ""


def _tables(rows: Dataset) -> Iterator[pa.Table]:
    """Yield the rows in batches, between which Ctrl-C is heeded."""
    for table in rows.with_format("arrow").iter(batch_size=ROWS_AT_ONCE):
        interrupts.obey()
        yield table


def _csv(rows: Dataset, separator: str) -> Iterator[str]:
    """Yield the header and the lines of a CSV file."""
    names = list(rows.column_names)
    # A line without anything would be no row.
    null = '""' if len(names) == 1 else ""
    header = _quoted(pa.array(names), separator).to_pylist()
    yield separator.join(name if name != '""' else null for name in header) + "\n"
    for table in _tables(rows):
        cells = [
            pc.fill_null(_quoted(_texts(table[name], rows.features[name]), separator), null)
            for name in names
        ]
        joined = pc.binary_join_element_wise(*cells, separator).to_pylist()
        yield "".join(f"{line}\n" for line in joined)


def _json(rows: Dataset) -> Iterator[str]:
    """Yield the lines of a file with one JSON object for each row."""
    names = list(rows.column_names)
    dump = functools.partial(json.dumps, ensure_ascii=False, default=_plain)
    for table in _tables(rows):
        if not any(isinstance(kind, pa.JsonType) for kind in table.schema.types):
            columns = [_named(python_values(table[name]), rows.features[name]) for name in names]
            for values in zip(*columns, strict=True):
                yield dump(dict(zip(names, values, strict=True))) + "\n"
            continue
        written = [
            map(_again, table[name].to_pylist())
            if isinstance(table[name].type, pa.JsonType)
            else map(dump, _named(python_values(table[name]), rows.features[name]))
            for name in names
        ]
        for texts in zip(*written, strict=True):
            pairs = (f"{dump(name)}: {text}" for name, text in zip(names, texts, strict=True))
            yield f"{{{', '.join(pairs)}}}\n"


def _again(text: str | None) -> str:
    """Write JSON again in the way of Python, unless a number would lose digits."""
    from fair_datasets.rows.exact_json import is_float

    lost: list[str] = []

    def number(written: str) -> float:
        if not is_float(written):
            lost.append(written)
        return float(written)

    value = None if text is None else json.loads(text, parse_float=number)
    return str(text) if lost else json.dumps(value, ensure_ascii=False)


def _quoted(texts: pa.Array, separator: str) -> pa.Array:
    """Put what would not be read as one text, or as none, between quotes."""
    # A reader takes a line of spaces for none, and may cut those at the ends of a cell.
    needed = pc.match_substring_regex(texts, rf'["\r\n{re.escape(separator)}]|^\s|\s$|^$')
    doubled = pc.replace_substring(texts, '"', '""')
    return pc.if_else(needed, pc.binary_join_element_wise('"', doubled, '"', ""), texts)


def _texts(column: pa.ChunkedArray, feature: Any) -> pa.Array:
    """Return the values of a column as texts, from which numbers read back as they are."""
    array = column.combine_chunks()
    if pa.types.is_string(array.type):
        return array
    values = _named(array.to_pylist(), feature)
    # Python's own way to write numbers is the one that reads back.
    texts = [None if value is None else str(_plain(value)) for value in values]
    return pa.array(texts, pa.string())


def _named(values: Sequence[Any], feature: Any) -> Sequence[Any]:
    """Return the names of classes for their numbers, and other values as they are."""
    if not isinstance(feature, ClassLabel) or not feature.names:
        return values
    names = dict(enumerate(feature.names))
    return [names.get(value, value) for value in values]


def _plain(value: Any) -> Any:
    """Write a point in time as ISO 8601, and what else JSON does not know as Python does."""
    if isinstance(value, date | time):
        return value.isoformat()
    return value if isinstance(value, bool | int | float) else str(value)


def _holds_bytes(kind: pa.DataType) -> bool:
    """Tell whether there are bytes somewhere in the values of a type."""
    of_bytes = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    if any(is_kind(kind) for is_kind in of_bytes):
        return True
    return any(_holds_bytes(kind.field(place).type) for place in range(kind.num_fields))
