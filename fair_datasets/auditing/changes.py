"""What differs between two audits: of a dataset before and after a change, or of two models."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from fair_datasets.auditing.controls import KINDS
from fair_datasets.auditing.findings import CHANGE, COLLAPSED, LEVEL, RATIOS, Figure, RowAnswers
from fair_datasets.auditing.intervals import QUANTILE, two_sided
from fair_datasets.auditing.paired import behind, paired_change
from fair_datasets.auditing.parity import NEED_LABELS
from fair_datasets.auditing.representation import adjusted_p_values

_FEW = 30
"""How many rows an attribute needs for its ratio to be compared with that of others."""
NOT_COMPARED = (
    "pmi", "bias_score_95", "bias_score_centred_95", COLLAPSED, "flip_rate_control",
    "score_shift_control", "name_flip_rate_control", "name_spread", "name_spread_95",
    "name_spread_control", "named_share", "population_share", "drop_rate", "drop_rate_difference",
)  # fmt: skip
"""Measures without an interval, of which another one tells as well, or of one change alone."""
_COUNTED = ("leak_share", "duplicate_share", "contradiction_share", "missing_share")
"""Counts of all rows there are, which no chance is in."""
# How far a value lies from where nobody is harmed; measures that are not here have no such place.
_DISTANCES: Mapping[str, Callable[[float], float]] = {
    **dict.fromkeys(
        ("flip_rate", "any_name_flip_rate", "name_flip_rate", "demographic_parity_difference",
         "equal_opportunity_difference", "equalized_odds_difference",
         "false_positive_rate_difference", "precision_difference", "accuracy_difference",
         *_COUNTED),
        lambda value: value,
    ),
    # Below its control, a figure is as good as at it.
    **dict.fromkeys(
        ("flip_rate_excess", "name_flip_rate_excess", "demographic_parity_excess",
         "equal_opportunity_excess", "false_positive_rate_excess", "accuracy_excess"),
        lambda value: max(value, 0.0),
    ),
    **dict.fromkeys(("score_shift", "name_score_shift"), abs),
    "accuracy": lambda value: -value,
    "mention_balance": lambda value: abs(value - 0.5),
    "bias_score": abs,
    "bias_score_centred": abs,
}  # fmt: skip
_MIDDLES: Mapping[str, float] = {
    **dict.fromkeys(RATIOS, 1.0),
    "mention_balance": 0.5,
    "bias_score": 0.0,
    "bias_score_centred": 0.0,
    "score_shift": 0.0,
    "name_score_shift": 0.0,
}
"""Where there is no difference, of measures that can lie on either side of it."""


CAN_WORSEN = frozenset({*_DISTANCES, *RATIOS})
"""The measures of which a change can be surely for the worse."""


class Change(NamedTuple):
    """A figure before and after.

    Attributes:
        figure: What changed: the value after less the value before; of odds ratios, how far that
            after is from 1 by how far that before was, such as 0.5 from 0.25 or 4 to 2.
        is_paired: Whether both are of the same rows, so that the interval is of their changes.
        is_shared: Whether a ratio lies farther from 1 as rows of all attributes do, which lie
            nearer to each other: what differs is rows that speak of anybody from those of nobody.
    """

    before: Figure
    after: Figure
    figure: Figure
    is_paired: bool = False
    is_shared: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether both are counts of all rows there are, which no chance is in."""
        return self.before.measure in _COUNTED

    @property
    def is_sure(self) -> bool:
        """Whether there is a change, beyond chance."""
        if self.is_counted:
            return self.figure.value != 0
        return self.figure.p_value < LEVEL or self.is_turned

    @property
    def is_turned(self) -> bool:
        """Whether a ratio is surely on the other side of 1."""
        low, high = sorted((self.before, self.after), key=lambda figure: figure.value)
        return self.before.measure in RATIOS and low.high < 1 < high.low

    @property
    def holds_by_construction(self) -> bool:
        """Whether it is what a swap of every row makes, or an addition of rows that have texts.

        Counts that are exactly alike are no estimate of anything.
        """
        before, after = self.before, self.after
        if before.measure == "missing_share":
            return round(before.value * before.rows) == round(after.value * after.rows)
        middle = _MIDDLES.get(after.measure)
        return bool(middle) and math.isclose(after.value, middle or 0.0, rel_tol=1e-9)

    @property
    def direction(self) -> Literal["better", "worse", "other"]:
        """Which way it went; `other` where a measure has no better and worse.

        From one side of no difference to the other one, a change may be sure of which nobody can
        tell whether it is for the better: then it is `other`, too.
        """
        if self.before.measure in RATIOS:
            return self._direction_of_ratio
        distance = _DISTANCES.get(self.before.measure)
        if distance is None:
            return "other"
        before, after = distance(self.before.value), distance(self.after.value)
        # Rounding is no direction.
        if math.isclose(before, after, rel_tol=1e-9, abs_tol=1e-12):
            return "other"
        if self._turns and not self._is_farther:
            return "other"
        return "better" if after < before else "worse"

    @property
    def _direction_of_ratio(self) -> Literal["better", "worse", "other"]:
        """Which way a ratio went: nearer to 1, or farther from it; `other` to its other side."""
        value = math.log(self.figure.value)
        if math.isclose(value, 0, abs_tol=1e-12) or not self.figure.p_value < LEVEL:
            return "other"
        if self.is_shared:
            return "other"
        return "better" if value < 0 else "worse"

    @property
    def _turns(self) -> bool:
        """Whether the two values lie on either side of no difference."""
        middle = _MIDDLES.get(self.before.measure)
        return middle is not None and (self.before.value - middle) * (self.after.value - middle) < 0

    @property
    def _is_farther(self) -> bool:
        """Whether one of the two lies farther from no difference than the other, beyond chance."""
        middle = _MIDDLES[self.before.measure]
        value, low, high = _estimate(self.before)
        turned = 2 * middle - value, 2 * middle - high, 2 * middle - low
        return difference(turned, _estimate(self.after))[3] < LEVEL


