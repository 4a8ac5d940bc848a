"""Demographic parity as an `evaluate` metric."""

from collections.abc import Hashable
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_table import Method
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.parity import demographic_parity


class DemographicParity(base.Metric):
    """Compares how often each group is predicted 1, for two or more groups."""

    CITATION = """
        @inproceedings{dwork2012fairness,
          title = {Fairness Through Awareness},
          author = {Dwork, Cynthia and Hardt, Moritz and Pitassi, Toniann and Reingold, Omer
            and Zemel, Richard},
          booktitle = {Innovations in Theoretical Computer Science},
          year = {2012}
        }
    """
    RETURNS = base.PARITY
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("demographic_parity")
        >>> result = metric.compute(predictions=[1, 0, 1, 1], groups=["a", "a", "b", "b"])
        >>> result["score"], result["difference"], result["ratio"]
        (0.5, 0.5, 0.5)
        >>> result["groups"][0]
        {'group': 'a', 'count': 2, 'predicted_positives': 1, 'selection_rate': 0.5}
    """

    def _compute(
        self,
        predictions: Any,
        groups: Any,
        *,
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
        parity = demographic_parity(
            predictions,
            groups,
            positive=positive,
            method=method,
            undefined=undefined,
            missing_group=missing_group,
            families=families,
        )
        return plain_parity(parity, confidence=confidence, n_resamples=n_resamples, seed=seed)
