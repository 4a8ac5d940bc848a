"""Subgroup AUC as an `evaluate` metric."""

from fair_datasets.measures import base
from fair_datasets.measures.error_rates import subgroup_auc


@base.computes(subgroup_auc, "predictions", "references", "groups")
class SubgroupAuc(base.Metric):
    """Compares how scores rank the rows of each subgroup and of its background.

    Subgroup AUC, BPSN AUC, BNSP AUC and the average equality gaps.
    """
