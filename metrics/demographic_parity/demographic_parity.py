"""Demographic parity as an `evaluate` metric."""

from typing import Any

import evaluate

from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.parity import demographic_parity
from fair_datasets.measures.plain import plain_parity
from fair_datasets.measures.undefined import Undefined
from fair_datasets.metric_inputs import as_given

_DESCRIPTION = """Compares how often each group is predicted 1, for two or more groups."""

_CITATION = """@inproceedings{dwork2012fairness,
  title = {Fairness Through Awareness},
  author = {Dwork, Cynthia and Hardt, Moritz and Pitassi, Toniann and Reingold, Omer
    and Zemel, Richard},
  booktitle = {Innovations in Theoretical Computer Science},
  year = {2012}
}
"""

_INPUTS = """
Args:
    predictions: The predicted classes, 0 or 1; not probabilities or logits.
    groups: A group label per row: strings, whole numbers or booleans.
    undefined: What to give for a value that is not defined: `"nan"` with a warning that says why,
        `"zero"` for what fairlearn gives, or `"raise"`.
    missing_group: What to do where a group label is missing: `"raise"`, or `"own"` to make such
        rows a group of their own.
    confidence: The share of the bootstrap resamples between the ends of an interval, such as 0.95,
        or None for no intervals.
    n_resamples: How many resamples to draw.
    seed: The same seed gives the same intervals.

Returns:
    score: 1 less the difference, from 0 to 1. Higher is fairer.
    difference: The largest rate less the smallest, from 0 to 1. Lower is fairer.
    ratio: The smallest rate divided by the largest, from 0 to 1. Higher is fairer.
    groups: One dictionary per group: its label as "group", its counts and its rates.
    intervals: For score, difference and ratio a bootstrap interval, where confidence is given:
        "low", "high", "confidence", "n_resamples", and "n_undefined", in how many resamples the
        value was not defined.

Examples:
    >>> from fair_datasets import load_metric
    >>> metric = load_metric("demographic_parity")
    >>> result = metric.compute(predictions=[1, 0, 1, 1], groups=["a", "a", "b", "b"])
    >>> result["score"], result["difference"], result["ratio"]
    (0.5, 0.5, 0.5)
    >>> result["groups"][0]
    {'group': 'a', 'count': 2, 'predicted_positives': 1, 'selection_rate': 0.5}
"""


class DemographicParity(evaluate.Metric):
    """How often each group is predicted 1."""

    def _info(self) -> evaluate.MetricInfo:
        """Describe the metric and its inputs."""
        return evaluate.MetricInfo(
            module_type="metric",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=as_given("predictions", "groups"),
        )

    def _compute(
        self,
        predictions: Any,
        groups: Any,
        undefined: Undefined = "nan",
        missing_group: MissingGroup = "raise",
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 0,
    ) -> dict[str, Any]:
        """Compute the metric; see the description of the inputs."""
        parity = demographic_parity(
            predictions, groups, undefined=undefined, missing_group=missing_group
        )
        return plain_parity(parity, confidence=confidence, n_resamples=n_resamples, seed=seed)
