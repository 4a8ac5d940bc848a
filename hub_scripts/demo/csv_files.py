"""An uploaded CSV file, and the file that is given back."""

import csv
import io
import json
import re
from typing import NamedTuple

from settings import Settings

from fair_datasets import InputError
from fair_datasets.rows.exact_csv import delimiter_of
from fair_datasets.swap import count_mentions

MAX_BYTES = 1_000_000
MAX_ROWS = 5_000
MAX_COLUMNS = 100


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


class MentionCount(NamedTuple):
    """How often an attribute is mentioned.

    Attributes:
        attribute: The attribute.
        before: Its mentions in the rows as they came.
        after: Its mentions in all rows of the augmented file.
    """

    attribute: str
    before: int
    after: int


class Augmented(NamedTuple):
    """A CSV file with its counterfactuals.

    Attributes:
        text: The file.
        rows: How many rows came in.
        added: How many counterfactuals were added.
        counts: The mentions of each attribute of the axes.
        delimiter: What stands between two cells.
    """

    text: str
    rows: int
    added: int
    counts: list[MentionCount]
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
    delimiter = delimiter_of(io.StringIO(text, newline=""))
    try:
        lines = [
            row
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
            if row
        ]
    except csv.Error as error:
        raise InputError(f"The file is no CSV ({error}); check its quotes.") from error
    return _checked(Table(lines[0], lines[1:], delimiter))


def augment_csv(content: bytes, column: str, settings: Settings) -> Augmented:
    """Add to each row of a CSV file its counterfactual.

    Args:
        content: The file's bytes.
        column: The text column.
        settings: What is rewritten, and to what.

    Returns:
        The augmented file, and the counts before and after.

    Raises:
        InputError: The file is no CSV that this page takes, or the column is missing or holds no
            text.
    """
    table = read_csv(content)
    swap = settings.swap(column or "", provenance=True)
    batch = dict(zip(table.header, map(list, zip(*table.rows, strict=True)), strict=True))
    result = swap(batch)
    if not any(re.search(r"[^\W\d_]", text) for text in batch[column]):
        raise InputError(f"The column {column!r} holds no words; choose the one with the texts.")
    before, after = (_counted(texts, settings) for texts in (batch[column], result[column]))
    counts = [MentionCount(name, count, after[name]) for name, count in before.items()]
    result["edits"] = [json.dumps(edits, ensure_ascii=False) for edits in result["edits"]]
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=table.delimiter, lineterminator="\n")
    writer.writerow(result)
    writer.writerows(zip(*result.values(), strict=True))
    return Augmented(
        written.getvalue(), len(table.rows), sum(result["counterfactual"]), counts, table.delimiter
    )


def _counted(texts: list[str], settings: Settings) -> dict[str, int]:
    """Count the mentions of each attribute in texts."""
    from datasets import Dataset

    return count_mentions(Dataset.from_dict({"text": texts}), "text", **settings.counting())


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
    # A file of this size may name a hundred thousand, which would take minutes.
    if len(header) > MAX_COLUMNS:
        raise InputError(
            f"The file has {len(header):,} columns, and this page takes {MAX_COLUMNS}; upload "
            "fewer, or install fair-datasets for files of any size."
        )
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two columns are named {twice!r}; rename one of them.")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise InputError(
                f"The file is no CSV with a header: row {number:,} has {len(row)} cells, and the "
                f"header has {len(header)}; put texts that hold {table.delimiter!r} in quotes."
            )
    return table
