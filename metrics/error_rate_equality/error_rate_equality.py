"""Error rate equality as an `evaluate` metric."""

from fair_datasets.measures import base
from fair_datasets.measures.error_rates import error_rate_equality, plain_error_rates


@base.computes(error_rate_equality, "predictions", "references", "groups", write=plain_error_rates)
class ErrorRateEquality(base.Metric):
    """Sums the distances of each group's error rates from those of all rows (FPED and FNED)."""
