"""Rewriting the rows of an Arrow table."""

from typing import TYPE_CHECKING

from fair_datasets.rows.families import FAMILY
from fair_datasets.rows.nested import python_values, with_texts, with_values
from fair_datasets.rows.text_fields import counterfactual_column, text_field
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.swap.rewriting.rewriter import MODES

if TYPE_CHECKING:
    import pyarrow as pa


def on_table(
    table: "pa.Table", technique: Rewriter, schema: "pa.Schema", *, is_left: bool = False
) -> "pa.Table":
    """Rewrite a batch of rows; whatever the technique does not rewrite stays bit for bit.

    As Python objects, timestamps would lose their nanoseconds and images would be compressed anew.
    """
    import pyarrow as pa

    owner = type(technique).__name__
    fields = [text_field(name, table.column_names, owner=owner) for name in technique.columns]
    held = {field.column for field in fields}
    # Of families the technique needs to know that they are there.
    needed = {*held, *technique.other_columns(), FAMILY}
    read = [name for name in table.column_names if name in needed]
    # Longer than each name that it must not be.
    place = "".join(read) + " place"
    batch = {name: python_values(table[name]) for name in read}
    batch[place] = list(range(table.num_rows))
    result = technique.leave(batch) if is_left else technique(batch)
    kept = table.take(pa.array(result[place], pa.int64()))
    rewritten = {name: name for name in held}
    if technique.mode == "pair":
        rewritten = {counterfactual_column(name): name for name in held}
    columns = {name: kept[name] for name in kept.column_names}
    for name, origin in rewritten.items():
        if technique.mode not in MODES:
            # A value comes from another column.
            columns[name] = with_values(kept.schema.field(origin).type, result[name])
            continue
        columns[name] = kept[origin].combine_chunks()
        for field in fields:
            if field.column == origin:
                columns[name] = with_texts(columns[name], field.steps, result[name])
    return pa.Table.from_arrays(
        [
            columns[field.name]
            if field.name in columns
            else pa.array(result[field.name], field.type)
            for field in schema
        ],
        schema=schema,
    )
