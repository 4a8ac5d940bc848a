"""Training a sentence encoder on pairs of sentences: its settings, its pairs, its training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.load import load_word_vectors
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnNames
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import field_columns
from fair_datasets.scores.probes.config import label_column, plain_settings
from fair_datasets.scores.probes.probe import TrainingRows, class_labels, refuse_missing_classes
from fair_datasets.system import checks, interrupts
from fair_datasets.system.checks import caller_name, error_context, invalid, require
from fair_datasets.system.portable import strip_folders
from fair_datasets.system.resume import claim_folder, write_atomically
from fair_datasets.system.validate import (
    Count,
    Natural,
    PathOrName,
    Positive,
    validate_fields,
)

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.scores.bilstm.network import BiLSTMEncoder


PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "infersent": {},
        # Few pairs make few steps: these are larger, and a worse epoch costs less of the rate.
        "small": {
            "units": 64,
            "classifier_units": 256,
            "batch_size": 16,
            "epochs": 15,
            "learning_rate": 0.5,
            "shrink": 1.2,
        },
    }
)
"""The settings of a preset that are not the published ones."""


@dataclass(frozen=True, kw_only=True)
class SentenceEncoderConfig:
    """How a BiLSTM encoder is trained on pairs of sentences, and where it is saved.

    The defaults are the published ones, for SNLI and the vectors GloVe 840B: days on a CPU.
    `SentenceEncoderConfig.preset("small", ...)` trains on a few thousand pairs in a minute.

    Attributes:
        out: The folder of the training; the encoder is in `<out>/encoder`.
        vectors: The file of the word vectors, or their Hub id; see `load_word_vectors`. They are
            not trained.
        columns: The two text columns, or paths to texts inside columns.
        label: The column with the class of each pair, as a number or a text. Rows whose label is
            missing, "-" or -1 are left out.
        units: The number of units in each of the two directions; a sentence vector has twice as
            many numbers.
        classifier_units: The width of the two layers between the pair and its classes.
        markers: Whether `<s>` and `</s>` are read around each sentence. One that the vectors lack
            is read as a vector of zeros.
        frequent_words: How many words of the file, from its start, the encoder knows beside those
            of the training texts; most files begin with the most frequent ones.
        epochs: How often the pairs are seen at most.
        batch_size: How many pairs a step has.
        learning_rate: Of stochastic gradient descent, in the first epoch.
        decay: What it is multiplied by for each later epoch.
        shrink: What it is divided by after an epoch whose validation accuracy is not above the best
            so far.
        least_learning_rate: Training ends when it falls below.
        largest_gradient: The norm to which gradients are clipped.
        max_length: How many tokens of a sentence are read in training.
        seed: The seed of the first weights and of the order of the pairs.

    Raises:
        InputError: A parameter is not what it must be.
        MissingExtraError: torch or transformers is not installed.

    Example:
        >>> config = SentenceEncoderConfig.preset("small", out="encoder", vectors="glove.txt")
        >>> config.units, config.learning_rate, config.decay
        (64, 0.5, 0.99)

    Source:
        Conneau et al. (2017), and their published training script; the number of epochs is that of
        Dolci, Azzalini and Tanelli.
    """

    out: PathOrName
    vectors: PathOrName
    columns: ColumnNames = ("premise", "hypothesis")
    label: str = "label"
    units: Count = 2048
    classifier_units: Count = 512
    markers: bool = True
    frequent_words: Natural = 100_000
    epochs: Count = 8
    batch_size: Count = 64
    learning_rate: Positive = 0.1
    decay: Positive = 0.99
    shrink: Positive = 5.0
    least_learning_rate: Positive = 1e-5
    largest_gradient: Positive = 5.0
    max_length: Count = 128
    seed: Natural = 1234

    @classmethod
    def preset(cls, name: str, **given: Any) -> Self:
        """Take the settings of a preset.

        Args:
            name: `infersent`, which has the defaults, or `small`, for a laptop.

        Raises:
            InputError: There is no such preset, or a setting is not what it must be.
        """
        checks.one_of(name, PRESETS, parameter="the preset")
        return cls(**{**PRESETS[name], **given})

    def __post_init__(self) -> None:
        """Check the parameters and write each in one form."""
        validate_fields(self)
        if len(self.columns) != 2:
            raise invalid(
                f"columns must name the two sentences of a pair, but it names "
                f"{len(self.columns)}: {checks.format_choices(self.columns)}."
            )
        object.__setattr__(self, "label", label_column(self.label))
        if self.max_length < 3:
            raise invalid(
                f"max_length must leave room for a word between the markers, so it must "
                f"be at least 3, but it is {self.max_length}."
            )
        require("models")

    def settings(self) -> dict[str, Any]:
        """Return all that the encoder depends on, as JSON data: everything but the places."""
        return plain_settings(self, "out", "vectors")


# How corpora of inference say that people did not agree on a label.
_NO_LABEL = ("-", "", -1)
_LISTED = 6


class LabelledPairs(NamedTuple):
    """Pairs of sentences with a label."""

    rows: TrainingRows
    unlabelled: int


def labelled_pairs(
    config: SentenceEncoderConfig,
    dataset: "Dataset",
    names: list[str] | None = None,
) -> LabelledPairs:
    """Read the pairs of a dataset that have a label."""
    fields = tuple(config.columns)
    column_checks.present([config.label], dataset.column_names)
    held = field_columns(fields, dataset.column_names)
    batch = dataset.with_format(None).select_columns([*held, config.label])[:]
    values = [None if _is_missing(value) else _whole(value) for value in batch[config.label]]
    is_text = any(isinstance(value, str) for value in values)
    known = names or _names(values, dataset.features[config.label], is_text)
    if is_text:
        values = _numbered(values, known, config.label)
    labels = class_labels(values, config.label)
    texts = RowTexts.read(batch, fields).by_field()
    for name, of_field in zip(fields, texts, strict=True):
        labelled = [
            "" if label is None else text for text, label in zip(of_field, labels, strict=True)
        ]
        column_checks.refuse_nulls(labelled, f"column {name!r}")
    selected = [row for row, label in enumerate(labels) if label is not None]
    array = np.array([labels[row] for row in selected], np.int64)
    if names is None:
        refuse_missing_classes(array, known, config.label)
    elif not selected or array.max() >= len(known):
        content = "no label" if not selected else f"the class {array.max()}"
        raise invalid(
            f"column {config.label!r} holds {content}, but the classes of the training rows "
            f"are {checks.format_choices(known, _LISTED)}; give rows with labels of the same kind."
        )
    pairs = [tuple(str(of_field[row]) for of_field in texts) for row in selected]
    return LabelledPairs(
        TrainingRows(pairs, array, known, config.epochs), len(labels) - len(selected)
    )


def _is_missing(value: Any) -> bool:
    """Whether a label says that there is none."""
    return column_checks.is_null(value) or (not isinstance(value, bool) and value in _NO_LABEL)


def _whole(value: Any) -> Any:
    """Return a whole number as an integer, as a column with gaps is often read as one of floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _names(values: Sequence[Any], feature: Any, is_text: bool) -> list[str]:
    from datasets import ClassLabel

    if isinstance(feature, ClassLabel):
        return list(feature.names)
    if is_text:
        return sorted({value for value in values if value is not None})
    numbers = [value for value in values if isinstance(value, int)]
    return list(map(str, range(max(numbers, default=-1) + 1)))


