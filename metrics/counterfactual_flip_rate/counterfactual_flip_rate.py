"""How often predictions flip between texts and their counterfactuals, as an `evaluate` module."""

from fair_datasets.measures import base
from fair_datasets.measures.flip_rate import counterfactual_flip_rate


@base.computes(counterfactual_flip_rate, "predictions", "counterfactual_predictions")
class CounterfactualFlipRate(base.Comparison):
    """The share of texts whose predicted class differs from that of their counterfactual.

    Beside it, how far the score moves: over all rows, over those that were changed, and by group.
    Lower is fairer.
    """
