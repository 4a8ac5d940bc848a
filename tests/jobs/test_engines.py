"""Where processes, models and GPUs meet."""

import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.jobs.engines import engine_named, uses_models

SWAP = CounterfactualSwap(columns="text")
MODEL: Any = SimpleNamespace(model="ada/rewriter")


@pytest.mark.parametrize(
    ("gpus", "technique", "num_proc", "warns"),
    [(1, MODEL, 2, True), (8, MODEL, 2, True), (0, MODEL, 2, False), (1, MODEL, 1, False),
     (1, SWAP, 2, False)],
)  # fmt: skip
def test_processes_that_share_a_gpu(
    monkeypatch: pytest.MonkeyPatch, gpus: int, technique: Any, num_proc: int, warns: bool
) -> None:
    """They are told what to do instead, and only they."""
    monkeypatch.setattr("torch.cuda.device_count", lambda: gpus)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        engine_named("local", num_proc, [technique], owner="run")
    said = [str(each.message) for each in told]
    assert bool(said) == warns
    assert all(
        "run: each of 2 processes loads the model onto the same GPU" in each for each in said
    )


def test_what_runs_a_model() -> None:
    """What names one."""
    assert uses_models(MODEL)
    assert uses_models(SimpleNamespace(models=["a"], encoder=None))  # type: ignore[arg-type]
    assert not uses_models(SimpleNamespace(models=None, encoder=None))  # type: ignore[arg-type]
    assert not uses_models(SWAP)


def test_actors_get_gpus_where_there_is_a_model() -> None:
    """And none otherwise, so that they do not wait for one."""
    for technique, on_gpus in ((MODEL, True), (SWAP, False)):
        engine = engine_named("ray", 2, [technique], owner="run")
        assert isinstance(engine, partial)
        assert engine.keywords == {"count": 2, "on_gpus": on_gpus}
