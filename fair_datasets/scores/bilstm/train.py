"""Training a sentence encoder on pairs of sentences."""

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fair_datasets.models.vectors.load import load_word_vectors
from fair_datasets.scores.bilstm.config import SentenceEncoderConfig
from fair_datasets.scores.bilstm.pairs import labelled_pairs
from fair_datasets.scores.resuming import claimed, write_whole
from fair_datasets.system import interrupts
from fair_datasets.system.portable import without_folders

if TYPE_CHECKING:
    from datasets import Dataset

CONFIG_FILE = "training.json"
_OWNER = "train_sentence_encoder"


def train_sentence_encoder(
    config: SentenceEncoderConfig,
    dataset: "Dataset",
    validation: "Dataset",
    *,
    training_data: str = "pairs of sentences",
    command: str = "",
) -> str:
    """Train a BiLSTM encoder with max-pooling to tell the classes of pairs of sentences.

    The state is kept while it trains: an interrupted run, also one that was killed, goes on from
    there when it is called again, and on a CPU ends where an undisturbed one ends, bit for bit.
    The encoder of the epoch with the best validation accuracy is saved.

    Args:
        config: The columns, the vectors and the settings.
        validation: Those on which the learning rate and the best epoch depend.
        training_data: What the pairs are, for the card.
        command: The command that trains it again, for the card.

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
    train = labelled_pairs(config, dataset)
    names = train.rows.names
    held = labelled_pairs(config, validation, "the validation rows", names)
    vectors = load_word_vectors(config.vectors)
    settings = {
        **config.settings(),
        "vectors_sha256": vectors.digest,
        "data": train.rows.digest,
        "validation_data": held.rows.digest,
    }
    folder = out / "encoder"
    told: dict[str, Any] = {
        "training_data": without_folders(training_data),
        "command": command,
        "pairs": len(train.rows.texts),
        "unlabelled": train.unlabelled,
        "validation_pairs": len(held.rows.texts),
        "validation_unlabelled": held.unlabelled,
        "majority": float(np.bincount(held.rows.labels).max() / len(held.rows.labels)),
        "vectors": without_folders(vectors.name),
        **settings,
    }
    texts = chain.from_iterable(chain(train.rows.texts, held.rows.texts))
    with claimed(out / CONFIG_FILE, settings, owner=_OWNER, what="an encoder"):
        if not folder.is_dir():
            training = Training.begin(config, vectors, texts, names, told)
            with interrupts.held():
                training.run(train.rows, held.rows)
            write_whole(folder, training.save)
            training.clear()
    return str(folder)
