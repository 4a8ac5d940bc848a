"""How predictions depend on the name of a person, in versions of rows in which the name varies.

Each row stands there under names of several cultures and of two genders, several of each. What two
names of one culture and gender do is the placebo: a classifier gives any name a weight of its own.
So the unit of the test is the name and not the row: the cultures of the names are dealt out anew
among the names of a gender, and their genders among those of a culture.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.controls import max_t, padded_mean
from fair_datasets.measures.group_labels import class_labels, family_codes, group_labels
from fair_datasets.measures.inputs import Rows, Undefined, check_undefined, undefined_value
from fair_datasets.system import checks

DRAWS = 499
"""How often the groups of names are dealt out anew."""
_QUANTILE = 1.959964
_TAIL = 0.95
_STEPS, _CLOSE = 200, 1e-9
"""How often the weights of rows and names are adjusted to each other, and until when."""

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NameContrast:
    """How predictions differ between the names of one group and the names of the other groups.

    Attributes:
        score_shift: The mean score under its names less the median of those under the names of each
            other group, all names of a group counting alike; None without scores.
        p_value: Of the test that its names shift scores as any names do, adjusted for all groups;
            None without scores.
        flip_rate: The share of pairs of versions of a row, one with a name of the group and one
            with a name of another, that are predicted unlike, in [0, 1].
        flip_rate_control: The same of pairs with names of one group: the mean of this group's share
            and of that of the others.
        flip_rate_excess: The former less the latter; 0: no more than the placebo.
        low: The lower end of the interval of 95 % of the excess, over rows, with these names.
        high: The upper end.
        names: How many names of the group there are.
    """

    score_shift: float | None
    p_value: float | None
    flip_rate: float
    flip_rate_control: float
    flip_rate_excess: float
    low: float
    high: float
    names: int


@dataclass(frozen=True, slots=True)
class NameSensitivity:
    """How predictions depend on the name of a person; lower is fairer.

    Attributes:
        any_flip_rate: The share of rows whose prediction changes for any name of the same gender,
            in [0, 1]. It grows with the number of names, and has no control.
        spread: The mean over rows of the standard deviation of the scores under names of one
            gender; None without scores.
        spread_95: The spread that one row in twenty exceeds; None without scores.
        spread_control: The mean spread under names of one culture and gender; None without scores.
        flip_rate: The share of pairs of versions of a row, with names of one gender and of two
            cultures, that are predicted unlike, each culture counting alike.
        flip_rate_control: The same of pairs with names of one culture and gender.
        flip_rate_excess: The former less the latter.
        low: The lower end of the interval of 95 % of the excess, over rows, with these names.
        high: The upper end.
        gender: The second gender beside the first, in rows of which only the name tells the gender;
            None unless there are two genders, and such rows.
        cultures: Each culture beside the others; none where there is one.
        rows: How many rows there are.
        names: How many names there are, those of two cultures or genders twice.
    """

    any_flip_rate: float
    spread: float | None
    spread_95: float | None
    spread_control: float | None
    flip_rate: float
    flip_rate_control: float
    flip_rate_excess: float
    low: float
    high: float
    gender: NameContrast | None
    cultures: dict[Hashable, NameContrast]
    rows: int
    names: int


def name_sensitivity(
    predictions: ArrayLike,
    rows: ArrayLike,
    cultures: ArrayLike,
    genders: ArrayLike,
    names: ArrayLike,
    *,
    scores: Rows = None,
    only_names: Rows = None,
    families: Rows = None,
    seed: int = 0,
    undefined: Undefined = "nan",
) -> NameSensitivity:
    """Measure how predictions depend on the name of a person, in versions of the same rows.

    Each value is of a version: a row with the person under one name.
    `fair_datasets.swap.name_versions` writes them. A mean shift can be 0 where predictions change a
    lot, one row for and one row against: look at the flips and at the spread as well. They have no
    test, as names that a classifier knows change more than names that it never saw.

    Args:
        predictions: The predicted class of each version, a whole number or a text; no logits.
            Shape (V,).
        rows: Which row each is a version of. Shape (V,).
        cultures: The culture of its name. Shape (V,).
        genders: The gender of its name. Shape (V,).
        names: The name. Shape (V,).
        scores: A score of each version, such as the log odds of a class. None for the predictions
            where they are 0 and 1. Shape (V,).
        only_names: Whether the versions of its row differ in nothing but the name, 0 or 1: genders
            are compared in these rows alone, as pronouns have a weight of their own. None where all
            do. Shape (V,).
        families: The family of its row, such as `family_id`, for the intervals. Shape (V,).
        seed: The seed of the permutations.
        undefined: What to give where there is nothing to compare: `"nan"`, `"zero"` or `"raise"`.

    Returns:
        The tails over all names, and what cultures and genders do beside their control.

    Raises:
        InputError: A value is missing or no class, or the lengths differ.

    Example:
        >>> from itertools import product
        >>> versions = [*product(range(40), ("Igbo", "Polish"), ("man", "woman"), range(9))]
        >>> rows, cultures, genders, names = zip(*versions)
        >>> said = [int(culture == "Polish" or row % 2) for row, culture, _, _ in versions]
        >>> found = name_sensitivity(said, rows, cultures, genders, names)
        >>> found.any_flip_rate, found.flip_rate_excess, found.gender.score_shift
        (0.5, 0.5, 0.0)
        >>> found.cultures["Igbo"].score_shift, found.cultures["Igbo"].p_value
        (-0.5, 0.002)

    Source:
        Names as a sample of their group: Clark, The Language-as-Fixed-Effect Fallacy, 1973; tests
        with a statistic that is studentised: Chung and Romano, Exact and Asymptotically Robust
        Permutation Tests, 2013. That means miss the tails: arXiv 2604.19984.
    """
    check_undefined(undefined)
    checks.whole_number(seed, parameter="seed", least=0)
    given = _Given.read(predictions, rows, cultures, genders, names, scores, only_names, families)
    by_culture = given.contrast("cultures", np.ones(len(given.predicted), np.bool_))
    by_gender = given.contrast("genders", given.only_names)
    contrasts = [each for each in (by_culture, by_gender) if each is not None]
    for contrast, p_values in zip(contrasts, _adjusted(contrasts, seed), strict=True):
        contrast.p_values = p_values
    parts = dict[Hashable, NameContrast]()
    if by_culture is None:
        nothing = undefined_value("no row has names of two cultures.", undefined)
        whole = nothing, nothing, nothing, nothing, nothing
    else:
        whole = by_culture.whole(undefined)
        parts = {name: by_culture.of(code, undefined)
                 for code, name in enumerate(by_culture.groups)}  # fmt: skip
    return NameSensitivity(
        *_tails(given, undefined), *whole,
        None if by_gender is None else by_gender.of(1, undefined),
        parts, int(given.rows.max(initial=-1)) + 1, int(given.names.max(initial=-1)) + 1,
    )  # fmt: skip


class _Given(NamedTuple):
    """The versions as numbers from 0 on.

    Attributes:
        predicted: The class of each. Shape (V,).
        names: The name of each, as one of its culture and gender. Shape (V,).
        labels: Its culture and its gender, each with what they are called. Shapes (V,).
        families: The family of each row; None where each is one. Shape (N,).
    """

    predicted: Codes
    rows: Codes
    names: Codes
    labels: dict[str, tuple[tuple[Hashable, ...], Codes]]
    scores: Floats | None
    only_names: NDArray[np.bool_]
    families: NDArray[np.intp] | None

    @classmethod
    def read(
        cls, predictions: ArrayLike, rows: ArrayLike, cultures: ArrayLike, genders: ArrayLike,
        names: ArrayLike, scores: Rows, only_names: Rows, families: Rows,
    ) -> "_Given":  # fmt: skip
        """Read the columns."""
        classes = class_labels({"predictions": predictions})
        (predicted,) = classes.codes.values()
        given = {"rows": rows, "cultures": cultures, "genders": genders, "names": names}
        read = {name: group_labels(each, argument=name) for name, each in given.items()}
        codes = {name: each.codes.astype(np.int64) for name, each in read.items()}
        are_scores = classes.names is None and bool(np.isin(predicted, (0, 1)).all())
        values = predicted.astype(np.float64) if are_scores else None
        if scores is not None:
            values = inputs.scores(scores, "scores")
        is_plain = np.ones(len(predicted), np.bool_)
        if only_names is not None:
            is_plain = inputs.binary(only_names, "only_names")
        columns = {"predictions": predicted, **codes, "scores": values, "only_names": is_plain}
        own = family_codes(
            families, {name: each for name, each in columns.items() if each is not None}
        )
        firsts = np.unique(codes["rows"], return_index=True)[1]
        return cls(
            _numbered(predicted), codes["rows"],
            _numbered(codes["cultures"], codes["genders"], codes["names"]),
            {name: (read[name].names, codes[name]) for name in ("cultures", "genders")},
            values, is_plain, None if own is None else own[firsts],
        )  # fmt: skip

    def contrast(self, name: str, selected: NDArray[np.bool_]) -> "_Contrast | None":
        """Set groups of names against each other; None unless there are two cultures, or genders.

        Genders are compared within the culture, in rows that all names have in common; cultures
        within the gender, and in the versions of a row that have this gender.
        """
        groups, codes = self.labels[name]
        present, labels = np.unique(codes[selected], return_inverse=True)
        if len(present) < 2 or (name == "genders" and len(present) > 2):
            return None
        (_, other) = self.labels["genders" if name == "cultures" else "cultures"]
        blocks = _numbered(self.rows[selected], other[selected])
        rows, row_of = np.unique(self.rows[selected], return_inverse=True)
        names, firsts = np.unique(self.names[selected], return_index=True)
        counts = _pair_counts(
            blocks * len(present) + labels, self.predicted[selected], len(present)
        )
        by_row = np.zeros((len(rows), 4, len(present)))
        np.add.at(by_row, row_of[np.unique(blocks, return_index=True)[1]], counts.swapaxes(0, 1))
        effects = None
        if self.scores is not None:
            alike = blocks if name == "cultures" else row_of
            own = np.searchsorted(names, self.names[selected])
            effects = _effects(self.scores[selected], alike, own)
        return _Contrast(
            tuple(groups[code] for code in present.tolist()), labels[firsts],
            _numbered(other[selected])[firsts], effects,
            _ratio(by_row[:, 0], by_row[:, 1]), _ratio(by_row[:, 2], by_row[:, 3]),
            None if self.families is None else self.families[rows],
        )  # fmt: skip


_Summary = tuple[float, float, float, float, float]
"""A share, its control, the excess and the ends of its interval."""


@dataclass
class _Contrast:
    """Groups of names against each other.

    Attributes:
        labels: The group of each name. Shape (U,).
        strata: What names have in common that are compared: the gender of cultures. Shape (U,).
        effects: How far each name moves scores. Shape (U,).
        between: The share of unlike pairs of each row with a name of a group and one of another.
            Shape (N, G).
        within: That of pairs with two names of it. Shape (N, G).
    """

    groups: tuple[Hashable, ...]
    labels: Codes
    strata: Codes
    effects: Floats | None
    between: Floats
    within: Floats
    families: NDArray[np.intp] | None
    p_values: Floats | None = None

    def of(self, code: int, undefined: Undefined) -> NameContrast:
        """Return what one group does."""
        shift, p_value = None, None
        if self.effects is not None and self.p_values is not None:
            shift = float(_shifts(self.effects, self.labels, self.strata)[0][code])
            p_value = float(self.p_values[code])
        others = _mean(np.delete(self.within, code, axis=1))
        control = _mean(np.stack([self.within[:, code], others], axis=1))
        return NameContrast(
            shift, p_value,
            *self._summarise(self.between[:, code], control, undefined,
                        f"{self.groups[code]!r} and of another group"),
            int((self.labels == code).sum()),
        )  # fmt: skip

    def whole(self, undefined: Undefined) -> _Summary:
        """Return the flips of all groups together, their control and excess, and its interval."""
        return self._summarise(_mean(self.between), _mean(self.within), undefined, "two groups")

    def _summarise(
        self, flips: Floats, control: Floats, undefined: Undefined, groups: str
    ) -> _Summary:
        """Return the means over rows, and the interval of the excess."""
        known = np.isfinite(flips) & np.isfinite(control)
        if not known.any():
            reason = f"no row has names of {groups}, two of them of one group."
            nothing = undefined_value(reason, undefined)
            return nothing, nothing, nothing, nothing, nothing
        excess = (flips - control)[known]
        families = None if self.families is None else _numbered(self.families[known])
        middle, variance = padded_mean(excess, families)
        reach = _QUANTILE * math.sqrt(variance)
        return (
            float(flips[known].mean()), float(control[known].mean()), float(excess.mean()),
            max(-1.0, middle - reach), min(1.0, middle + reach),
        )  # fmt: skip

    def tests(self, generator: np.random.Generator) -> Floats:
        """Return how far the groups shift scores, then in each draw. Shape (1 + K, G)."""
        assert self.effects is not None
        several, order = [self.labels], np.argsort(self.strata, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(self.strata))[:-1])
        for _ in range(DRAWS):
            dealt = np.empty_like(self.labels)
            for part in parts:
                dealt[part] = generator.permutation(self.labels[part])
            several.append(dealt)
        return np.array([_shifts(self.effects, each, self.strata)[1] for each in several])


def _adjusted(contrasts: list[_Contrast], seed: int) -> list[Floats | None]:
    """Return the p-values of each contrast, adjusted by the largest figure of each draw. (G,)."""
    if not contrasts or contrasts[0].effects is None:
        return [None] * len(contrasts)
    tests = [each.tests(np.random.default_rng([seed, place]))
             for place, each in enumerate(contrasts)]  # fmt: skip
    statistics = np.concatenate(tests, axis=1)
    p_values = max_t(statistics[0], statistics[1:].T)
    return list(np.split(p_values, np.cumsum([each.shape[1] for each in tests])[:-1]))


def _effects(scores: Floats, blocks: Codes, names: Codes) -> Floats:
    """Return what each name adds to the score of what is alike otherwise, the latter unknown too.

    Less the mean of its block alone, a name would count against itself, and two names of one block
    against each other. So both are fitted, in turn.

    Args:
        blocks: The number of what is alike, from 0 on. Shape (V,).
        names: The name of each. Shape (V,).

    Returns:
        The effects. Shape (U,).
    """
    sizes, counts = np.bincount(blocks), np.bincount(names)
    effects, step = np.zeros(len(counts)), np.ones(1)
    close = _CLOSE * max(1e-300, float(np.abs(scores).max()))
    for _ in range(_STEPS):
        means = np.bincount(blocks, scores - effects[names]) / sizes
        step = np.bincount(names, scores - means[blocks]) / counts - effects
        effects += step
        if np.abs(step).max() < close:
            break
    return np.asarray(effects - effects.mean())


def _shifts(effects: Floats, labels: Codes, strata: Codes) -> tuple[Floats, Floats]:
    """Return how far each group's mean effect lies from the median of the others'.

    Within each stratum, and then on average.

    Returns:
        The shifts, signed, and their distances from 0 in standard errors, as names vary within
        groups. Shapes (G,).
    """
    groups, parts = int(labels.max()) + 1, int(strata.max()) + 1
    cells, shape = strata * groups + labels, (parts, groups)
    sizes = np.bincount(cells, minlength=parts * groups)
    means = _ratio(np.bincount(cells, effects, parts * groups), sizes)
    squares = np.bincount(cells, (effects - means[cells]) ** 2, parts * groups)
    errors = np.nan_to_num(_ratio(squares, sizes * (sizes - 1.0))).reshape(shape)
    deviations = means.reshape(shape) - _median_of_others(means.reshape(shape))
    known = np.maximum(1, np.isfinite(deviations).sum(axis=0))
    spread = errors + (errors.sum(axis=1, keepdims=True) - errors) / (groups - 1) ** 2
    error = np.sqrt(spread.sum(axis=0))
    # Where no name differs from another one of its group, rounding must not make an effect.
    least = max(1e-12, 1e-6 * float(np.abs(effects).max(initial=0.0)))
    shift = np.nan_to_num(deviations).sum(axis=0)
    shift[np.abs(shift) < least] = 0.0
    return shift / known, np.abs(shift) / np.maximum(error, least)


def _median_of_others(values: Floats) -> Floats:
    """Return the median of the other values of a row beside each one; NaN beside nothing.

    Args:
        values: The values, NaN where there is none. Shape (P, G).

    Example:
        >>> _median_of_others(np.array([[3.0, 1.0, 2.0]])).tolist()
        [[1.5, 2.5, 2.0]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    ranks, ordered = np.argsort(order, axis=1), np.take_along_axis(values, order, axis=1)
    others = np.isfinite(values).sum(axis=1, keepdims=True) - 1
    several = []
    for place in ((others - 1) // 2, others // 2):
        own = np.clip(place + (place >= ranks), 0, values.shape[1] - 1)
        several.append(np.take_along_axis(ordered, own, axis=1))
    medians: Floats = np.where(
        np.isfinite(values) & (others > 0), (several[0] + several[1]) / 2, math.nan
    )
    return medians


def _pair_counts(cells: Codes, predicted: Codes, groups: int) -> Floats:
    """Count pairs of versions of each block, unlike and all, between groups and within groups.

    Args:
        cells: The block and the group of each, as one number. Shape (V,).

    Returns:
        The counts. Shape (4, B, G).
    """
    classes = int(predicted.max()) + 1
    size = -(-(int(cells.max()) + 1) // groups) * groups * classes
    counts = np.bincount(cells * classes + predicted, minlength=size).astype(np.float64)
    counts = counts.reshape(-1, groups, classes)
    sizes, squares = counts.sum(axis=2), (counts**2).sum(axis=2)
    alike = (counts * counts.sum(axis=1, keepdims=True)).sum(axis=2) - squares
    pairs = sizes * (sizes.sum(axis=1, keepdims=True) - sizes)
    return np.stack([pairs - alike, pairs, (sizes**2 - squares) / 2, sizes * (sizes - 1) / 2])


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    ratios: Floats = np.full(part.shape, math.nan)
    np.divide(part, whole, out=ratios, where=whole > 0)
    return ratios


def _mean(values: Floats) -> Floats:
    """Return the mean of each row over the groups that have a value, else NaN. Shape (N,)."""
    known = np.isfinite(values)
    return _ratio(np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1))


def _tails(
    given: _Given, undefined: Undefined
) -> tuple[float, float | None, float | None, float | None]:
    """Return how often any name changes a prediction, and how far scores spread within rows."""
    if not len(given.predicted):
        nothing = undefined_value("there are no rows.", undefined)
        return (nothing, None, None, None) if given.scores is None else (nothing,) * 4
    genders, cultures = given.labels["genders"][1], given.labels["cultures"][1]
    blocks = _numbered(given.rows, genders)
    size, firsts = int(given.rows.max()) + 1, np.unique(blocks, return_index=True)[1]
    changes = given.predicted != given.predicted[firsts][blocks]
    flips = float((np.bincount(given.rows, changes, size) > 0).mean())
    if given.scores is None:
        return flips, None, None, None
    spread = np.nan_to_num(_spreads(given.scores, blocks, given.rows))
    control = _spreads(given.scores, _numbered(blocks, cultures), given.rows)
    inside = control[np.isfinite(control)]
    if not inside.size:
        reason = "no row has two names of one culture and gender."
        inside = np.array([undefined_value(reason, undefined)])
    return flips, float(spread.mean()), float(np.quantile(spread, _TAIL)), float(inside.mean())


def _spreads(scores: Floats, parts: Codes, rows: Codes) -> Floats:
    """Return the standard deviation of the scores of each row within parts of it. Shape (N,)."""
    sizes = np.bincount(parts)
    deviations = scores - (np.bincount(parts, scores) / sizes)[parts]
    row_of = rows[np.unique(parts, return_index=True)[1]]
    return np.sqrt(_ratio(np.bincount(rows, deviations**2), np.bincount(row_of, sizes - 1)))


def _numbered(*columns: NDArray[Any]) -> Codes:
    """Number what stands together in some columns, from 0 on. Shape (V,)."""
    groups = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        codes = np.unique(column, return_inverse=True)[1]
        groups = np.unique(groups * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    return groups.astype(np.int64)