def _numbered(values: Sequence[Any], names: Sequence[str], column: str) -> list[int | None]:
    """Return the number of each label that is a text."""
    numbers = {name: number for number, name in enumerate(names)}
    for row, value in enumerate(values):
        if value is not None and value not in numbers:
            raise invalid(
                f"column {column!r} holds {value!r} in row {row} (counted from 0), but "
                f"the classes of the training rows are {checks.format_choices(names, _LISTED)}; "
                "give labels of the same kind."
            )
    return [None if value is None else numbers[value] for value in values]


_BATCH = 128


class Pairs(NamedTuple):
    """Pairs of sentences as tokens."""

    first: list[list[int]]
    second: list[list[int]]
    labels: NDArray[np.int64]


class PairAccuracy(NamedTuple):
    """How many pairs a classifier gets right.

    Attributes:
        accuracy: The share that it gets right, of the pairs that can be read.
        unread: How many pairs have a sentence without a word that has a vector.
    """

    accuracy: float
    majority: float
    pairs: int
    unlabelled: int
    unread: int


def pair_accuracy(
    encoder: "BiLSTMEncoder", config: SentenceEncoderConfig, dataset: "Dataset"
) -> PairAccuracy:
    """Measure an encoder on pairs that it was not trained on."""
    with error_context(f"{caller_name()}: the test rows"):
        labelled = labelled_pairs(config, dataset, encoder.labels)
    pairs = pair_tokens(encoder, labelled.rows, config.max_length)
    count = len(pairs.labels)
    return PairAccuracy(
        accuracy_of(encoder, pairs),
        float(np.bincount(pairs.labels).max() / count),
        count,
        labelled.unlabelled,
        len(labelled.rows.texts) - count,
    )


