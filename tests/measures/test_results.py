"""Tests of results as plain data."""

import json
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import pytest

from fair_datasets.measures.results import SPREAD, plain, returned


@dataclass
class Rate:
    """A rate.

    Attributes:
        rate: A share.
        ends: Its ends.
    """

    rate: float
    ends: tuple[float, ...] = ()


@dataclass
class Rates:
    """Rates.

    Attributes:
        all: Over all rows.
        groups: By group.
        kinds: By kind.
        terms: Terms.
        order: Two groups.
        worst: A label.
        other: None without another.
    """

    all: Rate = field(metadata=SPREAD)
    groups: dict[Hashable, Rate]
    kinds: dict[str, Rate]
    terms: dict[Hashable, float]
    order: tuple[Hashable, Hashable]
    worst: Hashable
    other: Rate | None = None
    rows: list[int] = field(default_factory=list, repr=False)


def measured() -> Rates:
    """Return rates."""
    one, two = Rate(0.5, (0.25, 1.0)), Rate(0.75)
    groups: dict[Hashable, Rate] = {("a", 1): one, None: two}
    return Rates(one, groups, {"x": two}, {"a": 0.0}, (("a", 1), "b"), ("a", 1), one, [1])


def test_a_result_is_plain() -> None:
    """Labels stay what they are, wherever they stand."""
    one, two = {"rate": 0.5, "ends": [0.25, 1.0]}, {"rate": 0.75, "ends": []}
    found = plain(measured())
    assert found == {
        **one, "groups": [{"group": ("a", 1), **one}, {"group": None, **two}],
        "kinds": {"x": two}, "terms": {"a": 0.0}, "order": [("a", 1), "b"], "worst": ("a", 1),
        "other": one,
    }  # fmt: skip
    assert json.loads(json.dumps(found))["groups"][0]["group"] == ["a", 1]
    written: dict[str, Any] = {"found": (1, 2)}
    assert plain(written) is written


def test_each_value_is_told() -> None:
    """Those of a part that is spread, too, and of what the rows of groups are."""
    assert returned(measured) == {
        "rate": "A share.", "ends": "Its ends.",
        "groups": 'By group. One dictionary for each: its label as "group", "rate", "ends".',
        "kinds": "By kind.", "terms": "Terms.", "order": "Two groups.", "worst": "A label.",
        "other": "None without another.",
    }  # fmt: skip


def test_a_function_may_say_itself_what_it_returns() -> None:
    """Then its class is not asked; a value that nothing tells of is an error."""

    def told() -> Rate:
        """Measure.

        Returns:
            rate: The rate
                of all.

        Raises:
            ValueError: Never.
        """
        return Rate(1)

    @dataclass
    class Untold:
        share: float

    def untold() -> Untold:
        return Untold(1)

    def other() -> dict[str, Any]:
        return {}

    assert returned(told) == {"rate": "The rate of all."}
    assert returned(other) == {}
    with pytest.raises(KeyError, match="share"):
        returned(untold)