def changes_of(
    before: tuple[Figure, ...],
    after: tuple[Figure, ...],
    answers: tuple[Sequence[RowAnswers], Sequence[RowAnswers]] = ((), ()),
) -> tuple[Change, ...]:
    """Compare the figures that two audits have of all rows.

    Figures of parts of the rows, such as of one split, are not compared, as each further test makes
    it harder to tell any change from chance.

    Returns:
        The changes with their intervals of 95 %, in the order of the figures after; the p-values
        are adjusted for the number of tests by Holm's method.
    """
    known, others = _by_key(before), _by_key(after)
    pairs = [
        pair
        for key, figure in others.items()
        if (first := known.get(key)) and (pair := _change(first, figure, answers))
    ]
    adjusted = adjusted_p_values([pair.figure.p_value for pair in pairs])
    return tuple(
        pair._replace(
            figure=replace(pair.figure, p_value=p_value),
            is_shared=pair.figure.value > 1 and _is_shared(pair, pairs),
        )
        for pair, p_value in zip(pairs, adjusted, strict=True)
    )


def unpaired(
    before: tuple[Figure, ...], after: tuple[Figure, ...], pairs: tuple[Change, ...]
) -> Iterator[tuple[Figure, str]]:
    """Give the figures that could not be compared."""
    compared = {_key(pair.before) for pair in pairs}
    first, second = _by_key(before), _by_key(after)
    for key, figure in {**first, **second}.items():
        if key in compared:
            continue
        if key in first and key in second:
            yield figure, "not defined on both sides"
        else:
            yield figure, f"measured {'before' if key in first else 'after'} only"


def difference(
    before: tuple[float, float, float], after: tuple[float, float, float]
) -> tuple[float, float, float, float]:
    """Compare two estimates by their intervals of 95 %, as if they were independent.

    Args:
        before: A value, and the lower and the upper end of its interval.

    Returns:
        The value after less the value before, the ends of its interval, and the p-value of the test
        that there is no difference; the last three NaN where they are not defined.

    Source:
        Newcombe, Interval Estimation for the Difference Between Independent Proportions, Statistics
        in Medicine 1998, method 10; for any estimates: Zou and Donner, 2008.
    """
    change = after[0] - before[0]
    low = math.hypot(after[0] - after[1], before[2] - before[0])
    high = math.hypot(after[2] - after[0], before[0] - before[1])
    toward = low if change > 0 else high
    # Without a width of its interval, an estimate says nothing of chance.
    if not (math.isfinite(low + high) and toward > 0):
        return change, math.nan, math.nan, math.nan
    return change, change - low, change + high, two_sided(QUANTILE * change / toward)


