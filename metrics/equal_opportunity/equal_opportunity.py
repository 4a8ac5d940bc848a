"""Equal opportunity as an `evaluate` metric."""

from typing import Any

import evaluate

from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.parity import equal_opportunity
from fair_datasets.measures.plain import plain_parity
from fair_datasets.measures.undefined import Undefined
from fair_datasets.metric_inputs import as_given

_DESCRIPTION = """Compares how often each group is predicted 1 among rows of one true class, for two
or more groups."""

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
    outcome: 1 to compare true positive rates, 0 to compare false positive rates.
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
    >>> metric = load_metric("equal_opportunity")
    >>> result = metric.compute(
    ...     predictions=[1, 0, 1, 1], references=[1, 1, 1, 1], groups=["a", "a", "b", "b"],
    ...     undefined="zero")
    >>> result["score"], result["difference"], result["ratio"]
    (0.5, 0.5, 0.5)
    >>> [row["true_positive_rate"] for row in result["groups"]]
    [0.5, 1.0]
"""


class EqualOpportunity(evaluate.Metric):
    """How often each group is predicted 1 among rows of one true class."""

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
        outcome: int = 1,
        undefined: Undefined = "nan",
        missing_group: MissingGroup = "raise",
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
            undefined=undefined,
            missing_group=missing_group,
        )
        return plain_parity(parity, confidence=confidence, n_resamples=n_resamples, seed=seed)
