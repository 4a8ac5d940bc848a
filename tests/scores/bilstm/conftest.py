"""A small corpus of inference from templates, its word vectors, and an encoder of it."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets.models import load_word_vectors
from fair_datasets.scores import SentenceEncoderConfig, train_sentence_encoder

WHO = ["nurse", "pilot", "miner", "dancer", "smith", "boy", "girl", "man", "woman", "she", "he"]
DOES = {"sleeps": "eats", "sings": "swims", "reads": "runs"}
WORDS = [*WHO, *DOES, *DOES.values(), "the", "a", "person", "outside", "not", "is", ".", "<s>"]
LABELS = ["contradiction", "entailment", "neutral"]


def pairs(who: list[str]) -> Dataset:
    """Write pairs of sentences, of which the second follows, cannot be, or may be."""
    rows = [{"premise": f"The {one} {does}.", "hypothesis": second, "label": label}
        for one, (does, other) in product(who, DOES.items())
        for label, second in (("entailment", f"a person {does}"),
        ("contradiction", f"The {one} {other}"),
        ("neutral", f"The {one} {does} outside."))]  # fmt: skip
    return Dataset.from_list(rows)


TRAIN, HELD = pairs(WHO[:7]), pairs(WHO[7:])


@pytest.fixture(scope="session")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file of word vectors, in lower case, with one marker."""
    draws = np.random.default_rng(0)
    file = tmp_path_factory.mktemp("vectors") / "vectors.npz"
    load_word_vectors({word: draws.normal(size=12) for word in WORDS}).save(file)
    return file


@pytest.fixture(scope="session")
def tiny(vectors: Path) -> dict[str, Any]:
    """Return settings of an encoder that trains in a second."""
    return {"vectors": vectors, "units": 16, "classifier_units": 32, "batch_size": 4,
            "learning_rate": 0.5, "epochs": 4, "shrink": 1.05}  # fmt: skip


@pytest.fixture(scope="session")
def trained(once: Any, tiny: dict[str, Any]) -> str:
    """Train an encoder, and return its folder."""

    def train(folder: Path) -> None:
        train_sentence_encoder(SentenceEncoderConfig(out=folder, **tiny), TRAIN, HELD)

    return str(once("encoder-of-pairs", train) / "encoder")


@pytest.fixture(scope="session")
def corpus() -> tuple[Dataset, Dataset]:
    """Return pairs to train on, and pairs about people of whom these do not speak."""
    return TRAIN, HELD
