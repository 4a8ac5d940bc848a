"""The standard input as what is read: kept in a file, as its types are known at its end only."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.temporary import temporary_folder

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
        raise InputError(f"- is {STANDARD_INPUT}, which stands alone; leave out the other inputs.")
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
