"""Tests of the association of labels with attributes."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact
from scipy.stats.contingency import odds_ratio
from sklearn.metrics import mutual_info_score

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.label_association import Association, label_association
from fair_datasets.system.checks import InputError

cells = st.tuples(*[st.integers(1, 40)] * 4)
rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from(["x", "y", "z"])),
    min_size=1,
    max_size=30,
)


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
@given(rows, st.randoms(use_true_random=False))
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
    with pytest.raises(InputError, match="no row of label 'x' mentions 'a'"):
        of_cells(0, 3, 4, 1, undefined="raise")


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


@pytest.mark.parametrize(("labels", "options", "sentence"), [
    (["x", None], {}, "labels has no label in row 1"),
    (["x"], {}, "counts has 2 rows, but labels has 1"),
    ([["x"], ["y"]], {}, "labels must be one label per row"),
    (["x", "y"], {"level": 95}, "level must be a number from 0 to 1, but it is 95"),
    (["x", "y"], {"level": 1.0}, "level must be above 0 and below 1"),
    (["x", "y"], {"level": True}, "level must be a number from 0 to 1"),
    (["x", "y"], {"level": math.nan}, "level must be a number from 0 to 1"),
])  # fmt: skip
def test_wrong_arguments(labels: Any, options: dict[str, Any], sentence: str) -> None:
    """One sentence names the argument."""
    with pytest.raises(InputError, match=f"label_association: {sentence}"):
        label_association([[1], [0]], ["a"], labels, **options)
