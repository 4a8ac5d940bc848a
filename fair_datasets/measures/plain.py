"""Results as plain dictionaries and lists, for `evaluate` and JSON."""

from collections.abc import Hashable, Mapping
from dataclasses import asdict
from typing import Any

from fair_datasets.measures.bootstrap import bootstrap_intervals
from fair_datasets.measures.group_metric import GroupMetric, MetricValue
from fair_datasets.measures.group_table import GroupRates
from fair_datasets.measures.parity import Parity
from fair_datasets.measures.subgroup_auc import SubgroupAUC


def group_rows(
    groups: Mapping[Hashable, GroupRates | SubgroupAUC | MetricValue],
) -> list[dict[str, Any]]:
    """Write the values of each group as a row, ready for a table.

    Returns:
        One dictionary per group: its label as `"group"`, then its values; those that are None are
        left out.
    """
    return [{"group": label} | _known(values) for label, values in groups.items()]


def plain_parity(
    parity: Parity, *, confidence: float | None = None, n_resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Write a parity measure as a dictionary, with bootstrap intervals if they are asked for.

    Args:
        confidence: The share of the resamples between the ends of an interval, or None for none.

    Returns:
        The score, difference and ratio, the rows of the groups, and the interval of each value.
    """
    plain = {name: getattr(parity, name) for name in ("score", "difference", "ratio")}
    if parity.criterion.method == "to_overall":
        plain["overall"] = _known(parity.overall)
    return plain | _groups_and_intervals(parity, confidence, n_resamples, seed)


def plain_group_metric(
    found: GroupMetric, *, confidence: float | None = None, n_resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Write a metric by group as a dictionary, with bootstrap intervals if they are asked for.

    Args:
        confidence: The share of the resamples between the ends of an interval, or None for none.
    """
    names = ("overall", "worst_group", "worst", "difference", "ratio")
    plain = {name: getattr(found, name) for name in names}
    return plain | _groups_and_intervals(found, confidence, n_resamples, seed)


def _known(values: GroupRates | SubgroupAUC | MetricValue) -> dict[str, Any]:
    """Write values as a dictionary without those that are None."""
    return {name: value for name, value in asdict(values).items() if value is not None}


def _groups_and_intervals(
    found: Parity | GroupMetric, confidence: float | None, n_resamples: int, seed: int
) -> dict[str, Any]:
    """Write the rows of the groups, and the interval of each statistic that there is."""
    plain: dict[str, Any] = {"groups": group_rows(found.groups)}
    if confidence is not None:
        intervals = bootstrap_intervals(
            found, confidence=confidence, n_resamples=n_resamples, seed=seed
        )
        plain["intervals"] = {name: asdict(interval) for name, interval in intervals.items()}
    return plain
