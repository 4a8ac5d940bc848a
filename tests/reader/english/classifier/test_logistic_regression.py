"""Fitting a logistic regression."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from fair_datasets.reader.english.classifier.logistic_regression import fit


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.floats(0.1, 10))
def test_the_gradient_is_zero_where_it_stops(answers: list[bool], penalty: float) -> None:
    """With one feature that all examples have, the pull of the answers balances the penalty."""
    signs = 2.0 * np.array(answers) - 1
    (weight,) = fit(csr_matrix(np.ones((len(answers), 1))), signs, np.ones(len(answers)), penalty)
    pull = (signs / (1 + np.exp(signs * weight))).sum()
    assert pull == pytest.approx(penalty * weight, abs=0.01)


def test_an_example_may_count_more() -> None:
    """Of two examples that gainsay each other, the heavier one wins."""
    rows = csr_matrix(np.ones((2, 1)))
    (weight,) = fit(rows, np.array([1.0, -1.0]), np.array([2.0, 1.0]), 1.0)
    assert weight > 0
