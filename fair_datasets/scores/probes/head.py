"""Heads on a frozen encoder: logistic regression or a small network on sentence vectors.

The encoder reads each text once; its vectors are kept in memory, and in a file in the cache of
Hugging Face for the next run, which holds digests in place of the texts. A head then trains in a
second. What random there is follows from the seed and the number of the epoch alone.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.embeddings import Pooling, load_encoder, pooled_states
from fair_datasets.scores.importance import softmax
from fair_datasets.scores.models import ScoringModel
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.probe import (
    DEFAULT_READING,
    HEAD_FILE,
    STATE_FILE,
    InferenceOptions,
    Texts,
    translate_probe_errors,
)
from fair_datasets.scores.probes.transformer import (
    restore_optimizer,
    save_optimizer,
    use_one_thread_in_a_worker,
)
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import refuse_no_numbers
from fair_datasets.system.resume import ProgressTracker

if TYPE_CHECKING:
    from torch.optim import Optimizer

    from fair_datasets.scores.probes.probe import TrainingRows


Vectors = NDArray[np.float32]

# Many texts of one length fill a batch, and an interrupt does not wait for long.
_READ_SIZE = 2048
_BATCH = 256
_CACHE_SIZE = 200_000
_QUERY_SIZE = 500


@dataclass(frozen=True)
class FrozenEncoder:
    """An encoder that is not trained.

    Attributes:
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
        if len(self.known) + len(missing) > _CACHE_SIZE:
            self.known.clear()
            missing = list(dict.fromkeys(texts))
        if missing:
            with _store(self.digest) as store:
                self.known.update(_stored(store, missing))
                unread = [text for text in missing if text not in self.known]
                for some in _in_parts(unread, _READ_SIZE):
                    interrupts.raise_if_interrupted()
                    read = dict(zip(some, self._encode(some), strict=True))
                    _add(store, read)
                    self.known.update(read)
        width = int(self.loaded.model.config.get_text_config().hidden_size)
        vectors = np.empty((len(texts), width), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.known[text]
        return vectors

    def _encode(self, texts: Sequence[str]) -> Vectors:
        """Run the encoder."""
        use_one_thread_in_a_worker()
        states = pooled_states(
            self.loaded, self.pooling, texts, batch_size=_BATCH, max_tokens=self.max_length
        )
        lengths = np.linalg.norm(states, axis=1, keepdims=True)
        return (states / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def frozen_encoder(model: str, max_length: int) -> FrozenEncoder:
    """Load an encoder; it is kept in memory, and read anew if its files change."""
    folder = Path(model)
    # That of a pooling lies in a folder of its own.
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return _loaded(model, max_length, file_digests(files))


@lru_cache(maxsize=4)
def _loaded(model: str, max_length: int, files: tuple[tuple[str, str], ...]) -> FrozenEncoder:
    loaded, pooling = load_encoder(model)
    identity = f"({version_of(model, files)}, {pooling!r}, {loaded.maximum!r}, {max_length!r})"
    return FrozenEncoder(loaded, pooling, max_length, hashlib.sha256(identity.encode()).hexdigest())


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
        with closing(sqlite3.connect(path)) as store:
            store.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB)")
            yield store
    except sqlite3.Error as error:
        raise InputError(
            f"The sentence vectors that are kept in {path} cannot be used ({error}); remove the "
            "file, or move it to a disk with free space."
        ) from error


def _stored(store: sqlite3.Connection, texts: Sequence[str]) -> dict[str, Vectors]:
    """Return those vectors of texts that are kept."""
    vectors = {}
    for some in _in_parts(texts, _QUERY_SIZE):
        keys = {_key(text): text for text in some}
        marks = ", ".join("?" * len(keys))
        rows = store.execute(
            f"SELECT text, vector FROM vectors WHERE text IN ({marks})", list(keys)
        )
        vectors.update({keys[key]: np.frombuffer(vector, np.float32) for key, vector in rows})
    return vectors


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


LAYERS_FILE = "head_probe.safetensors"
HIDDEN_UNITS = 128

Layer = tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]
"""The weights (out, in) and the biases (out,) of a layer."""


