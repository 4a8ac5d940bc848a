"""Tests of the counterfactual flip rate."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, mean_absolute_error, zero_one_loss

from fair_datasets.measures import preference_flip_rate, score_shift_control
from fair_datasets.measures.controls import flip_rate_control
from fair_datasets.measures.fairscore import fairscore
from fair_datasets.measures.flip_rate import counterfactual_flip_rate
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.system.checks import InputError

probabilities = st.floats(0, 1)
# Two predictions, two scores, whether the text changed, a group.
rows = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.integers(0, 1),
        probabilities,
        probabilities,
        st.booleans(),
        st.sampled_from(["man", "woman", "none"]),
    ),
    min_size=1,
    max_size=30,
)


def measured(found: list[tuple[Any, ...]], **options: Any) -> Any:
    """Measure rows."""
    before, after, scores, others, changed, groups = zip(*found, strict=True)
    return counterfactual_flip_rate(
        before,
        after,
        scores=scores,
        counterfactual_scores=others,
        changed=changed,
        groups=groups,
        undefined="zero",
        **options,
    )


@given(rows)
def test_against_scikit_learn(found: list[tuple[Any, ...]]) -> None:
    """The rate is a zero-one loss, the directions are cells of a confusion matrix."""
    before, after, scores, others, changed, groups = zip(*found, strict=True)
    result = measured(found)
    assert result.all.flip_rate == pytest.approx(zero_one_loss(before, after), abs=1e-15)
    cells = confusion_matrix(before, after, labels=[0, 1])
    assert (result.all.flips_to_1, result.all.flips_to_0) == (cells[0, 1], cells[1, 0])
    expected = mean_absolute_error(scores, others)
    assert result.all.mean_absolute_score_change == pytest.approx(expected, abs=1e-12)
    if any(changed):
        score = fairscore(before, after, changed)
        assert result.changed.flip_rate == score.fairscore_perturbed
        assert (result.changed.flips, result.changed.rows) == (score.flipped, score.perturbed)
    assert set(result.groups) == set(groups)
    assert sum(each.flips for each in result.groups.values()) == result.changed.flips
    assert sum(each.rows for each in result.groups.values()) == result.changed.rows


@given(rows)
def test_a_group_is_as_if_it_were_alone(found: list[tuple[Any, ...]]) -> None:
    """A group's figures are those of its rows."""
    for name, each in measured(found).groups.items():
        assert each == measured([row for row in found if row[5] == name]).changed


@given(rows)
def test_texts_are_classes(found: list[tuple[Any, ...]]) -> None:
    """They give what numbers give, but for the directions, which no text has."""
    names = ["refused", "granted"]
    result = measured([(names[a], names[b], *rest) for a, b, *rest in found])
    expected = measured(found)
    assert result.all == replace(expected.all, flips_to_1=None, flips_to_0=None)
    assert [rates.flips for rates in result.groups.values()] == [
        rates.flips for rates in expected.groups.values()
    ]
    before, after, *_ = zip(*found, strict=True)
    texts = ([names[a] for a in before], [names[b] for b in after])
    assert result.all.flip_rate == pytest.approx(zero_one_loss(*texts), abs=1e-15)


def test_many_classes() -> None:
    """There are no directions with other classes than 0 and 1."""
    result = counterfactual_flip_rate([0, 2, 1], [2, 2, 0])
    assert result.all.flip_rate == float(Fraction(2, 3))
    assert (result.all.flips_to_1, result.all.flips_to_0) == (None, None)
    assert result.changed is None
    assert result.groups == {}


def test_rows_that_did_not_change_bring_the_rate_down() -> None:
    """Over changed rows the rate is higher than over all."""
    result = counterfactual_flip_rate([0, 0, 0, 0], [1, 0, 0, 0], changed=[1, 1, 0, 0])
    assert (result.all.flip_rate, result.changed and result.changed.flip_rate) == (0.25, 0.5)


