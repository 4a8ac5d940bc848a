"""Arrow tables: texts inside their columns, around which all stays bit for bit, and Parquet files.

Parquet is written to disks that may be full, while signals may come.
"""

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fair_datasets.rows.text_fields import EACH

if TYPE_CHECKING:
    import pyarrow as pa
    from datasets import Dataset


def python_values(column: "pa.Array | pa.ChunkedArray") -> list[Any]:
    """Return the values of a column as Python's objects, with JSON read."""
    values = column.to_pylist()
    if not _holds_json(column.type):
        return list(values)
    return [_read(value, column.type) for value in values]


def with_texts(array: "pa.Array", steps: Sequence[str], values: Sequence[Any]) -> "pa.Array":
    """Put other texts into a column."""
    import pyarrow as pa

    if isinstance(array.type, pa.JsonType):
        pairs = zip(array.to_pylist(), values, strict=True)
        return pa.array([_written(*pair) for pair in pairs], array.type)
    if steps and steps[0] == EACH and isinstance(array, pa.ListArray | pa.LargeListArray):
        return _with_elements(array, steps[1:], values)
    if steps and pa.types.is_struct(array.type):
        return _with_field(array, steps, values)
    return with_values(array.type, values)


def with_values(kind: "pa.DataType", values: Sequence[Any]) -> "pa.Array":
    """Make a column of a type anew.

    Example:
        >>> import pyarrow as pa
        >>> with_values(pa.list_(pa.json_()), [[{"role": "user"}], None]).to_pylist()
        [['{"role": "user"}'], None]
    """
    import pyarrow as pa

    if not _holds_json(kind):
        return pa.array(values, kind)
    return pa.array([_encoded(value, kind) for value in values], _stored(kind)).cast(kind)


def _with_elements(array: Any, steps: Sequence[str], values: Sequence[Any]) -> "pa.Array":
    """Put other texts into the elements of lists."""
    import numpy as np
    import pyarrow as pa

    lengths = [0 if value is None else len(value) for value in values]
    flat = [inner for value in values if value is not None for inner in value]
    return type(array).from_arrays(
        pa.array(np.cumsum([0, *lengths]), array.offsets.type),
        with_texts(array.flatten(), steps, flat),
        type=array.type,
        mask=array.is_null(),
    )


def _with_field(array: "pa.Array", steps: Sequence[str], values: Sequence[Any]) -> "pa.Array":
    """Put other texts into one field of objects."""
    import pyarrow as pa

    fields = list(array.type)
    children = [array.field(place) for place in range(len(fields))]
    place = array.type.get_field_index(steps[0])
    inner = [None if value is None else value[steps[0]] for value in values]
    children[place] = with_texts(children[place], steps[1:], inner)
    return pa.StructArray.from_arrays(children, fields=fields, mask=array.is_null())


def _holds_json(kind: "pa.DataType") -> bool:
    """Tell whether JSON stands somewhere in the values of a type."""
    import pyarrow as pa

    if isinstance(kind, pa.JsonType):
        return True
    return any(_holds_json(kind.field(place).type) for place in range(kind.num_fields))


def _read(value: Any, kind: "pa.DataType") -> Any:
    import pyarrow as pa

    if value is None or not _holds_json(kind):
        return value
    if isinstance(kind, pa.JsonType):
        return json.loads(value)
    if pa.types.is_struct(kind):
        return {field.name: _read(value[field.name], field.type) for field in kind}
    return [_read(inner, kind.value_type) for inner in value]


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
    if text is None or json.loads(text) == value:
        return text
    return json.dumps(value, ensure_ascii=False)


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
        left = memoryview(data).cast("B")
        try:
            while len(left) and self.failure is None and not self.is_given_up:
                left = left[self._file.write(left) :]
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