@dataclass(frozen=True)
class HeadProbe:
    """Layers on the sentence vectors of a frozen encoder.

    The vectors of several texts stand side by side. Between two layers, what is negative becomes 0.

    Attributes:
        layers: The weights (out, in) and the biases (out,) of each layer; of one for logistic
            regression.
    """

    model: str
    max_length: int
    digest: str
    layers: tuple[Layer, ...]

    @classmethod
    def load(cls, folder: Path) -> "HeadProbe":
        """Read a probe from the folder that `save` wrote."""
        from safetensors.numpy import load_file

        with translate_probe_errors(folder, "head"):
            settings = json.loads((folder / HEAD_FILE).read_text(encoding="utf-8"))
            arrays = load_file(folder / LAYERS_FILE)
            layers = tuple(
                (arrays[f"{number}.weights"], arrays[f"{number}.biases"])
                for number in range(len(arrays) // 2)
            )
            probe = cls(settings["model"], settings["max_length"], settings["digest"], layers)
        refuse_no_numbers(arrays, str(folder / LAYERS_FILE))
        return probe

    def save(self, folder: Path) -> None:
        """Write the probe into a folder that exists."""
        from safetensors.numpy import save_file

        settings = {"model": self.model, "max_length": self.max_length, "digest": self.digest}
        (folder / HEAD_FILE).write_text(json.dumps(settings, ensure_ascii=False), encoding="utf-8")
        arrays = {
            f"{number}.{name}": np.ascontiguousarray(array)
            for number, layer in enumerate(self.layers)
            for name, array in zip(("weights", "biases"), layer, strict=True)
        }
        save_file(arrays, folder / LAYERS_FILE)

    @property
    def classes(self) -> int:
        """The number of classes C."""
        return len(self.layers[-1][1])

    def logits(
        self, rows: Sequence[Texts], reading: InferenceOptions = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the logits of each row; see `Probe`."""
        return self._states(rows)[-1]

    def gradient_norms(
        self,
        rows: Sequence[Texts],
        labels: NDArray[np.int64],
        reading: InferenceOptions = DEFAULT_READING,
    ) -> NDArray[np.float64]:
        """Return the norm of each row's gradient over the layers, in closed form; see `Probe`.

        The gradient of a layer is the outer product of the error behind it and of what it is given,
        a 1 for the bias among that: its norm is the product of theirs.
        """
        *given, logits = self._states(rows)
        errors = softmax(logits) - np.eye(self.classes)[labels]
        squares = np.zeros(len(rows))
        for state, (weights, _) in zip(reversed(given), reversed(self.layers), strict=True):
            squares += (errors**2).sum(axis=1) * ((state**2).sum(axis=1) + 1)
            errors = (errors @ weights) * (state > 0)
        return np.sqrt(squares)

    def _states(self, rows: Sequence[Texts]) -> list[NDArray[np.float64]]:
        """Return what each layer is given, and the logits."""
        encoder = frozen_encoder(self.model, self.max_length)
        if encoder.digest != self.digest:
            raise invalid(
                f"the encoder {self.model!r} has changed since a head was trained on "
                "it; train the head again."
            )
        width = self.layers[0][0].shape[1]
        given = side_by_side(encoder, rows).astype(np.float64) if rows else np.zeros((0, width))
        states = [given]
        for number, (weights, biases) in enumerate(self.layers):
            if number:
                states[-1] = np.maximum(states[-1], 0)
            states.append(states[-1] @ weights.T + biases)
        return states


def side_by_side(encoder: FrozenEncoder, rows: Sequence[Texts]) -> Vectors:
    """Return the vectors of the texts of each row in one row. Shape (N, texts * d)."""
    return np.concatenate([encoder.vectors(texts) for texts in zip(*rows, strict=True)], axis=1)


def head_epochs(
    config: ProbeConfig,
    rows: "TrainingRows",
    seed: int,
    start: Path | None,
    first: int,
    steps: ProgressTracker,
) -> Iterator[Callable[[Path], None]]:
    """Train a head, one epoch per step.

    Args:
        seed: It orders the rows of each epoch, and draws the first weights of a network.

    Yields:
        After each epoch, the function that saves the probe into a folder, and what it takes to go
        on from there.
    """
    import torch

    encoder = frozen_encoder(str(config.model), config.max_length)
    features = side_by_side(encoder, rows.texts)
    hidden = () if config.head == "linear" else (HIDDEN_UNITS,)
    layers = _first_layers((features.shape[1], *hidden, len(rows.names)), seed)
    if start is not None:
        for layer, (weights, biases) in zip(layers, HeadProbe.load(start).layers, strict=True):
            layer.weight.data, layer.bias.data = map(torch.from_numpy, (weights, biases))
    rate: Any = config.learning_rate
    optimizer = torch.optim.AdamW(layers.parameters(), lr=rate, fused=True)
    if start is not None:
        restore_optimizer(optimizer, start / STATE_FILE)
    for epoch in range(first, config.epochs + 1):
        order = np.random.default_rng([seed, epoch]).permutation(len(features))
        with _one_thread():
            for place in range(0, len(order), config.batch_size):
                batch = order[place:][: config.batch_size]
                steps.step(_step(layers, optimizer, features, rows.labels, batch))
        trained = tuple(
            (layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy())
            for layer in layers
        )
        probe = HeadProbe(str(config.model), config.max_length, encoder.digest, trained)
        yield partial(_save, probe, optimizer, is_last=epoch == config.epochs)


def _first_layers(sizes: Sequence[int], seed: int) -> Any:
    """Return layers between these sizes, whose weights follow the seed."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return torch.nn.ModuleList([torch.nn.Linear(*pair) for pair in pairwise(sizes)])


def _step(
    layers: Any,
    optimizer: "Optimizer",
    features: Vectors,
    labels: NDArray[np.int64],
    batch: NDArray[np.intp],
) -> float:
    """Move the layers once, by the rows of a batch, and return their mean loss before that."""
    import torch

    state = torch.from_numpy(features[batch])
    for number, layer in enumerate(layers):
        state = layer(state.relu() if number else state)
    loss = torch.nn.functional.cross_entropy(state, torch.from_numpy(labels[batch]))
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    return float(loss.detach())


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep torch to one thread: for steps as small as these, several wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _save(probe: HeadProbe, optimizer: "Optimizer", folder: Path, *, is_last: bool) -> None:
    """Write a probe, and what it takes to go on from it."""
    probe.save(folder)
    if not is_last:
        save_optimizer(optimizer, folder / STATE_FILE)
