"""Any metric by group as an `evaluate` metric."""

from typing import Any

from fair_datasets.measures import base
from fair_datasets.measures.confidence import plain_group_metric
from fair_datasets.measures.group_labels import MissingGroup
from fair_datasets.measures.group_metric import group_metric
from fair_datasets.measures.group_table import Method
from fair_datasets.measures.inputs import Undefined
from fair_datasets.measures.metric_functions import Worst


class GroupMetric(base.Metric):
    """Computes any metric of each group, and compares the groups by it.

    The metric is a function of scikit-learn, one of your own, or a module of `evaluate`.
    """

    CITATION = """
        @article{weerts2023fairlearn,
          title = {Fairlearn: Assessing and Improving Fairness of AI Systems},
          author = {Weerts, Hilde and Dud{\\'i}k, Miroslav and Edgar, Richard and Jalali, Adrin and
            Lutz, Roman and Madaio, Michael},
          journal = {Journal of Machine Learning Research},
          volume = {24},
          year = {2023}
        }
    """
    PARAMETERS = """
        predictions: The predictions, of any kind that the metric takes: classes, texts, scores, or
            a vector per row, such as the probability of each class.
        references: The references likewise.
        metric: The name of a function of `sklearn.metrics`, "accuracy_score" by default; a function
            of references and predictions that gives a number; or a module of `evaluate`.
        metric_options: What else the metric takes, by name, such as {"average": "macro"}; what has
            a value per row, as "sample_weight", is cut by group.
        worst: Which value is the worst, "lowest" or "highest"; None (the default) for functions of
            scikit-learn, whose names say so.
        undefined: What to give for a value that is not defined: "nan" (the default) with a warning
            that says why, "zero" for the number that the metric gives anyway (0 if it gives
            none), as in fairlearn, or "raise".
    """
    RETURNS = """
        overall: The metric over all rows.
        worst_group: The group with the worst value; None where no group has one.
        worst: Its value.
        difference: The largest value less the smallest, or the largest distance of a value from
            that of all rows. Lower is fairer.
        ratio: The smallest value divided by the largest, or the smallest ratio of a value and that
            of all rows. Higher is fairer.
        groups: One dictionary per group: its label as "group", its "count" and its "value"; and for
            an average over classes, the "classes" that it is of.
        intervals: For difference and ratio an interval, where confidence is given: "low", "high",
            "confidence"; "p_value" of a permutation test that all groups are alike; "n_resamples",
            and "n_undefined", in how many draws of rows the value was not defined.
    """
    TABLES = ("predictions", "references")
    EXAMPLES = """
        >>> from fair_datasets import load_metric
        >>> metric = load_metric("group_metric")
        >>> result = metric.compute(
        ...     predictions=[1, 1, 1, 0], references=[1, 0, 1, 0], groups=["a", "a", "b", "b"],
        ...     metric="precision_score")
        >>> result["worst_group"], result["worst"], result["difference"]
        ('a', 0.5, 0.5)
    """

    def _compute(
        self,
        predictions: Any,
        references: Any,
        groups: Any,
        *,
        metric: Any = "accuracy_score",
        metric_options: dict[str, Any] | None = None,
        worst: Worst | None = None,
        method: Method = "between_groups",
        undefined: Undefined = "nan",
        missing_group: MissingGroup = "raise",
        families: base.Rows = None,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 0,
    ) -> dict[str, Any]:
        """Compute the metric; see the description of the inputs."""
        found = group_metric(
            metric,
            references,
            predictions,
            groups,
            metric_options=metric_options,
            worst=worst,
            method=method,
            undefined=undefined,
            missing_group=missing_group,
            families=families,
        )
        return plain_group_metric(found, confidence=confidence, n_resamples=n_resamples, seed=seed)
