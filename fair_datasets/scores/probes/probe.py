"""Probes, classifiers that give logits and norms of gradients: what they are, and their loading."""

import json
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from numbers import Real
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import field_columns
from fair_datasets.scores.importance import linear_gradient_norms
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.system.checks import invalid, one_of, require
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import (
    folder_files,
    refuse_no_numbers,
    refuse_revision_of_folder,
)

if TYPE_CHECKING:
    from datasets import Dataset


Texts = tuple[str, ...]

PRECISIONS = ("auto", "float32")


@dataclass(frozen=True, slots=True)
class InferenceOptions:
    """How a model that reads tokens is run; a linear probe needs none of it.

    Attributes:
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.
        group_size: How many neighbouring rows share a batch, such as 2 for a text and its
            counterfactual.
    """

    batch_size: int = 64
    max_length: int = 128
    precision: str = "auto"
    group_size: int = 1
    description: str | None = None


DEFAULT_READING = InferenceOptions()


@contextmanager
def translate_probe_errors(folder: Path, kind: str) -> Iterator[None]:
    """Raise in one sentence that a probe's files cannot be read."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise invalid(
            f"{str(folder)!r} holds no {kind} that can be read "
            f"({type(error).__name__}: {error}); train it again."
        ) from error


class Probe(Protocol):
    """A classifier that scores texts."""

    @property
    def classes(self) -> int:
        """The number of classes C."""

    def logits(
        self, rows: Sequence[Texts], reading: InferenceOptions = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the logits of each row. Shape (N, C)."""

    def gradient_norms(
        self,
        rows: Sequence[Texts],
        labels: NDArray[np.int64],
        reading: InferenceOptions = DEFAULT_READING,
    ) -> NDArray[np.float64]:
        """Return the norm of each row's gradient of the cross-entropy over all trainable weights.

        Returns:
            The norms. Shape (N,).
        """


@dataclass(frozen=True)
class TrainingRows:
    """What a probe is trained on."""

    texts: list[Texts]
    labels: NDArray[np.int64]
    names: list[str]
    epochs: int

    @property
    def digest(self) -> str:
        """A digest of the texts, the labels and the names of the classes, in order."""
        digest = blake2b(digest_size=16)
        for texts, label in zip(self.texts, self.labels.tolist(), strict=True):
            digest.update(f"{draws.row_key(texts)}:{label};".encode())
        digest.update(draws.row_key(self.names).encode())
        return digest.hexdigest()


def training_rows(config: ProbeConfig, dataset: "Dataset") -> TrainingRows:
    """Read the texts and classes of a dataset."""
    from datasets import ClassLabel

    names = tuple(config.columns)
    column_checks.present([config.label], dataset.column_names)
    held = field_columns(names, dataset.column_names)
    batch = dataset.with_format(None).select_columns([*held, config.label])[:]
    texts = RowTexts.read(batch, names, roles=tuple(config.roles)).by_field()
    for name, values in zip(names, texts, strict=True):
        column_checks.refuse_nulls(values, f"column {name!r}")
    labels = class_labels(batch[config.label], config.label)
    column_checks.refuse_nulls(labels, f"column {config.label!r}")
    array = np.array(labels, dtype=np.int64)
    kind = dataset.features[config.label]
    count = kind.num_classes if isinstance(kind, ClassLabel) else int(array.max(initial=-1)) + 1
    class_names = kind.names if isinstance(kind, ClassLabel) else list(map(str, range(count)))
    refuse_missing_classes(array, class_names, config.label)
    rows = [tuple(row) for row in zip(*texts, strict=True)]
    return TrainingRows(rows, array, class_names, config.epochs)


def class_labels(values: Sequence[Any], column: str) -> list[int | None]:
    """Read the class of each row, or raise.

    Returns:
        For each row its class, None for a null.
    """
    labels: list[int | None] = []
    for row, value in enumerate(values):
        plain = None if column_checks.is_null(value) else draws.plain(value)
        if plain is None or (isinstance(plain, int) and plain >= 0):
            labels.append(None if plain is None else int(plain))
            continue
        advice = "number the classes from 0 on"
        if isinstance(plain, str):
            advice = f"turn the texts into classes with `dataset.class_encode_column({column!r})`"
        elif isinstance(plain, Real) and plain < 0:
            advice = "remove the rows without a label"
        elif not isinstance(plain, Real):
            advice = "choose one label for each row"
        raise invalid(
            f"column {column!r} must hold classes as whole numbers from 0 on, but row "
            f"{row} (counted from 0) holds {plain!r} ({type(plain).__name__}); {advice}."
        )
    return labels


