"""What a probe is: a classifier that gives logits and norms of gradients; its rows and classes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks, columns, draws
from fair_datasets.rows.text_fields import RowTexts, field_columns
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

Texts = tuple[str, ...]

PRECISIONS = ("auto", "float32")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model that reads tokens is run; a linear probe needs none of it.

    Attributes:
        batch_size: How many rows run at once at most.
        max_length: How many tokens of a row are read.
        precision: `auto` for bfloat16 on a GPU that has it; `float32` for single precision always.
        together: How many neighbouring rows share a batch, such as 2 for a text and its
            counterfactual.
        description: What a progress bar says; None for none.
    """

    batch_size: int = 64
    max_length: int = 128
    precision: str = "auto"
    together: int = 1
    description: str | None = None


DEFAULT_READING = Reading()


@contextmanager
def told_if_broken(folder: Path, kind: str) -> Iterator[None]:
    """Tell in one sentence that a probe's files cannot be read.

    Args:
        kind: What they should be, such as `linear probe`.
    """
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise InputError(
            f"load_probe: {str(folder)!r} holds no {kind} that can be read "
            f"({type(error).__name__}: {error}); train it again."
        ) from error


class Probe(Protocol):
    """A classifier that scores texts."""

    @property
    def classes(self) -> int:
        """The number of classes C."""

    def logits(
        self, rows: Sequence[Texts], reading: Reading = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the logits of each row. Shape (N, C)."""

    def gradient_norms(
        self, rows: Sequence[Texts], labels: NDArray[np.int64], reading: Reading = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the norm of each row's gradient of the cross-entropy over all trainable weights.

        Args:
            labels: The class of each row. Shape (N,).
            reading: How the model is run; always in single precision.

        Returns:
            The norms. Shape (N,).
        """


@dataclass(frozen=True)
class TrainingRows:
    """What a probe is trained on.

    Attributes:
        labels: The class of each row. Shape (N,).
    """

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

    owner = "train_probes"
    names = tuple(config.columns)
    column_checks.present([config.label], dataset.column_names, owner=owner)
    held = field_columns(names, dataset.column_names, owner=owner)
    batch = dataset.with_format(None).select_columns([*held, config.label])[:]
    texts = RowTexts.read(batch, names, roles=tuple(config.roles), owner=owner).by_field()
    for name, found in zip(names, texts, strict=True):
        columns.refuse_nulls(found, f"column {name!r}", owner=owner)
    labels = class_labels(batch[config.label], config.label, owner=owner)
    columns.refuse_nulls(labels, f"column {config.label!r}", owner=owner)
    array = np.array(labels, dtype=np.int64)
    kind = dataset.features[config.label]
    count = kind.num_classes if isinstance(kind, ClassLabel) else int(array.max(initial=-1)) + 1
    class_names = kind.names if isinstance(kind, ClassLabel) else list(map(str, range(count)))
    refuse_missing_classes(array, class_names, config.label, owner)
    rows = [tuple(row) for row in zip(*texts, strict=True)]
    return TrainingRows(rows, array, class_names, config.epochs)


def class_labels(found: Sequence[Any], column: str, *, owner: str) -> list[int | None]:
    """Read the class of each row, or raise.

    Returns:
        For each row its class, None for a null.
    """
    labels: list[int | None] = []
    for row, value in enumerate(found):
        plain = None if columns.is_null(value) else draws.plain(value)
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
        raise InputError(
            f"{owner}: column {column!r} must hold classes as whole numbers from 0 on, but row "
            f"{row} (counted from 0) holds {plain!r} ({type(plain).__name__}); {advice}."
        )
    return labels


def refuse_missing_classes(
    labels: NDArray[np.int64], names: Sequence[str], column: str, owner: str
) -> None:
    """Raise unless there are two classes or more and each has a row.

    Args:
        labels: The class of each row. Shape (N,).
    """
    found, count = np.unique(labels), len(names)
    if len(found) < 2:
        only = [names[number] if number < count else number for number in found.tolist()]
        told = f"the one class {only[0]}" if only else "no row"
        raise InputError(
            f"{owner}: column {column!r} holds {told}; training needs rows of two classes or more."
        )
    missing = sorted(set(range(count)) - set(found.tolist()))
    if missing or found[-1] >= count:
        told = f"no row has class {missing[0]}" if missing else f"class {found[-1]} has no name"
        raise InputError(
            f"{owner}: column {column!r} should have {count} classes, but {told}; number the "
            "classes from 0 on without gaps, for instance with "
            f"`dataset.class_encode_column({column!r})`."
        )
