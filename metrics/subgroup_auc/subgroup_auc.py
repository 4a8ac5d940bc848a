"""Subgroup AUC as an `evaluate` metric."""

from collections.abc import Hashable
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import group_rows
from fair_datasets.measures.error_rates import subgroup_auc
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.inputs import Undefined


class SubgroupAuc(base.Metric):
    """Compares how scores rank the rows of each subgroup and of its background.

    Subgroup AUC, BPSN AUC, BNSP AUC and the average equality gaps.
    """

    CITATION = """
        @inproceedings{borkan2019nuanced,
          title = {Nuanced Metrics for Measuring Unintended Bias with Real Data for Text
            Classification},
          author = {Borkan, Daniel and Dixon, Lucas and Sorensen, Jeffrey and Thain, Nithum and
            Vasserman, Lucy},
          booktitle = {Companion Proceedings of The Web Conference},
          year = {2019}
        }
    """
    PARAMETERS = f"""
        predictions: The scores: finite numbers, higher for class 1. Not classes.
        groups: {base.SUBGROUPS}
    """
    RETURNS = """
        overall_auc: The AUC of all rows, from 0 to 1. Higher is better.
        groups: One dictionary per group, with its label as "group", "count" and "positives", and
            "subgroup_auc" (within the subgroup), "bpsn_auc" (background positives against subgroup
            negatives) and "bnsp_auc" (subgroup positives against background negatives), from 0 to
            1, and "positive_average_equality_gap" and "negative_average_equality_gap", from -0.5 to
            0.5, where 0 means no gap and more that the subgroup scores higher than its background.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("subgroup_auc")
        >>> result = metric.compute(
        ...     predictions=[0.9, 0.6, 0.5, 0.2], references=[1, 0, 1, 0],
        ...     groups=[["women"], ["women", "black"], ["black"], []])
        >>> result["overall_auc"], result["groups"][1]["group"], result["groups"][1]["bpsn_auc"]
        (0.75, 'women', 0.0)
    """

    def _compute(
        self,
        predictions: Any,
        references: Any,
        groups: Any,
        *,
        positive: Hashable = None,
        undefined: Undefined = "nan",
        missing_group: MissingGroup = "raise",
    ) -> dict[str, Any]:
        """Compute the metric; see the description of the inputs."""
        found = subgroup_auc(
            references,
            predictions,
            groups,
            positive=positive,
            undefined=undefined,
            missing_group=missing_group,
        )
        return {"overall_auc": found.overall_auc, "groups": group_rows(found.groups)}
