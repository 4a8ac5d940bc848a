"""Results as plain dictionaries and lists, for `evaluate` and JSON."""

from collections.abc import Hashable, Mapping
from dataclasses import asdict
from typing import Any, get_args

from fair_datasets.measures.bootstrap import Statistic, bootstrap_interval
from fair_datasets.measures.group_rates import GroupRates
from fair_datasets.measures.parity import Parity
from fair_datasets.measures.subgroup_auc import SubgroupAUC


def group_rows(
    groups: Mapping[Hashable, GroupRates] | Mapping[Hashable, SubgroupAUC],
) -> list[dict[str, Any]]:
    """Write the values of each group as a row, ready for a table.

    Args:
        groups: The values by the group's label.

    Returns:
        One dictionary per group: its label as `"group"`, then its values; those that are None are
        left out.

    Example:
        >>> group_rows({"a": GroupRates(count=2, predicted_positives=1, selection_rate=0.5)})
        [{'group': 'a', 'count': 2, 'predicted_positives': 1, 'selection_rate': 0.5}]
    """
    return [
        {"group": label}
        | {name: value for name, value in asdict(values).items() if value is not None}
        for label, values in groups.items()
    ]


def plain_parity(
    parity: Parity, *, confidence: float | None = None, n_resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Write a parity measure as a dictionary, with bootstrap intervals if they are asked for.

    Args:
        parity: What a parity measure returned.
        confidence: The share of the resamples between the ends of an interval, or None for none.
        n_resamples: How many resamples to draw.
        seed: The same seed gives the same intervals.

    Returns:
        The score, difference and ratio, the rows of the groups, and the interval of each value.

    Raises:
        InputError: A parameter of the bootstrap is out of range.

    Example:
        >>> from fair_datasets.measures.parity import demographic_parity
        >>> plain = plain_parity(demographic_parity([1, 0, 1, 1], ["a", "a", "b", "b"]))
        >>> plain["score"], [row["group"] for row in plain["groups"]]
        (0.5, ['a', 'b'])
    """
    plain: dict[str, Any] = {
        "score": parity.score,
        "difference": parity.difference,
        "ratio": parity.ratio,
        "groups": group_rows(parity.groups),
    }
    if confidence is not None:
        statistics: tuple[Statistic, ...] = get_args(Statistic)
        plain["intervals"] = {
            statistic: asdict(
                bootstrap_interval(
                    parity,
                    statistic=statistic,
                    confidence=confidence,
                    n_resamples=n_resamples,
                    seed=seed,
                )
            )
            for statistic in statistics
        }
    return plain
