"""Equal opportunity as an `evaluate` metric."""

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.parity import equal_opportunity


@base.computes(equal_opportunity, "predictions", "references", "groups", write=plain_parity)
class EqualOpportunity(base.Metric):
    """Compares how often each group is predicted 1 among rows of one true class.

    There are two or more groups.
    """
