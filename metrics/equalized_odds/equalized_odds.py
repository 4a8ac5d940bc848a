"""Equalized odds as an `evaluate` metric."""

from typing import Any

import evaluate

from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.parity import Aggregation, equalized_odds
from fair_datasets.measures.plain import plain_parity
from fair_datasets.measures.undefined import Undefined
from fair_datasets.metric_inputs import as_given

_DESCRIPTION = """Compares both how often each group is rightly and how often it is wrongly
predicted 1, for two or more groups."""

_CITATION = """@inproceedings{hardt2016equality,
  title = {Equality of Opportunity in Supervised Learning},
  author = {Hardt, Moritz and Price, Eric and Srebro, Nathan},
  booktitle = {Advances in Neural Information Processing Systems},
  year = {2016}
}
"""

_INPUTS = """
Args:
    predictions: The predicted classes, 0 or 1; not probabilities or logits.
    references: The true classes, 0 or 1.
    groups: A group label per row: strings, whole numbers or booleans.
    agg: How the true and the false positive rates become one value: `"mean"`, or `"worst_case"` as
        in fairlearn.
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
    >>> metric = load_metric("equalized_odds")
    >>> result = metric.compute(
    ...     predictions=[1, 1, 1, 0], references=[1, 0, 1, 0], groups=["a", "a", "b", "b"])
    >>> result["score"], result["difference"]
    (0.5, 0.5)
"""


class EqualizedOdds(evaluate.Metric):
    """How often each group is rightly and wrongly predicted 1."""

    def _info(self) -> evaluate.MetricInfo:
        """Describe the metric and its inputs."""
        return evaluate.MetricInfo(
            module_type="metric",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=as_given("predictions", "references", "groups"),
        )

    def _compute(
        self,
        predictions: Any,
        references: Any,
        groups: Any,
        agg: Aggregation = "mean",
        undefined: Undefined = "nan",
        missing_group: MissingGroup = "raise",
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
            undefined=undefined,
            missing_group=missing_group,
        )
        return plain_parity(parity, confidence=confidence, n_resamples=n_resamples, seed=seed)
