"""Controls of counterfactual figures, beside a worked example and scipy."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binomtest

from fair_datasets.measures.controls import flip_rate_control, holm, max_t, score_shift_control
from fair_datasets.system.checks import InputError

FLIPS = [1] * 6 + [0] * 14
OF_ROWS = [10, 2, 0, 1, 0, 3, 4, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0]
OF_DRAWS = [4, 3, 2, 2, 3, 1, 2, 2, 3, 1]


def table(of_rows: list[int], of_columns: list[int]) -> NDArray[np.int64]:
    """Return zeros and ones that add up to these numbers."""
    left, found = np.array(of_columns), np.zeros((len(of_rows), len(of_columns)), int)
    for row in np.argsort(of_rows)[::-1]:
        chosen = np.argsort(-left, kind="stable")[: of_rows[row]]
        found[row, chosen] = 1
        left[chosen] -= 1
    assert not left.any()
    return found


def test_the_worked_example() -> None:
    """Twenty rows and ten draws, of which every figure was worked by hand."""
    found = flip_rate_control(FLIPS, table(OF_ROWS, OF_DRAWS), own_draws=True)
    assert found.flip_rate == pytest.approx(0.3)
    assert found.flip_rate_control == pytest.approx(0.115)
    assert found.flip_rate_excess == pytest.approx(0.185)
    assert (found.low, found.high) == pytest.approx((-0.0433, 0.3797), abs=5e-5)
    assert found.p_value == pytest.approx(1 / 11)
    assert found.p_value_rows == pytest.approx(0.0084, abs=5e-5)
    assert (found.rows, found.draws) == (20, 10)


def test_where_nothing_flips_nothing_is_found() -> None:
    """And the interval says how little twenty rows tell."""
    found = flip_rate_control([0] * 20, np.zeros((20, 10)), own_draws=True)
    assert (found.flip_rate_excess, found.p_value, found.p_value_rows) == (0, 1, 1)
    assert (found.low, found.high) == pytest.approx((-0.126, 0.126), abs=5e-4)


def test_one_draw_of_each_row_is_an_exact_mcnemar_test() -> None:
    """One-sided: as often as rows flip in one of the two alone, it is this one."""
    flips, control = np.array([1] * 9 + [0] * 11), np.array([0] * 7 + [1] * 5 + [0] * 8)
    found = flip_rate_control(flips, control[:, None], own_draws=True)
    only = int(((flips == 1) & (control == 0)).sum()), int(((flips == 0) & (control == 1)).sum())
    expected = binomtest(only[0], sum(only), alternative="greater").pvalue
    assert found.p_value_rows == pytest.approx(expected)


@given(st.integers(0, 6).flatmap(lambda rows: st.tuples(
    st.lists(st.integers(0, 1), min_size=rows, max_size=rows),
    st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=rows, max_size=rows),
)))  # fmt: skip
def test_the_test_over_rows_counts_every_case(drawn: tuple[list[int], list[list[int]]]) -> None:
    """Each row's flip may have been any of its four comparisons."""
    own, control = drawn
    found = flip_rate_control(own, np.reshape(control, (len(own), 3)), own_draws=True)
    if not own:
        assert found.p_value_rows is not None
        assert math.isnan(found.p_value_rows)
        return
    any_of = ([flip, *rest] for flip, rest in zip(own, control, strict=True))
    cases = [sum(case) for case in product(*any_of)]
    assert found.p_value_rows == pytest.approx(np.mean(np.array(cases) >= sum(own)))
    assert -1 <= found.low <= found.flip_rate_excess <= found.high <= 1


@pytest.mark.parametrize("copies", [2, 5])
def test_rows_of_one_family_count_as_one(copies: int) -> None:
    """The interval of rows that stand there several times is that of the rows themselves."""
    control = table(OF_ROWS, OF_DRAWS)
    once = flip_rate_control(FLIPS, control)
    several = np.repeat(FLIPS, copies), np.repeat(control, copies, axis=0)
    families = np.repeat([f"family {number}" for number in range(20)], copies)
    whole = flip_rate_control(*several, families=families)
    apart = flip_rate_control(*several)
    assert (whole.low, whole.high) == pytest.approx((once.low, once.high))
    assert whole.flip_rate_excess == pytest.approx(once.flip_rate_excess)
    assert apart.high - apart.low < 0.85 * (whole.high - whole.low)


