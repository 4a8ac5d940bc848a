"""Originals, twins and controls of rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.evaluation.versions import Versions, twins_of
from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows

SWAP = CounterfactualSwap(columns="text")


def texts_of(found: Versions) -> dict[str, Any]:
    """Return each variant with its texts."""
    return {version.variant: version.texts for version in found.versions}


def test_only_what_changes_has_a_twin_and_each_family_once() -> None:
    """Of duplicates and of rows that are each other's twins the first one."""
    rows = [("Rain.",), ("He ran.",), ("She ran.",), ("He ran.",), ("She sat.",)]
    found = twins_of(rows, SWAP)
    assert {number: texts_of(each)["twin"] for number, each in found.items()} == {
        1: ("She ran.",), 4: ("He sat.",),
    }  # fmt: skip


def test_the_texts_of_a_row_share_one_mapping_and_nulls_stay() -> None:
    """Choices agree with the question."""
    (found,) = twins_of([("John saw Mary.", None, "Mary", "a tree")], SWAP).values()
    assert texts_of(found)["original"] == ("John saw Mary.", None, "Mary", "a tree")
    first, nothing, second, tree = texts_of(found)["twin"]
    assert (first, nothing, second, tree) == ("Mary saw John.", None, "John", "a tree")
    for variant in ("control", "control_twin"):
        first, nothing, second, tree = texts_of(found)[variant]
        assert (nothing, tree) == (None, "a tree")
        assert first.removesuffix(".").split(" saw ")[1] == second
        assert "John" not in first


def test_the_direction_is_that_of_the_first_attribute() -> None:
    """A row of both has none, and neither has an axis of more."""
    rows = [("He ran.",), ("She sat.",), ("He saw her.",)]
    assert [each.direction for each in twins_of(rows, SWAP).values()] == [1, -1, 0]
    race = CounterfactualSwap(columns="text", axis="race")
    assert {each.direction for each in twins_of([("A Black man ran.",)], race).values()} == {0}
    one = CounterfactualSwap(columns="text", axis="race", source="black", target="white")
    assert {each.direction for each in twins_of([("A Black man ran.",)], one).values()} == {1}


@pytest.mark.parametrize("name", ["John", "Mary"])
def test_controls_differ_from_one_another_and_not_in_the_group(name: str) -> None:
    """Several draws are several controls, and equal seeds draw the same."""
    (found,) = twins_of([(f"{name} ran.",)], SWAP, draws=2, seed=3).values()
    assert list(texts_of(found)) == [
        "original", "twin", "control", "control_twin", "control_2", "control_twin_2",
    ]  # fmt: skip
    assert len(set(texts_of(found).values())) == 6
    assert [found] == [*twins_of([(f"{name} ran.",)], SWAP, draws=2, seed=3).values()]
    # Names are drawn among those of the original's gender, so that no group is in them.
    halves = [texts_of(found)[variant] for variant in ("control", "control_twin")]
    assert {twins_of([half], SWAP)[0].direction for half in halves} == {found.direction}


@dataclass(frozen=True, kw_only=True)
class _Louder(Rewriter):
    """A rewriter of somebody else's."""

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Write in capitals."""
        for number, texts in enumerate(rows.texts):
            yield number, Counterfactual(tuple(text and text.upper() for text in texts))


def test_other_rewriters_have_twins_without_controls() -> None:
    """So has a swap of several axes; what rewrites nothing is refused."""
    both = CounterfactualSwap(columns="text", axis=("gender", "age"))
    for rewriter in (_Louder(columns="text"), both):
        found = twins_of([("RAIN.",), ("He ran.",)], rewriter)
        assert list(found) == [1]
        assert list(texts_of(found[1])) == ["original", "twin"]
    assert twins_of([("Rain.",)], SWAP) == {}
