"""How the bias scores of a corpus are distributed, and which rows are the most biased.

Source: Dolci, Azzalini and Tanelli (2023), Improving Gender-Related Fairness in Sentence Encoders:
percentiles of the scores, and the rows above them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import family_codes
from fair_datasets.measures.inputs import Undefined, undefined_value
from fair_datasets.measures.intervals import share_ends
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

PERCENTILES = (50.0, 90.0, 93.0, 95.0, 97.0)
"""The median, and the thresholds of the published corrections."""


@dataclass(frozen=True, slots=True)
class AttributeBias:
    """The scores towards one attribute.

    Attributes:
        furthest: The score that is furthest from 0.
        rows: The rows whose scores are furthest from 0, furthest first.
    """

    mean: float
    furthest: float
    rows: tuple[int, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BiasDistribution:
    """The bias scores of a corpus.

    Attributes:
        mean: The mean score, at least 0. Lower is less biased.
        percentiles: Each percentile to its score, interpolated linearly.
        threshold: The score that rows are compared with.
        above: How many rows have a score strictly above it.
        share_above: Their share, in [0, 1]. Lower is less biased.
        interval: The interval of the share, low and high: the exact binomial one (Clopper-Pearson),
            or over families. None where the threshold is the 95th percentile of these scores, as
            the share is then 5 % by construction and not estimated.
        attributes: Each attribute to the scores towards it.
        counts: How many rows lie in each bin of a histogram.
        edges: The edges of the bins, one more than there are bins.
    """

    rows: int
    mean: float
    highest: float
    percentiles: dict[float, float]
    threshold: float
    above: int
    share_above: float
    interval: tuple[float, float] | None
    attributes: dict[str, AttributeBias]
    counts: tuple[int, ...]
    edges: tuple[float, ...]


def bias_distribution(
    scores: ArrayLike,
    attributes: Mapping[str, ArrayLike] | None = None,
    *,
    threshold: float | None = None,
    percentiles: Sequence[float] = PERCENTILES,
    most: int = 10,
    bins: int = 30,
    level: float = 0.95,
    families: Any = None,
    undefined: Undefined = "nan",
) -> BiasDistribution:
    """Describe the bias scores of a corpus.

    Scores are comparable only under the same vectors, direction and importance. A row without a
    score is refused, as everywhere in measures: leave such rows out, and say how many they are.

    Args:
        scores: The score of each row, as `BiasScore` adds it. Shape (N,), at least 0.
        attributes: Each attribute to the scores towards it, as `bias_score_<attribute>`, all at
            least 0 or all at most 0. Shape (N,) each.
        threshold: The score to compare with, such as the 95th percentile of the corpus before it
            was corrected. None for that of these scores, of which 5 % lie above it whatever they
            are.
        percentiles: Which percentiles to give, from 0 to 100.
        most: How many rows to name for each attribute, at most; none that does not lean to it.
        bins: How many bins the histogram has, from 0 to the highest score.
        level: The level of the interval, above 0 and below 1.
        families: The family of each row, such as `family_id`, for the interval; None where no row
            depends on another. Shape (N,).
        undefined: What to give where there are no rows: `"nan"`, `"zero"` or `"raise"`.

    Raises:
        InputError: A score is missing, or below 0; the lengths differ; or a parameter is not what
            it must be.

    Example:
        >>> found = bias_distribution([0.5, 0.1, 0.3], {"woman": [0.2, 0.0, 0.3]}, threshold=0.3)
        >>> found.above, round(found.mean, 3), found.attributes["woman"].rows
        (1, 0.3, (2, 0))
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    values = inputs.scores(scores, "scores")
    wrong = np.flatnonzero(values < 0)
    if wrong.size:
        raise invalid(
            f"scores must not be below 0, but row {int(wrong[0])} is "
            f"{values[wrong[0]].item()!r}; give those of an attribute in attributes."
        )
    towards = {
        str(name): inputs.scores(column, f"attributes[{name!r}]")
        for name, column in (attributes or {}).items()
    }
    own = family_codes(families, {"scores": values, **towards})
    wanted = [_percentile(each) for each in percentiles]
    most = checks.whole_number(most, parameter="most", least=0)
    bins = checks.positive_whole_number(bins, parameter="bins")
    level = checks.fraction(level, parameter="level")
    if level in (0, 1):
        raise invalid(f"level must be above 0 and below 1, but it is {level!r}.")
    if not values.size:
        return _empty(wanted, threshold, towards, undefined)
    limit = np.quantile(values, 0.95) if threshold is None else _number(threshold)
    is_above = values > limit
    counts, edges = np.histogram(values, bins, (0.0, max(float(values.max()), 1e-12)))
    return BiasDistribution(
        rows=len(values),
        mean=float(values.mean()),
        highest=float(values.max()),
        percentiles={each: float(np.quantile(values, each / 100)) for each in wanted},
        threshold=float(limit),
        above=int(is_above.sum()),
        share_above=float(is_above.mean()),
        interval=None if threshold is None else share_ends(is_above, own, level),
        attributes={name: _attribute(column, most) for name, column in towards.items()},
        counts=tuple(counts.tolist()),
        edges=tuple(edges.tolist()),
    )


def _attribute(values: NDArray[np.float64], most: int) -> AttributeBias:
    """Describe the scores towards one attribute."""
    order = np.argsort(-np.abs(values), kind="stable")
    rows = order[:most]
    rows = rows[values[rows] != 0]  # A row at 0 does not lean this way at all.
    return AttributeBias(
        float(values.mean()),
        float(values[order[0]]),
        tuple(rows.tolist()),
        tuple(values[rows].tolist()),
    )


def _empty(
    percentiles: Sequence[float],
    threshold: float | None,
    towards: Mapping[str, Any],
    undefined: Undefined,
) -> BiasDistribution:
    """Describe a corpus without rows."""
    nothing = undefined_value("there are no rows.", undefined)
    return BiasDistribution(
        rows=0,
        mean=nothing,
        highest=nothing,
        percentiles=dict.fromkeys(percentiles, nothing),
        threshold=nothing if threshold is None else _number(threshold),
        above=0,
        share_above=nothing,
        interval=None if threshold is None else (nothing, nothing),
        attributes={name: AttributeBias(nothing, nothing, (), ()) for name in towards},
        counts=(),
        edges=(),
    )


def _percentile(value: Any) -> float:
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 100:
        raise invalid(f"percentiles must be numbers from 0 to 100, but one is {value!r}.")
    return float(value)


def _number(value: Any) -> float:
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not is_number or not np.isfinite(value):
        raise invalid(f"threshold must be a finite number, but it is {value!r}.")
    return float(value)
