"""How processes are started, and what is said of one that ended."""

import multiprocessing
import signal
import sys
from types import ModuleType

import pytest

from fair_datasets.jobs import processes
from fair_datasets.jobs.shards import Shard

SHARD = Shard("train", 2, 5, 20, 30)


@pytest.mark.parametrize(("code", "method", "said"), [
    (1, "spawn", "a process for train-00002-of-00005 could not start"),
    (1, "fork", "a process ended with code 1 at train-00002-of-00005"),
    (2, "spawn", "a process ended with code 2 at"),
    (0, "spawn", "a process ended with code 0 at"),
    (None, "spawn", "a process ended with code None at"),
    (-signal.SIGKILL, "spawn", "a process ended by signal 9 at"),
    (-signal.SIGBUS, "fork", "as a file that it read was cut meanwhile"),
    (+signal.SIGBUS, "fork", "a process ended with code"),
])  # fmt: skip
def test_why_a_process_ended(
    code: int | None, method: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its exit code tells; one that is spawned ends with 1 where it cannot import the script."""
    monkeypatch.setattr(processes, "_method", lambda: method)
    assert said in processes._why_lost(code, SHARD)


@pytest.mark.parametrize(("platform", "methods", "imported", "method"), [
    ("linux", ["fork", "spawn"], [], "fork"),
    ("linux", ["spawn"], [], "spawn"),
    ("darwin", ["fork", "spawn"], [], "spawn"),
    ("linux", ["fork", "spawn"], ["spacy"], "spawn"),
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
