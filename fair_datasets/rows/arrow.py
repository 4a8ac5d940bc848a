"""Arrow tables: texts inside their columns, around which all stays bit for bit, and Parquet files.

Parquet is written to disks that may be full, while signals may come.
"""

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import eq, is_
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset, Features


def python_values(column: "pa.Array | pa.ChunkedArray") -> list[Any]:
    """Return the values of a column as Python's objects, with JSON read."""
    values = column.to_pylist()
    if not _holds_json(column.type):
        return list(values)
    return [_decode_json(value, column.type) for value in values]


class Columns(dict[str, Sequence[Any]]):
    """The columns of a table as a batch.

    Attributes:
        table: The table, as some of its columns may not be read.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], table: "pa.Table") -> None:
        """Take the columns, and their table."""
        super().__init__(columns)
        self.table = table

    @property
    def features(self) -> "Features | None":
        """The features that the table states; None if it states none."""
        return stated_features(self.table.schema)


def stated_features(schema: "pa.Schema") -> "Features | None":
    """Return the features that `datasets` states in a schema; None if it states none."""
    is_stated = schema.metadata is not None and b"huggingface" in schema.metadata
    return features_of(schema) if is_stated else None


def features_of(schema: "pa.Schema") -> "Features":
    """Return the features of a schema; those of types that `datasets` does not know are null.

    Example:
        >>> import pyarrow as pa
        >>> features_of(pa.schema({"id": pa.uuid(), "text": pa.string()}))
        {'id': Value('null'), 'text': Value('string')}
    """
    import pyarrow as pa
    from datasets import Features, Value

    try:
        return Features.from_arrow_schema(schema)
    except ValueError:
        several = {field.name: pa.schema([field], schema.metadata) for field in schema}
    features: dict[str, Any] = {}
    for name, one in several.items():
        try:
            features |= Features.from_arrow_schema(one)
        except ValueError:
            features[name] = Value("null")
    return Features(features)


def with_values(kind: "pa.DataType", values: Sequence[Any]) -> "pa.Array":
    """Make a column of a type anew.

    Example:
        >>> import pyarrow as pa
        >>> with_values(pa.list_(pa.json_()), [[{"role": "user"}], None]).to_pylist()
        [['{"role": "user"}'], None]
    """
    import pyarrow as pa

    if not _holds_json(kind):
        # Asked for whole numbers, it would cut off what floats have behind the point.
        is_cut = _is_whole(kind) and any(map(_holds_float, values))
        return pa.array(values).cast(kind) if is_cut else pa.array(values, kind)
    return pa.array([_encoded(value, kind) for value in values], _stored(kind)).cast(kind)


def taken(column: "pa.ChunkedArray", rows: Sequence[int]) -> "pa.ChunkedArray":
    """Take rows of a column, of whatever type it is."""
    import pyarrow as pa

    if len(rows) == len(column) and all(map(eq, rows, range(len(rows)))):
        return column
    try:
        return column.take(pa.array(rows, pa.int64()))
    except pa.ArrowNotImplementedError:  # Views of texts, and runs of equal values.
        return pa.chunked_array(
            [column.slice(row, 1).combine_chunks() for row in rows], column.type
        )


def with_changes(array: "pa.Array", old: Sequence[Any], new: Sequence[Any]) -> "pa.Array":
    """Put other values into a column; what is the same object as before stays bit for bit.

    As Python's objects, times would lose their nanoseconds, and JSON its spelling.

    Args:
        array: The column. Shape (N,).
        old: What `python_values` gives for it. Shape (N,).
        new: The values that it is to have. Shape (N,).

    Example:
        >>> import pyarrow as pa
        >>> array = pa.array([{"text": "He ran.", "n": 1}])
        >>> old = python_values(array)
        >>> with_changes(array, old, [{**old[0], "text": "She ran."}]).to_pylist()
        [{'text': 'She ran.', 'n': 1}]
    """
    import pyarrow as pa

    kind = array.type
    if all(map(is_, old, new)):
        return array
    if isinstance(kind, pa.JsonType):
        pairs = zip(array.to_pylist(), new, strict=True)
        return pa.array([_written(*pair) for pair in pairs], kind)
    if type(array) in (pa.ListArray, pa.LargeListArray) and _lengths(old) == _lengths(new):
        return _with_elements(array, old, new)
    if pa.types.is_struct(kind) and all(value is None or isinstance(value, dict) for value in new):
        return _with_fields(array, old, new)
    return with_values(kind, new)


def _lengths(values: Sequence[Any]) -> list[int]:
    return [-1 if value is None else len(value) for value in values]


def _with_elements(array: Any, old: Sequence[Any], new: Sequence[Any]) -> "pa.Array":
    """Put other values into the elements of lists, each of which is as long as it was."""
    import pyarrow as pa

    flat = [
        [inner for value in values if value is not None for inner in value] for values in (old, new)
    ]
    offsets = np.cumsum([0, *(max(0, length) for length in _lengths(new))])
    return type(array).from_arrays(
        pa.array(offsets, array.offsets.type),
        with_changes(array.flatten(), *flat),
        type=array.type,
        mask=array.is_null(),
    )


def _with_fields(array: Any, old: Sequence[Any], new: Sequence[Any]) -> "pa.Array":
    """Put other values into the fields of objects."""
    import pyarrow as pa

    fields = list(array.type)
    # Below an object that is null anything may stand, but what is flattened is null there.
    children = [
        with_changes(
            inner if field.nullable else array.field(place),
            *([value and value.get(field.name) for value in values] for values in (old, new)),
        )
        for place, (field, inner) in enumerate(zip(fields, array.flatten(), strict=True))
    ]
    mask = pa.array([value is None for value in new], pa.bool_())
    return pa.StructArray.from_arrays(children, fields=fields, mask=mask)


def _is_whole(kind: "pa.DataType") -> bool:
    """Whether a type is one of whole numbers, or of lists of them."""
    import pyarrow as pa

    while isinstance(kind, pa.ListType | pa.LargeListType | pa.FixedSizeListType):
        kind = kind.value_type
    is_whole: bool = pa.types.is_integer(kind)
    return is_whole


def _holds_float(value: Any) -> bool:
    return any(map(_holds_float, value)) if isinstance(value, list) else isinstance(value, float)


def _holds_json(kind: "pa.DataType") -> bool:
    """Whether JSON stands somewhere in the values of a type."""
    import pyarrow as pa

    if isinstance(kind, pa.JsonType):
        return True
    return any(_holds_json(kind.field(place).type) for place in range(kind.num_fields))


def _decode_json(value: Any, kind: "pa.DataType") -> Any:
    import pyarrow as pa

    if value is None or not _holds_json(kind):
        return value
    if isinstance(kind, pa.JsonType):
        return json.loads(value)
    if pa.types.is_struct(kind):
        return {field.name: _decode_json(value[field.name], field.type) for field in kind}
    return [_decode_json(inner, kind.value_type) for inner in value]


def _stored(kind: "pa.DataType") -> "pa.DataType":
    """Return the type with texts in the place of JSON."""
    import pyarrow as pa

    if isinstance(kind, pa.JsonType):
        return kind.storage_type
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_stored(field.type)) for field in kind])
    return pa.list_(_stored(kind.value_type)) if _holds_json(kind) else kind


def _encoded(value: Any, kind: "pa.DataType") -> Any:
    """Write as JSON what is JSON in a value of a type."""
    import pyarrow as pa

    if value is None or not _holds_json(kind):
        return value
    if isinstance(kind, pa.JsonType):
        return json.dumps(value, ensure_ascii=False)
    if pa.types.is_struct(kind):
        return {field.name: _encoded(value[field.name], field.type) for field in kind}
    return [_encoded(inner, kind.value_type) for inner in value]


def _written(text: str | None, value: Any) -> str | None:
    """Write a value as JSON, or keep the text of what it was before, if it is the same."""
    if text is not None and json.loads(text) == value:
        return text
    return None if value is None else json.dumps(value, ensure_ascii=False)


def write_parquet(rows: "Dataset", file: Path) -> None:
    """Write rows as one Parquet file, with their features, so that it outlives a power cut.

    Where a write fails while pyarrow looks for the borders of contents, as on a full disk or at
    Ctrl-C, it ends the whole process. So it is told that all went well, in a thread to which no
    signal comes, and the failure is raised afterwards.
    """
    with file.open("wb", buffering=0) as opened, ThreadPoolExecutor(1) as thread:
        sink = _Sink(opened)
        try:
            thread.submit(rows.to_parquet, sink).result()
        finally:
            sink.is_given_up = True
        sink.sync()
    if sink.failure is not None:
        sink.failure.filename = str(file)
        raise sink.failure


class _Sink:
    """A file that takes whatever is written until that fails once, and keeps the failure."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        """Write to a file."""
        self.failure: OSError | None = None
        self.is_given_up = False
        self._file = file

    def write(self, data: bytes) -> int:
        """Write bytes, unless that has failed, or nobody waits for them any more."""
        remaining = memoryview(data).cast("B")
        try:
            while len(remaining) and self.failure is None and not self.is_given_up:
                remaining = remaining[self._file.write(remaining) :]
        except OSError as error:
            self.failure = error
        return len(data)

    def sync(self) -> None:
        """Wait until what was written lies on the disk, unless that has failed."""
        try:
            if self.failure is None:
                os.fsync(self._file.fileno())
        except OSError as error:
            self.failure = error

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Who opened the file closes it."""
