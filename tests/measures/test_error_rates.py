"""Error rate equality, against its formula and scikit-learn."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from fair_datasets.measures.error_rates import error_rate_equality
from fair_datasets.measures.undefined import UndefinedMeasureWarning
from fair_datasets.system.checks import InputError

ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.sets(st.sampled_from("abc"))), max_size=40
)
COMPLETE = [(0, 0, {"a", "b", "c"}), (1, 1, {"a", "b", "c"})]


def rates(y_true: Any, y_pred: Any) -> tuple[float, float]:
    """Return the false positive and false negative rate."""
    (tn, fp), (fn, tp) = confusion_matrix(y_true, y_pred, labels=[0, 1])
    return fp / (fp + tn), fn / (fn + tp)


@given(ROWS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_it_is_the_sum_of_distances(rows: list[tuple[int, int, set[str]]], random: Any) -> None:
    """Over groups that overlap, as lists and as masks, in any order of the rows."""
    shuffled = random.sample(COMPLETE + rows, len(rows) + 2)
    y_true, y_pred, groups = zip(*shuffled, strict=True)
    masks = {name: np.array([name in own for own in groups]) for name in "abc"}
    overall = rates(y_true, y_pred)
    own = [rates(np.array(y_true)[mask], np.array(y_pred)[mask]) for mask in masks.values()]
    for given_groups in (list(map(sorted, groups)), masks):
        found = error_rate_equality(y_true, y_pred, given_groups)
        fped, fned = (sum(abs(overall[i] - each[i]) for each in own) for i in (0, 1))
        assert found.false_positive_equality_difference == pytest.approx(fped, abs=1e-14)
        assert found.false_negative_equality_difference == pytest.approx(fned, abs=1e-14)
        assert list(found.false_positive_terms) == ["a", "b", "c"]
        assert found.overall.count == len(groups)
    doubled = error_rate_equality(y_true * 2, y_pred * 2, list(map(sorted, groups)) * 2)
    assert doubled.false_positive_terms == found.false_positive_terms


def test_partition_and_masks_agree() -> None:
    """A label per row is the same as one mask per label."""
    y_true, y_pred = [0, 0, 1, 1, 0, 0, 1, 1], [1, 0, 1, 1, 0, 1, 0, 0]
    labels = [*"aaaabbbb"]
    masks = {"a": [1, 1, 1, 1, 0, 0, 0, 0], "b": [0, 0, 0, 0, 1, 1, 1, 1]}
    found = error_rate_equality(y_true, y_pred, labels)
    assert found == error_rate_equality(y_true, y_pred, masks)
    assert found == error_rate_equality(y_true, y_pred, [[label] for label in labels])
    assert found.false_negative_terms == {"a": 0.5, "b": 0.5}


def test_one_class_against_the_rest() -> None:
    """A text class gives what its indicators give."""
    y_true, y_pred = ["a", "b", "c", "b", "b", "a"], ["b", "b", "b", "c", "b", "a"]
    labels = ["x", "x", "x", "y", "y", "y"]
    found = error_rate_equality(y_true, y_pred, labels, positive="b")
    expected = error_rate_equality([0, 1, 0, 1, 1, 0], [1, 1, 1, 0, 1, 0], labels)
    assert str(found) == str(expected)
    with pytest.raises(InputError, match="error_rate_equality: predictions must be 0 or 1, but"):
        error_rate_equality(y_true, y_pred, labels)


def test_undefined_terms() -> None:
    """The group is named, and the sum is not defined."""
    rows: Any = ([0, 1, 0, 1], [0, 1, 1, 1], ["a", "a", "b", "c"])
    with pytest.warns(UndefinedMeasureWarning) as caught:
        found = error_rate_equality(*rows)
    assert [str(warning.message).split(",")[0] for warning in caught] == [
        "error_rate_equality: group 'b' has no rows with reference 1",
        "error_rate_equality: group 'c' has no rows with reference 0",
    ]
    assert math.isnan(found.false_positive_equality_difference)
    assert found.false_positive_terms["a"] == 0.5
    assert math.isnan(found.false_positive_terms["c"])
    zero = error_rate_equality(*rows, undefined="zero")
    assert zero.false_positive_terms["c"] == 0.5
    with pytest.raises(InputError, match="group 'b' has no rows with reference 1"):
        error_rate_equality(*rows, undefined="raise")


@pytest.mark.parametrize("groups", [["a", "a"], {"a": [1, 1]}, [[], []], {}])
def test_nothing_to_compare(groups: Any) -> None:
    """One group of all rows, or no group: NaN, not a perfect 0."""
    with pytest.warns(UndefinedMeasureWarning, match="the only group is all rows"):
        found = error_rate_equality([0, 1], [0, 1], groups)
    assert math.isnan(found.false_positive_equality_difference)


def test_no_rows() -> None:
    """Nothing is defined."""
    with pytest.warns(UndefinedMeasureWarning):
        found = error_rate_equality([], [], [])
    assert math.isnan(found.false_negative_equality_difference)
    assert found.overall.count == 0


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        (
            [["a"], "b"],
            r"groups must be a list of labels in every row or in none, but row 1 is 'b'",
        ),
        ([["a"], [None]], r"groups has no label in row 1 \(\[None\]\)"),
        ([["a"], None], r"groups has no label in row 1 \(None\)"),
        ({"a": [1]}, r"predictions has 2 rows, but groups has 1"),
        ({"a": [1, 2]}, r"groups\['a'\] must be 0 or 1, but row 1 is 2"),
        ({"a": [1, 0], "b": [1]}, r"groups\['a'\] has 2 rows, but groups\['b'\] has 1"),
        ([["a"], [["b"]]], "groups must be one label per row"),
        ("ab", "groups must be a list or array with one value per row"),
        (None, "groups must be a list or array with one value per row"),
    ],
)
def test_wrong_groups(groups: Any, sentence: str) -> None:
    """The sentence names the row."""
    with pytest.raises(InputError, match=f"error_rate_equality: {sentence}"):
        error_rate_equality([0, 1], [0, 1], groups)


def test_missing_group() -> None:
    """Rows without a label are a group of their own if asked for."""
    rows: Any = ([0, 1, 0, 1], [0, 1, 1, 1])
    for groups in (["a", "a", None, None], [["a"], ["a"], None, None]):
        found = error_rate_equality(*rows, groups, missing_group="own")
        assert found.groups[None].count == 2
