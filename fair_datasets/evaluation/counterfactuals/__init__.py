"""Counterfactual versions of one corpus beside each other: what each is worth.

Tokpo and Calders compare rewriters by how fluent their texts are, how often they change the gender
that a classifier reads, and what becomes of a classifier and of word vectors that are trained on
them; this does all of it in one table.
"""

from fair_datasets.evaluation.counterfactuals.evaluation import (
    CounterfactualEvaluation,
    counterfactual_report,
    evaluate_counterfactuals,
    plain_counterfactuals,
)
from fair_datasets.evaluation.counterfactuals.trained import CAREERS, PLEASANTNESS, WordAssociation

__all__ = [
    "CAREERS",
    "PLEASANTNESS",
    "CounterfactualEvaluation",
    "WordAssociation",
    "counterfactual_report",
    "evaluate_counterfactuals",
    "plain_counterfactuals",
]
