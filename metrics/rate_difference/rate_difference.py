"""Rate difference as an `evaluate` metric."""

from collections.abc import Hashable, Sequence
from dataclasses import asdict
from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import group_rows
from fair_datasets.measures.error_rates import rate_difference
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.inputs import Undefined


class RateDifference(base.Metric):
    """Subtracts the true and the false positive rate of one group from those of another.

    They are known as TPRD and FPRD.
    """

    CITATION = """
        @inproceedings{dearteaga2019bias,
          title = {Bias in Bios: A Case Study of Semantic Representation Bias in a High-Stakes
            Setting},
          author = {De-Arteaga, Maria and Romanov, Alexey and Wallach, Hanna and Chayes, Jennifer
            and Borgs, Christian and Chouldechova, Alexandra and Geyik, Sahin and Kenthapadi,
            Krishnaram and Kalai, Adam Tauman},
          booktitle = {Conference on Fairness, Accountability, and Transparency},
          year = {2019}
        }
    """
    PARAMETERS = """
        order: The labels of the two groups to compare; the second is subtracted. It can be left out
            where there are just two groups, which are then compared in their sorted order.
    """
    RETURNS = """
        true_positive_rate_difference: The first group's true positive rate less the second's
            (TPRD), from -1 to 1. 0 means equal rates.
        false_positive_rate_difference: Likewise for false positive rates (FPRD).
        absolute_true_positive_rate_difference: TPRD without its sign. Lower is fairer.
        absolute_false_positive_rate_difference: FPRD without its sign. Lower is fairer.
        order: The two groups: the first less the second.
        groups: One dictionary per group: its label as "group", its counts and its rates.
    """
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("rate_difference")
        >>> result = metric.compute(
        ...     predictions=[1, 1, 1, 0, 0, 1], references=[1, 1, 1, 1, 0, 0],
        ...     groups=["w", "w", "m", "m", "w", "m"], order=["w", "m"])
        >>> result["true_positive_rate_difference"], result["false_positive_rate_difference"]
        (0.5, -1.0)
    """

    def _compute(
        self,
        predictions: Any,
        references: Any,
        groups: Any,
        *,
        order: Sequence[Hashable] | None = None,
        positive: Hashable = None,
        undefined: Undefined = "nan",
        missing_group: MissingGroup = "raise",
    ) -> dict[str, Any]:
        """Compute the metric; see the description of the inputs."""
        found = rate_difference(
            references,
            predictions,
            groups,
            order=order,
            positive=positive,
            undefined=undefined,
            missing_group=missing_group,
        )
        return asdict(found) | {"order": list(found.order), "groups": group_rows(found.groups)}
