"""Reading CSV files: cells stay as they are written, whatever separates and encodes them."""

import csv
import io
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from typing import IO, Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from datasets import Value
from datasets.packaged_modules.csv.csv import CsvConfig

from fair_datasets.rows.column_checks import refuse_too_many
from fair_datasets.rows.exact import ExactBuilder, format_file_name
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import long_fields

DELIMITERS = ",;\t|"
"""What is found to separate the cells of a CSV file, the usual one first."""
_SAMPLE = 1 << 16


def delimiter_of(lines: IO[str]) -> str:
    r"""Find what separates the cells of a CSV file, by its first lines.

    It stands in the header, and most rows have as many cells by it as the header has.

    Args:
        lines: The file, of which the first 65,536 letters are read.

    Returns:
        One of the `DELIMITERS`; a comma where none of them fits, as in a file of one column.

    Example:
        >>> delimiter_of(io.StringIO("id;text\n1;Yes, she ran\n"))
        ';'
        >>> delimiter_of(io.StringIO("text\nShe ran; he walked\n"))
        ','
    """
    sample = lines.read(_SAMPLE)
    scores = [(*_fit(sample, each), -place) for place, each in enumerate(DELIMITERS)]
    share, cells, place = max(scores)
    return DELIMITERS[-place] if share >= 1 / 2 and cells > 1 else DELIMITERS[0]


def _fit(sample: str, delimiter: str) -> tuple[float, int]:
    """Return the share of rows that have as many cells as the header, and how many those are."""
    with long_fields():
        rows = list(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter))
    if len(sample) == _SAMPLE and len(rows) > 1:
        rows.pop()  # It may be cut.
    header, *others = [row for row in rows if row] or [[]]
    same = sum(len(row) == len(header) for row in others)
    is_split = len(header) > 1
    return (same / len(others) if others else 1.0) * is_split, len(header)


def table_fault(lines: Iterable[str], delimiter: str) -> str:
    """Return where a row has more fields than the header, or a text never ends; else empty."""
    read: list[str] = []
    rows = csv.reader(_record_lines(lines, read), delimiter=delimiter)
    header, first, last, line = 0, 1, list[str](), 1
    with long_fields():
        for row in rows:
            header = header or len(row)
            if len(row) > header:
                return (
                    f", line {line}: the row has {len(row):,} fields, but the header has {header}; "
                    "put texts that hold the separator in double quotes."
                )
            first, last, line = line, read[:], rows.line_num + 1
            read.clear()
        # One more line would be a row of its own, unless it were in quotes.
        if len(list(csv.reader([*last, "x"], delimiter=delimiter))) == 1 and last:
            return (
                f", line {first}: a text of this row begins with a double quote, but none ends "
                "it; add one, or write a quote that is a part of the text twice."
            )
    return ""


def _record_lines(lines: Iterable[str], read: list[str]) -> Iterator[str]:
    """Yield lines, and keep those of the row that is read."""
    for line in lines:
        read.append(line)
        yield line


def header_of(lines: Iterable[str], delimiter: str, place: str, **how: Any) -> list[str]:
    """Return the names of the columns of a CSV file as they are written, or raise.

    Args:
        place: What names the file in a sentence.
        **how: What `csv.reader` takes besides.

    Returns:
        The names, of which one may be empty, as pandas writes that of an index.
    """
    with long_fields():
        rows = csv.reader(lines, delimiter=delimiter, **how)
        # As for pandas, a line of spaces is none.
        names = next((row for row in rows if row and not (row[1:] == [] and row[0].isspace())), [])
    refuse_too_many(len(names), f"{place}, line 1")
    counts = Counter(names)
    if twice := [name for name in names if counts[name] > 1]:
        raise InputError(
            f"{place}, line 1: the header names the column {twice[0]!r} {counts[twice[0]]} times; "
            "give each column a name of its own."
        )
    return names


# An empty cell is all that is empty: "NA" and "null" are texts. Without `index_col` a column would
# be lost where each row has more fields than the header.
_AS_WRITTEN = {"keep_default_na": False, "na_values": [""], "index_col": False}


@dataclass
class ExactCsvConfig(CsvConfig):  # type: ignore[misc]
    """How CSV files are written, and which columns are text.

    Attributes:
        sep: What separates cells; None to find it by the first lines of each file.
        texts: The columns that are text, in which an empty cell is an empty text and no null.
    """

    sep: str | None = None
    texts: tuple[str, ...] = ()


