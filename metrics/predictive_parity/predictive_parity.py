"""Predictive parity as an `evaluate` metric."""

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.parity import predictive_parity


@base.computes(predictive_parity, "predictions", "references", "groups", write=plain_parity)
class PredictiveParity(base.Metric):
    """Compares how often each group's predictions of 1, or of 0, are wrong.

    There are two or more groups.
    """
