"""How processes are started, and what is said of one that ended."""

import multiprocessing
import signal
import sys
import warnings
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs import processes
from fair_datasets.jobs.processes import engine_named, uses_models
from fair_datasets.jobs.shards import Shard

SHARD = Shard("train", 2, 5, 20, 30)


@pytest.mark.parametrize(("codes", "method", "said"), [
    ({1}, "spawn", "a process for train-00002-of-00005 could not start"),
    ({1}, "fork", "a process ended with code 1 at train-00002-of-00005; if that was for want of"),
    ({2}, "spawn", "a process ended with code 2 at"), (set(), "spawn", "a process ended early at"),
    ({-signal.SIGKILL, 3}, "spawn", "a process ended by signal 9, with code 3 at train-00002"),
    ({-signal.SIGBUS}, "fork", "as a file that it read was cut meanwhile"),
    ({+signal.SIGBUS}, "fork", "a process ended with code"),
])  # fmt: skip
def test_why_a_process_ended(
    codes: set[int], method: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its exit code tells; one that is spawned ends with 1 where it cannot import the script."""
    monkeypatch.setattr(processes, "_method", lambda: method)
    assert said in processes._why_lost(codes, [SHARD])


@pytest.mark.parametrize(("platform", "methods", "imported", "method"), [
    ("linux", ["fork", "spawn"], [], "fork"), ("linux", ["spawn"], [], "spawn"),
    ("darwin", ["fork", "spawn"], [], "spawn"), ("linux", ["fork", "spawn"], ["spacy"], "spawn"),
])  # fmt: skip
def test_how_processes_are_started(
    platform: str, methods: list[str], imported: list[str], method: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """By a fork, where there are no threads whose locks would stay closed."""
    for name in ("torch", "tokenizers", "spacy", "ray"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in imported:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: methods)
    assert processes._method() == method


SWAP = CounterfactualSwap(columns="text")
MODEL: Any = SimpleNamespace(model="ada/rewriter")


@pytest.mark.parametrize(("gpus", "technique", "num_proc", "warns"), [
    (1, MODEL, 2, True), (8, MODEL, 2, True), (0, MODEL, 2, False), (1, MODEL, 1, False),
    (1, SWAP, 2, False),
])  # fmt: skip
def test_processes_that_share_a_gpu(
    monkeypatch: pytest.MonkeyPatch, gpus: int, technique: Any, num_proc: int, warns: bool
) -> None:
    """They are told what to do instead, and only they."""
    monkeypatch.setattr("torch.cuda.device_count", lambda: gpus)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        engine_named("local", num_proc, [technique])
    said = [str(each.message) for each in told]
    assert bool(said) == warns
    assert all("each of 2 processes loads the model onto the same GPU" in each for each in said)


def test_what_runs_a_model() -> None:
    """What names one."""
    assert uses_models(MODEL)
    assert uses_models(SimpleNamespace(models=["a"], encoder=None))  # type: ignore[arg-type]
    assert not uses_models(SimpleNamespace(models=None, encoder=None))  # type: ignore[arg-type]
    assert not uses_models(SWAP)


def test_actors_get_gpus_where_there_is_a_model() -> None:
    """And none otherwise, so that they do not wait for one."""
    for technique, on_gpus in ((MODEL, True), (SWAP, False)):
        engine = engine_named("ray", 2, [technique])
        assert isinstance(engine, partial)
        assert engine.keywords == {"count": 2, "on_gpus": on_gpus}
