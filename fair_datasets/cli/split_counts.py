"""Counting what was rewritten, and telling it."""

import sys
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fair_datasets.cards import SplitCounts
from fair_datasets.lexicons import load_lexicon
from fair_datasets.matching.lexical import LexicalTechnique
from fair_datasets.report import count_table
from fair_datasets.rewriting import Rewriter
from fair_datasets.swap.counts import count_mentions
from fair_datasets.text_fields import counterfactual_column, field_columns

if TYPE_CHECKING:
    from datasets import Dataset


def counted(dataset: "Dataset", result: "Dataset", technique: Rewriter) -> SplitCounts:
    """Count rows and mentions before and after.

    Args:
        dataset: The rows of a split.
        result: What the technique made of them.
        technique: The technique.

    Returns:
        The counts.
    """
    old = tuple(technique.columns)
    new = tuple(map(counterfactual_column, old)) if technique.mode == "pair" else old
    if technique.mode == "augment":
        changed = result.num_rows - dataset.num_rows
    else:
        read = (
            rows.select_columns(field_columns(names, rows.column_names, owner="augment"))
            for rows, names in ((dataset, old), (result, new))
        )
        changed = _different_rows(*read)
    before, after = (
        _mentions(rows, columns, technique) for rows, columns in ((dataset, old), (result, new))
    )
    counted = [column for column in technique.counted if column in technique.log_columns()]
    logged = {column: _values(result, column) for column in counted}
    return SplitCounts(dataset.num_rows, result.num_rows, changed, before, after, logged)


def _mentions(rows: "Dataset", columns: tuple[str, ...], technique: Rewriter) -> dict[str, int]:
    """Count the mentions of the axes that a technique reads; nothing where it reads none."""
    if not isinstance(technique, LexicalTechnique):
        return {}
    return count_mentions(
        rows,
        columns,
        roles=technique.roles,
        axis=technique.axis,
        names=technique.names,
        protect=technique.protect,
        pipeline=technique.pipeline,
    )


def _values(rows: "Dataset", column: str) -> dict[str, int]:
    """Count the values of a column; nulls are none."""
    counts: Counter[str] = Counter()
    for batch in rows.select_columns([column]).iter(batch_size=1000):
        counts.update(str(value) for value in batch[column] if value is not None)
    return dict(sorted(counts.items()))


def _different_rows(dataset: "Dataset", result: "Dataset") -> int:
    """Count the rows that differ between two datasets of the same length and number of columns."""
    batches = (rows.iter(batch_size=1000) for rows in (dataset, result))
    return sum(
        old != new
        for before, after in zip(*batches, strict=True)
        for old, new in zip(
            zip(*before.values(), strict=True), zip(*after.values(), strict=True), strict=True
        )
    )


def warn_of_unmatched(technique: Rewriter, counts: Mapping[str, SplitCounts]) -> None:
    """Tell of each axis that no text mentions, or that nothing was rewritten.

    Args:
        technique: The technique.
        counts: Split name to its counts.
    """
    if not isinstance(technique, LexicalTechnique):
        if not any(split.rows_changed for split in counts.values()):
            print(
                f"fair-datasets: {type(technique).__name__} rewrote no text; check --text.",
                file=sys.stderr,
            )
        return
    for axis in technique.axes:
        names = load_lexicon(axis).attributes
        if not any(sum(map(split.mentions_before.__getitem__, names)) for split in counts.values()):
            print(
                f"fair-datasets: no text mentions anybody of the axis {axis!r}; check --text and "
                "--axis.",
                file=sys.stderr,
            )


def print_counts(split: str, numbers: SplitCounts) -> None:
    """Print what happened to one split.

    Args:
        split: The split's name.
        numbers: Its counts.
    """
    print(
        f"\n{split}: {numbers.rows_in:,} rows in, {numbers.rows_out:,} rows out, "
        f"{numbers.rows_changed:,} rewritten\n"
    )
    if numbers.mentions_before:
        print(count_table(numbers.mentions_before, numbers.mentions_after))
    for column, values in numbers.logged.items():
        print(*(f"{column} {value}: {number:,}" for value, number in values.items()), sep="\n")