def refuse_missing_classes(labels: NDArray[np.int64], names: Sequence[str], column: str) -> None:
    """Raise unless there are two classes or more and each has a row."""
    classes, count = np.unique(labels), len(names)
    if len(classes) < 2:
        only = [names[number] if number < count else number for number in classes.tolist()]
        why = f"the one class {only[0]}" if only else "no row"
        raise invalid(f"column {column!r} holds {why}; training needs rows of two classes or more.")
    missing = sorted(set(range(count)) - set(classes.tolist()))
    if missing or classes[-1] >= count:
        why = f"no row has class {missing[0]}" if missing else f"class {classes[-1]} has no name"
        raise invalid(
            f"column {column!r} should have {count} classes, but {why}; number the classes from 0 "
            f"on without gaps, for instance with `dataset.class_encode_column({column!r})`."
        )


TERMS_FILE = "linear_probe.json"
WEIGHTS_FILE = "linear_probe.safetensors"


@dataclass(frozen=True)
class LinearProbe:
    """A softmax layer on TF-IDF features.

    Two classes have the logits (-z/2, z/2), where z is the decision value of binary logistic
    regression: the probabilities are the same.

    Attributes:
        frequencies: The inverse document frequency of each term. Shape (V,).
        weights: Shape (C, V).
        biases: Shape (C,).
    """

    terms: list[str]
    frequencies: NDArray[np.float64]
    weights: NDArray[np.float64]
    biases: NDArray[np.float64]

    @classmethod
    def load(cls, folder: Path) -> "LinearProbe":
        """Read a probe from the folder that `save` wrote."""
        from safetensors.numpy import load_file

        with translate_probe_errors(folder, "linear probe"):
            terms = json.loads((folder / TERMS_FILE).read_text(encoding="utf-8"))["terms"]
            weights = load_file(folder / WEIGHTS_FILE)
            probe = cls(terms=terms, **weights)
        refuse_no_numbers(weights, str(folder / WEIGHTS_FILE))
        return probe

    def save(self, folder: Path) -> None:
        """Write the probe into a folder that exists."""
        from safetensors.numpy import save_file

        text = json.dumps({"terms": self.terms}, ensure_ascii=False)
        (folder / TERMS_FILE).write_text(text, encoding="utf-8")
        arrays = {
            "frequencies": self.frequencies,
            "weights": np.ascontiguousarray(self.weights),
            "biases": self.biases,
        }
        save_file(arrays, folder / WEIGHTS_FILE)

    @property
    def classes(self) -> int:
        """The number of classes C."""
        return len(self.biases)

    def logits(
        self, rows: Sequence[Texts], reading: InferenceOptions = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the logits of each row; see `Probe`."""
        return self._logits(self._features(rows))

    def gradient_norms(
        self,
        rows: Sequence[Texts],
        labels: NDArray[np.int64],
        reading: InferenceOptions = DEFAULT_READING,
    ) -> NDArray[np.float64]:
        """Return the norm of each row's gradient, in closed form; see `Probe`."""
        features = self._features(rows)
        squares = np.asarray(features.multiply(features).sum(axis=1), dtype=np.float64).ravel()
        return linear_gradient_norms(squares, self._logits(features), labels)

    def _features(self, rows: Sequence[Texts]) -> Any:
        """Return the TF-IDF features. A sparse matrix of shape (N, V)."""
        from scipy.sparse import csr_array

        if not rows:
            return csr_array((0, len(self.terms)), dtype=np.float64)
        return self._vectorizer.transform(map(joined, rows))

    def _logits(self, features: Any) -> NDArray[np.float64]:
        return np.asarray(features @ self.weights.T + self.biases, dtype=np.float64)

    @cached_property
    def _vectorizer(self) -> Any:
        """The features' maker, as it was fitted."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(vocabulary=self.terms)
        vectorizer.idf_ = self.frequencies
        return vectorizer


def joined(row: Texts) -> str:
    """Return the texts of a row as one text."""
    return "\n".join(row)


def linear_epochs(
    rows: "TrainingRows", seed: int, start: Path | None, first: int
) -> Iterator[LinearProbe]:
    """Train a linear probe, one epoch per step."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = TfidfVectorizer()
    try:
        features = vectorizer.fit_transform(map(joined, rows.texts))
    except ValueError as error:  # Raised for an empty vocabulary alone.
        raise invalid("the texts have no word of two or more letters to learn from.") from error
    terms = vectorizer.get_feature_names_out().tolist()
    model = LogisticRegression(solver="saga", warm_start=True, max_iter=1)
    if start is not None:
        _warm_start(model, LinearProbe.load(start))
    for epoch in range(first, rows.epochs + 1):
        model.random_state = int(np.random.SeedSequence([seed, epoch]).generate_state(1)[0])
        with warnings.catch_warnings():
            # One pass over the rows is what an epoch is.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features, rows.labels)
        weights, biases = model.coef_, model.intercept_
        if len(biases) == 1:
            weights = np.concatenate([-weights / 2, weights / 2])
            biases = np.concatenate([-biases / 2, biases / 2])
        yield LinearProbe(terms, vectorizer.idf_, weights, biases)


def _warm_start(model: Any, probe: LinearProbe) -> None:
    """Give a model the weights of a probe, for its next fit to go on from."""
    is_binary = probe.classes == 2
    # Halving and doubling a float is exact.
    model.coef_ = 2 * probe.weights[1:] if is_binary else probe.weights
    model.intercept_ = 2 * probe.biases[1:] if is_binary else probe.biases
    model.classes_ = np.arange(probe.classes)


# What training needs to go on, beside what the probe is.
STATE_FILE = "training_state.safetensors"
HEAD_FILE = "head_probe.json"


def load_probe(model: str | PathLike[str], *, revision: str | None = None) -> Probe:
    """Load a probe of any kind.

    It is kept in memory, and read anew if its files change.

    Args:
        model: The folder of a checkpoint that `train_probes` returned, or the Hub id or folder of
            any sequence classifier with its tokenizer.
    """
    name = str(fspath(model))
    digests = file_digests(probe_files(name))
    refuse_revision_of_folder(name, revision)
    if (Path(name) / TERMS_FILE).is_file():
        return _linear(name, digests)
    require("models")
    if (Path(name) / HEAD_FILE).is_file():
        return _head(name, digests)
    return _transformer(name, revision, digests)


def predict_logits(
    model: str | PathLike[str],
    texts: Sequence[str] | Sequence[tuple[str, ...]],
    *,
    batch_size: int = 64,
    max_length: int = 128,
    precision: str = "auto",
) -> NDArray[np.float64]:
    """Return what a probe says of texts. Shape (N, C).

    Args:
        texts: The texts; a tuple for each row where the probe was trained on several columns.
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.
    """
    rows = [text if isinstance(text, tuple) else (text,) for text in texts]
    for column in zip(*rows, strict=True):
        inputs.texts(column, "texts")
    one_of(precision, PRECISIONS, parameter="precision")
    reading = InferenceOptions(batch_size, max_length, precision, description="Reading texts")
    return load_probe(model).logits(rows, reading)


def probe_files(model: str) -> dict[str, Path]:
    """Name the files of a model that lies in a folder.

    Returns:
        `<model>/<file>` to the file's path; nothing for a Hub id.
    """
    state = f"{model}/{STATE_FILE}"
    return {name: path for name, path in folder_files(model).items() if name != state}


# The digests make an edited probe another one. Linear probes and heads are small, and a score may
# ask each epoch of each seed in turn.
@lru_cache
def _linear(name: str, digests: tuple[tuple[str, str], ...]) -> Probe:
    return LinearProbe.load(Path(name))


@lru_cache
def _head(name: str, digests: tuple[tuple[str, str], ...]) -> Probe:
    """Load a head on a frozen encoder."""
    from fair_datasets.scores.probes.head import HeadProbe

    return HeadProbe.load(Path(name))


@lru_cache(maxsize=8)
def _transformer(name: str, revision: str | None, digests: tuple[tuple[str, str], ...]) -> Probe:
    """Load a sequence classifier."""
    from fair_datasets.scores.probes.transformer import TransformerProbe

    return TransformerProbe.load(name, revision)
