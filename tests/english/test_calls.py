"""Words for relatives that somebody is called by, and groups that are set against another."""

import pytest

from fair_datasets.english.calls import IS_CALLED, IS_COMPARED
from tests.english.asking import holds


@pytest.mark.parametrize(
    ("sentence", "is_called"),
    [
        ("Come, [Mother]! Now", True), ("Come, [Mother]? Now", True), ("[Mother], come", True),
        ("Yes, [Mother], I do", True), ("I saw [Mother] there", True), ("So, [mother]", True),
        ("told [father] so", True), ("as [father] so", False),
        ("her [Mother]! Now", False), ("[Mother] came", False), ("[Mother]; come", False),
        ("mother and [father], come", False), ("he and [Mother]! So", False),
        ("Good night, [lady]! So", True), ("Good night, [lady]? So", True),
        ("Good night, [lady] there", False), ("Good night, old [lady]! So", True),
        ("Good night old [lady]! So", False), ("Good night, tall [lady]! So", False),
        ("[Prince] of Spain ran", True), ("[prince] of Spain ran", False),
        ("[Prince] of it ran", False), ("[Queen] of Spain ran", False),
    ],
)  # fmt: skip
def test_a_relative_is_called(sentence: str, is_called: bool) -> None:
    """As by a name, or hailed, or by a rank of some place."""
    assert holds(IS_CALLED, sentence) == is_called


@pytest.mark.parametrize(
    ("sentence", "is_compared"),
    [
        ("than [women]", True), ("more than [women]", True), ("than those [women]", True),
        ("more than these most [women]", False), ("more [women]", False),
    ],
)  # fmt: skip
def test_a_group_is_compared(sentence: str, is_compared: bool) -> None:
    """With one that is told at most two words before."""
    assert holds(IS_COMPARED, sentence) == is_compared
