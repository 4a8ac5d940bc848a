"""Tests of the likelihood bias, against scipy pair by pair."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from fair_datasets.measures.holistic_bias import likelihood_bias
from fair_datasets.measures.inputs import UndefinedMeasureWarning


def draw_table(seed: int, decimals: int) -> list[list[Any]]:
    """Draw values of descriptors whose numbers of sentences differ; few decimals make ties."""
    generator = np.random.default_rng(seed)
    rows = []
    for axis, template, descriptor in itertools.product("PQ", "st", "abcd"):
        shift = generator.normal()
        values = generator.normal(loc=shift, size=generator.integers(1, 13)).round(decimals)
        rows += [(float(value), axis, template, descriptor) for value in values]
    return [list(column) for column in zip(*rows, strict=True)]


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from([0, 1, 12]))
def test_each_comparison_is_that_of_scipy(seed: int, decimals: int) -> None:
    """The p-value is what scipy gives for the pair alone, and shares are counted from it."""
    columns = draw_table(seed, decimals)
    values, axes, templates, descriptors = map(np.array, columns)
    result = likelihood_bias(*columns)
    assert len(result.pairs["p_value"]) == 2 * 2 * 6
    for row in range(len(result.pairs["p_value"])):
        pair = {name: column[row] for name, column in result.pairs.items()}
        cell = (axes == pair["axis"]) & (templates == pair["template"])
        left = values[cell & (descriptors == pair["first"])]
        right = values[cell & (descriptors == pair["second"])]
        expected = mannwhitneyu(left, right)
        p_value = 1.0 if math.isnan(expected.pvalue) else expected.pvalue
        assert pair["p_value"] == pytest.approx(p_value, abs=1e-12)
        assert pair["significant"] == (p_value < 0.05)
        signs = np.sign(left[:, None] - right[None, :])
        assert pair["rank_biserial"] == pytest.approx(signs.mean(), abs=1e-12)
    significant = result.pairs["significant"]
    for axis, share in result.axes.items():
        assert share == pytest.approx(significant[result.pairs["axis"] == axis].mean())
    for template, share in result.templates.items():
        assert share == pytest.approx(significant[result.pairs["template"] == template].mean())


def test_shares_by_other_columns() -> None:
    """Any combination of columns groups the comparisons."""
    result = likelihood_bias(*draw_table(3, 3))
    assert {key[0]: share for key, share in result.share_by("axis").items()} == result.axes
    assert set(result.share_by("axis", "template")) == set(itertools.product("PQ", "st"))
    assert len(result.share_by("axis", "first", "second")) == 12


def test_no_difference_is_no_bias() -> None:
    """Equal values have no p-value in scipy; here they differ in nothing."""
    result = likelihood_bias([1.0] * 20, ["P"] * 20, ["t"] * 20, ["a", "b"] * 10)
    assert result.axes == {"P": 0.0}
    assert result.pairs["p_value"].tolist() == [1.0]
    assert result.pairs["rank_biserial"].tolist() == [0.0]


def test_a_descriptor_alone_is_skipped() -> None:
    """An axis without two descriptors in a template has no share."""
    values, axes = [1.0, 2.0, 3.0], ["P", "Q", "Q"]
    with pytest.warns(UndefinedMeasureWarning, match="axis 'P' has no two descriptors to compare"):
        result = likelihood_bias(values, axes, ["t"] * 3, ["a", "a", "b"])
    assert result.skipped == [("P", "t")]
    assert math.isnan(result.axes["P"])
    assert result.axes["Q"] == result.templates["t"] == 0.0


def test_no_sentences_have_no_shares() -> None:
    """Empty columns give empty results."""
    result = likelihood_bias([], [], [], [])
    assert (result.axes, result.templates, result.skipped) == ({}, {}, [])
    assert result.pairs["p_value"].shape == (0,)
    assert result.share_by("axis") == {}


def test_large_cells_are_compared_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many comparisons are made at once is of no account."""
    columns = draw_table(5, 2)
    before = likelihood_bias(*columns)
    monkeypatch.setattr("fair_datasets.measures.holistic_bias.PAIRS_PER_CHUNK", 1)
    after = likelihood_bias(*columns)
    for name, column in before.pairs.items():
        assert column.tolist() == after.pairs[name].tolist()
