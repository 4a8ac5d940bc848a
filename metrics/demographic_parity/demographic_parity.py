"""Demographic parity as an `evaluate` metric."""

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.parity import demographic_parity


@base.computes(demographic_parity, "predictions", "groups", write=plain_parity)
class DemographicParity(base.Metric):
    """Compares how often each group is predicted 1, for two or more groups."""