def pair_tokens(encoder: "BiLSTMEncoder", rows: TrainingRows, max_length: int) -> Pairs:
    """Return the tokens of the pairs that have some on both sides."""
    sides = [
        encoder.tokenizer(list(texts), truncation=True, max_length=max_length, verbose=False)
        for texts in zip(*rows.texts, strict=True)
    ]
    first, second = (side["input_ids"] for side in sides)
    selected = [row for row, pair in enumerate(zip(first, second, strict=True)) if all(pair)]
    if not selected:
        raise invalid(
            "in no pair do both sentences have a word with a vector; give "
            "vectors of the texts' language."
        )
    return Pairs(
        [first[row] for row in selected], [second[row] for row in selected], rows.labels[selected]
    )


def accuracy_of(encoder: "BiLSTMEncoder", pairs: Pairs) -> float:
    """Return the share of pairs whose class the classifier names; of equals the first counts."""
    logits = encoder.classify(pairs.first, pairs.second, batch_size=_BATCH)
    return float((logits.argmax(axis=1) == pairs.labels).mean())


CONFIG_FILE = "training.json"


def train_sentence_encoder(
    config: SentenceEncoderConfig,
    dataset: "Dataset",
    validation: "Dataset",
    *,
    training_data: str = "pairs of sentences",
    command: str = "",
) -> str:
    """Train a BiLSTM encoder with max-pooling to classify pairs of sentences.

    The state is kept while it trains: an interrupted run, also one that was killed, goes on from
    there when it is called again, and on a CPU ends where an undisturbed one ends, bit for bit.
    The encoder of the epoch with the best validation accuracy is saved.

    Args:
        validation: Those on which the learning rate and the best epoch depend.

    Returns:
        The folder of the encoder: `sentence_vectors` and `BiasScore(encoder=...)` take it, and
        `BiLSTMEncoder.from_pretrained(folder).push_to_hub("user/name")` publishes it.

    Raises:
        InputError: A column is missing or holds what cannot be read, there are fewer than two
            classes, the vectors fit none of the words, training diverges, or the folder holds an
            encoder of another configuration or of other data.

    Example:
        >>> from fair_datasets.scores import SentenceEncoderConfig
        >>> config = SentenceEncoderConfig.preset("small", out="encoder", vectors="glove.txt")
        >>> folder = train_sentence_encoder(config, snli["train"], snli["validation"])
        ... # doctest: +SKIP

    Source:
        Conneau et al. (2017), section 3; Dolci, Azzalini and Tanelli train it on corrected corpora.
    """
    from fair_datasets.scores.bilstm.schedule import Training

    out = Path(config.out)
    with error_context(f"{caller_name()}: the training rows"):
        train = labelled_pairs(config, dataset)
    names = train.rows.names
    with error_context(f"{caller_name()}: the validation rows"):
        held = labelled_pairs(config, validation, names)
    vectors = load_word_vectors(config.vectors)
    settings = {
        **config.settings(),
        "vectors_sha256": vectors.digest,
        "data": train.rows.digest,
        "validation_data": held.rows.digest,
    }
    folder = out / "encoder"
    provenance: dict[str, Any] = {
        "training_data": strip_folders(training_data),
        "command": command,
        "pairs": len(train.rows.texts),
        "unlabelled": train.unlabelled,
        "validation_pairs": len(held.rows.texts),
        "validation_unlabelled": held.unlabelled,
        "majority": float(np.bincount(held.rows.labels).max() / len(held.rows.labels)),
        "vectors": strip_folders(vectors.name),
        **settings,
    }
    texts = chain.from_iterable(chain(train.rows.texts, held.rows.texts))
    with claim_folder(out / CONFIG_FILE, settings, what="an encoder"):
        if not folder.is_dir():
            training = Training.begin(config, vectors, texts, names, provenance)
            with interrupts.defer_signals():
                training.run(train.rows, held.rows)
            write_atomically(folder, training.save)
            training.clear()
    return str(folder)
