"""Answers row by row, to versions of the same rows and of two classifiers, and their comparison."""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classifiers import Places
from fair_datasets.auditing.findings import Figure, RowAnswers
from fair_datasets.auditing.intervals import (
    QUANTILE,
    independent_rows,
    mcnemar,
    share_of,
    two_sided,
    versions_difference,
    wilson,
)
from fair_datasets.auditing.parity import (
    ACCURACY,
    FALSE_POSITIVES,
    OPPORTUNITY,
    PRECISION,
    SELECTION,
    Compared,
    Predicted,
    Rate,
    odds_of,
    rates_of,
    shared_by,
)
from fair_datasets.evaluation.versions import ORIGINAL, TWIN
from fair_datasets.measures.controls import flip_rate_control, padded_mean

HIGH, MEDIUM = 0.05, 0.01
"""Of a difference between versions of the same rows, at the end that is near to none."""


class Versions(NamedTuple):
    """Predictions for versions of rows.

    Attributes:
        predictions: The class of each version of each row. Shape (N, A).
        references: The label of each row, -1 where it has none; None without labels. Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).
    """

    name: str
    groups: Sequence[str]
    predictions: Places
    references: Places | None
    classes: Sequence[str]
    keys: NDArray[np.uint64]
    families: NDArray[np.intp]

    def compared(self, targets: Sequence[int]) -> list[Figure]:
        """Compare the versions, for one class after the other against the rest.

        Returns:
            The rates and the differences. There is no test: over rows, any trained classifier
            would differ; see `fair_datasets.auditing.controls`.
        """
        compared = [each for target in targets for each in self._compared(target)]
        if self.references is not None:
            known = self.references >= 0
            is_right = self.predictions == self.references[:, None]
            compared.append(self._compare(ACCURACY, "", is_right, known))
        return [*rates_of(compared), *(each.figure for each in compared), *odds_of(compared)]

    def _compared(self, target: int) -> Iterator[Compared]:
        """Compare the versions by each rate."""
        references = None if self.references is None else self.references[:, None]
        rates = (SELECTION, OPPORTUNITY, FALSE_POSITIVES)
        for rate in rates[:1] if references is None else rates:
            counted, among = shared_by(rate, target, self.predictions, references)
            yield self._compare(rate, self.classes[target], counted, among[:, 0])

    def _compare(
        self, rate: Rate, label: str, counted: NDArray[np.bool_], among: NDArray[np.bool_]
    ) -> Compared:
        """Compare the versions of some rows by the share that is counted."""
        counted, families = counted[among], self.families[among]
        total = len(counted)
        versions = tuple(
            share_of(
                rate.name, int(own.sum()), total, axis=self.name, attribute=name, label=label,
                independent=independent_rows(own, families),
            )
            for name, own in zip(self.groups, counted.T, strict=True)
            if total
        )  # fmt: skip
        between, within = (
            versions_difference(counted, comparisons=each, families=families) for each in (1, 2)
        )
        figure = Figure(
            measure=rate.difference, **between._asdict(), rows=total, axis=self.name, label=label
        )
        return Compared(rate, figure, versions, (), within)


_RATES: dict[str, tuple[Rate, ...]] = {
    rate.difference: (rate,)
    for rate in (SELECTION, OPPORTUNITY, FALSE_POSITIVES, PRECISION, ACCURACY)
}
_RATES["equalized_odds_difference"] = OPPORTUNITY, FALSE_POSITIVES


class Flips(NamedTuple):
    """Which predictions the swap of an axis changes.

    Attributes:
        codes: The attribute of each row that mentions just one; -1 for the others. Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).
    """

    name: str
    groups: tuple[str, ...]
    codes: NDArray[np.int64]
    flips: NDArray[np.bool_]
    keys: NDArray[np.uint64]
    families: NDArray[np.intp]


Answers = Predicted | Versions | Flips


