"""The standard input and output: what is read is kept in a file; what fails ends no work."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import temporary_folder

_TOGETHER = 1 << 20
STANDARD_INPUT = "the standard input"


@contextmanager
def standard_input(options: argparse.Namespace) -> Iterator[None]:
    """Put a temporary file in the place of the input `-` for the time of a command.

    Args:
        options: The parsed arguments; `inputs` and `input` become the file, and `cache` a folder
            beside it, so that nothing of it is left.

    Yields:
        Nothing.

    Raises:
        InputError: `-` is not the only input, or nothing can be read from it; `--format` is given
            where nothing is `-`; or the command raised one, which then names the standard input.
    """
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
    """Passes on what is printed until that fails once, and keeps the failure.

    Attributes:
        failure: What the system said; None as long as all went well.
    """

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
        """Write a part of the rows.

        Raises:
            NoReaderError: They cannot be written.
        """
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

    Yields:
        The output; after the work it tells whether all was printed.
    """
    output = StandardOutput(sys.stdout, holds_rows=holds_rows)
    with redirect_stdout(output):
        try:
            yield output
        finally:
            output.flush()
