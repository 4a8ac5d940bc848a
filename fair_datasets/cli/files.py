"""The data files and standard streams of the command line: what a path names, rows as lines."""

import argparse
import bz2
import gzip
import lzma
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import regular_file, temporary_folder

# File ending to the builder of `datasets` that reads it, with its options.
FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    ".csv": ("csv", {"sep": ","}),
    ".tsv": ("csv", {"sep": "\t"}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
    ".json": ("json", {}),
    ".parquet": ("parquet", {}),
    ".txt": ("text", {}),
}
# Compression to what opens it; datasets reads .zst as well, for which Python has nothing.
OPENERS: dict[str, Callable[..., Any] | None] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": None,
}
# Files that datasets does not take for data.
_NO_DATA = ("config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json")


def ending(file: Path) -> str:
    """Return a file's ending in lower case, without the one of its compression.

    Example:
        >>> ending(Path("reviews.CSV.gz"))
        '.csv'
    """
    if file.suffix.lower() in OPENERS:
        file = file.with_suffix("")
    return file.suffix.lower()


def is_saved(path: Path) -> bool:
    """Tell whether a folder was written by `save_to_disk`."""
    return (path / "dataset_dict.json").exists() or (path / "state.json").exists()


def data_files(path: Path) -> list[Path]:
    """Name the data files of a path: itself, or what lies in the folder in a known format."""
    known = ", ".join(FORMATS)
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.is_file() and ending(file) in FORMATS and not _is_hidden(file, path)
        )
        if not files:
            raise InputError(
                f"The folder {path} holds no {known} file and no saved dataset; name a folder "
                "that does."
            )
    elif ending(path) in FORMATS:
        files = [path]
    else:
        raise InputError(
            f"The file {path} is in no format that can be read; its name must end in one of "
            f"{known} (and may be compressed: {', '.join(OPENERS)})."
        )
    for file in files:
        if not regular_file(file).st_size:
            raise InputError(f"{file} is empty; give a file that has rows.")
    return files


def _is_hidden(file: Path, folder: Path) -> bool:
    """Tell whether datasets overlooks a file of a folder."""
    parts = file.relative_to(folder).parts
    return file.name in _NO_DATA or any(part.startswith((".", "__")) for part in parts)


_TOGETHER = 1 << 20
STANDARD_INPUT = "the standard input"


@contextmanager
def standard_input(options: argparse.Namespace) -> Iterator[None]:
    """Put a temporary file in the place of the input `-` for the time of a command."""
    if getattr(options, "format", "") is None:
        options.format = "jsonl"
    elif hasattr(options, "format") and "-" not in (*options.inputs, getattr(options, "out", None)):
        raise InputError(
            f"--format {options.format} says what - is, but neither INPUT nor --out is -; leave it "
            "out: the ending of a file tells its format."
        )
    if "-" not in getattr(options, "inputs", ()):
        yield
        return
    if len(options.inputs) > 1:
        raise InputError(
            f"- is {STANDARD_INPUT}, which cannot be read together with other inputs; leave "
            "those out."
        )
    with temporary_folder() as folder:
        file = folder / f"standard-input.{options.format}"
        _keep(file)
        options.inputs, options.input, options.cache = [str(file)], str(file), f"{folder}/cache"
        try:
            yield
        except InputError as error:
            told = str(error).replace(str(file), STANDARD_INPUT).replace(file.name, STANDARD_INPUT)
            if "JSON" in told and options.format == "jsonl":
                told += " Where it is a table, say so: --format csv, or tsv."
            raise InputError(told) from error


def _keep(file: Path) -> None:
    """Copy the standard input to a file."""
    if sys.stdin is None:
        raise InputError(f"{STANDARD_INPUT} is closed, so that - cannot be read; name a file.")
    if sys.stdin.isatty():
        print("fair-datasets: reading what is typed, until Ctrl-D.", file=sys.stderr)
    with file.open("wb") as kept:
        while part := sys.stdin.buffer.read(_TOGETHER):
            kept.write(part)
            interrupts.obey()


class NoReaderError(Exception):
    """Nobody takes the rows that are written to the standard output."""


class StandardOutput:
    """Passes on what is printed until that fails once, and keeps the failure."""

    def __init__(self, stream: TextIO, *, holds_rows: bool = False) -> None:
        """Print to a stream; letters that it lacks are written as escapes.

        Args:
            holds_rows: Whether rows are written to it, so that what is printed goes to the
                standard error.
        """
        self.failure: OSError | None = None
        self.holds_rows = holds_rows
        self._stream = stream
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def __getattr__(self, name: str) -> Any:
        """Return what else is asked of the stream, such as whether it is a terminal."""
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, if nothing has failed yet."""
        if self.holds_rows:
            return sys.stderr.write(text)
        if self.failure is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Send what is written on its way, if nothing has failed yet."""
        if self.failure is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        """Keep a failure, and lead away what Python itself would write when it ends."""
        self.failure = error
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def write_row(self, row: bytes) -> None:
        """Write a part of the rows, or raise that nobody takes them."""
        try:
            self._stream.buffer.write(row)
        except OSError as error:
            self._fail(error)
            raise NoReaderError from error


@contextmanager
def printing(*, holds_rows: bool = False) -> Iterator[StandardOutput]:
    """Give a standard output for the time of some work.

    Args:
        holds_rows: Whether rows are written to it, and messages to the standard error.
    """
    output = StandardOutput(sys.stdout, holds_rows=holds_rows)
    with redirect_stdout(output):
        try:
            yield output
        finally:
            output.flush()
