"""Tests of saving a direction, and of the files that are refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from fair_datasets.models import DemographicDirection, word_direction
from fair_datasets.models.direction import pair_direction

WORDS = {"he": [1.0, 0.2], "she": [0.1, 1.0], "man": [1.0, 0.0], "woman": [0.0, 0.7]}


def test_it_comes_back(tmp_path: Path) -> None:
    """To the last bit, with its provenance; the same direction makes the same file."""
    direction = word_direction(WORDS)
    direction.save(tmp_path / "one.safetensors")
    again = DemographicDirection.load(tmp_path / "one.safetensors")
    again.save(tmp_path / "two.safetensors")
    assert (tmp_path / "one.safetensors").read_bytes() == (
        tmp_path / "two.safetensors"
    ).read_bytes()
    assert np.array_equal(again.vector, direction.vector)
    for name in ("axis", "poles", "explained_variance", "offset", "baseline", "provenance"):
        assert getattr(again, name) == getattr(direction, name)


def test_a_folder_has_a_card(tmp_path: Path) -> None:
    """Which is not written over."""
    word_direction(WORDS).save_pretrained(tmp_path / "d")
    card = (tmp_path / "d" / "README.md").read_text()
    assert "from `man` to `woman`" in card
    assert '"missing"' in card
    (tmp_path / "d" / "README.md").write_text("mine")
    word_direction(WORDS).save_pretrained(tmp_path / "d")
    assert (tmp_path / "d" / "README.md").read_text() == "mine"
    assert DemographicDirection.from_pretrained(tmp_path / "d").poles == ("man", "woman")


def test_a_cosine_does_not_depend_on_other_rows() -> None:
    """To the last bit, as a row's score must not depend on its batch."""
    rows = np.random.default_rng(0).normal(size=(200, 25)).astype(np.float32)
    unit = np.ones(25) / 5
    direction = DemographicDirection(unit, axis="a", poles=("x", "y"))
    together = direction.cosines(rows)
    assert together.tolist() == [direction.cosines(rows[k : k + 1]).item() for k in range(200)]


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


def test_only_some_pairs_orient_it() -> None:
    """Those that mention one attribute alone."""
    first, second = [[0.0, 0], [0.0, 0], [9.0, 0]], [[1.0, 0], [1.0, 0], [0.0, 0]]
    assert pair_direction(first, second).vector[0] == -1
    assert pair_direction(first, second, [True, True, False]).vector[0] == 1
