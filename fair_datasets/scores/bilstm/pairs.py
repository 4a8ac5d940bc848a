"""Pairs of sentences as tokens, and how many of them an encoder's classifier gets right."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rows import column_checks, columns
from fair_datasets.rows.text_fields import RowTexts, field_columns
from fair_datasets.scores.bilstm.config import SentenceEncoderConfig
from fair_datasets.scores.probes.probe import TrainingRows, class_labels, refuse_missing_classes
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.scores.bilstm.network import BiLSTMEncoder

_OWNER = "train_sentence_encoder"
# How corpora of inference say that people did not agree on a label.
_NO_LABEL = ("-", "", -1)
_LISTED = 6


class LabelledPairs(NamedTuple):
    """Pairs of sentences with a label.

    Attributes:
        unlabelled: How many rows were left out, as they have no label.
    """

    rows: TrainingRows
    unlabelled: int


def labelled_pairs(
    config: SentenceEncoderConfig,
    dataset: "Dataset",
    what: str = "the training rows",
    names: list[str] | None = None,
) -> LabelledPairs:
    """Read the pairs of a dataset that have a label.

    Args:
        names: The names of the classes; None to take them from the rows.
    """
    owner = f"{_OWNER}: {what}"
    fields = tuple(config.columns)
    column_checks.present([config.label], dataset.column_names, owner=owner)
    held = field_columns(fields, dataset.column_names, owner=owner)
    batch = dataset.with_format(None).select_columns([*held, config.label])[:]
    found = [None if _is_missing(value) else _whole(value) for value in batch[config.label]]
    is_text = any(isinstance(value, str) for value in found)
    known = names or _names(found, dataset.features[config.label], is_text)
    if is_text:
        found = _numbered(found, known, config.label, owner)
    labels = class_labels(found, config.label, owner=owner)
    texts = RowTexts.read(batch, fields, owner=owner).by_field()
    for name, of_field in zip(fields, texts, strict=True):
        labelled = [
            "" if label is None else text for text, label in zip(of_field, labels, strict=True)
        ]
        columns.refuse_nulls(labelled, f"column {name!r}", owner=owner)
    kept = [row for row, label in enumerate(labels) if label is not None]
    array = np.array([labels[row] for row in kept], np.int64)
    if names is None:
        refuse_missing_classes(array, known, config.label, owner)
    elif not kept or array.max() >= len(known):
        told = "no label" if not kept else f"the class {array.max()}"
        raise InputError(
            f"{owner}: column {config.label!r} holds {told}, but the classes of the training rows "
            f"are {checks.listed(known, _LISTED)}; give rows with labels of the same kind."
        )
    pairs = [tuple(str(of_field[row]) for of_field in texts) for row in kept]
    return LabelledPairs(TrainingRows(pairs, array, known, config.epochs), len(labels) - len(kept))


def _is_missing(value: Any) -> bool:
    """Tell whether a label says that there is none."""
    return columns.is_null(value) or (not isinstance(value, bool) and value in _NO_LABEL)


def _whole(value: Any) -> Any:
    """Return a whole number as an integer, as a column with gaps is often read as one of floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _names(found: Sequence[Any], feature: Any, is_text: bool) -> list[str]:
    """Return the names of the classes."""
    from datasets import ClassLabel

    if isinstance(feature, ClassLabel):
        return list(feature.names)
    if is_text:
        return sorted({value for value in found if value is not None})
    numbers = [value for value in found if isinstance(value, int)]
    return list(map(str, range(max(numbers, default=-1) + 1)))


def _numbered(
    found: Sequence[Any], names: Sequence[str], column: str, owner: str
) -> list[int | None]:
    """Return the number of each label that is a text."""
    numbers = {name: number for number, name in enumerate(names)}
    for row, value in enumerate(found):
        if value is not None and value not in numbers:
            raise InputError(
                f"{owner}: column {column!r} holds {value!r} in row {row} (counted from 0), but "
                f"the classes of the training rows are {checks.listed(names, _LISTED)}; give "
                "labels of the same kind."
            )
    return [None if value is None else numbers[value] for value in found]


_BATCH = 128


class Pairs(NamedTuple):
    """Pairs of sentences as tokens.

    Attributes:
        first: The tokens of each pair's first sentence.
        labels: The class of each pair. Shape (N,).
    """

    first: list[list[int]]
    second: list[list[int]]
    labels: NDArray[np.int64]


class PairAccuracy(NamedTuple):
    """How many pairs a classifier gets right.

    Attributes:
        accuracy: The share that it gets right, of the pairs that can be read.
        majority: The share of the most frequent class among them.
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
    found = labelled_pairs(config, dataset, "the test rows", encoder.labels)
    pairs = pair_tokens(encoder, found.rows, config.max_length)
    count = len(pairs.labels)
    return PairAccuracy(
        accuracy_of(encoder, pairs),
        float(np.bincount(pairs.labels).max() / count),
        count,
        found.unlabelled,
        len(found.rows.texts) - count,
    )


def pair_tokens(encoder: "BiLSTMEncoder", rows: TrainingRows, max_length: int) -> Pairs:
    """Return the tokens of the pairs that have some on both sides."""
    sides = [
        encoder.tokenizer(list(texts), truncation=True, max_length=max_length, verbose=False)
        for texts in zip(*rows.texts, strict=True)
    ]
    first, second = (side["input_ids"] for side in sides)
    kept = [row for row, pair in enumerate(zip(first, second, strict=True)) if all(pair)]
    if not kept:
        raise InputError(
            "train_sentence_encoder: in no pair do both sentences have a word with a vector; give "
            "vectors of the texts' language."
        )
    return Pairs([first[row] for row in kept], [second[row] for row in kept], rows.labels[kept])


def accuracy_of(encoder: "BiLSTMEncoder", pairs: Pairs) -> float:
    """Return the share of pairs whose class the classifier names; of equals the first counts."""
    logits = encoder.classify(pairs.first, pairs.second, batch_size=_BATCH)
    return float((logits.argmax(axis=1) == pairs.labels).mean())
