"""Equalized odds as an `evaluate` metric."""

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.parity import equalized_odds


@base.computes(equalized_odds, "predictions", "references", "groups", write=plain_parity)
class EqualizedOdds(base.Metric):
    """Compares how often each group is rightly and how often it is wrongly predicted 1.

    There are two or more groups.
    """
