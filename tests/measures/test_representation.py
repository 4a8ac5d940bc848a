"""Tests of demographic representation."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cityblock
from scipy.stats import chi2_contingency, fisher_exact, norm
from scipy.stats.contingency import odds_ratio
from sklearn.metrics import mutual_info_score

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.representation import (
    Association,
    label_association,
    likelihood_ratio,
    permuted_maxima,
    representation,
)

NAMES = ("man", "woman", "non-binary")
counted = st.tuples(*[st.integers(0, 3)] * 3, st.sampled_from(["a", "b"]))
rows = st.lists(counted, min_size=1, max_size=20).filter(
    lambda found: all(sum(sum(r[:3]) for r in found if r[3] == n) for n in {r[3] for r in found})
)


def measured(found: list[tuple[Any, ...]], **options: Any) -> Any:
    """Measure rows."""
    return representation(
        [list(row[:3]) for row in found], NAMES, [row[3] for row in found], **options
    )


@given(rows, st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_it_counts(found: list[tuple[Any, ...]], weights: list[int]) -> None:
    """Every figure is a ratio of counts, and the distance is half that of city blocks."""
    reference = {name: weight / sum(weights) for name, weight in zip(NAMES, weights, strict=True)}
    result = measured(found, reference=reference)
    for each, part in [
        (result.all, found),
        *((result.labels[n], [r for r in found if r[3] == n]) for n in result.labels),
    ]:
        table = np.array([row[:3] for row in part])
        assert list(each.mentions.values()) == table.sum(axis=0).tolist()
        shares = table.sum(axis=0) / table.sum()
        assert list(each.shares.values()) == pytest.approx(shares.tolist())
        assert list(each.rows_with.values()) == pytest.approx((table > 0).mean(axis=0).tolist())
        assert each.distance == pytest.approx(cityblock(shares, list(reference.values())) / 2)
        assert 0 <= each.distance <= 1
        assert each.rows == len(part)
    assert set(result.labels) == {row[3] for row in found}


def test_the_ends_of_the_distance() -> None:
    """Equal shares are at 0; a corpus of what should not be there is at 1."""
    assert representation([[1, 1]], ["a", "b"]).all.distance == 0
    assert representation([[2, 0]], ["a", "b"], reference={"a": 0, "b": 1}).all.distance == 1
    assert representation([[2, 0]], ["a", "b"]).all.distance == 0.5
    assert representation([[4]], ["a"]).all.distance == 0


def test_figures_are_those_of_python() -> None:
    """No scalar of numpy comes out, as JSON cannot hold one."""
    result = representation(np.array([[1, 2], [0, 1]]), ["a", "b"], np.array([0, 1]))
    for each in (result.all, *result.labels.values()):
        assert {type(value) for value in each.mentions.values()} == {int}
        assert {type(v) for v in [*each.shares.values(), *each.rows_with.values()]} == {float}
        assert (type(each.distance), type(each.rows)) == (float, int)
    assert {type(label) for label in result.labels} == {int}


def test_nothing_is_mentioned() -> None:
    """Shares of nothing are undefined, and the warning names the label."""
    with pytest.warns(UndefinedMeasureWarning, match="label 'b' mentions no attribute"):
        result = representation([[1, 0], [0, 0]], ["a", "b"], ["a", "b"])
    assert math.isnan(result.labels["b"].shares["a"])
    assert math.isnan(result.labels["b"].distance)
    assert result.labels["b"].rows_with == {"a": 0, "b": 0}
    with pytest.warns(UndefinedMeasureWarning, match="the corpus has no rows"):
        result = representation([], ["a", "b"], [])
    assert math.isnan(result.all.rows_with["a"])
    assert result.labels == {}


cells = st.tuples(*[st.integers(1, 40)] * 4)
mentioning_rows = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2),
    st.sampled_from(["x", "y", "z"])), min_size=1, max_size=30)  # fmt: skip


def of_cells(both: int, mention: int, label: int, neither: int, **options: Any) -> Association:
    """Measure the association of one attribute with one of two labels."""
    counts = [[1]] * (both + mention) + [[0]] * (label + neither)
    labels = ["x"] * both + ["y"] * mention + ["x"] * label + ["y"] * neither
    found = label_association(counts, ["a"], labels, **options)
    return next(each for each in found if each.label == "x")


@settings(deadline=None)
@given(cells, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_against_scipy(four: tuple[int, int, int, int], level: float) -> None:
    """The odds ratio, its interval and p are those of scipy."""
    found = of_cells(*four, level=level)
    table = [[four[0], four[1]], [four[2], four[3]]]
    expected = odds_ratio(table, kind="sample")
    interval = expected.confidence_interval(level)
    assert found.odds_ratio == pytest.approx(expected.statistic, rel=1e-12)
    assert found.odds_ratio_low == pytest.approx(interval.low, rel=1e-9)
    assert found.odds_ratio_high == pytest.approx(interval.high, rel=1e-9)
    assert found.p_value == fisher_exact(table).pvalue
    assert not found.corrected


@given(cells)
def test_the_mean_of_pmi_is_the_mutual_information(four: tuple[int, int, int, int]) -> None:
    """PMI weighed by how often each pair occurs is scikit-learn's mutual information."""
    both, mention, label, neither = four
    mentions = [1] * (both + mention) + [0] * (label + neither)
    labels = ["x"] * both + ["y"] * mention + ["x"] * label + ["y"] * neither
    counts = np.column_stack([mentions, np.subtract(1, mentions)])
    found = label_association(counts, ["with", "without"], labels)
    mean = sum(each.both * each.pmi for each in found) / sum(four)
    assert mean == pytest.approx(mutual_info_score(mentions, labels) / math.log(2), abs=1e-9)


