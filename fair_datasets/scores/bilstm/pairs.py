"""Pairs of sentences as tokens, and how many of them an encoder's classifier gets right."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.bilstm.config import SentenceEncoderConfig
from fair_datasets.scores.bilstm.rows import labelled_pairs
from fair_datasets.scores.probes.rows import TrainingRows
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

    from fair_datasets.scores.bilstm.network import BiLSTMEncoder

_BATCH = 128


class Pairs(NamedTuple):
    """Pairs of sentences as tokens.

    Attributes:
        first: The tokens of each pair's first sentence.
        second: Those of its second.
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
        pairs: How many there are.
        unlabelled: How many rows have no label.
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
    """Measure an encoder on pairs that it was not trained on.

    Args:
        config: How it was trained: the columns are read from it.

    Returns:
        The accuracy beside that of always naming the most frequent class.

    Raises:
        InputError: A column is missing, a label is none of those in training, or no pair can be
            read.
    """
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
    """Return the tokens of the pairs that have some on both sides.

    Raises:
        InputError: There are none.
    """
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
    """Return the share of pairs whose class the classifier names; of equal logits the first counts.

    Returns:
        The share, in [0, 1].
    """
    logits = encoder.classify(pairs.first, pairs.second, batch_size=_BATCH)
    return float((logits.argmax(axis=1) == pairs.labels).mean())
