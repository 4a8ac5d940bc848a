"""Controls of counterfactual figures: what the same change does where no group is in it.

A prediction that changes when "he" becomes "she" may change as well when one ordinary word becomes
another. A control asks about such placebo changes: each draw is one mapping of words and names to
others of their kind, for all rows, and a row's two placebo versions are compared with each other.
What exceeds the control may be the group's; what does not is not thereby fair. Several tests are
adjusted by the largest draw of each, or by Holm's method.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.group_labels import family_codes
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

_QUANTILE = NormalDist().inv_cdf(0.975)
_TOLERANCE = 1e-12
"""What rounding may take from a figure that equals its control."""


@dataclass(frozen=True, slots=True)
class FlipRateControl:
    """How often predictions flip, compared with how often they do under placebo changes.

    Attributes:
        flip_rate: The share of rows whose prediction flips, in [0, 1].
        flip_rate_control: The mean share over the placebo draws, in [0, 1].
        flip_rate_excess: The former less the latter, in [-1, 1]. 0: no more than the control.
        low: The lower end of the interval of 95 % of the excess, over rows (or families of rows) of
            the same kind and over draws; of this classifier, and not of another one trained alike.
        high: The upper end.
        p_value: Of the test that the change is like the placebo ones, by its rank among the draws:
            1 / (K + 1) at least. It is the test to go by.
        p_value_rows: Of the exact test over rows, where each row has draws of its own; else None.
            It takes how a classifier weighs one word by chance for an effect.
    """

    flip_rate: float
    flip_rate_control: float
    flip_rate_excess: float
    low: float
    high: float
    p_value: float
    p_value_rows: float | None
    rows: int
    draws: int


@dataclass(frozen=True, slots=True)
class ScoreShiftControl:
    """How far scores shift in one direction, compared with their shift under placebo changes.

    Attributes:
        score_shift: The mean change of the score, signed.
        score_shift_control: The mean over the placebo draws of the distance that each shifts.
        p_value: Of the test that the distance is like the placebo ones, by its rank among them.
    """

    score_shift: float
    score_shift_control: float
    p_value: float
    rows: int
    draws: int


def flip_rate_control(
    flips: ArrayLike, control_flips: ArrayLike, *, families: Any = None, own_draws: bool = False
) -> FlipRateControl:
    """Compare how often predictions flip with how often they flip under placebo changes.

    Give no row that the change leaves as it is. Of rows that depend on each other (a text, its
    copies and its counterfactuals; the rows of one template), give one, or name their families.

    Args:
        flips: Whether the prediction differs between a row's two versions, 0 or 1. Shape (N,).
        control_flips: Whether it differs between its two placebo versions, for each draw.
            Shape (N, K).
        families: The family of each row, such as `family_id`: the interval is then over families.
            None where no row depends on another. Shape (N,).
        own_draws: Whether each row has draws of its own, and a draw is not one mapping for all
            rows: then the exact test over rows is made as well, which knows no families.

    Raises:
        InputError: A value is neither 0 nor 1, the rows differ in number, there is no draw, or
            there are families and draws of each row's own.

    Example:
        >>> found = flip_rate_control([1, 1, 1, 0], [[0, 1], [0, 0], [0, 0], [0, 0]])
        >>> found.flip_rate, found.flip_rate_control, found.flip_rate_excess
        (0.75, 0.125, 0.625)
        >>> round(found.low, 3), round(found.high, 3), round(found.p_value, 3)
        (-0.218, 1.0, 0.333)

    Source:
        Bonett and Price, Adjusted Wald Confidence Interval for a Difference of Binomial Proportions
        Based on Paired Data, 2012, for the two rows that the interval adds; Liang and Zeger,
        Longitudinal Data Analysis Using Generalized Linear Models, 1986, for families.
    """
    own = inputs.binary(flips, "flips").astype(np.float64)
    control = read_draws(control_flips, "control_flips", own.size)
    if not np.isin(control, (0, 1)).all():
        raise invalid(
            "control_flips must be 0 or 1; compare the predictions for the two placebo "
            "versions of each row first."
        )
    checks.switch(own_draws, parameter="own_draws")
    codes = family_codes(families, {"flips": own})
    if codes is not None and own_draws:
        raise invalid(
            "the exact test over rows (own_draws) takes every row as independent; give "
            "it one row of each family, or leave own_draws out."
        )
    rows, draws = control.shape
    if not rows:
        nan = math.nan
        return FlipRateControl(nan, nan, nan, nan, nan, nan, nan if own_draws else None, 0, draws)
    rates = control.mean(axis=0)
    excess = own - control.mean(axis=1)
    middle, variance = padded_mean(excess, codes)
    error = variance + (rates.var(ddof=1) / draws if draws > 1 else 0.0)
    reach = _QUANTILE * math.sqrt(error)
    return FlipRateControl(
        float(own.mean()), float(rates.mean()), float(excess.mean()),
        max(-1.0, middle - reach), min(1.0, middle + reach),
        _rank(float(own.mean()), rates), _p_of_rows(own, control) if own_draws else None,
        rows, draws,
    )  # fmt: skip


def padded_mean(
    values: NDArray[np.float64], families: NDArray[np.intp] | None = None
) -> tuple[float, float]:
    """Return the mean of changes and its variance, with one family of each sign added.

    Families are drawn as wholes, so that rows of one family count as often as it does. Those that
    are added have the mean size: one row each, where no row depends on another.

    Args:
        values: The change of each row, from -1 to 1. Shape (N,), N at least 1.
        families: The family of each row, from 0 on; None where each row is one. Shape (N,).

    Example:
        >>> values = np.array([1.0, 0.0, 0.0, 0.0])
        >>> one, other = padded_mean(values), padded_mean(np.tile(values, 3), np.arange(12) % 4)
        >>> np.allclose(one, other), np.round(one, 3).tolist()
        (True, [0.167, 0.079])
    """
    codes = np.arange(values.size) if families is None else families
    sizes = np.bincount(codes).astype(np.float64)
    sums = np.bincount(codes, values)
    mean = values.size / np.count_nonzero(sizes)
    sizes, sums = np.append(sizes, [mean, mean]), np.append(sums, [mean, -mean])
    middle = sums.sum() / sizes.sum()
    return float(middle), float(((sums - middle * sizes) ** 2).sum() / sizes.sum() ** 2)


def score_shift_control(shifts: ArrayLike, control_shifts: ArrayLike) -> ScoreShiftControl:
    """Compare how far scores shift with how far they shift under placebo changes.

    A test over rows is not made: any trained model weighs any two words unlike, so that it would
    find an effect of nearly every pair.

    Args:
        shifts: The score of a row's second version less that of its first, such as logits.
            Shape (N,).
        control_shifts: The same of its two placebo versions, for each draw. Shape (N, K).

    Raises:
        InputError: A value is not finite, the rows differ in number, or there is no draw.

    Example:
        >>> score_shift_control([0.5, 0.25], [[0.1, -0.1], [0.1, 0.1]]).score_shift
        0.375
    """
    own = inputs.scores(shifts, "shifts")
    control = read_draws(control_shifts, "control_shifts", own.size)
    rows, draws = control.shape
    if not rows:
        return ScoreShiftControl(math.nan, math.nan, math.nan, 0, draws)
    shift, distances = float(own.mean()), np.abs(control.mean(axis=0))
    return ScoreShiftControl(
        shift, float(distances.mean()), _rank(abs(shift), distances), rows, draws
    )


def max_t(values: ArrayLike, control_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p-values of several figures by the largest statistic of each placebo draw (max-T).

    Each figure is standardised by its own draws; a draw counts against a figure where its largest
    one reaches it. The chance of even one false finding is then that of one test, whereas Holm's
    method would need many times as many draws.

    Args:
        control_values: Each figure under each draw. Shape (J, K).

    Returns:
        The adjusted p-values, from 1 / (K + 1) to 1. Shape (J,).

    Raises:
        InputError: A value is not finite, the figures differ in number, or there is no draw.

    Example:
        >>> draws = [[0.1, 0.2, 0.3, 0.2], [1.0, 3.0, 2.0, 2.0]]
        >>> max_t([0.9, 2.0], draws).tolist()
        [0.2, 0.8]

    Source:
        Westfall and Young, Resampling-Based Multiple Testing, 1993 (single-step maxT).
    """
    own = inputs.scores(values, "values")
    control = read_draws(control_values, "control_values", own.size)
    if not own.size:
        return np.zeros(0)
    middle, spread = control.mean(axis=1), control.std(axis=1, ddof=min(1, control.shape[1] - 1))
    largest = _standardised(control, middle[:, None], spread[:, None]).max(axis=0)
    statistics = _standardised(own, middle, spread)
    reached = (largest >= statistics[:, None] - _TOLERANCE).sum(axis=1)
    return np.asarray((1 + reached) / (control.shape[1] + 1), np.float64)


