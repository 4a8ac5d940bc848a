"""One file, or the standard output, as the place that a command writes its rows to."""

import bz2
import gzip
import lzma
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from fair_datasets.cli.files import FORMATS, OPENERS, ending
from fair_datasets.cli.folders import existing, refuse_unwritable_place
from fair_datasets.cli.row_files import (
    ROW_FORMATS,
    SEPARATORS,
    lines,
    mixes_empty_texts,
    refuse_unwritable,
)
from fair_datasets.cli.standard_output import StandardOutput
from fair_datasets.rows.parquet import write_parquet
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import naming
from fair_datasets.system.temporary import temporary_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from datasets import Dataset, Features

# Compression to what writes it; equal rows give equal files.
_COMPRESSED: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda file: gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0),
    ".bz2": partial(bz2.open, mode="wb"),
    ".xz": partial(lzma.open, mode="wb"),
}
# Endings of files that nobody would give to a folder.
_OTHER = (".json", ".txt", ".arrow", ".xls", ".xlsx", ".zip", *FORMATS)


class FileOutput(NamedTuple):
    """One file that is to be written.

    Attributes:
        path: The file; None for the standard output.
        kind: The ending of its format.
        replace: Whether a file that lies there is replaced.
    """

    path: Path | None
    kind: str
    replace: bool = False

    def __str__(self) -> str:
        """Return what names it in a sentence."""
        return "the standard output" if self.path is None else str(self.path)


def file_output(text: str, *, kind: str = ".jsonl", replace: bool = False) -> FileOutput | None:
    """Read where rows are to be written to, if it is a file.

    Args:
        text: What was given: `-` is the standard output; what ends in a slash is a folder.

    Returns:
        The file; None if it is none by its ending.

    Raises:
        InputError: The ending is that of a file which is not written.

    Example:
        >>> file_output("reviews.csv").kind, file_output("reviews-v1.0"), file_output("x.csv/")
        ('.csv', None, None)
    """
    if text == "-":
        return FileOutput(None, kind, replace)
    path = Path(text)
    found, compression = ending(path), path.suffix.lower()
    is_file = found in {*ROW_FORMATS, *_OTHER} or path.name in ROW_FORMATS
    if text.endswith(("/", os.sep)) or not is_file:
        return None
    is_compressed = compression in OPENERS
    if path.name in ROW_FORMATS:
        raise InputError(f"--out {text}: that is an ending only; put a name before it.")
    if found not in ROW_FORMATS or (is_compressed and compression not in _COMPRESSED):
        raise InputError(
            f"--out {text}: a file with this ending cannot be written; use one of "
            f"{', '.join(ROW_FORMATS)} (and {', '.join(_COMPRESSED)} to compress it), or name a "
            "folder."
        )
    if is_compressed and found == ".parquet":
        raise InputError(f"--out {text}: Parquet is compressed by itself; write .parquet.")
    return FileOutput(path, found, replace)


def refuse_taken_file(out: FileOutput) -> None:
    """Raise if a file cannot be written.

    Raises:
        InputError: Something lies there already, or in the way; or nothing can be made there.
    """
    if out.path is None:
        return
    if out.path.is_dir():
        raise InputError(
            f"{out.path} is a folder, but its ending is that of a file; name another --out, or "
            f"write {out.path}/ for a folder."
        )
    if os.path.lexists(out.path):
        if not out.path.is_file():
            raise InputError(f"{out.path} is not a file that can be replaced; name another --out.")
        if not out.replace:
            raise InputError(
                f"The output file {out.path} already exists, and nothing is overwritten; name "
                "another one, or remove it."
            )
    place = existing(out.path.absolute().parent)
    if not place.is_dir():
        raise InputError(
            f"The output file {out.path} cannot be made, as {place} is a file; name another one."
        )
    refuse_unwritable_place(out.path)


def refuse_rows(out: FileOutput, features: "Mapping[str, Features]", source: str) -> None:
    """Raise unless one file can hold the rows.

    Raises:
        InputError: There are several splits, or there is no place for a column.
    """
    if len(features) > 1:
        raise InputError(
            f"{source} has the splits {', '.join(features)}, which one file cannot hold; name a "
            "folder with --out, or give one split alone: its file, or its name by --split where "
            "the command has that option."
        )
    for columns in features.values():
        refuse_unwritable(out.kind, columns, source)


@contextmanager
def new_file(out: FileOutput) -> Iterator[Path]:
    """Give a folder for a file, which takes its place when all went well.

    Yields:
        A hidden folder beside it, or a temporary one for the standard output. It is removed at
        the end, also if anything fails.

    Raises:
        InputError: Something lies there already.
    """
    refuse_taken_file(out)
    target = None if out.path is None else out.path.resolve()
    beside = temporary_folder()
    if target is not None:
        beside = temporary_folder(existing(target.parent), prefix=f".{target.name}.partial-")
    with beside as folder:
        yield folder
        if target is not None:
            take_place(folder, out)


def take_place(
    folder: Path, out: FileOutput, *, ready: Callable[[Path, Path], None] = lambda made, place: None
) -> None:
    """Let a file that was written into a folder become the wanted one.

    Args:
        out: The wanted file; not the standard output.
        ready: What is told where it was written and its place, just before it goes there.

    Raises:
        InputError: Something lies there already.
    """
    if out.path is not None:
        refuse_taken_file(out)
        target = out.path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        ready(folder / target.name, target)
        os.replace(folder / target.name, target)


def write_file(rows: "Dataset", out: FileOutput, folder: Path) -> None:
    """Write rows into the folder that `new_file` gave, or to the standard output."""
    if out.kind in SEPARATORS and (column := mixes_empty_texts(rows)):
        print(
            f"fair-datasets: column {column!r} holds nulls and empty texts, which most readers of "
            f"{out.kind} cannot tell apart; .jsonl keeps both.",
            file=sys.stderr,
        )
    if out.path is None:
        output = cast("StandardOutput", sys.stdout)
        for line in lines(rows, out.kind):
            output.write_row(line.encode())
        return
    place = folder / out.path.resolve().name
    try:
        with naming(place):
            if out.kind == ".parquet":
                write_parquet(rows, place)
            else:
                _write_lines(rows, out.kind, place)
    except BaseException:
        place.unlink(missing_ok=True)
        raise


def _write_lines(rows: "Dataset", kind: str, place: Path) -> None:
    """Write rows into a file of lines, so that it outlives a power cut."""
    compression = _COMPRESSED.get(place.suffix.lower(), nullcontext)
    with place.open("wb") as file:
        with compression(file) as opened:
            for line in lines(rows, kind):
                opened.write(line.encode())
        file.flush()
        os.fsync(file.fileno())
