"""Folders of the rows that a filter dropped, as datatrove and Data-Juicer write them."""

import bz2
import csv
import gzip
import json
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fair_datasets.auditing.audit_input import hash_of
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.rows.draws import row_ids
from fair_datasets.rows.exact_csv import delimiter_of
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.system.checks import (
    InputError,
    caller_name,
    error_context,
    format_choices,
    invalid,
)
from fair_datasets.system.files import long_fields

_ENDINGS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
_OPENERS: Mapping[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_REASON = "filter_reason"
"""Where an exclusion writer of datatrove says why, in a row or in its metadata."""
_TRACES = ("sample_trace-", "filter-")
"""How files of Data-Juicer's tracer begin that hold what an operator dropped, named after it."""
_OTHER_TRACES = ("mapper-", "duplicate-")
_REWRITTEN = "original_text"
"""What a trace holds of an operator that rewrites rows, and drops none."""


def dropped_rows(
    path: str, settings: AuditSettings, reason: str | None, id_column: str | None
) -> Iterator[tuple[int, str]]:
    """Read the rows that were dropped.

    Args:
        path: A file, or a folder of files. The reason of a row is in the column that is named, else
            in `filter_reason` (datatrove); else it is the operator that a trace of Data-Juicer is
            named after; else the name of the first folder below the one that is given.
        reason: The column with the reasons; None to look for them.

    Yields:
        A hash of what a row is known by, and why it was dropped; empty where that is not said.
    """
    root = Path(path)
    has_reason = False
    for file in _files(root):
        records = list(_records(file))
        if not records or _REWRITTEN in records[0]:
            continue
        named = _named(file, root)
        for start in range(0, len(records), 1000):
            some = records[start : start + 1000]
            with error_context(f"{caller_name()}: {file}"):
                keys = _keys(some, settings, id_column)
            reasons = [_reason(row, reason or _REASON) for row in some]
            has_reason = has_reason or any(reasons)
            yield from zip(keys, (each or named for each in reasons), strict=True)
    if reason is not None and not has_reason:
        raise invalid(
            f"in column {reason!r}, no row of {root} says why it was dropped; name "
            "another column as reason, or leave it out to take the names of files and folders."
        )


def _files(root: Path) -> list[Path]:
    """Name the files of rows, below a folder at any depth."""
    if not root.exists():
        raise invalid(f"there is no file or folder {str(root)!r} of dropped rows.")
    paths = [root] if root.is_file() else sorted(root.rglob("*"))
    files = [file for file in paths
             if file.is_file() and _ending(file) in _ENDINGS
             and not file.name.startswith((".", *_OTHER_TRACES))]  # fmt: skip
    packed = [file for file in paths if file.suffix == ".zst"]
    if packed:
        raise invalid(f"{packed[0]} is compressed with zstd; decompress it, or write .jsonl.gz.")
    if not files:
        raise invalid(
            f"{root} holds no dropped rows; they are read from {format_choices(_ENDINGS)}, which "
            f"may be compressed ({', '.join(_OPENERS)})."
        )
    return files


def _ending(file: Path) -> str:
    """Return the ending of a file without that of its compression."""
    return (file.with_suffix("") if file.suffix in _OPENERS else file).suffix


def _records(file: Path) -> Iterator[dict[str, Any]]:
    opener = _OPENERS.get(file.suffix, open)
    try:
        if _ending(file) == ".parquet":
            import pyarrow.parquet

            with opener(file, "rb") as content:
                yield from pyarrow.parquet.read_table(content).to_pylist()
            return
        with opener(file, "rt", encoding="utf-8-sig", newline="") as lines:
            if _ending(file) in (".csv", ".tsv"):
                delimiter = "\t" if _ending(file) == ".tsv" else delimiter_of(lines)
                lines.seek(0)
                with long_fields():
                    yield from csv.DictReader(lines, delimiter=delimiter)
                return
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _record(line, f"{file}, line {number}")
    except InputError:
        raise
    except (OSError, EOFError, zlib.error, lzma.LZMAError, csv.Error, ValueError) as error:
        raise invalid(f"{file} cannot be read ({error}); write it again.") from error


def _record(line: str, where: str) -> dict[str, Any]:
    """Read one row of a JSONL file."""
    try:
        record = json.loads(line)
    except ValueError as error:
        raise invalid(f"{where}: it is not JSON ({error}); write it again.") from error
    if not isinstance(record, dict):
        raise invalid(f"{where}: each line must be one row, such as {{'text': 'a'}}.")
    return record


def _named(file: Path, root: Path) -> str:
    """Return the reason that a file is named after; empty where there is none."""
    for start in _TRACES:
        if file.name.startswith(start):
            return file.name.removeprefix(start).split(".")[0]
    parts = file.relative_to(root).parts if root.is_dir() else ()
    return parts[0] if len(parts) > 1 else ""


def _reason(row: Mapping[str, Any], column: str) -> str:
    """Return why a row was dropped, as it or its metadata say; empty where they do not."""
    inner = row.get("metadata")
    reason = row.get(column) or (inner.get(column) if isinstance(inner, Mapping) else None)
    return str(reason) if reason else ""


def _keys(
    rows: Sequence[Mapping[str, Any]], settings: AuditSettings, id_column: str | None
) -> list[int]:
    """Return a hash of what each row is known by."""
    names = dict.fromkeys(name for row in rows for name in row)
    batch = {name: [row.get(name) for row in rows] for name in names}
    if id_column is not None:
        return [hash_of((id_,)) for id_ in ids_of(batch, id_column)]
    texts = RowTexts.read(batch, settings.columns, roles=tuple(settings.roles))
    return list(map(hash_of, texts.rows))


def ids_of(batch: Mapping[str, Sequence[Any]], column: str) -> list[str]:
    """Return the ids of rows as texts, or raise where a row has none.

    Example:
        >>> ids_of({"id": [3, 4]}, "id")
        ['3', '4']
    """
    ids = row_ids(batch, column)
    if None in ids:
        raise invalid(
            f"column {column!r} has no id in a row; give each row one, or leave --id out "
            "to know rows by their texts."
        )
    return [str(each) for each in ids]
