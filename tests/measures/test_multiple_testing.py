"""Tests of Holm's adjustment, by what it promises and against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.measures.multiple_testing import holm
from fair_datasets.system.checks import InputError

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


@given(P_VALUES)
def test_adjusted_values_keep_their_order(values: list[float]) -> None:
    """No adjusted value is below its own p-value or above 1, and their order stays."""
    adjusted = holm(values)
    assert (adjusted >= np.array(values)).all()
    assert (adjusted <= 1).all()
    order = np.argsort(values, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()


def test_one_test_and_none() -> None:
    """A single p-value stays; an empty family is empty."""
    assert holm([0.03]).tolist() == [0.03]
    assert holm([]).tolist() == []


@pytest.mark.parametrize("values", [[0.1, float("nan")], [0.1, None], [0.1, 1.5]])
def test_bad_p_values_are_told(values: list[float]) -> None:
    """The sentence names the row."""
    with pytest.raises(InputError, match=r"holm: p_values .* row 1"):
        holm(values)