class Behind(NamedTuple):
    """The rows behind a figure, which is the sum of the weighted means of groups of them.

    Attributes:
        values: What is meant. Shape (N,).
        among: The rows that the means are of. Shape (N,).
        groups: The group of each row; below 0 where it is in none. Shape (N,).
        weights: What the mean of each group is multiplied by. Shape (G,).
        families: The family of each row, from 0 on. Shape (N,).
    """

    keys: NDArray[np.uint64]
    families: NDArray[np.intp]
    values: NDArray[np.float64]
    among: NDArray[np.bool_]
    groups: NDArray[np.int64]
    weights: NDArray[np.float64]

    def value(self) -> float:
        """Return the figure."""
        return float(sum(part.mean() for _, part in self.parts(self.among)))

    def parts(self, rows: NDArray[np.bool_]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Give what each of some rows adds to each group, so that its part is their mean.

        A row that the mean is not of adds the mean: to precision, one that is not predicted so.
        """
        for group in range(len(self.weights)):
            inside = self.groups == group
            own, asked = self.among & inside, rows & inside
            if not asked.any():
                continue
            mean = float(self.values[own].mean()) if own.any() else 0.0
            scale = float(asked.sum()) / max(1.0, float(own.sum()))
            deviations = np.where(own, self.values - mean, 0.0)[asked] * scale
            yield group, self.weights[group] * (mean + deviations)


def behind(answers: Iterable[RowAnswers], figure: Figure) -> Behind | None:
    """Find the rows behind a figure; None where they are not known."""
    for each in answers:
        if each.name != figure.axis or not isinstance(each, Answers):
            continue
        basis = _of_flips(each, figure) if isinstance(each, Flips) else _of_rates(each, figure)
        if basis is not None:
            return basis
    return None


def paired_change(before: Behind, after: Behind) -> tuple[float, float, float] | None:
    """Return how sure the change of a figure is, of rows that are the same on both sides.

    Returns:
        The ends of the interval of 95 % of the value after less that before, and the p-value of the
        test that there is no change: McNemar's exact one of a share, of as many rows as are
        independent. None where the rows are not the same.

    Source:
        Bonett and Price, Adjusted Wald Confidence Interval for a Difference of Binomial Proportions
        Based on Paired Data, Journal of Educational and Behavioral Statistics 2012: two rows are
        added (or families of the mean size), one of which changes for either side. Of several
        groups the variances add up.
    """
    alike = (before.keys, after.keys), (before.groups, after.groups)
    if not all(np.array_equal(one, other) for one, other in alike):
        return None
    rows = before.among | after.among
    both = zip(before.parts(rows), after.parts(rows), strict=True)
    changes = [
        (new - old, after.families[rows & (after.groups == group)])
        for (group, old), (_, new) in both
        if before.weights[group] or after.weights[group]
    ]  # fmt: skip
    if not changes:
        return None
    means, variances = zip(*(padded_mean(*each) for each in changes), strict=True)
    middle, error = sum(means), math.sqrt(sum(variances))
    p_value = two_sided(middle / error)
    (change, families), *others = changes
    if not others and np.isin(change, (-1.0, 0.0, 1.0)).all():
        share = independent_rows(change, families) / len(change)
        p_value = mcnemar(*(round(share * int((change == way).sum())) for way in (1, -1)))
    reach = QUANTILE * error
    return max(-1.0, middle - reach), min(1.0, middle + reach), p_value


def _of_flips(rows: Flips, figure: Figure) -> Behind | None:
    """Return which rows flip: of all, or of those that mention one attribute alone."""
    if figure.measure != "flip_rate":
        return None
    among = np.ones(len(rows.keys), np.bool_)
    if figure.attribute:
        among = rows.codes == rows.groups.index(figure.attribute)
    return _share(rows, rows.flips, among)


def _of_rates(rows: Predicted | Versions, figure: Figure) -> Behind | None:
    """Return the rows behind a rate, or behind how far groups or versions lie apart by it."""
    if figure.label and figure.label not in rows.classes:
        return None
    target = rows.classes.index(figure.label) if figure.label else 0
    predictions, references = rows.predictions, rows.references
    if figure.measure == ACCURACY.name and not figure.axis and references is not None:
        return _share(rows, *shared_by(ACCURACY, target, predictions, references))
    if predictions.ndim == 2 and references is not None:
        references = references[:, None]
    if figure.measure == SELECTION.name and figure.attribute:
        counted, among = shared_by(SELECTION, target, predictions, references)
        place = list(rows.groups).index(figure.attribute)
        if isinstance(rows, Versions):
            return _share(rows, counted[:, place], among[:, place])
        return _share(rows, counted, among & (rows.codes == place))
    rates = _RATES.get(figure.measure, ())
    if rates and references is None and rates != (SELECTION,):
        return None
    # Of the two rates of equalized odds, the worse one counts: each has rows of its own.
    positive = None if len(rates) == 1 or references is None else references == target
    options = []
    for rate in rates:
        counted, among = shared_by(rate, target, predictions, references)
        if isinstance(rows, Versions):
            options.append(_between_versions(rows, counted, among, positive))
        else:
            options.append(_between_groups(rows, counted, among, positive))
    return max(options, key=lambda option: option.value(), default=None)


def _between_groups(
    rows: Predicted,
    counted: NDArray[np.bool_],
    among: NDArray[np.bool_],
    positive: NDArray[np.bool_] | None,
) -> Behind:
    """Return the rows behind how far the two groups lie apart that lie apart most."""
    among, size = among & (rows.codes >= 0), len(rows.groups)
    totals = np.bincount(rows.codes[among], minlength=size)
    counts = np.bincount(rows.codes[among & counted], minlength=size)
    shares = np.divide(counts, totals, out=np.full(size, np.nan), where=totals > 0)
    weights = np.zeros(size)
    if np.count_nonzero(totals) > 1:
        weights[np.nanargmax(shares)] += 1
        weights[np.nanargmin(shares)] -= 1
    groups = rows.codes
    if positive is not None:
        is_positive = bool((positive & among).any())
        groups = np.where(groups >= 0, groups + size * ~positive, -1)
        weights = np.concatenate([weights * is_positive, weights * (not is_positive)])
    return Behind(rows.keys, rows.families, counted.astype(np.float64), among, groups, weights)


def _between_versions(
    rows: Versions,
    counted: NDArray[np.bool_],
    among: NDArray[np.bool_],
    positive: NDArray[np.bool_] | None,
) -> Behind:
    """Return the rows behind how far the two versions lie apart that lie apart most."""
    own = among[:, 0]
    shares = counted[own].mean(axis=0) if own.any() else np.zeros(counted.shape[1])
    numbers = counted.astype(np.float64)
    values = numbers[:, shares.argmax()] - numbers[:, shares.argmin()]
    groups, weights = np.zeros(len(own), np.int64), np.ones(1)
    if positive is not None:
        is_positive = bool((positive[:, 0] & own).any())
        groups = (~positive[:, 0]).astype(np.int64)
        weights = np.array([is_positive, not is_positive], np.float64)
    return Behind(rows.keys, rows.families, values, own, groups, weights)


def _share(rows: Answers, counted: NDArray[np.bool_], among: NDArray[np.bool_]) -> Behind:
    """Return the rows behind a share."""
    numbers, groups = counted.astype(np.float64), np.zeros(len(among), np.int64)
    return Behind(rows.keys, rows.families, numbers, among, groups, np.ones(1))


FEWEST = 30
"""How many pairs a test rests on at least."""
_FIGURES = (
    *("{}_paired", "{}_twin", "flip_rate", "flip_rate_low", "flip_rate_high", "flip_rate_control"),
    *("flip_rate_excess", "flip_rate_excess_low", "flip_rate_excess_high"),
    *("directional_difference", "directional_difference_low", "directional_difference_high"),
    *("mcnemar_p", "pairs", "pairs_with_control", "halves_dropped"),
)
_Halves = tuple[str, str]
_OWN: _Halves = (ORIGINAL, TWIN)
_CONTROL = "control"


class Answer(NamedTuple):
    """An answer to one version of a document.

    Attributes:
        score: What the answer is worth, such as 1 where it is right.
        family: What its document shares with others of its family, such as a template or
            `family_id`; None where it depends on no other.
    """

    pair: Hashable
    variant: str
    answer: Hashable
    score: float
    direction: int = 0
    family: Hashable = None


def figures_of(score: str) -> tuple[str, ...]:
    """Name the figures of a score."""
    return tuple(name.format(score) for name in _FIGURES)


def paired_figures(answers: Iterable[Answer], score: str = "acc") -> dict[str, float]:
    """Compare the answers to documents with those to their twins and controls.

    Args:
        answers: The answers, in any order. Where one half of a pair is missing, as a limit cuts
            them, the other is dropped and counted.

    Returns:
        The names of `figures_of` to their values; NaN where there are no pairs to tell them from.
        The intervals are over families. The test is NaN below `FEWEST` pairs, where a score is
        neither 0 nor 1, and where a family has several pairs, which it would take as independent.

    Source:
        `fair_datasets.measures.controls` for the control and its interval; McNemar (1947).
    """
    by_pair: defaultdict[Hashable, dict[str, Answer]] = defaultdict(dict)
    for each in answers:
        by_pair[each.pair][each.variant] = each
    all_pairs = list(by_pair.values())
    last = {name.removeprefix(_CONTROL) for pair in all_pairs for name in pair if _is_first(name)}
    controls = [(_CONTROL + each, f"{_CONTROL}_twin{each}") for each in sorted(last)]
    halves = sum((a in pair) != (b in pair) for pair in all_pairs for a, b in (_OWN, *controls))
    pairs = [pair for pair in all_pairs if pair.keys() >= {*_OWN}]
    controlled = [pair for pair in pairs if controls and pair.keys() >= {*chain(*controls)}]
    flips, families = _flips(pairs, [_OWN])[:, 0], _families(pairs)
    rate = float(flips.mean()) if pairs else math.nan
    low, high = wilson(int(flips.sum()), len(pairs), independent=independent_rows(flips, families))
    beside = flip_rate_control(
        _flips(controlled, [_OWN])[:, 0], _flips(controlled, controls),
        families=_families(controlled),
    )  # fmt: skip
    scores = np.array([[pair[name].score for name in _OWN] for pair in pairs]).reshape(-1, 2)
    directions = np.array([pair[ORIGINAL].direction for pair in pairs], np.int64)
    means = scores.mean(axis=0) if pairs else np.full(2, math.nan)
    values = (
        *means.tolist(), rate, low, high, beside.flip_rate_control,
        beside.flip_rate_excess, beside.low, beside.high,
        *_directional(scores, directions, families),
        len(pairs), len(controlled), halves,
    )  # fmt: skip
    return dict(zip(figures_of(score), values, strict=True))


def _is_first(variant: str) -> bool:
    """Whether a variant is the first half of a control."""
    return variant.startswith(_CONTROL) and not variant.startswith(f"{_CONTROL}_twin")


def _flips(pairs: Sequence[Mapping[str, Answer]], halves: Sequence[_Halves]) -> NDArray[np.bool_]:
    """Return which answers differ between two versions. Shape (N, max(1, K))."""
    flips = [[pair[a].answer != pair[b].answer for a, b in halves] for pair in pairs]
    return np.array(flips, np.bool_).reshape(len(pairs), max(1, len(halves)))


def _families(pairs: Sequence[Mapping[str, Answer]]) -> NDArray[np.int64]:
    """Number the families of pairs; a pair without one is its own. Shape (N,)."""
    places: dict[tuple[bool, Hashable], int] = {}
    named = [(pair[ORIGINAL].family, pair[ORIGINAL].pair) for pair in pairs]
    keys = [(family is None, own if family is None else family) for family, own in named]
    return np.array([places.setdefault(key, len(places)) for key in keys], np.int64)


def _directional(
    scores: NDArray[Any], directions: NDArray[np.int64], families: NDArray[np.int64]
) -> tuple[float, ...]:
    """Return how far the first attribute's versions score higher, its interval and the test."""
    known = directions != 0
    if not known.any():
        return (math.nan,) * 4
    first, second = np.where(directions == 1, scores.T, scores.T[::-1])[:, known]
    change, own = first - second, np.unique(families[known], return_inverse=True)[1]
    # As for the excess of flips: a family more each way (Bonett and Price).
    middle, variance = padded_mean(change, own)
    reach, p_value = QUANTILE * math.sqrt(variance), math.nan
    are_distinct = own.max() + 1 == own.size
    if are_distinct and len(change) >= FEWEST and np.isin(scores[known], (0, 1)).all():
        p_value = mcnemar(int((change > 0).sum()), int((change < 0).sum()))
    ends = max(-1.0, middle - reach), min(1.0, middle + reach)
    return float(change.mean()), *ends, p_value
