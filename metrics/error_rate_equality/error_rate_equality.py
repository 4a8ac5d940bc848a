"""Error rate equality as an `evaluate` metric."""

from collections.abc import Hashable
from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import group_rows
from fair_datasets.measures.error_rates import error_rate_equality
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.inputs import Undefined


class ErrorRateEquality(base.Metric):
    """Sums the distances of each group's error rates from those of all rows (FPED and FNED)."""

    CITATION = """
        @inproceedings{dixon2018measuring,
          title = {Measuring and Mitigating Unintended Bias in Text Classification},
          author = {Dixon, Lucas and Li, John and Sorensen, Jeffrey and Thain, Nithum and Vasserman,
            Lucy},
          booktitle = {AAAI/ACM Conference on AI, Ethics, and Society},
          year = {2018}
        }
    """
    PARAMETERS = f"""
        groups: {base.SUBGROUPS}
    """
    RETURNS = """
        false_positive_equality_difference: The sum over groups of the distances between the group's
            false positive rate and that of all rows (FPED), 0 or more. Lower is fairer.
        false_negative_equality_difference: Likewise for false negative rates (FNED).
        overall: The counts and rates of all rows.
        groups: One dictionary per group: its label as "group", its counts and its rates, and its
            terms of the two sums.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("error_rate_equality")
        >>> result = metric.compute(
        ...     predictions=[1, 0, 1, 0, 0, 1], references=[0, 0, 1, 0, 0, 1],
        ...     groups=["a", "a", "a", "b", "b", "b"])
        >>> result["false_positive_equality_difference"]
        0.5
        >>> result["false_negative_equality_difference"]
        0.0
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
        found = error_rate_equality(
            references,
            predictions,
            groups,
            positive=positive,
            undefined=undefined,
            missing_group=missing_group,
        )
        rows = group_rows(found.groups)
        for row in rows:
            row["false_positive_term"] = found.false_positive_terms[row["group"]]
            row["false_negative_term"] = found.false_negative_terms[row["group"]]
        return {
            "false_positive_equality_difference": found.false_positive_equality_difference,
            "false_negative_equality_difference": found.false_negative_equality_difference,
            "overall": asdict(found.overall),
            "groups": rows,
        }