def test_the_interval_of_families_is_that_of_families_drawn_anew() -> None:
    """Of families of many sizes, whose rows flip alike; the draws are as good as fixed."""
    generator = np.random.default_rng(8)
    sizes = generator.integers(1, 9, 150)
    families = np.repeat(np.arange(150), sizes)
    flips = (generator.random(150) < 0.4)[families] ^ (generator.random(families.size) < 0.1)
    control = np.zeros((families.size, 3))
    found = flip_rate_control(flips, control, families=families)
    drawn = []
    for _ in range(2000):
        counts = np.bincount(generator.integers(0, 150, 150), minlength=150)
        drawn.append(np.average(flips, weights=counts[families]))
    assert (found.high - found.low) / 2 / 1.959964 == pytest.approx(np.std(drawn), rel=0.1)
    with pytest.raises(InputError, match="takes every row as independent"):
        flip_rate_control(flips, control, families=families, own_draws=True)
    with pytest.raises(InputError, match="families has no label in row 1"):
        flip_rate_control([1, 0], [[0], [0]], families=["a", None])


def test_a_placebo_among_placebos_is_seldom_found() -> None:
    """The rank among draws is exact: of 400 placebos, at most about one in twenty is below .05."""
    generator = np.random.default_rng(4)
    found = []
    for _ in range(400):
        # A word weighs something by chance, in all rows: what a test over rows takes for an effect.
        rates = generator.beta(2, 10, 40)
        flips = generator.random((60, 40)) < rates
        found.append(flip_rate_control(flips[:, 0], flips[:, 1:]).p_value)
    assert np.mean(np.array(found) <= 0.05) < 0.08
    assert np.mean(found) == pytest.approx(0.5, abs=0.06)


def test_shifts_are_told_with_their_sign_and_ranked_without() -> None:
    """A shift the other way is as far."""
    control = np.array([[0.1, -0.4, 0.2], [0.1, -0.2, 0.0]])
    found = score_shift_control([-0.2, -0.4], control)
    assert found.score_shift == pytest.approx(-0.3)
    assert found.score_shift_control == pytest.approx((0.1 + 0.3 + 0.1) / 3)
    assert found.p_value == pytest.approx(2 / 4)
    assert math.isnan(score_shift_control([], []).p_value)


def test_figures_that_share_draws_are_adjusted_together() -> None:
    """As by counting; a figure without spread is nothing, or infinitely far."""
    generator = np.random.default_rng(5)
    control = generator.normal(size=(4, 99))
    values = np.array([0.0, 1.0, 2.5, 4.0])
    scaled = (control - control.mean(1, keepdims=True)) / control.std(1, ddof=1, keepdims=True)
    own = (values - control.mean(1)) / control.std(1, ddof=1)
    expected = [(1 + (scaled.max(0) >= each).sum()) / 100 for each in own]
    assert max_t(values, control).tolist() == pytest.approx(expected)
    constant = np.full((2, 99), 0.1)
    assert max_t([0.1, 0.3], constant).tolist() == [1.0, 0.01]


P_VALUES = st.lists(st.floats(0, 1), max_size=12)


@given(P_VALUES, st.floats(0.001, 0.2))
def test_rejections_are_those_of_the_stepwise_procedure(values: list[float], level: float) -> None:
    """Walk up the sorted p-values and stop at the first that is not small enough."""
    adjusted = holm(values)
    rejected = set()
    for step, row in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        # The same product as in the function, so that rounding does not decide.
        if values[row] * (len(values) - step) >= level:
            break
        rejected.add(row)
    assert {row for row in range(len(values)) if adjusted[row] < level} == rejected
