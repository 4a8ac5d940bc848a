"""Small corpora and vectors whose scores can be told by heart."""

from pathlib import Path

import pytest

from fair_datasets.models import load_word_vectors

_VECTORS = {
    "he": [1.0, 0.0], "she": [-1.0, 0.0], "man": [1.0, 0.1], "woman": [-1.0, 0.1],
    "pink": [-1.0, 0.0], "dress": [-0.6, 0.8], "truck": [0.6, 0.8], "rain": [0.0, 1.0],
    "ran": [0.0, 1.0], "wore": [0.0, 1.0], "the": [0.0, 1.0], "fell": [0.0, 1.0],
}  # fmt: skip


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Return a file of vectors: "pink" lies at one end, "dress" and "truck" lean."""
    load_word_vectors(_VECTORS).save(tmp_path / "vectors.npz")
    return tmp_path / "vectors.npz"
