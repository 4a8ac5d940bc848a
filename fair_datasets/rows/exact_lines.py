"""Writing rows as CSV and as JSON lines, whose values read back as they are."""

import functools
import json
import re
from collections.abc import Iterator, Sequence
from datetime import date, time
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from datasets import ClassLabel, Dataset, Features

from fair_datasets.rows.arrow import python_values
from fair_datasets.rows.exact_json import is_float
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError

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
        interrupts.raise_if_interrupted()
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
    """Whether there are bytes somewhere in the values of a type."""
    of_bytes = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    if any(is_kind(kind) for is_kind in of_bytes):
        return True
    return any(_holds_bytes(kind.field(place).type) for place in range(kind.num_fields))
