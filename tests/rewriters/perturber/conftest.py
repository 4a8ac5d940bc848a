"""What the tests of training share: settings that train in a moment."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.rewriters.perturber.train import PerturberConfig

# The loopback Hub, as the tests of fair_datasets.hub have it.
hub = runpy.run_path(str(Path(__file__).parents[2] / "hub" / "conftest.py"))["hub"]

TINY: dict[str, Any] = {
    "width": 16, "heads": 2, "layers": 1, "vocabulary": 400, "epochs": 2, "batch_size": 16,
    "rows_at_once": 8, "max_length": 64, "evaluations": 2, "evaluation_rows": 4, "dropout": 0.1,
}  # fmt: skip


@pytest.fixture
def tiny(tmp_path: Path) -> Any:
    """Return a function that gives settings of a model that learns nothing."""

    def settings(**changes: Any) -> PerturberConfig:
        return PerturberConfig.small(**{"out": tmp_path / "model"} | TINY | changes)

    return settings