@settings(deadline=None)
@given(mentioning_rows, st.randoms(use_true_random=False))
def test_order_names_and_repetition(found: list[tuple[Any, ...]], random: Any) -> None:
    """Order and names do not matter; a second copy keeps what is no matter of size."""

    def measured(part: list[tuple[Any, ...]]) -> dict[Any, Association]:
        """Measure rows."""
        result = label_association(
            [row[:2] for row in part], ["a", "b"], [row[2] for row in part], undefined="zero"
        )
        return {(each.attribute, each.label): each for each in result}

    result = measured(found)
    assert measured(random.sample(found, len(found))) == result
    numbers = {"x": 2, "y": 1, "z": 0}
    renamed = measured([(*row[:2], numbers[row[2]]) for row in found])
    twice = measured(found * 2)
    for (attribute, label), each in result.items():
        other = renamed[attribute, numbers[label]]
        assert (other.pmi, other.odds_ratio, other.p_value) == (
            each.pmi,
            each.odds_ratio,
            each.p_value,
        )
        again = twice[attribute, label]
        assert again.pmi == pytest.approx(each.pmi, abs=1e-12)
        assert again.corrected == each.corrected
        if not each.corrected:
            assert again.odds_ratio == pytest.approx(each.odds_ratio, rel=1e-12)


def test_how_often_is_no_matter() -> None:
    """A row that mentions an attribute five times mentions it."""
    labels = ["x", "y", "x", "y"]
    assert label_association([[5], [1], [0], [0]], ["a"], labels) == label_association(
        [[1], [1], [0], [0]], ["a"], labels
    )


def test_one_count_is_0() -> None:
    """A half is added to each count, and the result says so."""
    found = of_cells(3, 0, 1, 4, undefined="zero")
    assert found.corrected
    assert found.odds_ratio == pytest.approx(3.5 * 4.5 / (0.5 * 1.5))
    spread = 1.959963984540054 * math.sqrt(1 / 3.5 + 1 / 0.5 + 1 / 1.5 + 1 / 4.5)
    assert found.odds_ratio_low == pytest.approx(found.odds_ratio / math.exp(spread))
    assert found.odds_ratio_high == pytest.approx(found.odds_ratio * math.exp(spread))
    assert found.pmi == pytest.approx(math.log2(3 * 8 / (3 * 4)))


def test_they_never_come_together() -> None:
    """PMI is undefined then, and never minus infinity; the odds ratio is not."""
    with pytest.warns(UndefinedMeasureWarning, match="no row of label 'x' mentions 'a'"):
        found = of_cells(0, 3, 4, 1)
    assert math.isnan(found.pmi)
    assert 0 < found.odds_ratio < 1