def _standardised(
    values: NDArray[np.float64], middle: NDArray[np.float64], spread: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how many standard deviations values lie from the middle; without any, 0 or infinity.

    Rounding must not make an infinity of a figure that equals its control.
    """
    deviations = values - middle
    deviations = np.where(np.abs(deviations) <= _TOLERANCE, 0.0, deviations)
    constant = spread <= _TOLERANCE
    statistics = deviations / np.where(constant, 1.0, spread)
    return np.where(constant & (deviations != 0), np.copysign(np.inf, deviations), statistics)


def read_draws(values: Any, argument: str, rows: int) -> NDArray[np.float64]:
    """Read what the placebo draws gave, a row of them for each row. Shape (N, K), K at least 1.

    Example:
        >>> read_draws([[0, 1]], "control_flips", 1).tolist()
        [[0.0, 1.0]]
    """
    draws = np.asarray(values, np.float64)
    if draws.ndim == 1 and not draws.size and not rows:
        draws = draws.reshape(0, 1)
    if draws.ndim != 2 or draws.shape[0] != rows or not draws.shape[1]:
        raise invalid(
            f"{argument} must have a row of draws for each of the {rows:,} rows, one draw "
            f"at least, but its shape is {draws.shape}."
        )
    wrong = np.argwhere(~np.isfinite(draws))
    if wrong.size:
        row, draw = wrong[0].tolist()
        raise invalid(
            f"{argument} must be finite, but row {row}, draw {draw} is {float(draws[row, draw])!r}."
        )
    return draws


def _rank(value: float, draws: NDArray[np.float64]) -> float:
    """Return the p-value of a figure by its rank among those of the draws."""
    return (1 + int((draws >= value - _TOLERANCE).sum())) / (draws.size + 1)


def _p_of_rows(own: NDArray[np.float64], control: NDArray[np.float64]) -> float:
    """Test over rows: each row's flip may be any of its own and its K placebo ones."""
    # The sum of flips is Poisson-binomial; its distribution is built up row by row.
    shares = (own + control.sum(axis=1)) / (control.shape[1] + 1)
    chances = np.ones(1)
    for share in shares[shares > 0].tolist():
        chances = np.append(chances * (1 - share), 0.0) + share * np.append(0.0, chances)
    return float(min(1.0, chances[int(own.sum()) :].sum()))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p-values of a family of tests by Holm's step-down method.

    Rejecting where the adjusted value is below a level keeps the chance of even one false
    rejection in the whole family below that level, however the tests depend on each other.

    Returns:
        The adjusted p-values, in the order given, each from its own p-value up to 1. Shape (N,).

    Raises:
        InputError: A p-value is missing or lies outside [0, 1].

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]

    Source:
        Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure.
    """
    given = inputs.probabilities(p_values, "p_values")
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * np.arange(given.size, 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
