"""Equalized odds as an `evaluate` metric."""

from collections.abc import Hashable
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_table import Method
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.parity import Aggregation, equalized_odds


class EqualizedOdds(base.Metric):
    """Compares how often each group is rightly and how often it is wrongly predicted 1.

    There are two or more groups.
    """

    CITATION = """
        @inproceedings{hardt2016equality,
          title = {Equality of Opportunity in Supervised Learning},
          author = {Hardt, Moritz and Price, Eric and Srebro, Nathan},
          booktitle = {Advances in Neural Information Processing Systems},
          year = {2016}
        }
    """
    PARAMETERS = """
        agg: How the true and the false positive rates become one value: "worst_case" (the default)
            for the larger difference, as in fairlearn, or "mean".
    """
    RETURNS = f"{base.PARITY}agg: Which of the two was used, the larger difference or the mean."
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("equalized_odds")
        >>> result = metric.compute(
        ...     predictions=[1, 1, 1, 0], references=[1, 0, 1, 0], groups=["a", "a", "b", "b"])
        >>> result["score"], result["difference"], result["agg"]
        (0.0, 1.0, 'worst_case')
    """

    def _compute(
        self,
        predictions: Any,
        references: Any,
        groups: Any,
        *,
        agg: Aggregation = "worst_case",
        positive: Hashable = None,
        method: Method = "between_groups",
        undefined: Undefined = "nan",
        missing_group: MissingGroup = "raise",
        families: base.Rows = None,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 0,
    ) -> dict[str, Any]:
        """Compute the metric; see the description of the inputs."""
        parity = equalized_odds(
            references,
            predictions,
            groups,
            agg=agg,
            positive=positive,
            method=method,
            undefined=undefined,
            missing_group=missing_group,
            families=families,
        )
        return plain_parity(parity, confidence=confidence, n_resamples=n_resamples, seed=seed)
