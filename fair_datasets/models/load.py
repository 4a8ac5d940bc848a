"""Loading word vectors: a file here or on the Hub, or what gensim or a mapping holds."""

import gzip
import json
import os
import shutil
import tempfile
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.word_vectors import WordIndex, WordVectors, hashes_of
from fair_datasets.system.checks import InputError, format_first, invalid
from fair_datasets.system.files import regular_file, unreadable
from fair_datasets.system.portable import file_digest, is_path

_BLOCK = 1 << 22
_GZIP, _ZIP, _NUMPY = b"\x1f\x8b", b"PK\x03\x04", b"\x93NUMPY"


class Part(NamedTuple):
    """Some of the words of a file."""

    words: list[bytes]
    vectors: NDArray[np.float32]


def read_parts(path: Path) -> Iterator[Part]:
    """Read a file of word vectors.

    Args:
        path: The text of GloVe or word2vec, with or without a first line that counts, or word2vec's
            binary file, each also compressed by gzip; or an `.npz` with `words` and `vectors`.
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
                    f"{path} holds numbers without words; save both as an .npz, with "
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
        raise InputError(f"{path} breaks off: its end is missing; download it again.") from error
    except (gzip.BadGzipFile, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path} is damaged ({error}); download it again.") from error
    except OSError as error:
        raise unreadable(path, error) from error


def refused_pickle(path: Path) -> InputError:
    """Return the error for a file that can run code where it is read."""
    return InputError(
        f"{path} is a pickle, which can run code when it is read, so it is refused; load it where "
        "you trust it, and save it again: in gensim with vectors.save_word2vec_format(file, "
        "binary=True), or with load_word_vectors(vectors).save(file)."
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
    size, read, buffer = 4 * width, 0, b""
    while read < count:
        block = file.read(_BLOCK)
        if not block:
            raise InputError(
                f"{path} breaks off: its first line promises {count:,} vectors of {width} "
                f"numbers, but it holds {read:,}; download it again."
            )
        buffer += block
        start, words, numbers = 0, list[bytes](), list[bytes]()
        while read + len(words) < count:
            space = buffer.find(b" ", start)
            end = space + 1 + size
            if space < 0 or end > len(buffer):
                break
            words.append(buffer[start:space].lstrip(b"\n"))
            numbers.append(buffer[space + 1 : end])
            start = end
        if words:
            buffer, read = buffer[start:], read + len(words)
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
            f"{path} must hold the arrays 'words' and 'vectors', but it holds "
            f"{format_first(names)}; save them with numpy.savez(file, words=words, "
            "vectors=vectors), or unpack the archive."
        )
    with np.load(path, allow_pickle=False) as arrays:
        try:
            words, vectors = arrays["words"], arrays["vectors"]
        except ValueError as error:
            if "allow_pickle" not in str(error):
                raise InputError(f"{path} is damaged ({error}); download it again.") from error
            raise refused_pickle(path) from error
    written = words_of(words)
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu" or len(vectors) != len(written):
        raise InputError(
            f"{path} must hold one vector of numbers for each of its {len(written):,} words, but "
            f"'vectors' has the shape {vectors.shape} and the type {vectors.dtype}."
        )
    return Part(written, _finite(vectors.astype(np.float32), written, path))


def words_of(words: NDArray[np.generic]) -> list[bytes]:
    """Return the words of an array: of strings, or of bytes with a line for each word."""
    if words.dtype == np.uint8:
        return words.tobytes().split(b"\n")
    return [word if isinstance(word, bytes) else str(word).encode() for word in words.tolist()]


def _finite(vectors: NDArray[np.float32], words: list[bytes], path: Path) -> NDArray[np.float32]:
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if wrong.size:
        word = words[int(wrong[0])].decode(errors="replace")
        raise InputError(
            f"{path}: the vector of {word!r} is not finite; the file is damaged, or not a file of "
            "vectors. Download it again."
        )
    return vectors


# How many lines are read to learn how many numbers a line has, and how many are read at once.
_SAMPLE, _CHUNK_LINES = 100, 5_000

Lines = tuple[list[bytes], NDArray[np.float32]]


def header_of(start: bytes) -> tuple[int, int] | None:
    r"""Read the first line of word2vec's files: how many vectors there are, of how many numbers.

    Example:
        >>> header_of(b"2 25\nhe 0.1"), header_of(b"he 0.1 0.2\n")
        ((2, 25), None)
    """
    fields = start.partition(b"\n")[0].split()
    if len(fields) == 2 and all(field.isdigit() for field in fields) and int(fields[1]):
        return int(fields[0]), int(fields[1])
    return None


def is_text(start: bytes, width: int) -> bool:
    r"""Whether what follows the first line is text, and not the bytes of numbers.

    Returns:
        Whether the second line ends in that many numbers that are written out; of a longer one than
        is seen, whether the last field is a number.

    Example:
        >>> is_text(b"1 2\nhe 0.1 0.2\n", 2), is_text(b"1 2\nhe \x00\x00\x80?\x00\x00\x00@", 2)
        (True, False)
        >>> is_text(b"1 2\n0.1 0.2\n", 2)
        False
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

    Yields:
        Words, and their vectors of shape (N, d).
    """
    number, read = 1, 0
    if counts is not None:
        file.readline()
        number = 2
    width = counts[1] if counts else 0
    while lines := list(islice(file, _CHUNK_LINES)):
        width = width or _width(lines)
        lines = [line.rstrip(b" \t\r\n").replace(b"\t", b" ") for line in lines]
        words, vectors = _parsed(lines, width, path, number)
        number, read = number + len(lines), read + len(words)
        if words:
            yield words, vectors
    if counts is not None and read < counts[0]:
        raise InputError(
            f"{path} breaks off: its first line promises {counts[0]:,} vectors, but it holds "
            f"{read:,}; download it again."
        )


def _width(lines: list[bytes]) -> int:
    """Return how many numbers most lines have; of two that are as frequent, the smaller."""
    fields = Counter(line.rstrip().count(b" ") for line in lines[:_SAMPLE] if line.strip())
    return max(sorted(fields), key=fields.__getitem__, default=0)


def _parsed(lines: list[bytes], width: int, path: Path, first: int) -> Lines:
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
            vector = _numbers(b"".join(_split(text, width)[1:]))
            if text and (vector is None or vector.size != width):
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
            numbers = np.fromstring(text, dtype=np.float32, sep=" ")
        except (ValueError, DeprecationWarning):
            return None
    return numbers if np.isfinite(numbers).all() else None


def _malformed(text: bytes, width: int, path: Path, number: int) -> InputError:
    """Return the error for a line that is no word with its numbers."""
    shown = text[:40].decode(errors="replace")
    return InputError(
        f"{path}, line {number}: {shown!r} is not a word with {max(width, 1)} numbers, separated "
        "by spaces; the file breaks off there, or is not a file of vectors: download it again, or "
        "unpack it."
    )


ENDINGS = (".txt", ".vec", ".bin", ".npz", ".txt.gz", ".vec.gz", ".bin.gz")
"""How the names of files of word vectors end on the Hub."""


def load_word_vectors(source: Any) -> WordVectors:
    """Load word vectors.

    A file is converted once, into the cache of Hugging Face (`HF_HOME`), from which only the rows
    that are needed are read. Of a word that is there twice, the first vector counts.

    Args:
        source: The path of a file: the text of GloVe or word2vec, with or without a first line that
            counts, word2vec's binary file, each also with gzip, or an `.npz` with the arrays
            `words` and `vectors`; "user/name" of the Hub, or "hf://user/name/file" for one of
            several files there; the `KeyedVectors` of gensim; or a mapping of words to vectors.
            A pickle, such as gensim's `.kv`, is refused.

    Raises:
        InputError: There is no such file, it is refused or breaks off, or it is something else.

    Example:
        >>> load_word_vectors({"he": [1.0, 0.0], "she": [0.0, 1.0]}).width
        2
    """
    if isinstance(source, WordVectors):
        return source
    if isinstance(source, str | PathLike):
        return cached_vectors(vectors_file(str(fspath(source))))
    if hasattr(source, "key_to_index") and hasattr(source, "vectors"):
        keys = sorted(source.key_to_index, key=source.key_to_index.__getitem__)
        rows = [source.key_to_index[key] for key in keys]
        return WordVectors.of(map(str, keys), np.asarray(source.vectors)[rows], name="gensim")
    if isinstance(source, Mapping) and source:
        if len({np.shape(vector) for vector in source.values()}) > 1:
            raise invalid(
                "source maps words to vectors of several lengths; give vectors of one length."
            )
        return WordVectors.of(map(str, source), np.stack([*map(np.asarray, source.values())]))
    raise invalid(
        "source must be the path of a file, a Hub id, KeyedVectors of gensim, "
        f"or a mapping of words to vectors, but it is {source!r}."
    )


def vectors_file(name: str) -> Path:
    """Return the file of vectors here, which is downloaded where it is on the Hub."""
    if is_local(name):
        return Path(name)
    from fair_datasets.hub.reading import pull_file

    return pull_file(name, endings=ENDINGS, what="word vectors")


def is_local(name: str) -> bool:
    """Whether a name is that of a file here, and no Hub id.

    Example:
        >>> is_local("./glove"), is_local("data/glove.txt"), is_local("ada/vectors")
        (True, True, False)
    """
    if name.startswith("hf://"):
        return False
    is_file = name.lower().endswith((*ENDINGS, ".gz", ".zip", ".kv", ".safetensors"))
    return is_file or is_path(name) or name.count("/") != 1


def cached_vectors(path: Path) -> WordVectors:
    """Open a file of word vectors; the first time, it is converted."""
    digest = file_digest(path)
    # The last part of its name is another one where the files below change.
    folder = cache_folder() / f"{digest}-1"
    if not folder.is_dir():
        _convert(path, folder)
    width = json.loads((folder / "width.json").read_text())
    ends, hashes, rows = (
        np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("ends", "hashes", "rows")
    )
    shape = (len(ends), width)
    matrix = np.memmap(folder / "vectors", np.dtype("<f4"), mode="r", shape=shape)
    letters = np.memmap(folder / "letters", np.uint8, mode="r")
    return WordVectors(path.name, matrix, WordIndex(hashes, rows, letters, ends), digest)


def cache_folder() -> Path:
    """Return the folder of the converted files, beside the other caches of Hugging Face."""
    from huggingface_hub import constants

    return Path(constants.HF_HOME) / "fair_datasets" / "vectors"


def _convert(path: Path, folder: Path) -> None:
    """Write the files of a cache; several processes may do so at once."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError as error:
        raise _no_room(folder.parent, error) from error
    try:
        _write(path, work)
        work.replace(folder)
    except OSError as error:
        # Another process may have been faster.
        if not folder.is_dir():
            raise _no_room(folder.parent, error) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write(path: Path, work: Path) -> None:
    """Write vectors, words and the index of the words into a folder."""
    hashes, lengths, width = [], [], 0
    with (work / "vectors").open("wb") as vectors, (work / "letters").open("wb") as letters:
        for part in read_parts(path):
            width = part.vectors.shape[1]
            vectors.write(np.ascontiguousarray(part.vectors, "<f4").tobytes())
            letters.write(b"".join(part.words))
            hashes.append(hashes_of(part.words))
            lengths.append(np.fromiter(map(len, part.words), np.int64, len(part.words)))
        # An empty file cannot be mapped.
        letters.write(b" ")
    if not width or not hashes:
        raise InputError(f"{path} holds no vectors; check that it is the right file.")
    all_hashes = np.concatenate(hashes)
    order = np.argsort(all_hashes, kind="stable")
    np.save(work / "hashes.npy", all_hashes[order])
    np.save(work / "rows.npy", order)
    np.save(work / "ends.npy", np.cumsum(np.concatenate(lengths)))
    (work / "width.json").write_text(json.dumps(width))
    os.chmod(work, 0o755)


def _no_room(folder: Path, error: OSError) -> InputError:
    """Return the error for a cache that cannot be written."""
    return InputError(
        f"The word vectors cannot be converted in {folder} ({error.strerror}); set HF_HOME to a "
        "writable folder with free space."
    )
