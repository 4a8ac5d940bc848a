"""Word vectors in files that are mapped into memory, so that only the needed rows are read."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from fair_datasets.system.checks import InputError
from fair_datasets.technique.digests import file_digest
from fair_datasets.vectors.readers import read_parts
from fair_datasets.vectors.word_vectors import WordIndex, WordVectors, hashes_of


def cached_vectors(path: Path) -> WordVectors:
    """Open a file of word vectors; the first time, it is converted.

    Args:
        path: The file.

    Returns:
        The vectors.

    Raises:
        InputError: The file is refused, or the cache cannot be written.
    """
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
        raise InputError(f"{path} holds no vectors; check that it is the file that is meant.")
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
        "folder with room that can be written."
    )
