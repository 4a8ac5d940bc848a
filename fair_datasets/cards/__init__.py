"""Cards: what was done to a dataset or for a model, and what was measured.

Pure functions: data in, text out.
"""

from fair_datasets.cards.croissant import empty_fields
from fair_datasets.cards.dataset import SplitCounts, dataset_card
from fair_datasets.cards.model import model_card
from fair_datasets.cards.statements import Measured, Sample, carried_over

__all__ = [
    "Measured",
    "Sample",
    "SplitCounts",
    "carried_over",
    "dataset_card",
    "empty_fields",
    "model_card",
]
