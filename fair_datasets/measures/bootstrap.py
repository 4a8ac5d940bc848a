"""Bootstrap intervals for parity measures and any metric by group, and both as plain data."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures.counterfactual_parity import PairedParity, marginals
from fair_datasets.measures.error_rates import SubgroupAUC
from fair_datasets.measures.group_metric import GroupMetric, MetricValue
from fair_datasets.measures.group_table import GroupRates, counts_of
from fair_datasets.measures.inputs import undefined_value
from fair_datasets.measures.parity import Parity, spread
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

Statistic = Literal["score", "difference", "ratio"]
"""Which value of a parity measure the interval is for. Any other metric has no score."""

_OWNER = "bootstrap_interval"
_AT_ONCE = 1 << 20
"""How many counts are drawn at once, so that many groups do not fill the memory."""


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """A percentile interval.

    Attributes:
        confidence: The share of the resamples between the two, in (0, 1).
        n_undefined: In how many of them the value was not defined. They are left out; if there are
            many, the interval says little.
    """

    low: float
    high: float
    confidence: float
    n_resamples: int
    n_undefined: int


def bootstrap_interval(
    parity: Parity | GroupMetric,
    *,
    statistic: Statistic = "difference",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> BootstrapInterval:
    """Say how much a parity measure would vary with other rows of the same kind.

    Rows are drawn with replacement from all rows, not within each group, so that the groups' sizes
    vary as well. Drawing how many rows fall into each cell of the table of counts is the same as
    drawing the rows, so that the time does not grow with their number. Pairs of a factual and a
    counterfactual row are drawn together. Any other metric has to be computed anew for every
    resample, group by group, which takes as long as that.

    A difference cannot be negative, so that its resamples lie above it where the groups are equal:
    an interval that does not reach 0 does not show that the groups differ.

    Args:
        parity: What a parity measure returned, or `group_metric`.
        statistic: `"difference"`, `"ratio"`, or of a parity measure `"score"`.
        confidence: The share of the resamples between the ends, in (0, 1).

    Returns:
        The ends, and how many resamples had no defined value. If none had one, both are NaN.

    Raises:
        InputError: A parameter is out of range.

    Example:
        >>> from fair_datasets.measures.parity import demographic_parity
        >>> parity = demographic_parity([0, 1] * 50, ["a"] * 50 + ["b"] * 50)
        >>> interval = bootstrap_interval(parity, seed=7)
        >>> interval.low <= interval.high <= 1
        True

    Source:
        Efron, Bootstrap Methods: Another Look at the Jackknife, Annals of Statistics 1979.
    """
    known = [name for name in get_args(Statistic) if hasattr(parity, name)]
    if known:
        checks.one_of(statistic, known, owner=_OWNER, parameter="statistic")
    return bootstrap_intervals(
        parity, confidence=confidence, n_resamples=n_resamples, seed=seed, statistics=[statistic]
    )[statistic]


def bootstrap_intervals(
    parity: Parity | GroupMetric,
    *,
    confidence: float,
    n_resamples: int,
    seed: int,
    statistics: Sequence[Statistic] = get_args(Statistic),
) -> dict[Statistic, BootstrapInterval]:
    """Compute the intervals of several statistics from the same resamples."""
    if not isinstance(parity, Parity | GroupMetric):
        raise InputError(
            f"{_OWNER}: parity must be what a parity measure returned, but it is "
            f"{type(parity).__name__!r}."
        )
    confidence = checks.fraction(confidence, owner=_OWNER, parameter="confidence")
    n_resamples = checks.positive_whole_number(n_resamples, owner=_OWNER, parameter="n_resamples")
    seed = checks.whole_number(seed, owner=_OWNER, parameter="seed", least=0)
    if confidence in (0, 1):
        raise InputError(
            f"{_OWNER}: confidence must lie between 0 and 1, but it is {confidence!r}."
        )
    difference, ratio = _resampled(parity, n_resamples, np.random.default_rng(seed))
    values = {"score": 1 - difference, "difference": difference, "ratio": ratio}
    return {
        name: _interval(values[name], confidence) for name in statistics if hasattr(parity, name)
    }


def _interval(values: NDArray[np.float64], confidence: float) -> BootstrapInterval:
    """Return the interval of the resamples whose value is defined."""
    defined = values[~np.isnan(values)]
    if defined.size:
        tail = (1 - confidence) / 2
        low, high = (float(end) for end in np.quantile(defined, [tail, 1 - tail]))
    else:
        low = high = undefined_value("no resample has a defined value.", "nan", owner=_OWNER)
    return BootstrapInterval(low, high, confidence, values.size, values.size - defined.size)


def _resampled(
    parity: Parity | GroupMetric, n_resamples: int, generator: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the difference and the ratio of each resample, NaN where they are not defined."""
    total = sum(group.count for group in parity.groups.values())
    if len(parity.groups) < 2 or not total:
        return np.full(n_resamples, np.nan), np.full(n_resamples, np.nan)
    if isinstance(parity, Parity):
        return _of_counts(parity, n_resamples, generator)
    drawn = [parity.rows.drawn(generator.integers(0, total, total)) for _ in range(n_resamples)]
    difference, ratio = np.array(drawn).T
    return difference, ratio


def _of_counts(
    parity: Parity, n_resamples: int, generator: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw the counts of each resample instead of its rows."""
    pairs = parity.pairs if isinstance(parity, PairedParity) else None
    table = counts_of(parity.groups) if pairs is None else np.array(pairs)
    # An empty cell stays empty, whatever the rounding of the shares.
    total, filled = int(table.sum()), np.flatnonzero(table)
    shares = table.ravel()[filled] / total
    found = []
    for done in range(0, n_resamples, step := max(1, _AT_ONCE // table.size)):
        drawn = np.zeros((min(step, n_resamples - done), table.size), np.int64)
        drawn[:, filled] = generator.multinomial(total, shares, len(drawn))
        counts = drawn.reshape(-1, *table.shape)
        found.append(spread(counts if pairs is None else marginals(counts), parity.criterion))
    differences, ratios = zip(*found, strict=True)
    return np.concatenate(differences), np.concatenate(ratios)


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
    """Write a parity measure as a dictionary, with bootstrap intervals if they are asked for."""
    plain = {name: getattr(parity, name) for name in ("score", "difference", "ratio")}
    if parity.criterion.method == "to_overall":
        plain["overall"] = _known(parity.overall)
    return plain | _groups_and_intervals(parity, confidence, n_resamples, seed)


def plain_group_metric(
    found: GroupMetric, *, confidence: float | None = None, n_resamples: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Write a metric by group as a dictionary, with bootstrap intervals if they are asked for."""
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
