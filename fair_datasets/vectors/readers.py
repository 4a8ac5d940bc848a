"""Reading files of word vectors part by part, so that none has to fit into memory.

Nothing that can run code is read: a pickle is refused, in whichever file it lies.
"""

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.system.checks import InputError, listed_few
from fair_datasets.system.files import regular_file, unreadable
from fair_datasets.vectors.lines import header_of, is_text, text_parts

_BLOCK = 1 << 22
_GZIP, _ZIP, _NUMPY = b"\x1f\x8b", b"PK\x03\x04", b"\x93NUMPY"


class Part(NamedTuple):
    """Some of the words of a file.

    Attributes:
        words: The words as they are written, in UTF-8.
        vectors: Their vectors. Shape (N, d).
    """

    words: list[bytes]
    vectors: NDArray[np.float32]


def read_parts(path: Path) -> Iterator[Part]:
    """Read a file of word vectors.

    Args:
        path: The text of GloVe or word2vec, with or without a first line that counts, or word2vec's
            binary file, each also compressed by gzip; or an `.npz` with `words` and `vectors`.

    Yields:
        Some of the words with their vectors, in the order of the file.

    Raises:
        InputError: The file cannot be read, is a pickle or something else, or breaks off.
    """
    regular_file(path)
    try:
        with _opened(path) as file:
            start = file.peek(_BLOCK)  # type: ignore[attr-defined]
            if start[:1] == b"\x80" and start[1:2] <= b"\x05":
                raise refused_pickle(path)
            if start.startswith(_ZIP):
                yield _npz_part(path)
                return
            if start.startswith(_NUMPY):
                raise InputError(
                    f"{path} holds numbers without words; save both as an .npz, by "
                    "numpy.savez(file, words=words, vectors=vectors)."
                )
            counts = header_of(start)
            if counts is not None and not is_text(start, counts[1]):
                file.readline()
                yield from _binary_parts(file, *counts, path)
            else:
                for words, numbers in text_parts(file, path, counts):
                    yield Part(words, numbers)
    except EOFError as error:
        raise InputError(f"{path} breaks off: its end is missing; get it anew.") from error
    except (gzip.BadGzipFile, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path} is damaged ({error}); get it anew.") from error
    except OSError as error:
        raise unreadable(path, error) from error


def refused_pickle(path: Path) -> InputError:
    """Return the error for a file that can run code where it is read.

    Args:
        path: The file.

    Returns:
        The error.
    """
    return InputError(
        f"{path} is a pickle, which can run code where it is read, and is refused; load it where "
        "you trust it, and save it anew: in gensim by vectors.save_word2vec_format(file, "
        "binary=True), or by load_word_vectors(vectors).save(file)."
    )


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, through gzip where it is compressed."""
    with path.open("rb") as file:
        is_compressed = file.read(2) == _GZIP
    with gzip.open(path, "rb") if is_compressed else path.open("rb") as opened:
        yield opened  # type: ignore[misc]


def _binary_parts(file: IO[bytes], count: int, width: int, path: Path) -> Iterator[Part]:
    """Read what follows the first line of word2vec's binary file."""
    size, read, left = 4 * width, 0, b""
    while read < count:
        block = file.read(_BLOCK)
        if not block:
            raise InputError(
                f"{path} breaks off: its first line promises {count:,} vectors of {width} numbers, "
                f"but it holds {read:,}; get it anew."
            )
        left += block
        start, words, numbers = 0, list[bytes](), list[bytes]()
        while read + len(words) < count:
            space = left.find(b" ", start)
            end = space + 1 + size
            if space < 0 or end > len(left):
                break
            words.append(left[start:space].lstrip(b"\n"))
            numbers.append(left[space + 1 : end])
            start = end
        if words:
            left, read = left[start:], read + len(words)
            vectors = np.frombuffer(b"".join(numbers), "<f4").reshape(-1, width)
            yield Part(words, _finite(vectors, words, path))


def _npz_part(path: Path) -> Part:
    """Read an `.npz`, whose arrays may not hold objects, as these would be pickles."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    if any(name.endswith(".pkl") for name in names):
        raise refused_pickle(path)
    if not {"words.npy", "vectors.npy"} <= set(names):
        raise InputError(
            f"{path} must hold the arrays 'words' and 'vectors', but it holds {listed_few(names)}; "
            "save them by numpy.savez(file, words=words, vectors=vectors), or unpack the archive."
        )
    with np.load(path, allow_pickle=False) as arrays:
        try:
            words, vectors = arrays["words"], arrays["vectors"]
        except ValueError as error:
            if "allow_pickle" not in str(error):
                raise InputError(f"{path} is damaged ({error}); get it anew.") from error
            raise refused_pickle(path) from error
    written = words_of(words)
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu" or len(vectors) != len(written):
        raise InputError(
            f"{path} must hold one vector of numbers for each of its {len(written):,} words, but "
            f"'vectors' has the shape {vectors.shape} and the type {vectors.dtype}."
        )
    return Part(written, _finite(vectors.astype(np.float32), written, path))


def words_of(words: NDArray[np.generic]) -> list[bytes]:
    """Return the words of an array: of strings, or of bytes with a line for each word.

    Args:
        words: The array.

    Returns:
        The words in UTF-8.
    """
    if words.dtype == np.uint8:
        return words.tobytes().split(b"\n")
    return [word if isinstance(word, bytes) else str(word).encode() for word in words.tolist()]


def _finite(vectors: NDArray[np.float32], words: list[bytes], path: Path) -> NDArray[np.float32]:
    """Return vectors, or raise where one is not finite."""
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if wrong.size:
        word = words[int(wrong[0])].decode(errors="replace")
        raise InputError(
            f"{path}: the vector of {word!r} is not finite; the file is damaged, or no file of "
            "vectors. Get it anew."
        )
    return vectors
