"""Correcting a corpus by its bias scores: the corpora of a paper by name, and two kinds of our own.

Dolci, Azzalini and Tanelli, "Improving Gender-Related Fairness in Sentence Encoders".
"""

from fair_datasets.selection.correction.corpus import correct
from fair_datasets.selection.correction.settings import Corrected, CorrectedSplit, Correction
from fair_datasets.selection.correction.techniques import KeepLabelled, KeepWordsBelow, SwapAbove

__all__ = [
    "Corrected",
    "CorrectedSplit",
    "Correction",
    "KeepLabelled",
    "KeepWordsBelow",
    "SwapAbove",
    "correct",
]
