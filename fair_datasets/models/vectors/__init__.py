"""Word vectors, and directions of demographic attributes in a space of vectors."""

from fair_datasets.models.vectors.direction import DemographicDirection
from fair_datasets.models.vectors.load import load_word_vectors
from fair_datasets.models.vectors.word_pairs import hard_debias, word_direction
from fair_datasets.models.vectors.word_vectors import WordVectors

__all__ = [
    "DemographicDirection",
    "WordVectors",
    "hard_debias",
    "load_word_vectors",
    "word_direction",
]
