"""Equal opportunity as an `evaluate` metric."""

from collections.abc import Hashable
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_table import Method
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.parity import equal_opportunity


class EqualOpportunity(base.Metric):
    """Compares how often each group is predicted 1 among rows of one true class.

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
        outcome: 1 to compare true positive rates, 0 to compare false positive rates.
    """
    RETURNS = base.PARITY
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("equal_opportunity")
        >>> result = metric.compute(
        ...     predictions=[1, 0, 1, 1], references=[1, 1, 1, 1], groups=["a", "a", "b", "b"],
        ...     undefined="zero")
        >>> result["score"], result["difference"], result["ratio"]
        (0.5, 0.5, 0.5)
        >>> [row["true_positive_rate"] for row in result["groups"]]
        [0.5, 1.0]
    """

    def _compute(
        self,
        predictions: Any,
        references: Any,
        groups: Any,
        *,
        outcome: int = 1,
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
        parity = equal_opportunity(
            references,
            predictions,
            groups,
            outcome=outcome,
            positive=positive,
            method=method,
            undefined=undefined,
            missing_group=missing_group,
            families=families,
        )
        return plain_parity(parity, confidence=confidence, n_resamples=n_resamples, seed=seed)
