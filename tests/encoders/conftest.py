"""Encoders of few numbers, of which it is known what they carry."""

import hashlib
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fair_datasets.measures.weat import weat_test
from fair_datasets.models.word_vectors import WordVectors

run = runpy.run_path(str(Path(__file__).parents[1] / "cli" / "conftest.py"))["run"]
# What builds models there; torch is loaded where it is needed alone.
_MODELS = Path(__file__).parents[1] / "scores" / "conftest.py"

Texts = list[str]


def drawn(text: str, size: int = 12) -> Any:
    """Return numbers that follow from a text."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).normal(size=size)


def planted(name: str, strength: float) -> Callable[[Texts], Any]:
    """Return an encoder of the sentences of a test, in which X goes with A and Y with B.

    Beside that a sentence has the vector of its template, which all words of a kind share.
    """
    test = weat_test(name)
    signs = dict.fromkeys(test.X + test.A, 1.0) | dict.fromkeys(test.Y + test.B, -1.0)

    def encode(texts: Texts) -> Any:
        rows = []
        for text in texts:
            (word,) = [word for word in text.rstrip(".").split() if word in signs]
            direction = np.zeros(12)
            direction[0] = strength * signs[word]
            rows.append(drawn(text.replace(word, "")) + direction)
        return np.array(rows)

    return encode


def random_vectors(*names: str, without: tuple[str, ...] = ()) -> WordVectors:
    """Return word vectors of chance for all words of some tests, and for "this" and "is"."""
    words = [word for name in names for word in weat_test(name).words()]
    words = [word for word in dict.fromkeys([*words, "this", "is"]) if word not in without]
    return WordVectors.of(words, np.array([drawn(word) for word in words]))


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a BERT with random weights, which knows few words."""
    folder = tmp_path_factory.mktemp("encoder") / "tiny"
    models = runpy.run_path(str(_MODELS))
    tokenizer = models["tokenizer_of"]("masked")
    models["bert"]("BertModel", tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def encoders() -> dict[str, Any]:
    """Return what makes encoders, as tests are no package to import from."""
    return {
        "planted": planted,
        "random_vectors": random_vectors,
        "drawn": drawn,
        "drawn_all": lambda texts: [drawn(text) for text in texts],
    }
