"""Any metric by group as an `evaluate` metric."""

from functools import partial

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_group_metric
from fair_datasets.measures.group_metric import group_metric


@base.computes(
    partial(group_metric, metric="accuracy_score"),
    "predictions",
    "references",
    "groups",
    write=plain_group_metric,
    tables=("predictions", "references"),
)
class GroupMetric(base.Metric):
    """Computes any metric of each group, and compares the groups by it.

    The metric is a function of scikit-learn, one of your own, or a module of `evaluate`.
    """
