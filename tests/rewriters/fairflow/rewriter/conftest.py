"""What the tests of the rewriter share: the texts and models of MBCDA's, and a small encoder."""

import dataclasses
import runpy
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets.rewriters.fairflow import FairFlowConfig, FairFlowRewriterConfig
from fair_datasets.rewriters.training.parallel import ParallelConfig

TESTS = Path(__file__).parents[3]
_OF_MBCDA = runpy.run_path(str(TESTS / "rewriters" / "mbcda" / "conftest.py"))
begun, hub, infiller, detector = (
    _OF_MBCDA[name] for name in ("begun", "hub", "infiller", "detector")
)
MADE = runpy.run_path(str(TESTS / "rewriters" / "mbcda" / "sentences.py"))
TINY = {name: each for name, each in _OF_MBCDA["TINY"].items() if name != "discriminator"}
FOUND: dict[str, Any] = {
    "pairs": ("he", "she"), "attributes": ("man", "woman"), "fewest": 5, "threshold": 1e-4,
    "classifier_epochs": 3, "flow_epochs": 2, "hidden_units": 8, "blocks": 2, "mutual": False,
    "candidates": "opposite",
}  # fmt: skip


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of an encoder with random weights, which knows few words."""
    saved = runpy.run_path(str(TESTS / "rewriters" / "fairflow" / "test_build.py"))["saved"]
    return str(saved(tmp_path_factory.mktemp("encoder") / "model"))


@pytest.fixture(scope="session")
def rows() -> Dataset:
    """Sentences about one person, and some about nobody."""
    made: Dataset = MADE["as_rows"](MADE["sentences"](120, neutral=0.2, seed=7))
    return made


@pytest.fixture
def tiny(tmp_path: Path, detector: str, infiller: str, encoder: str) -> Any:
    """Return a function that gives settings of models that learn nothing."""

    def settings(**changes: Any) -> FairFlowRewriterConfig:
        parallel = ParallelConfig(attribute="gender", detector=detector, infiller=infiller)
        own = {name: changes.pop(name) for name in list(changes) if hasattr(parallel, name)}
        usual = {"work": tmp_path / "states", "columns": "text", "model": encoder, **FOUND}
        found = FairFlowConfig(**usual | changes.pop("words", {}))
        is_found = changes.get("variant", "V2") == "V2" and "axis" not in own
        given = TINY | {
            "out": tmp_path / "generator", "parallel": dataclasses.replace(parallel, **own),
            "dictionary": found if is_found else None,
        }  # fmt: skip
        return FairFlowRewriterConfig.small(**given | changes)

    return settings
