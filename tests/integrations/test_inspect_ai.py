"""Twins in inspect-ai: what a local model is asked, and what is printed of it."""

import asyncio
import copy
import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.auditing.paired import figures_of

HERE = Path(__file__).parent


@dataclass
class Question:
    """A sample."""

    input: Any
    choices: list[str] | None = None
    target: Any = ""
    id: Any = None
    metadata: dict[str, Any] | None = None

    def model_copy(self, *, deep: bool) -> "Question":
        """Copy it."""
        assert deep
        return copy.deepcopy(self)


class MemoryDataset(list[Question]):
    """Samples."""

    def __init__(
        self, samples: Any, name: Any = None, location: Any = None, shuffled: bool = False
    ) -> None:
        """Hold them."""
        super().__init__(samples)
        self.name = name


@dataclass
class Said:
    """A score."""

    value: Any
    answer: str | None = None


@dataclass
class Scored:
    """A score with its sample."""

    score: Said
    sample_metadata: dict[str, Any] = field(default_factory=dict)


def metric(name: Any = None, *, scores: str = "auto") -> Any:
    """Mark what makes a metric."""
    return lambda made: made


def scorer(metrics: Any, name: Any = None, **metadata: Any) -> Any:
    """Mark what makes a scorer."""
    return lambda made: made


def grouped(*args: Any, **kwargs: Any) -> Any:
    """Make a metric of groups."""


def accuracy(*args: Any, **kwargs: Any) -> Any:
    """Make a metric."""


def value_to_float(
    correct: Any = "C", incorrect: Any = "I", partial: Any = "P", noanswer: Any = "N"
) -> Any:
    """Return what a letter is worth."""
    return {correct: 1.0, incorrect: 0.0}.__getitem__


TOOL: dict[str, dict[str, Any]] = {
    "inspect_ai.dataset": {"MemoryDataset": MemoryDataset, "Sample": Question},
    "inspect_ai.scorer": {
        "Metric": object, "SampleScore": Scored, "Score": Said, "Scorer": object, "Target": object,
        "accuracy": accuracy, "grouped": grouped, "metric": metric, "scorer": scorer,
        "value_to_float": value_to_float,
    },
    "inspect_ai.solver": {"TaskState": object},
}  # fmt: skip


@pytest.fixture
def adapter(recorded: Callable[..., ModuleType]) -> Any:
    """Return the adapter over what was recorded of the tool."""
    return recorded("inspect_ai", TOOL)


def test_a_sample_is_followed_by_its_twin(adapter: Any) -> None:
    """Messages, choices and targets of text change together; letters stay, and so do samples."""

    @dataclass
    class Message:
        content: Any

    asked = [
        Question([Message("Answer him."), Message("Is John in?")], ["John is.", "She is."], "A"),
        Question("It rains.", target=["He", "She"], id="rain", metadata={"kept": 1}),
        Question("It rains.", target="It"),
    ]
    found = adapter.twin_dataset(MemoryDataset(asked, "own"), CounterfactualSwap("text"))
    assert found.name == "own"
    twin = next(each for each in found if each.id == "1/twin")
    assert [each.content for each in twin.input] == ["Answer her.", "Is Mary in?"]
    assert (twin.choices, twin.target) == (["Mary is.", "He is."], "A")
    rain = [each for each in found if str(each.id).startswith("rain")]
    assert [each.target for each in rain if each.metadata["variant"] == "twin"] == [["She", "He"]]
    assert all(each.metadata["kept"] == 1 for each in rain)
    assert found[-1] == Question(
        "It rains.", target="It", id=3,
        metadata={"variant": "original", "pair": None, "direction": 0},
    )  # fmt: skip
    assert asked[0].choices == ["John is.", "She is."]


def test_flips_are_of_answers_at_one_epoch_and_of_rightness_at_several(adapter: Any) -> None:
    """An answer that differs in its letter case is the same; who has no pair says nothing."""

    def scored(pair: int | None, variant: str, value: str, answer: str) -> Scored:
        return Scored(Said(value, answer), {"pair": pair, "variant": variant, "direction": 0})

    one = [scored(0, "original", "C", "Yes"), scored(0, "twin", "C", " yes "),
           scored(1, "original", "C", "yes"), scored(1, "twin", "I", "no"),
           scored(None, "original", "C", "x")]  # fmt: skip
    figures = adapter.twin_figures()
    found = figures(one)
    assert (found["pairs"], found["flip_rate"]) == (2, 0.5)
    assert (found["acc_paired"], found["acc_twin"]) == (1.0, 0.5)
    other = [scored(0, "original", "C", "a"), scored(0, "twin", "C", "b"),
             scored(1, "original", "C", "a"), scored(1, "twin", "I", "b")]  # fmt: skip
    assert figures(other)["flip_rate"] == 1.0
    assert figures(other * 2)["flip_rate"] == 0.5
    # Right once of twice is not more often than not.
    tied = [scored(0, "original", value, "a") for value in "CI"]
    assert figures([*tied, *[scored(0, "twin", "C", "a")] * 2])["flip_rate"] == 1.0


def test_a_scorer_scores_as_before(adapter: Any) -> None:
    """What it says is passed on."""

    async def said(state: Any, target: Any) -> Said:
        return Said("C", f"{state} {target}")

    # In a thread of its own: a browser of other tests keeps a loop running in this one.
    with ThreadPoolExecutor() as threads:
        given = threads.submit(asyncio.run, adapter.paired(said)("a", "b")).result()
    assert given == Said("C", "a b")


@pytest.mark.full
def test_twins_are_asked_beside_their_originals(
    run_in: Callable[..., str], same_calls: Callable[..., None], tmp_path: Path
) -> None:
    """The number of the originals stays, and flips are told of one epoch and of several."""
    same_calls("inspect", TOOL)
    run_in("inspect", HERE / "twin_tasks.py", tmp_path)
    said = run_in("inspect", HERE / "inspect_twins.py", tmp_path, cwd=tmp_path)
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    twins, several = found["twins"], found["several"]
    assert twins["original"] == found["plain"]["accuracy"]
    assert twins.keys() >= {"twin", *figures_of("acc")}
    assert twins["acc_twin"] == pytest.approx(twins["twin"])
    before, after = found["sizes"]
    assert after - before == twins["pairs"] + 2 * twins["pairs_with_control"]
    assert 0 < twins["flip_rate"] < 1
    assert several["halves_dropped"] in (0, 1)
    assert not math.isnan(several["flip_rate"])
    original, twin = found["chat"][:2]
    assert original == ["Answer him.", "Is John in?", "John is.", "She is.", "A"]
    assert twin == ["Answer her.", "Is Mary in?", "Mary is.", "He is.", "A"]
    assert found["chat_left"] == ["John is.", "She is."]
    assert found["ids"][:2] == ["chat", "chat/twin"]
    assert found["metadata"] == {"kept": 1, "pair": 0, "variant": "twin", "direction": 0}
    assert ["twin", "She"] in found["targets"]
