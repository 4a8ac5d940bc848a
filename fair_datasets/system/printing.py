"""A standard output that may be closed, full or a pipe of rows, for the time of a command."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import TextIOWrapper
from typing import Any, TextIO


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