class ExactCsv(ExactBuilder):
    """Reads each cell as the text that it is, and columns that hold nothing else as numbers."""

    BUILDER_CONFIG_CLASS = ExactCsvConfig

    def look(self, files: Iterable[str]) -> pa.Schema:
        """Return the type of numbers of each column that reads back, and else string."""
        kinds: dict[str, list[str]] = {}
        filled: set[str] = set()
        for table in (table for file in files for table in self._read_tables(file)):
            for name in table.column_names:
                types = kinds.setdefault(name, [] if name in self.config.texts else list(TYPES))
                values = table[name].combine_chunks().drop_null()
                if types and len(values):
                    filled.add(name)
                    kinds[name] = types_that_read_back(values, types)
        return pa.schema(
            (name, TYPES[types[0]] if types and name in filled else pa.string())
            for name, types in kinds.items()
        )

    def tables(self, file: str) -> Iterator[pa.Table]:
        """Yield the rows of a file, with the types that are known."""
        known = dict(zip(self.types.names, self.types.types, strict=True)) if self.types else {}
        for table in self._read_tables(file):
            # Another file may have the same columns in another order.
            names = dict.fromkeys(name for name in (*known, *table.column_names))
            yield pa.table(
                {
                    name: pc.cast(table[name], known.get(name, table[name].type))
                    for name in names
                    if name in table.column_names
                }
            )

    def _read_tables(self, file: str) -> Iterator[pa.Table]:
        """Yield the rows of a file as texts, but for what a card declares to be something else."""
        declared = self.info.features if self.types is None else None
        # This dtype is read twice as fast as `str`.
        dtype: Any = pd.ArrowDtype(pa.string())
        if declared:
            dtype = {name: dtype for name in declared if self._is_text(name, declared[name])}
        layout = self._layout(file)
        options = {**self.config.pd_read_csv_kwargs, **layout, **_AS_WRITTEN}
        with (
            self.locating_errors(file, layout["sep"]),
            pd.read_csv(file, iterator=True, dtype=dtype, **options) as frames,
        ):
            while (frame := _next(frames)) is not None:
                table = pa.Table.from_pandas(frame, preserve_index=False)
                for name in {*self.config.texts}.intersection(table.column_names):
                    place = table.column_names.index(name)
                    table = table.set_column(place, name, pc.fill_null(table[name], ""))
                yield table

    def _layout(self, file: str) -> dict[str, Any]:
        """Return what separates the cells of a file, and the names of its columns."""
        config = self.config
        sep = config.sep
        with self.locating_errors(file):
            if sep is None:
                with open(file, encoding=self.encoding, newline="") as lines:
                    sep = delimiter_of(lines)
            layout = {"sep": sep, "encoding": self.encoding}
            if config.header != "infer" or config.names or config.skiprows:
                return layout
            with open(file, encoding=self.encoding, newline="") as lines:
                names = header_of(lines, sep, format_file_name(file))
            if "\0" in "".join(names):
                raise UnicodeError  # It may be UTF-16.
            if len(names) == 1:
                self._refuse_cut_texts(file, sep)
            return {**layout, "header": 0, "names": names}

    def _refuse_cut_texts(self, file: str, delimiter: str) -> None:
        """Raise if a text of a file of one column ends with what would separate cells.

        pandas tells of cells that no column is for only where something stands in them.
        """
        with open(file, encoding=self.encoding, newline="") as lines:
            is_cut = any(line.rstrip("\r\n").endswith(delimiter) for line in lines)
        if is_cut:
            with open(file, encoding=self.encoding, newline="") as lines:
                if fault := table_fault(lines, delimiter):
                    raise InputError(f"{format_file_name(file)}{fault}")

    @contextmanager
    def locating_errors(self, file: str, delimiter: str = "") -> Iterator[None]:
        """Raise an error with the place where a file is no text, or no table."""
        with super().locating_errors(file):
            try:
                yield
            except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
                with open(file, encoding=self.encoding, newline="") as lines:
                    if fault := table_fault(lines, delimiter):
                        raise InputError(f"{format_file_name(file)}{fault}") from error
                raise

    def _is_text(self, name: str, feature: Any) -> bool:
        """Whether a column is read as text."""
        is_text = isinstance(feature, Value) and feature.dtype in ("string", "large_string")
        return is_text or name in self.config.texts


def _next(frames: Any) -> Any:
    """Return the next rows of a file, or raise where pandas would drop cells and only warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        return next(frames, None)


# In the order of preference. Python and datasets stumble over uint64 beyond int64.
TYPES = {"bool": pa.bool_(), "int64": pa.int64(), "float64": pa.float64()}
# From here on Arrow and Python write a float in the same way, unless it has an exponent.
_PLAIN = 1e-4


def types_that_read_back(values: pa.Array, candidates: Iterable[str]) -> list[str]:
    """Return the types of which each value, written by Python, is the text that it is read from.

    Example:
        >>> types_that_read_back(pa.array(["7", "-12"]), TYPES)
        ['int64']
        >>> types_that_read_back(pa.array(["007", "7"]), TYPES)
        []
    """
    return [kind for kind in candidates if _reads_back(values, kind)]


def _reads_back(values: pa.Array, kind: str) -> bool:
    """Whether a type has each value as it is written."""
    if kind == "bool":
        return bool(pc.all(pc.is_in(values, pa.array(["False", "True"], values.type))).as_py())
    try:
        read = pc.cast(values, TYPES[kind])
    except pa.ArrowInvalid:
        return False
    same = pc.equal(pc.cast(read, values.type), values)
    if kind != "float64":
        return bool(pc.all(same).as_py())
    plain = pc.match_substring_regex(values, r"^-?\d+\.\d+$")
    sure = pc.and_(pc.and_(same, plain), pc.greater_equal(pc.abs(read), _PLAIN))
    return all(map(_is_float, values.filter(pc.invert(sure)).to_pylist()))


def _is_float(text: str) -> bool:
    """Whether Python writes a float in this way."""
    value = float(text)
    return isfinite(value) and repr(value) == text