def test_undefined() -> None:
    """The warning names what is empty."""
    with pytest.warns(UndefinedMeasureWarning, match="there are no rows"):
        result = counterfactual_flip_rate([], [], scores=[], counterfactual_scores=[])
    assert math.isnan(result.all.flip_rate)
    assert result.all.mean_absolute_score_change is not None
    assert math.isnan(result.all.mean_absolute_score_change)
    with pytest.warns(UndefinedMeasureWarning, match="there are no changed rows in group 'b'"):
        result = counterfactual_flip_rate([0, 1], [1, 1], changed=[1, 0], groups=["a", "b"])
    assert result.groups["a"].flip_rate == 1
    assert math.isnan(result.groups["b"].flip_rate)
    with pytest.raises(InputError, match="counterfactual_flip_rate: there are no changed rows"):
        counterfactual_flip_rate([0], [0], changed=[0], undefined="raise")


def test_missing_groups() -> None:
    """A missing label is refused, or a group of its own."""
    with pytest.raises(InputError, match="groups has no label in row 1"):
        counterfactual_flip_rate([0, 1], [0, 0], groups=["a", None])
    result = counterfactual_flip_rate([0, 1], [0, 0], groups=["a", None], missing_group="own")
    assert result.groups[None].flip_rate == 1


@pytest.mark.parametrize(("options", "sentence"), [
    ({"scores": [0.1, 0.2]}, "counterfactual_scores is missing"),
    ({"counterfactual_scores": [0.1, 0.2]}, "rate: scores is missing"),
    ({"scores": [0.1, 0.2], "counterfactual_scores": [0.1]},
     "scores has 2 rows, but counterfactual_scores has 1"),
    ({"scores": [0.1], "counterfactual_scores": [0.1]}, "but scores has 1"),
    ({"scores": [0.1, math.nan], "counterfactual_scores": [0, 0]}, "scores has no value in row 1"),
    ({"changed": [1]}, "but changed has 1"),
    ({"changed": [1, 0.5]}, "changed must be classes .*, but row 1 is 0.5"),
    ({"groups": ["a"]}, "but groups has 1"),
    ({"undefined": "none", "changed": [0, 0]}, "undefined must be one of"),
])  # fmt: skip
def test_wrong_options(options: dict[str, Any], sentence: str) -> None:
    """One sentence names the argument and the row."""
    with pytest.raises(InputError, match=sentence):
        counterfactual_flip_rate([0, 1], [1, 1], **options)


@pytest.mark.parametrize(("before", "after", "sentence"), [
    ([0.7, 1], [0, 1], "predictions must be classes .*, but row 0 is 0.7"),
    ([0, 1], [0, None], "counterfactual_predictions has no value in row 1"),
    (["0", "1"], [0, 1], "texts in all rows or in none: .* row 0 of counterfactual_predictions"),
    (["a", None], ["a", "b"], "predictions has no value in row 1"),
    ([0, 1], [0], "predictions has 2 rows, but counterfactual_predictions has 1"),
    ([[0.1, 0.9]], [1], "predictions must"),
])  # fmt: skip
def test_wrong_predictions(before: Any, after: Any, sentence: str) -> None:
    """Logits and probabilities are never thresholded in silence."""
    with pytest.raises(InputError, match=sentence):
        counterfactual_flip_rate(before, after)


