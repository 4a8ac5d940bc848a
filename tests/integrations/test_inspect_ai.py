"""Twins in inspect-ai: what a local model is asked, and what is printed of it."""

import asyncio
import copy
import json
import math
import re
import runpy
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from datasets import Dataset
from huggingface_hub import (
    EvalResultEntry,
    create_repo,
    eval_result_entries_to_yaml,
    hf_hub_download,
    parse_eval_result_entries,
    upload_file,
)

from fair_datasets import CounterfactualSwap
from fair_datasets.auditing.paired import figures_of
from fair_datasets.cli import main
from fair_datasets.system.checks import InputError

HERE = Path(__file__).parent
hub = runpy.run_path(str(HERE.parent / "hub" / "conftest.py"))["hub"]


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


def read_eval_log(
    log_file: Any, header_only: Any = False, resolve_attachments: Any = False,
    format: Any = "auto", exclude_fields: Any = None,
) -> Any:  # fmt: skip
    """Return a log, which lies nowhere here."""
    return log_file


TOOL: dict[str, dict[str, Any]] = {
    "inspect_ai.dataset": {"MemoryDataset": MemoryDataset, "Sample": Question},
    "inspect_ai.log": {"EvalLog": object, "read_eval_log": read_eval_log},
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


def log(task: str, answers: list[str], **others: Any) -> Any:
    """Return a log of a task, whose answer A is right."""
    samples = [
        Namespace(
            epoch=1, scores={"choice": Said("C" if each == "A" else "I", each)},
            metadata={"pair": number, "family_id": f"family {number}"},
        )
        for number, each in enumerate(answers)
    ]  # fmt: skip
    accuracy = Namespace(value=answers.count("A") / len(answers))
    score = Namespace(metrics={"accuracy": accuracy})
    told = {"status": "success", "model": "made", **others}
    about = Namespace(task=f"hf/{task}", model=told["model"], created="2026-11-29T08:00:00+00:00")
    return Namespace(
        eval=about, status=told["status"], samples=samples, results=Namespace(scores=[score])
    )


def test_a_model_states_one_value_a_task(adapter: Any) -> None:
    """Accuracy for both; consistency and its control are notes, and come back from YAML."""
    logs = [log("ada/jobs/original", [*"AABA"]), log("ada/jobs/twin", [*"ABB"])]
    found = adapter.eval_results(logs)
    assert [(each.dataset_id, each.task_id, each.value) for each in found] == [
        ("ada/jobs", "original", 0.75), ("ada/jobs", "twin", pytest.approx(1 / 3))
    ]  # fmt: skip
    assert found[0].notes is None
    assert found[1].notes.startswith("consistency 0.667 [")
    assert found[1].notes.endswith("] of 3 pairs; no control")
    controls = [log("ada/jobs/control", [*"AB"]), log("ada/jobs/control_twin", [*"AA"])]
    noted = adapter.eval_results([*controls, *logs])[1].notes
    assert "] of 3 pairs; consistency of the control 0.500 of 2 pairs; excess of flips 0" in noted
    assert parse_eval_result_entries(yaml.safe_load(yaml.dump(
        eval_result_entries_to_yaml(found)))) == found  # fmt: skip


@pytest.mark.parametrize(("logs", "told"), [
    ([log("a/b/original", ["A"])], "but they are of 'hf/a/b/original'."),
    ([log("a/b/original", ["A"])] * 2, "each once"), ([], "each once"),
    ([log("a/b/original", ["A"]), log("a/b/twin", ["A"]), log("a/b/more", ["A"])], "each once"),
    ([log("a/b/original", ["A"]), log("a/b/twin", ["A"], model="other")], "'made', 'other'"),
    ([log("a/b/original", ["A"]), log("a/c/twin", ["A"])], "'a/b', 'a/c'."),
    ([log("a/b/original", ["A"]), log("a/b/twin", ["A"], status="error")],
     "and 'hf/a/b/twin' did not."),
])  # fmt: skip
def test_logs_of_something_else_are_refused(adapter: Any, logs: list[Any], told: str) -> None:
    """Of one model and one benchmark, original and twin; all have ended."""
    with pytest.raises(InputError, match=re.escape(told)):
        adapter.eval_results(logs)


@pytest.mark.full
def test_a_benchmark_of_the_hub_is_run_with_its_twin(
    run_in: Callable[..., str], hub: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`inspect eval hf/USER/NAME` reads eval.yaml; a model that heeds women flips for them."""
    for name in ("HOME", "XDG_CACHE_HOME", "HF_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    rows = [{"q": f"{who} met the team on day {day}. Was it day {day}?", "key": 0,
             "options": ["Yes", "No"]} for day in range(20) for who in ("He", "She")]  # fmt: skip
    Dataset.from_list(rows).to_json(str(tmp_path / "days.jsonl"))
    fields = ("--question", "q", "--answer", "key", "--choices", "options")
    assert main(["push-twin", str(tmp_path / "days.jsonl"), "ada/days", *fields]) == 0
    found = json.loads(run_in(
        "inspect", HERE / "inspect_hub.py", "ada/days", tmp_path / "logs", cwd=tmp_path
    ).splitlines()[-1])  # fmt: skip
    assert found["status"] == ["success"] * 2
    assert found["tasks"] == {"hf/ada/days/original": 40, "hf/ada/days/twin": 20}
    assert all(found["usage"])
    assert found["metadata"]["pair"] == 0
    assert found["sample"] == ["She met the team on day 0. Was it day 0?", ["Yes", "No"], "A"]
    original, twin = (EvalResultEntry(**each) for each in found["entries"])
    assert (original.value, twin.value) == (0.5, 0.0)
    assert twin.notes.startswith("consistency 0.000 [0.000, ")
    assert twin.notes.endswith("of 20 pairs; no control")
    assert found["read"] == found["entries"]
    # As it is typed, with the model of inspect-ai that always says the same.
    said = run_in("inspect", "-m", "inspect_ai._cli.main", "eval", "hf/ada/days/twin", "--model",
                  "mockllm/model", "--log-dir", tmp_path / "typed", "--display", "plain",
                  cwd=tmp_path)  # fmt: skip
    assert "hf/ada/days/twin" in said
    file = yaml.dump(eval_result_entries_to_yaml([original, twin])).encode()
    create_repo("ada/model")
    upload_file(path_or_fileobj=file, path_in_repo=".eval_results/days.yaml", repo_id="ada/model")
    stated = Path(hf_hub_download("ada/model", ".eval_results/days.yaml")).read_text("utf-8")
    assert parse_eval_result_entries(yaml.safe_load(stated)) == [original, twin]


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
