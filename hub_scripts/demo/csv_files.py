"""An uploaded CSV file, and the file that is given back."""

import csv
import io
import json
import re
from collections import Counter
from typing import NamedTuple

from fair_datasets import CounterfactualSwap, InputError

MAX_BYTES = 1_000_000
MAX_ROWS = 5_000


class Table(NamedTuple):
    """A CSV file.

    Attributes:
        header: The names of its columns.
        rows: Its rows, each of the header's length.
        delimiter: What stands between two cells.
    """

    header: list[str]
    rows: list[list[str]]
    delimiter: str


def read_csv(content: bytes) -> Table:
    """Read an uploaded file, or say in a sentence why it is no CSV.

    Args:
        content: The file's bytes.

    Returns:
        The table.

    Raises:
        InputError: The file is too large, empty, no text, or no table.
    """
    if len(content) > MAX_BYTES:
        raise InputError(
            f"The file has {len(content) / 1e6:.1f} MB, and this page takes "
            f"{MAX_BYTES / 1e6:.0f} MB; upload a part of it, or install fair-datasets for files of "
            "any size."
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"The file is no text in UTF-8 (byte {error.start:,} is none); save it as CSV in UTF-8."
        ) from error
    if "\0" in text:
        raise InputError("The file is no text: it holds zero bytes; save it as CSV in UTF-8.")
    if not text.strip():
        raise InputError("The file is empty; upload a CSV file with a header and rows.")
    first = text.lstrip().splitlines()[0]
    delimiter = max(",;\t", key=first.count)
    try:
        lines = [
            row
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
            if row
        ]
    except csv.Error as error:
        raise InputError(f"The file is no CSV ({error}); check its quotes.") from error
    return _checked(Table(lines[0], lines[1:], delimiter))


def augment_csv(content: bytes, column: str, axis: str, target: str) -> tuple[str, str]:
    """Add to each row of a CSV file its counterfactual.

    Args:
        content: The file's bytes.
        column: The text column.
        axis: The demographic axis.
        target: The attribute that its terms are rewritten to; empty for their counterparts.

    Returns:
        The augmented CSV, with the columns of provenance, and a sentence that says what was done.

    Raises:
        InputError: The file is no CSV that this page takes, the column is missing or holds no
            text, or there is no such axis or target.
    """
    table = read_csv(content)
    swap = CounterfactualSwap(
        columns=column or "", axis=axis, target=target or None, provenance=True
    )
    batch = dict(zip(table.header, map(list, zip(*table.rows, strict=True)), strict=True))
    result = swap(batch)
    if not any(re.search(r"[^\W\d_]", text) for text in batch[column]):
        raise InputError(f"The column {column!r} holds no words; choose the one with the texts.")
    result["edits"] = [json.dumps(edits, ensure_ascii=False) for edits in result["edits"]]
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=table.delimiter, lineterminator="\n")
    writer.writerow(result)
    writer.writerows(zip(*result.values(), strict=True))
    added = sum(result["counterfactual"])
    return written.getvalue(), f"Rows in: {len(table.rows):,}. Counterfactuals added: {added:,}."


def _checked(table: Table) -> Table:
    """Return a table whose rows are as long as its header; or raise."""
    header, rows = table.header, table.rows
    if not rows:
        raise InputError("The file has a header and no rows; add the rows, or the header.")
    if len(rows) > MAX_ROWS:
        raise InputError(
            f"The file has {len(rows):,} rows, and this page takes {MAX_ROWS:,}; upload a part of "
            "it, or install fair-datasets for files of any size."
        )
    # One pass: a file of this size may name a hundred thousand columns.
    twice = next((name for name, times in Counter(header).items() if times > 1), None)
    if twice is not None:
        raise InputError(f"Two columns are named {twice!r}; rename one of them.")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise InputError(
                f"The file is no CSV with a header: row {number:,} has {len(row)} cells, and the "
                f"header has {len(header)}; put texts that hold {table.delimiter!r} in quotes."
            )
    return table
