"""Word vectors as lines of text: a word, then its numbers.

A line is read from its right end, as the words of some files have spaces in them.
"""

import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from fair_datasets.system.checks import InputError

# How many lines are read to learn how many numbers a line has, and how many are read at once.
_SAMPLE, _TOGETHER = 100, 5_000

Lines = tuple[list[bytes], NDArray[np.float32]]


def header_of(start: bytes) -> tuple[int, int] | None:
    r"""Read the first line of word2vec's files: how many vectors there are, of how many numbers.

    Args:
        start: How a file begins.

    Returns:
        Both; None if the first line is none of that kind.

    Example:
        >>> header_of(b"2 25\nhe 0.1"), header_of(b"he 0.1 0.2\n")
        ((2, 25), None)
    """
    fields = start.partition(b"\n")[0].split()
    if len(fields) == 2 and all(field.isdigit() for field in fields) and int(fields[1]):
        return int(fields[0]), int(fields[1])
    return None


def is_text(start: bytes, width: int) -> bool:
    r"""Tell whether what follows the first line is text, and not the bytes of numbers.

    Args:
        start: How a file begins.
        width: How many numbers a vector has.

    Returns:
        Whether the second line ends in that many numbers that are written out; of a longer one than
        is seen, whether the last field is a number.

    Example:
        >>> is_text(b"1 2\nhe 0.1 0.2\n", 2), is_text(b"1 2\nhe \x00\x00\x80?\x00\x00\x00@", 2)
        (True, False)
    """
    line, is_whole, _ = start.partition(b"\n")[2].partition(b"\n")
    fields = line.split() if is_whole else line.split()[:-1]
    if not fields:
        return not line
    try:
        seen = [float(field) for field in (fields[-width:] if is_whole else fields[-1:])]
    except ValueError:
        return False
    return len(fields) > len(seen) and (not is_whole or len(seen) == width)


def text_parts(file: IO[bytes], path: Path, counts: tuple[int, int] | None) -> Iterator[Lines]:
    """Read lines of a word and its numbers.

    Args:
        file: The file, at its beginning.
        path: The file's path, for errors.
        counts: What the first line says, if it counts the vectors.

    Yields:
        Words, and their vectors of shape (N, d).

    Raises:
        InputError: A line has too few numbers or something else, or lines are missing.
    """
    number, read = 1, 0
    if counts is not None:
        file.readline()
        number = 2
    width = counts[1] if counts else 0
    while lines := list(islice(file, _TOGETHER)):
        width = width or _width(lines)
        lines = [line.rstrip(b" \t\r\n").replace(b"\t", b" ") for line in lines]
        words, vectors = _parsed(lines, width, path, number)
        number, read = number + len(lines), read + len(words)
        if words:
            yield words, vectors
    if counts is not None and read < counts[0]:
        raise InputError(
            f"{path} breaks off: its first line promises {counts[0]:,} vectors, but it holds "
            f"{read:,}; get it anew."
        )


def _width(lines: list[bytes]) -> int:
    """Return how many numbers most lines have; of two that are as frequent, the smaller."""
    fields = Counter(line.rstrip().count(b" ") for line in lines[:_SAMPLE] if line.strip())
    return max(sorted(fields), key=fields.__getitem__, default=0)


def _parsed(lines: list[bytes], width: int, path: Path, first: int) -> Lines:
    """Read some lines, all at once."""
    words, tails = [], []
    for number, text in enumerate(lines, start=first):
        # Few lines have spaces in their word.
        word, *numbers = text.split(b" ", 1) if text.count(b" ") == width else _split(text, width)
        if text and not numbers:
            raise _malformed(text, width, path, number)
        if text:
            words.append(word)
            tails.append(numbers[0])
    values = _numbers(b" ".join(tails))
    if values is None or values.size != width * len(words):
        for number, text in enumerate(lines, start=first):
            found = _numbers(b"".join(_split(text, width)[1:]))
            if text and (found is None or found.size != width):
                raise _malformed(text, width, path, number)
    return words, np.asarray(values).reshape(len(words), width)


def _split(text: bytes, width: int) -> list[bytes]:
    """Split a line into its word and its numbers; the word alone where there are too few."""
    word, *numbers = text.rsplit(b" ", width)
    return [word, b" ".join(numbers)] if len(numbers) == width > 0 else [text]


def _numbers(text: bytes) -> NDArray[np.float32] | None:
    """Read numbers that are separated by spaces; None if there is anything else."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found = np.fromstring(text, dtype=np.float32, sep=" ")
        except (ValueError, DeprecationWarning):
            return None
    return found if np.isfinite(found).all() else None


def _malformed(text: bytes, width: int, path: Path, number: int) -> InputError:
    """Return the error for a line that is no word with its numbers."""
    shown = text[:40].decode(errors="replace")
    return InputError(
        f"{path}, line {number}: {shown!r} is not a word with {max(width, 1)} numbers, separated "
        "by spaces; the file breaks off there, or is no file of vectors: get it anew, or unpack it."
    )
