"""The class of each group, as the user named the classes or a classifier counts them."""

from collections.abc import Hashable, Sequence
from typing import Any

import pytest

from fair_datasets.counterfactual_evaluation.texts import open_classifier
from fair_datasets.system.checks import InputError


def places(groups: Sequence[Hashable], classes: Any = None) -> list[int]:
    """Return the classes of groups of a classifier that is a function."""
    found = open_classifier(len, classes, groups, column="sex", batch_size=8)
    return found.places.tolist()


@pytest.mark.parametrize(
    ("groups", "classes", "expected"),
    [
        ([1, 0, 1], None, [1, 0, 1]),
        (["0", "1"], None, [0, 1]),
        (["m", "w", "m"], ["w", "m"], [1, 0, 1]),
        (["m", "w"], ("m", "w"), [0, 1]),
        ([5, 7], [7, 5], [1, 0]),
    ],
)
def test_groups_have_the_classes_that_are_named(
    groups: Sequence[Hashable], classes: Any, expected: list[int]
) -> None:
    """In their order; without names they are the numbers of the classes."""
    assert places(groups, classes) == expected


@pytest.mark.parametrize(
    ("classes", "groups", "said"),
    [
        (["w"], ["w"], "classes must name the two groups"),
        (["w", "m", "x"], ["w"], "classes must name the two groups"),
        (["w", "w"], ["w"], "classes must name the two groups"),
        ("wm", ["w"], "classes must name the two groups"),
        (5, ["w"], "classes must name the two groups"),
        (["w", "m"], ["w", "x"], "row 1 of column 'sex' holds 'x'"),
        (None, [0, 2], "row 1 of column 'sex' holds 2, but the classes"),
        (None, [True], "row 0 of column 'sex' holds True"),
    ],
)
def test_other_groups_are_told(classes: Any, groups: Sequence[Hashable], said: str) -> None:
    """With the row, and what to do."""
    with pytest.raises(InputError, match=said):
        places(groups, classes)
