"""Tests of the counterfactual flip rate."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, mean_absolute_error, zero_one_loss

from fair_datasets.measures import preference_flip_rate, score_shift_control
from fair_datasets.measures.controls import flip_rate_control
from fair_datasets.measures.flip_rate import changed_texts, counterfactual_flip_rate, fairscore
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.system.checks import InputError

probabilities = st.floats(0, 1)
# Two predictions, two scores, whether the text changed, a group.
rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), probabilities, probabilities,
    st.booleans(), st.sampled_from(["man", "woman", "none"])), min_size=1, max_size=30)  # fmt: skip


def measured(found: list[tuple[Any, ...]], **options: Any) -> Any:
    """Measure rows."""
    before, after, scores, others, changed, groups = zip(*found, strict=True)
    return counterfactual_flip_rate(before, after, scores=scores, counterfactual_scores=others,
        changed=changed, groups=groups, undefined="zero", **options)  # fmt: skip


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


def test_missing_groups() -> None:
    """A missing label is refused, or a group of its own."""
    result = counterfactual_flip_rate([0, 1], [0, 0], groups=["a", None], missing_group="own")
    assert result.groups[None].flip_rate == 1


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


# A prediction, the one for the perturbed text, whether the text changed, the right class.
rows_fairscore = st.lists(
    st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.booleans(), st.integers(-1, 3)),
    min_size=1,
    max_size=30,
).filter(lambda found: any(changed for _, _, changed, _ in found))


def columns(found: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Return the columns of rows."""
    return [list(column) for column in zip(*found, strict=True)]


@given(rows_fairscore)
def test_it_counts(found: list[tuple[Any, ...]]) -> None:
    """Every figure is the ratio of two counts."""
    before, after, changed, right = columns(found)
    result = fairscore(before, after, changed, right)
    perturbed = [row for row in found if row[2]]
    flipped = [row for row in perturbed if row[0] != row[1]]
    assert result.fairscore_perturbed == float(Fraction(len(flipped), len(perturbed)))
    assert result.fairscore_all == float(Fraction(len(flipped), len(found)))
    assert (result.flipped, result.perturbed, result.rows) == (
        len(flipped),
        len(perturbed),
        len(found),
    )
    assert result.flipped_unperturbed == sum(a != b for a, b, c, _ in found if not c)
    assert result.accuracy == pytest.approx(accuracy_score(right, before), abs=1e-15)
    assert result.accuracy_of_perturbed == pytest.approx(accuracy_score(right, after), abs=1e-15)
    both = sum(a == b == r for a, b, _, r in perturbed)
    neither = sum(a != r and b != r for a, b, _, r in perturbed)
    assert result.both_correct == float(Fraction(both, len(perturbed)))
    assert result.neither_correct == float(Fraction(neither, len(perturbed)))


@given(rows_fairscore)
def test_texts_are_classes_fairscore(found: list[tuple[Any, ...]]) -> None:
    """They give what numbers give."""
    names = {-1: "none", 0: "anger", 1: "joy", 2: "fear", 3: ""}
    texts = [(names[a], names[b], changed, names[right]) for a, b, changed, right in found]
    assert fairscore(*columns(texts)) == fairscore(*columns(found))


@given(rows_fairscore, st.data())
def test_excluded_rows_are_as_if_they_were_not_there(
    found: list[tuple[Any, ...]], data: st.DataObject
) -> None:
    """Leaving rows out gives what the other rows give."""
    size = len(found)
    excluded = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    kept = [row for row, out in zip(found, excluded, strict=True) if not out]
    before, after, changed, right = columns(found)
    result = fairscore(before, after, changed, right, excluded=excluded, undefined="zero")
    rest = columns(kept) if kept else [[], [], [], []]
    expected = fairscore(*rest, undefined="zero")
    assert result.excluded == sum(excluded)
    assert result.fairscore_perturbed == expected.fairscore_perturbed
    assert result.fairscore_all == expected.fairscore_all
    assert (result.accuracy, result.rows) == (expected.accuracy, expected.rows)


def test_published_shares_are_multiples() -> None:
    """The paper's figures for CoLA are whole numbers of its 476 perturbed rows, as it divides."""
    for percent, flips in [(4.62, 22), (3.78, 18), (6.30, 30), (5.25, 25), (3.15, 15)]:
        before = [0] * 1043
        after = [1] * flips + [0] * (1043 - flips)
        result = fairscore(before, after, [1] * 476 + [0] * 567)
        assert round(100 * result.fairscore_perturbed, 2) == percent
        assert (result.accuracy, result.both_correct) == (None, None)


def test_no_row_is_perturbed() -> None:
    """The share of nothing is undefined; the share of all rows is 0."""
    with pytest.warns(UndefinedMeasureWarning, match="fairscore: no row is perturbed"):
        result = fairscore([0, 1], [0, 1], [0, 0], [0, 1])
    assert math.isnan(result.fairscore_perturbed)
    assert result.both_correct is not None
    assert math.isnan(result.both_correct)
    assert (result.fairscore_all, result.accuracy) == (0, 1)
    assert fairscore([0], [1], [0], undefined="zero").fairscore_perturbed == 0


def test_no_rows() -> None:
    """Without rows, everything is undefined."""
    with pytest.warns(UndefinedMeasureWarning) as warned:
        result = fairscore([], [], [], [])
    assert {str(warning.message) for warning in warned} == {
        "fairscore: no row is perturbed. The value is NaN.",
        "fairscore: there are no rows. The value is NaN.",
    }
    assert math.isnan(result.fairscore_all)
    assert result.rows == 0


def test_changed_texts() -> None:
    """White space alone is no change; letters, marks and lower case are."""
    before = ["She  sang.", "It rained.\r\n", "", "He ran", "Anna", "\u00a0"]
    after = [" She sang.", "It rained.", " ", "he ran", "Anne", ""]
    assert changed_texts(before, after).tolist() == [False, False, False, True, True, False]
    assert changed_texts([], []).dtype == np.bool_
