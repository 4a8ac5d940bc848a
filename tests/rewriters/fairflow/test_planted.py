"""A planted attribute is found from one pair; the benchmark judges more corpora."""

import runpy
from pathlib import Path

import pytest
from datasets import Dataset

from fair_datasets.rewriters.fairflow import FairFlowConfig, build_lexicon

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
PLANTED = runpy.run_path(str(HERE / "planted.py"))
# None that the settings were chosen on.
SEED = 311


def test_planted_pairs_are_found(tmp_path: Path) -> None:
    """From one pair, on a corpus that no setting was chosen on."""
    texts = PLANTED["corpus"](SEED)
    PLANTED["masked_model"](texts, tmp_path / "model", SEED)
    config = FairFlowConfig(
        work=tmp_path / "work", columns="text", pairs=PLANTED["GIVEN"], model=tmp_path / "model",
        **PLANTED["SETTINGS"],
    )  # fmt: skip
    built = build_lexicon(config, Dataset.from_dict({"text": texts}))
    pairs = [(pair.original, pair.counterfactual) for pair in built.lexicon.pairs]
    precision, recall = PLANTED["quality"](pairs)
    assert min(precision, recall) >= 0.9, f"{precision:.2f}, {recall:.2f}"
    assert built.figures["inverse error"] < 1e-4
    assert built.figures["held-out accuracy"] == 1
    assert built.figures["pairs that all began with"] > 1