@pytest.mark.parametrize(("counts", "labels", "reason"), [
    ([[1], [1]], ["x", "y"], "all rows mention 'a'"),
    ([[0], [0]], ["x", "y"], "no row mentions 'a'"),
    ([[0], [1]], ["x", "x"], "all rows have label 'x'"),
    ([[1]], [7], "all rows mention 'a'"),
])  # fmt: skip
def test_all_rows_or_none(counts: Any, labels: Any, reason: str) -> None:
    """There are no odds to compare where every row is the same."""
    with pytest.warns(UndefinedMeasureWarning, match=reason):
        (found, *_) = label_association(counts, ["a"], labels)
    assert math.isnan(found.odds_ratio)
    assert math.isnan(found.odds_ratio_low)
    assert math.isnan(found.p_value)
    assert math.isnan(found.pmi) == (found.both == 0)
    (zero, *_) = label_association(counts, ["a"], labels, undefined="zero")
    assert (zero.odds_ratio, zero.odds_ratio_high) == (0, 0)
    # Not 0, which would be the strongest evidence.
    assert zero.p_value == 1


def test_no_rows() -> None:
    """Without rows there is no label, so no association."""
    assert label_association([], ["a"], []) == ()


def test_the_likelihood_ratio_is_that_of_scipy() -> None:
    """Whatever is in the cells; without rows on a side, or without two labels, it is 0."""
    generator = np.random.default_rng(0)
    for one, other in generator.integers(0, 40, (50, 2, 2)) + np.eye(2, dtype=int):
        expected = chi2_contingency([one, other], correction=False, lambda_="log-likelihood")
        cells = one[0], one.sum(), one[0] + other[0], one.sum() + other.sum()
        assert likelihood_ratio(*cells) == pytest.approx(expected.statistic, abs=1e-9)
    assert likelihood_ratio([0, 3, 4], [0, 5, 4], [4, 3, 7], [9, 5, 7]).tolist() == [0, 0, 0]


def test_the_maxima_are_those_of_all_permutations() -> None:
    """Of three comparisons of kinds of rows; those of no comparison at all are 0."""
    kinds, labels = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2]), (0, 0, 0, 0, 1, 1, 1, 2, 2)
    ones = np.array([[True, False, False], [False, True, False], [True, True, False]])
    others = np.array([[False, True, True], [False, False, True], [False, False, True]])
    expected = []
    for order in set(itertools.permutations(labels)):
        table = np.zeros((3, 3), int)
        np.add.at(table, (kinds, order), 1)
        mine, theirs = ones @ table, others @ table
        sizes = mine.sum(axis=1, keepdims=True), theirs.sum(axis=1, keepdims=True)
        expected.append(likelihood_ratio(mine, sizes[0], mine + theirs, sum(sizes)).max())
    generator = np.random.default_rng(0)
    found = permuted_maxima(table, ones, others, draws=20_000, generator=generator)
    for value in np.unique(np.round(expected, 9)):
        chance = np.mean(np.array(expected) >= value - 1e-6)
        assert np.mean(found >= value - 1e-6) == pytest.approx(chance, abs=0.015)
    nothing = permuted_maxima(table, ones[:0], others[:0], draws=3, generator=generator)
    assert nothing.tolist() == [0, 0, 0]


@pytest.mark.parametrize("gap", [0.0, 0.2])
def test_the_interval_of_an_odds_ratio_holds_over_families(gap: float) -> None:
    """Of 50 families of one to nine rows like each other; over rows it is much too narrow."""
    random = np.random.default_rng(3)
    shares = np.array([0.3, 0.3 + gap])
    odds = shares / (1 - shares)
    held = np.zeros(2)
    for _ in range(200):
        families = np.repeat(np.arange(50), random.integers(1, 10, 50))
        groups = families % 2
        alike = random.standard_normal(50)[families] + random.standard_normal(len(families))
        labels = (alike / 2**0.5 < norm.ppf(shares)[groups]).astype(int)
        counts = np.stack([groups, 1 - groups], axis=1)
        for place, own in enumerate((families, None)):
            found = label_association(counts, ["a", "b"], labels, families=own)[1]
            held[place] += found.odds_ratio_low <= odds[1] / odds[0] <= found.odds_ratio_high
    assert held[0] >= 180
    assert held[1] < 175
