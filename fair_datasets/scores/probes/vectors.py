"""Sentence vectors of a frozen encoder: each text is read once, and its vector is kept.

A search trains hundreds of heads on the same texts. Their vectors are kept in memory, and in a file
in the cache of Hugging Face for the next run. The file holds digests in place of the texts.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.embeddings import Pooling, load_encoder, pooled_states
from fair_datasets.scores.models import ScoringModel
from fair_datasets.scores.probes.transformer import use_one_thread_in_a_worker
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError
from fair_datasets.system.portable import file_digests

Vectors = NDArray[np.float32]

# Many texts of one length fill a batch, and an interrupt does not wait for long.
_READ_TOGETHER = 2048
_BATCH = 256
_KEPT_IN_MEMORY = 200_000
_ASKED_TOGETHER = 500


@dataclass(frozen=True)
class FrozenEncoder:
    """An encoder that is not trained.

    Attributes:
        pooling: How the states of a text become one vector.
        max_length: How many tokens of a text are read.
        digest: What the vectors depend on, beside the text.
        known: The vectors of the texts that were asked for. Each of shape (d,).
    """

    loaded: ScoringModel
    pooling: Pooling
    max_length: int
    digest: str
    known: dict[str, Vectors] = field(default_factory=dict)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, brought to the length 1. Shape (N, d)."""
        missing = [text for text in dict.fromkeys(texts) if text not in self.known]
        if len(self.known) + len(missing) > _KEPT_IN_MEMORY:
            self.known.clear()
            missing = list(dict.fromkeys(texts))
        if missing:
            with _store(self.digest) as store:
                self.known.update(_stored(store, missing))
                unread = [text for text in missing if text not in self.known]
                for some in _in_parts(unread, _READ_TOGETHER):
                    interrupts.obey()
                    read = dict(zip(some, self._read(some), strict=True))
                    _add(store, read)
                    self.known.update(read)
        width = int(self.loaded.model.config.get_text_config().hidden_size)
        found = np.empty((len(texts), width), dtype=np.float32)
        for row, text in enumerate(texts):
            found[row] = self.known[text]
        return found

    def _read(self, texts: Sequence[str]) -> Vectors:
        """Run the encoder."""
        use_one_thread_in_a_worker()
        states = pooled_states(
            self.loaded, self.pooling, texts, batch_size=_BATCH, max_tokens=self.max_length
        )
        lengths = np.linalg.norm(states, axis=1, keepdims=True)
        return (states / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def frozen_encoder(model: str, max_length: int) -> FrozenEncoder:
    """Load an encoder; it is kept in memory, and read anew if its files change.

    Args:
        model: The Hub id or folder of a model with its tokenizer.
    """
    folder = Path(model)
    # That of a pooling lies in a folder of its own.
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return _loaded(model, max_length, file_digests(files))


@lru_cache(maxsize=4)
def _loaded(model: str, max_length: int, files: tuple[tuple[str, str], ...]) -> FrozenEncoder:
    """Load an encoder."""
    loaded, pooling = load_encoder(model, owner="frozen encoder")
    told = f"({version_of(model, files)}, {pooling!r}, {loaded.maximum!r}, {max_length!r})"
    return FrozenEncoder(loaded, pooling, max_length, hashlib.sha256(told.encode()).hexdigest())


def version_of(model: str, files: tuple[tuple[str, str], ...]) -> str:
    """Return what tells a model from others.

    A folder is told by its files, wherever it lies, and a model of the Hub by its commit, which
    names the folder that it was read from.

    Example:
        >>> version_of("./encoder", (("config.json", "e3b0"),))
        "(('config.json', 'e3b0'),)"
    """
    from transformers.utils.hub import cached_file

    return repr(files or (model, Path(str(cached_file(model, "config.json"))).parent.name))


@contextmanager
def _store(digest: str) -> Iterator[sqlite3.Connection]:
    """Open the file of an encoder's vectors."""
    from datasets import config

    path = Path(config.HF_CACHE_HOME) / "fair_datasets" / "vectors" / f"{digest}.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"Sentence vectors cannot be kept in {path.parent} ({error}); set HF_HOME to a "
            "writable folder."
        ) from error
    try:
        # Another process may be writing.
        with closing(sqlite3.connect(path, timeout=60)) as store:
            store.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB)")
            yield store
    except sqlite3.Error as error:
        raise InputError(
            f"The sentence vectors that are kept in {path} cannot be used ({error}); remove the "
            "file, or move it to a disk with free space."
        ) from error


def _stored(store: sqlite3.Connection, texts: Sequence[str]) -> dict[str, Vectors]:
    """Return those vectors of texts that are kept."""
    found = {}
    for some in _in_parts(texts, _ASKED_TOGETHER):
        keys = {_key(text): text for text in some}
        marks = ", ".join("?" * len(keys))
        rows = store.execute(
            f"SELECT text, vector FROM vectors WHERE text IN ({marks})", list(keys)
        )
        found.update({keys[key]: np.frombuffer(vector, np.float32) for key, vector in rows})
    return found


def _add(store: sqlite3.Connection, vectors: dict[str, Vectors]) -> None:
    """Keep the vectors of texts, all or none."""
    with store:
        store.executemany(
            "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
            [(_key(text), vector.tobytes()) for text, vector in vectors.items()],
        )


def _key(text: str) -> bytes:
    """Return what stands for a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _in_parts(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield texts, so many at once."""
    yield from (texts[start : start + size] for start in range(0, len(texts), size))
