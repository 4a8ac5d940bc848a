"""Tests of the preference flip rate."""

import math
from typing import Any

import numpy as np
import pytest

from fair_datasets import InputError
from fair_datasets.measures import (
    UndefinedMeasureWarning,
    flip_rate_control,
    preference_flip_rate,
    score_shift_control,
)

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


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"differences": [math.nan, *BEFORE[1:]]}, "differences has no value in row 0"),
        ({"counterfactual_differences": [math.inf] * 5}, "counterfactual_differences must be fin"),
        ({"counterfactual_differences": [1.0]}, "differences has 5 rows, but counterfactual_diff"),
        ({"changed": [1, 0, 2, 0, 0]}, "changed must be 0 or 1, but row 2 is 2"),
        ({"groups": ["a"]}, "differences has 5 rows, but groups has 1"),
        ({"groups": ["a", None, "b", "b", "b"]}, "groups has no label in row 1"),
        ({"undefined": "none"}, "undefined must be one of"),
        ({"control_differences": [[1.0]] * 5}, "control_counterfactual_differences is missing"),
        (
            {"control_differences": [[1.0]] * 5, "control_counterfactual_differences": [1.0] * 5},
            r"control_counterfactual_differences must have a row of draws .* shape is \(5,\)",
        ),
        (
            {
                "control_differences": [[1.0]] * 5,
                "control_counterfactual_differences": [[1.0, 2.0]] * 5,
            },
            "there must be as many draws in both controls, but control_differences has 1",
        ),
        (
            {
                "control_differences": [[1.0]] * 4 + [[math.nan]],
                "control_counterfactual_differences": [[1.0]] * 5,
            },
            "control_differences must be finite, but row 4, draw 0 is nan",
        ),
    ],
)
def test_wrong_inputs(wrong: dict[str, Any], sentence: str) -> None:
    """The sentence names the argument, the row and the value."""
    given = {"differences": BEFORE, "counterfactual_differences": AFTER, **wrong}
    with pytest.raises(InputError, match=f"preference_flip_rate: {sentence}"):
        preference_flip_rate(
            given.pop("differences"), given.pop("counterfactual_differences"), **given
        )
