"""Arrow tables through a technique: what it does not read or change stays bit for bit."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import TYPE_CHECKING, Any

from fair_datasets.rows.arrow import (
    Columns,
    features_of,
    python_values,
    taken,
    with_changes,
    with_values,
)
from fair_datasets.rows.column_checks import OUR_OWN, refuse_twins
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    import pyarrow as pa

    from fair_datasets.technique.contract import Technique

# Beside the columns of a batch, what says which row is which.
_ROWS = f"{OUR_OWN}rows"


def arrow_table(batch: Any) -> "pa.Table | None":
    """Return a table or a record batch of Arrow as a table; None for anything else."""
    if type(batch).__module__.partition(".")[0] != "pyarrow":
        return None
    import pyarrow as pa

    if isinstance(batch, pa.RecordBatch):
        return pa.Table.from_batches([batch])
    return batch if isinstance(batch, pa.Table) else None


def record_batch(table: "pa.Table") -> "pa.RecordBatch":
    """Return a table as one record batch."""
    import pyarrow as pa

    columns = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(columns, schema=table.schema)


class _Row:
    """A row, in the place of a value of a column that nobody reads."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


def process_table(
    technique: "Technique", table: "pa.Table", process: Callable[[Mapping[str, Any]], Any]
) -> Any:
    """Process the rows of a table.

    Args:
        process: What becomes of a batch: the technique's own `process`, or what stands in for it.

    Returns:
        A table; of a technique for `filter` which rows to keep.
    """
    names = table.column_names
    refuse_twins(names)
    read = _columns_read(technique, names)
    old = {name: python_values(table[name]) for name in names if read is None or name in read}
    batch = Columns(old, table)
    if read is not None:
        rows = [_Row(number) for number in range(table.num_rows)]
        batch = Columns({name: old.get(name, rows) for name in names} | {_ROWS: rows}, table)
    result = process(batch)
    if not isinstance(result, Mapping):
        return result
    columns = {**batch, **result}
    places = None if read is None else [row.number for row in columns.pop(_ROWS)]
    return _Result(technique, table, old, places).table(columns)


def _columns_read(technique: "Technique", names: Sequence[str]) -> Sequence[str] | None:
    """Return the columns that a technique reads; None for all.

    A class that overrides `process` alone may read more than the one that it extends.
    """
    for kind in type(technique).__mro__:
        if "reads" in vars(kind):
            return technique.input_columns(names) if technique.reads else None
        if "process" in vars(kind):
            break
    return None


@lru_cache(maxsize=32)
def _features(
    technique: "Technique", schema: "pa.Schema", stated: bytes | None
) -> tuple["pa.Schema", set[str]]:
    """Return the schema of a result, and the columns that were not there or had another type.

    Args:
        stated: The features in the schema, which equal schemas may differ in.
    """
    before = features_of(schema)
    after = technique.features(before)
    return after.arrow_schema, {name for name in after if before.get(name) != after[name]}


class _Result:
    """What becomes of a table.

    Args:
        old: The values of the columns that were read.
        places: The row of the table that each row of the result comes from; None if not known.
    """

    def __init__(
        self,
        technique: "Technique",
        table: "pa.Table",
        old: Mapping[str, Sequence[Any]],
        places: Sequence[int] | None,
    ) -> None:
        self._owner = type(technique).__name__
        self._table, self._old, self._places = table, old, places
        self._twins = technique.twin_columns(table.column_names)
        stated = (table.schema.metadata or {}).get(b"huggingface")
        self._schema, self._new = _features(technique, table.schema, stated)

    def table(self, columns: Mapping[str, Sequence[Any]]) -> "pa.Table":
        """Return the table with the values that its columns have now, and with new columns."""
        import pyarrow as pa

        own, made = self._table.schema, {}
        for name, values in columns.items():
            try:
                made[name] = self._column(name, values)
            except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
                raise invalid(
                    f"the values of column {name!r} are not of the type that its "
                    f"features say ({error}); state their type in `added_features` or `features`."
                ) from error
        fields = [
            own.field(name).with_type(column.type)
            if name in own.names
            else pa.field(name, column.type)
            for name, column in made.items()
        ]
        metadata = own.metadata
        if metadata and b"huggingface" in metadata:
            metadata = {**metadata, **self._schema.metadata}
        return pa.Table.from_arrays([*made.values()], schema=pa.schema(fields, metadata))

    def _column(self, name: str, values: Sequence[Any]) -> Any:
        """Return a column of the result."""
        import pyarrow as pa

        if name in self._new and name not in self._twins:
            return with_values(self._schema.field(name).type, values)
        origin = self._twins.get(name, name)
        if origin not in self._table.column_names:
            return pa.array(values)
        if origin not in self._old:
            return taken(self._table[origin], self._places or [])
        return self._changed(self._table[origin], self._old[origin], values)

    def _changed(self, column: "pa.ChunkedArray", old: Sequence[Any], values: Sequence[Any]) -> Any:
        """Put values into a column that was read."""
        import pyarrow as pa

        places = self._places or _source_rows(values, old)
        if len(places) < len(values):
            return with_values(column.type, values)
        before = [old[place] for place in places]
        if all(map(is_, before, values)):
            return taken(column, places)
        if pa.types.is_nested(column.type) or isinstance(column.type, pa.JsonType):
            return with_changes(taken(column, places).combine_chunks(), before, values)
        return with_values(column.type, values)


def _source_rows(values: Sequence[Any], old: Sequence[Any]) -> Sequence[int]:
    """Find the rows that values come from, if they are the same objects; fewer if they are not."""
    known = {id(value): place for place, value in enumerate(old)}
    rows = [known[id(value)] for value in values if id(value) in known]
    is_aligned = len(rows) < len(values) == len(old)
    return range(len(old)) if is_aligned else rows