def _is_shared(pair: Change, pairs: Sequence[Change]) -> bool:
    """Whether all attributes of an axis go with a label more alike than before."""
    place = pair.after.measure, pair.after.axis, pair.after.label
    own = [
        each
        for each in pairs
        if (each.after.measure, each.after.axis, each.after.label) == place
        and min(each.before.rows, each.after.rows) >= _FEW
    ]
    if pair.after.measure not in RATIOS or len(own) < 2:
        return False
    before, after = (
        [math.log(figure.value) for figure in side]
        for side in zip(*((each.before, each.after) for each in own), strict=True)
    )
    return max(after) - min(after) < max(before) - min(before)


def _change(
    before: Figure, after: Figure, answers: tuple[Sequence[RowAnswers], Sequence[RowAnswers]]
) -> Change | None:
    """Compare two figures of the same place, where both are defined."""
    if not (math.isfinite(before.value) and math.isfinite(after.value)):
        return None
    if before.measure == "mention_balance" and before.attribute != after.attribute:
        before = replace(before, attribute=after.attribute, value=1 - before.value,
                         low=1 - before.high, high=1 - before.low)  # fmt: skip
    is_ratio = before.measure in RATIOS
    if is_ratio and not (before.value > 0 and after.value > 0):
        return None
    one, other = map(_estimate, (before, after))
    value, low, high, p_value = difference(one, other)
    if is_ratio:
        value, low, high = math.exp(value), math.exp(low), math.exp(high)
    paired = _paired(before, after, answers)
    if paired is not None:
        low, high, p_value = paired
    figure = replace(
        after, measure=f"{after.measure}{CHANGE}", value=value, low=low, high=high, p_value=p_value,
        rows=min(before.rows, after.rows),
    )  # fmt: skip
    change = Change(before, after, figure, paired is not None)
    if change.is_counted:
        nan = math.nan
        return change._replace(figure=replace(figure, low=nan, high=nan, p_value=nan))
    return change


def _paired(
    before: Figure, after: Figure, answers: tuple[Sequence[RowAnswers], Sequence[RowAnswers]]
) -> tuple[float, float, float] | None:
    """Compare two figures row by row, where both are of the same rows."""
    rows = [behind(each, figure) for each, figure in zip(answers, (before, after), strict=True)]
    return None if rows[0] is None or rows[1] is None else paired_change(rows[0], rows[1])


def _estimate(figure: Figure) -> tuple[float, float, float]:
    """Return a value and its interval; of a ratio, how far the logarithms are from that of 1."""
    numbers = (figure.value, figure.low, figure.high)
    if figure.measure not in RATIOS:
        return numbers
    value, low, high = (math.log(number) if number > 0 else math.nan for number in numbers)
    return (value, low, high) if value >= 0 else (-value, -high, -low)


def _by_key(figures: tuple[Figure, ...]) -> dict[tuple[str, ...], Figure]:
    """Return the figures that are compared by what two have in common, where that is one figure."""
    keys = [_key(figure) for figure in figures if _is_whole(figure)]
    seen = Counter(keys)
    whole = (figure for figure in figures if _is_whole(figure))
    return {key: figure for key, figure in zip(keys, whole, strict=True) if seen[key] == 1}


def _key(figure: Figure) -> tuple[str, ...]:
    """Return what two figures have in common that are compared."""
    if figure.measure == "mention_balance":
        # Its attribute is the one that is mentioned more.
        return figure.measure, figure.axis, figure.split
    return figure.measure, *figure.places


def _is_whole(figure: Figure) -> bool:
    """Whether a figure is compared: of all rows, or of leaks, which are between splits."""
    if figure.measure in ("leak_share", "duplicate_share"):
        return figure.measure == "leak_share" or " / " in figure.split
    of_label = figure.measure.startswith("mention_") and figure.label
    # How far the groups lie apart is compared, and not each group's rate besides.
    of_group = figure.measure in NEED_LABELS and figure.attribute
    of_kind = figure.attribute in KINDS.values()
    is_part = figure.split or of_label or of_group or of_kind
    return not is_part and figure.measure not in NOT_COMPARED
