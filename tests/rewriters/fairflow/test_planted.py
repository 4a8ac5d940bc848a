"""A planted attribute is found from one pair; the benchmark judges more corpora."""

import runpy
from pathlib import Path

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.rewriters.fairflow import FairFlowConfig, build_lexicon

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
PLANTED = runpy.run_path(str(HERE / "planted.py"))
GERMAN = runpy.run_path(str(HERE / "german.py"))
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


def test_a_pair_of_another_language(tmp_path: Path) -> None:
    """Most German words are found, spelt as they are, and swapped."""
    texts = GERMAN["corpus"](1)
    PLANTED["masked_model"](texts, tmp_path / "model", 1)
    settings = {**PLANTED["SETTINGS"], "rounds": 1}
    config = FairFlowConfig(
        work=tmp_path / "work", columns="text", pairs=("sie", "er"), model=tmp_path / "model",
        **settings,
    )  # fmt: skip
    lexicon = build_lexicon(config, Dataset.from_dict({"text": texts})).lexicon
    truth = {each for pair in GERMAN["PAIRS"] for each in (pair, pair[::-1])}
    found = {
        (lexicon.spellings.get(one, one), lexicon.spellings.get(other, other))
        for one, other, *_ in lexicon.pairs
    }
    assert len(found & truth) >= 22, found
    assert len(found & truth) / len(found) >= 0.9, found
    lexicon.save(tmp_path / "deutsch.tsv")
    swap = CounterfactualSwap(columns="text", axis=str(tmp_path / "deutsch.tsv"), mode="replace")
    one, other = next(pair for pair in sorted(found & truth) if pair[::-1] in found)
    assert swap({"text": [f"{one} lacht und {other} wartet"]})["text"] == [
        f"{other} lacht und {one} wartet"
    ]
