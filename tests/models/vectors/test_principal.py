"""Tests of the direction of pairs against scikit-learn, and of its orientation."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from fair_datasets import InputError
from fair_datasets.models.vectors.principal import pair_direction


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(2, 9))
def test_it_is_the_principal_component_of_the_stacked_halves(
    seed: int, pairs: int, width: int
) -> None:
    """As scikit-learn finds it, up to the sign, which the pairs give."""
    generator = np.random.default_rng(seed)
    first, second = generator.normal(size=(2, pairs, width))
    second += 2
    centre = (first + second) / 2
    fitted = PCA(1).fit(np.concatenate([first - centre, second - centre]))
    found = pair_direction(first, second)
    assert found.explained == pytest.approx(fitted.explained_variance_ratio_[0])
    assert np.linalg.norm(found.vector) == pytest.approx(1)
    assert ((second - first) @ found.vector).mean() > 0
    gap = np.linalg.svd(second - first, compute_uv=False)
    if gap[0] > 1.01 * gap[1]:
        assert abs(found.vector @ fitted.components_[0]) == pytest.approx(1, abs=1e-6)


def test_plain_differences_would_lose_it() -> None:
    """Where all pairs differ alike, a centred PCA of their differences finds the noise."""
    generator = np.random.default_rng(0)
    first = generator.normal(size=(20, 5))
    second = first + [3, 0, 0, 0, 0] + generator.normal(size=(20, 5)) / 10
    assert pair_direction(first, second).vector[0] > 0.99
    assert abs(PCA(1).fit(second - first).components_[0, 0]) < 0.9


def test_turned_pairs_turn_it() -> None:
    """The other order gives the other sign."""
    first, second = np.random.default_rng(1).normal(size=(2, 6, 4))
    found, turned = pair_direction(first, second + 1), pair_direction(second + 1, first)
    assert np.allclose(found.vector, -turned.vector)


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ([[1.0, 0.0]], [[0.0, 1.0]], "there is 1 pair, but a direction needs at least 2"),
        (np.zeros((0, 2)), np.zeros((0, 2)), "there are no pairs"),
        ([[1.0], [2.0]], [[1.0], [2.0]], "the members of each pair are alike"),
        ([[1.0, 0], [2.0, 0]], [[1.0], [2.0]], "a vector of one length, but the shapes are"),
        ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]], "do not say which end .* is which"),
    ],
)
def test_what_gives_no_direction_is_refused(first: Any, second: Any, sentence: str) -> None:
    """No direction without an orientation is returned."""
    with pytest.raises(InputError, match=sentence):
        pair_direction(first, second)


def test_only_some_pairs_orient_it() -> None:
    """Those that mention one attribute alone."""
    first, second = [[0.0, 0], [0.0, 0], [9.0, 0]], [[1.0, 0], [1.0, 0], [0.0, 0]]
    assert pair_direction(first, second).vector[0] == -1
    assert pair_direction(first, second, [True, True, False]).vector[0] == 1
    with pytest.raises(InputError, match="do not say which end"):
        pair_direction(first, second, [False] * 3)
