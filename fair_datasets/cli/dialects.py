"""How CSV files and other files of text are read: what separates and encodes what is in them."""

import argparse
import lzma
import zlib
from collections.abc import Iterator
from contextlib import suppress
from encodings.aliases import aliases
from pathlib import Path
from typing import Any

from fair_datasets.cli.parsers import option
from fair_datasets.rows.exact import OPENERS, ending
from fair_datasets.rows.exact_csv import delimiter_of
from fair_datasets.system.checks import suggestion

_NAMED = {"tab": "\t", "\\t": "\t"}


def add_dialect(parser: argparse.ArgumentParser) -> None:
    """Add how the files that a command reads are separated and encoded."""
    option(parser, "--delimiter CHARACTER", "what separates the cells of a CSV file that is read, "
           "such as ';' or tab (default: what its first lines show); --out NAME.csv is written "
           "with it too", _delimiter)  # fmt: skip
    option(parser, "--encoding NAME", "how a CSV, JSON or text file that is read is encoded, such "
           "as cp1252 or utf-16 (default: utf-8); what is written is UTF-8",
           _encoding)  # fmt: skip


def _delimiter(text: str) -> str:
    """Read what separates cells; a type for `add_argument`."""
    found = _NAMED.get(text, text)
    if len(found) != 1 or found in '"\r\n':
        raise argparse.ArgumentTypeError(f"{text!r} is not one character, such as ';' or tab")
    return found


def _encoding(text: str) -> str:
    """Read the name of an encoding; a type for `add_argument`."""
    if not _is_of_texts(text):
        near = suggestion(text, filter(_is_of_texts, aliases))
        raise argparse.ArgumentTypeError(f"{text!r} is no encoding that Python knows.{near}")
    return text


def _is_of_texts(name: str) -> bool:
    """Tell whether a codec is there, and is one of texts."""
    try:
        "".encode(name)
    except (LookupError, ValueError):
        return False
    return True


def dialect_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return how files are read, as `load_input` takes it.

    Example:
        >>> dialect_of(argparse.Namespace(delimiter=";"))
        {'delimiter': ';', 'encoding': None}
    """
    return {name: getattr(options, name, None) for name in ("delimiter", "encoding")}


def delimiter_kept(options: argparse.Namespace) -> str:
    """Return what separates the cells of a CSV file that is written: what does in those read.

    Example:
        >>> delimiter_kept(argparse.Namespace(inputs=["reviews.parquet"]))
        ','
    """
    delimiter, encoding = dialect_of(options).values()
    if delimiter is not None:
        return str(delimiter)
    for file in _files(getattr(options, "inputs", ())):
        opener: Any = OPENERS.get(file.suffix.lower(), open)
        # A file that cannot be read is told of when it is.
        with (
            suppress(OSError, EOFError, ValueError, zlib.error, lzma.LZMAError),
            opener(file, "rt", encoding=encoding or "utf-8-sig", newline="") as lines,
        ):
            return delimiter_of(lines)
    return ","


def _files(places: Any) -> Iterator[Path]:
    """Yield the CSV files that places here name."""
    for place in map(Path, places):
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if ending(file) == ".csv" and file.is_file() and file.suffix.lower() != ".zst":
                yield file
