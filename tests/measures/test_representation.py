"""Tests of demographic representation."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cityblock

from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.representation import representation
from fair_datasets.system.checks import InputError

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
    with pytest.raises(InputError, match="the corpus mentions no attribute"):
        representation([[0, 0]], ["a", "b"], undefined="raise")


@pytest.mark.parametrize(("counts", "sentence"), [
    ([[1, 0], [1]], "counts must have one number for each of the 2 attributes, but row 1"),
    ([1, 0], "counts must have one number for each of the 2 attributes, but row 0 is 1"),
    (np.zeros((2, 3)), "counts must have one number for each of the 2 attributes, but row 0"),
    ([[1, 0], [1, -1]], "counts must not be below 0, but row 1 has -1 for 'b'"),
    ([[1, 0], [1, None]], "counts of 'b' has no value in row 1"),
    (None, "counts must be a list or array with one vector per row, but it is None"),
    ([[1, 0.5]], "counts of 'b' must be classes .* row 0 is 0.5"),
])  # fmt: skip
def test_wrong_counts(counts: Any, sentence: str) -> None:
    """One sentence names the row and the attribute."""
    with pytest.raises(InputError, match=f"representation: {sentence}"):
        representation(counts, ["a", "b"])


@pytest.mark.parametrize(("reference", "sentence"), [
    ({"a": 1}, "reference has no share for 'b'; give 0"),
    ({"a": 0.5, "b": 0.4}, "shares of reference must sum to 1, but they sum to 0.9"),
    ({"a": 0.5, "B": 0.5}, "an attribute of reference must be one of 'a', 'b', .* 'B'"),
    ({"a": 1.5, "b": -0.5}, "reference of 'a' must be a number from 0 to 1"),
    ([0.5, 0.5], "reference must map each attribute to its share"),
])  # fmt: skip
def test_wrong_references(reference: Any, sentence: str) -> None:
    """The reference names every attribute and sums to 1."""
    with pytest.raises(InputError, match=f"representation: .*{sentence}"):
        representation([[1, 0]], ["a", "b"], reference=reference)


@pytest.mark.parametrize(("attributes", "labels", "sentence"), [
    (["a", "b"], ["x", None], "labels has no label in row 1"),
    (["a", "b"], [math.nan, 1.0], "labels has no label in row 0"),
    (["a", "b"], ["x"], "counts has 2 rows, but labels has 1"),
    (["a", "b"], "xy", "labels must be"),
    (["a", "a"], None, "attributes must name at least one attribute and none twice"),
    ([], None, "attributes must name at least one"),
    (["a", 3], None, "attributes must be a string or a list of strings"),
])  # fmt: skip
def test_wrong_labels_and_attributes(attributes: Any, labels: Any, sentence: str) -> None:
    """One sentence names the argument."""
    with pytest.raises(InputError, match=f"representation: {sentence}"):
        representation([[1, 0], [0, 1]], attributes, labels)
