"""Targets, and their draws."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, InputError, load_lexicon
from fair_datasets.swap.directions import draw_targets, other_targets, plan_targets

RACE = load_lexicon("race")


@given(st.text(), st.integers())
def test_two_groups_never_become_one(key: str, seed: int) -> None:
    """Where every other attribute is possible, the drawn targets differ from each other."""
    plan = plan_targets(RACE, (), ())
    targets = draw_targets("race", RACE, plan, seed, key)
    assert all(attribute != target for (_, attribute), target in targets.items())
    assert len(set(targets.values())) == len(RACE.attributes)


@given(st.text(), st.integers(), st.sampled_from([(), ("asian", "black"), ("asian",)]))
def test_other_targets_are_those_that_were_not_drawn(
    key: str, seed: int, target: tuple[str, ...]
) -> None:
    """Each attribute gets all of its possible targets in turn, and a single one again and again."""
    plan = plan_targets(RACE, (), target)
    first = draw_targets("race", RACE, plan, seed, key)
    others = other_targets("race", RACE, plan, seed, key)
    assert len(others) == max(map(len, plan.values())) - 1
    for attribute, targets in plan.items():
        drawn = [each["race", attribute] for each in (first, *others)]
        assert drawn[: len(targets)] == [*dict.fromkeys(drawn)]
        assert set(drawn) == set(targets)


def test_every_target_is_drawn_equally_often() -> None:
    """Over many rows each of the five others comes about as often as each other."""
    plan = plan_targets(RACE, (), ())
    drawn = Counter(
        draw_targets("race", RACE, plan, 0, str(key))["race", "white"] for key in range(5000)
    )
    assert drawn.keys() == set(RACE.attributes) - {"white"}
    assert all(abs(count - 1000) < 130 for count in drawn.values())


def test_a_target_of_one_axis_says_nothing_of_another() -> None:
    """Each axis takes its own target, and its default where none is given."""
    gender = load_lexicon("gender")
    assert plan_targets(gender, (), ("black",)) == {"man": ("woman",), "woman": ("man",)}
    assert plan_targets(RACE, (), ("man", "black"))["white"] == ("black",)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"target": "blak"}, "target must be one of .*'black'"),
        ({"source": "asian", "target": "asian"}, "source and target are both 'asian'"),
        ({"target": ["black", "woman"]}, "target must be one of"),
        ({"target": ""}, "target must be a string or a list of strings"),
        ({"source": 3}, "source must be a string or a list of strings"),
    ],
)
def test_a_wrong_direction_is_told(options: dict[str, object], told: str) -> None:
    """An attribute that an axis does not have is named, with those that it has."""
    with pytest.raises(InputError, match=f"CounterfactualSwap: {told}"):
        CounterfactualSwap(columns="text", axis="race", **options)  # type: ignore[arg-type]
