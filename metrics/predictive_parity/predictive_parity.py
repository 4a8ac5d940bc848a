"""Predictive parity as an `evaluate` metric."""

from collections.abc import Hashable
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_table import Method
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.parity import predictive_parity


class PredictiveParity(base.Metric):
    """Compares how often each group's predictions of 1, or of 0, are wrong.

    There are two or more groups.
    """

    CITATION = """
        @article{chouldechova2017fair,
          title = {Fair Prediction with Disparate Impact: A Study of Bias in Recidivism Prediction
            Instruments},
          author = {Chouldechova, Alexandra},
          journal = {Big Data},
          volume = {5},
          number = {2},
          year = {2017}
        }
    """
    PARAMETERS = """
        outcome: 1 (the default) to compare false discovery rates, among rows of prediction 1; 0 to
            compare false omission rates, among rows of prediction 0.
    """
    RETURNS = base.PARITY
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("predictive_parity")
        >>> result = metric.compute(
        ...     predictions=[1, 1, 1, 1], references=[1, 0, 1, 1], groups=["a", "a", "b", "b"])
        >>> result["score"], result["difference"]
        (0.5, 0.5)
        >>> [(row["group"], row["false_discovery_rate"]) for row in result["groups"]]
        [('a', 0.5), ('b', 0.0)]
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
        parity = predictive_parity(
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
