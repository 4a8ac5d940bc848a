"""Rate difference as an `evaluate` metric."""

from fair_datasets.measures import base
from fair_datasets.measures.error_rates import rate_difference


@base.computes(rate_difference, "predictions", "references", "groups")
class RateDifference(base.Metric):
    """Subtracts the true and the false positive rate of one group from those of another.

    They are known as TPRD and FPRD.
    """
