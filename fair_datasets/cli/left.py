"""The rows that a swap leaves as a whole: why it does, and the file that lists them."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.cli.file_outputs import FileOutput, new_file, refuse_taken_file, write_file
from fair_datasets.cli.files import ending
from fair_datasets.cli.inputs import batches
from fair_datasets.cli.row_files import ROW_FORMATS
from fair_datasets.swap.counterfactual import CounterfactualSwap, ReadRow
from fair_datasets.swap.preferences import PreferenceTwins
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

_COLUMNS = {"split": "string", "row": "int64", "id": "string", "reason": "string",
            "told": "string", "text": "string"}  # fmt: skip


def left_output(options: argparse.Namespace, technique: Rewriter) -> FileOutput | None:
    """Return the file that lists the rows which are left.

    Returns:
        The file; None if none is asked for.

    Raises:
        InputError: It cannot be written, or the technique leaves no rows as a whole.
    """
    if options.left is None:
        return None
    if not isinstance(technique, CounterfactualSwap):
        raise InputError(
            f"augment: --left is for CounterfactualSwap, and {type(technique).__name__} gives no "
            "reasons for rows that it leaves; leave --left out."
        )
    if options.dry_run:
        raise InputError(
            "augment: --left is a file, and --dry-run writes none, but counts the rows by their "
            "reasons; leave one of them out."
        )
    path = Path(options.left)
    if ending(path) not in ROW_FORMATS or path.suffix.lower() != ending(path):
        raise InputError(
            f"--left {options.left}: a file with this ending cannot be written; use one of "
            f"{', '.join(ROW_FORMATS)}."
        )
    others = {"input": options.input, "output": options.out}
    for what, name in others.items():
        if name is not None and path.resolve() == Path(str(name)).resolve():
            raise InputError(
                f"--left {options.left}: that is the {what}, which the list would replace; name "
                "another file."
            )
    out = FileOutput(path, ending(path), options.overwrite)
    refuse_taken_file(out)
    return out


def write_left(
    out: FileOutput, splits: "Mapping[str, Dataset]", technique: Rewriter, source: str
) -> int:
    """List the rows that a swap leaves as a whole, which are read once more for it.

    Returns:
        How many lines it has: one for each row and reason.
    """
    from datasets import Dataset, Features, Value

    features = Features({name: Value(kind) for name, kind in _COLUMNS.items()})
    found = [
        {"split": split, **line}
        for split, rows in splits.items()
        for line in _lines(rows, technique, source)
    ]
    columns = {name: [line[name] for line in found] for name in _COLUMNS}
    with new_file(out) as folder:
        write_file(Dataset.from_dict(columns, features=features), out, folder)
    return len(found)


def _lines(rows: "Dataset", technique: Rewriter, source: str) -> Iterator[Mapping[str, Any]]:
    """Give the rows of a split that are left, one time for each reason."""
    first = 0
    for batch in batches(rows, technique.columns, source):
        texts = technique.texts(batch).rows
        name = technique.id_column
        ids = batch[name] if name else [None] * len(texts)
        others = left_preferences(batch, technique)
        for read in read_rows(batch, technique):
            text = "\n".join(filter(None, texts[read.number]))
            key = ids[read.number]
            where = {"row": first + read.number, "id": None if key is None else str(key)}
            found = reasons(read)
            if read.number in others:
                found.add((others[read.number],) * 2)
            for reason, told in sorted(found):
                yield {**where, "reason": reason, "told": told, "text": text}
        first += len(texts)


def read_rows(batch: Any, technique: Rewriter) -> Iterator[ReadRow]:
    """Give what a swap finds in the rows of a batch; nothing for other techniques.

    Yields:
        Each row that has a word of the axes.
    """
    if isinstance(technique, CounterfactualSwap):
        yield from technique.read(technique.rows(batch, technique.texts(batch).rows))


def left_preferences(batch: Any, technique: Rewriter) -> dict[int, str]:
    """Say why rows are left as preferences; nothing of other techniques.

    Returns:
        The number of each such row to the reason.
    """
    return technique.left(batch) if isinstance(technique, PreferenceTwins) else {}


def reasons(row: ReadRow) -> set[tuple[str, str]]:
    """Return why a row is left alone as a whole.

    Returns:
        Each reason, and the same in the words of the row; nothing if it is not left.
    """
    left = (each for reading in row.readings if reading for each in reading.left)
    return {(each.reason.value, each.told) for each in left if each.is_of_row}