def test_a_control_stands_beside_the_changed_rows() -> None:
    """Of classes that are texts as well; a row that does not change has no placebo to count."""
    first = [["a", "a"], ["a", "b"], ["b", "b"]]
    second = [["b", "a"], ["a", "b"], ["a", "a"]]
    found = counterfactual_flip_rate(
        ["a", "a", "b"], ["b", "b", "b"], changed=[1, 1, 0], control_predictions=first,
        control_counterfactual_predictions=second,
    )  # fmt: skip
    assert found.control is not None
    assert (found.control.flip_rate, found.control.flip_rate_control) == (1, 0.25)
    assert found.control == flip_rate_control([1, 1], [[1, 0], [0, 0]])
    for wrong, sentence in (
        ({"control_predictions": first}, "control_counterfactual_predictions is missing"),
        ({"control_predictions": first, "control_counterfactual_predictions": second[:2]},
         r"their shapes are \(3, 2\) and \(2, 2\)"),
        ({"control_predictions": first[:2], "control_counterfactual_predictions": second[:2]},
         "control_predictions"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=sentence):
            counterfactual_flip_rate(["a", "a", "b"], ["b", "b", "b"], **wrong)


BEFORE = [2.0, 0.5, -1.0, 0.0, 0.25]
AFTER = [1.5, -0.5, -1.0, 0.5, 0.0]


def test_by_hand() -> None:
    """A difference of 0 prefers nobody, which counts as the rejected answer."""
    found = preference_flip_rate(BEFORE, AFTER, changed=[1, 1, 0, 1, 1], groups=list("abbab"))
    assert (found.all.flip_rate, found.all.flips, found.all.rows) == (0.6, 3, 5)
    assert (found.all.flips_to_1, found.all.flips_to_0) == (1, 2)
    assert found.all.mean_absolute_score_change == pytest.approx(0.45)
    assert found.changed is not None
    assert found.changed.flip_rate == 0.75
    assert (found.accuracy, found.counterfactual_accuracy) == (0.75, 0.5)
    assert {name: each.flips for name, each in found.groups.items()} == {"a": 1, "b": 2}
    assert (found.control, found.shift_control) == (None, None)


def test_the_control_is_that_of_every_flip_rate() -> None:
    """Over the changed rows alone: the flips by rank, and the signed shift."""
    generator = np.random.default_rng(0)
    first, second = generator.normal(size=(2, 5, 9))
    changed = np.array([1, 1, 0, 1, 1], bool)
    found = preference_flip_rate(
        BEFORE, AFTER, changed=changed, control_differences=first,
        control_counterfactual_differences=second.tolist(),
    )  # fmt: skip
    flips = (np.array(BEFORE) > 0) != (np.array(AFTER) > 0)
    assert found.control == flip_rate_control(
        flips[changed], ((first > 0) != (second > 0))[changed]
    )
    shifts = np.array(AFTER) - np.array(BEFORE)
    assert found.shift_control == score_shift_control(shifts[changed], (second - first)[changed])


def test_without_rows_nothing_is_defined() -> None:
    """Neither rates nor accuracies."""
    with pytest.warns(UndefinedMeasureWarning, match="^preference_flip_rate: there are no changed"):
        found = preference_flip_rate([1.0], [2.0], changed=[0])
    assert math.isnan(found.accuracy)
    assert preference_flip_rate([1.0], [2.0], changed=[0], undefined="zero").accuracy == 0


@pytest.mark.parametrize(("wrong", "sentence"), [
    ({"differences": [math.nan, *BEFORE[1:]]}, "differences has no value in row 0"),
    ({"counterfactual_differences": [math.inf] * 5}, "counterfactual_differences must be fin"),
    ({"counterfactual_differences": [1.0]}, "differences has 5 rows, but counterfactual_diff"),
    ({"changed": [1, 0, 2, 0, 0]}, "changed must be 0 or 1, but row 2 is 2"),
    ({"groups": ["a"]}, "differences has 5 rows, but groups has 1"),
    ({"groups": ["a", None, "b", "b", "b"]}, "groups has no label in row 1"),
    ({"undefined": "none"}, "undefined must be one of"),
    ({"control_differences": [[1.0]] * 5}, "control_counterfactual_differences is missing"),
    ({"control_differences": [[1.0]] * 5, "control_counterfactual_differences": [1.0] * 5},
     r"control_counterfactual_differences must have a row of draws .* shape is \(5,\)"),
    ({"control_differences": [[1.0]] * 5, "control_counterfactual_differences": [[1.0, 2.0]] * 5},
     "there must be as many draws in both controls, but control_differences has 1"),
    (
        {
            "control_differences": [[1.0]] * 4 + [[math.nan]],
            "control_counterfactual_differences": [[1.0]] * 5,
        },
        "control_differences must be finite, but row 4, draw 0 is nan",
    ),
])  # fmt: skip
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence names the argument, the row and the value."""
    given = {"differences": BEFORE, "counterfactual_differences": AFTER, **wrong}
    with pytest.raises(InputError, match=f"preference_flip_rate: {sentence}"):
        preference_flip_rate(
            given.pop("differences"), given.pop("counterfactual_differences"), **given
        )
