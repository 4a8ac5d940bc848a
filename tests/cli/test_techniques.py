"""Installed rewriters on the command line, by their names."""

from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, load_dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.cards import SplitCounts
from fair_datasets.cli.augment import warn_of_unmatched
from fair_datasets.selection.correction import SwapAbove


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """Return a file of rows with scores and ids."""
    texts, scores = ["He left.", "She left.", "He ran."], [0.9, 0.8, 0.1]
    path = tmp_path / "in.parquet"
    Dataset.from_dict({"text": texts, "points": scores, "id": [7, 8, 9]}).to_parquet(path)
    return path


def test_a_rewriter_may_go_by_other_columns(run: Any, scored: Path, tmp_path: Path) -> None:
    """They are read, in the run as in the dry run, and stay as they are."""
    options = ["augment", scored, "--technique", "SwapAbove", "--text", "text", "--id-column", "id",
               "--set", "score_column=points", "--set", "threshold=0.5"]  # fmt: skip
    assert "train: 2 rows would change." in run(*options, "--dry-run").out
    run(*options, "--out", tmp_path / "out").quiet()
    swap = SwapAbove(columns="text", score_column="points", threshold=0.5, id_column="id")
    written = load_dataset(str(tmp_path / "out"))["train"]
    assert list(written) == list(swap.apply(Dataset.from_parquet(str(scored))))
    assert written["text"][:] == ["He left.", "She left.", "She left.", "He left.", "He ran."]


def test_a_model_of_which_every_row_fell_back_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """At the end of the run, by the most frequent fault."""
    logged = {"rewrite_status": {"swap": 3}, "rewrite_fault": {"negation": 1, "repeated": 2}}
    counts = {"train": SplitCounts(3, 6, 3, {"man": 3, "woman": 0, "non-binary": 0}, {}, logged)}
    warn_of_unmatched(CounterfactualSwap(columns="text"), counts)
    told = "all 3 rows with somebody to rewrite fell back, most often as 'repeated'."
    assert told in capsys.readouterr().err
