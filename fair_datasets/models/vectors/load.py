"""Loading word vectors: a file here or on the Hub, or what gensim or a mapping holds."""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from fair_datasets.models.vectors.readers import read_parts
from fair_datasets.models.vectors.word_vectors import WordIndex, WordVectors, hashes_of
from fair_datasets.system.checks import InputError
from fair_datasets.technique.digests import file_digest
from fair_datasets.technique.portable import is_path

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
            raise InputError(
                "load_word_vectors: source maps words to vectors of several lengths; give vectors "
                "of one length."
            )
        return WordVectors.of(map(str, source), np.stack([*map(np.asarray, source.values())]))
    raise InputError(
        "load_word_vectors: source must be the path of a file, a Hub id, KeyedVectors of gensim, "
        f"or a mapping of words to vectors, but it is {source!r}."
    )


def vectors_file(name: str) -> Path:
    """Return the file of vectors here, which is downloaded where it is on the Hub.

    Args:
        name: A path or a Hub id.
    """
    if is_local(name):
        return Path(name)
    from fair_datasets.hub.reading import pull_file

    return pull_file(name, endings=ENDINGS, what="word vectors")


def is_local(name: str) -> bool:
    """Tell whether a name is that of a file here, and no Hub id.

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
    found = np.concatenate(hashes)
    order = np.argsort(found, kind="stable")
    np.save(work / "hashes.npy", found[order])
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
