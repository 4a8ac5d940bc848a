"""What is FairFlow's own: whose words its generators are trained by, and on which texts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import InputError
from fair_datasets.rewriters.fairflow import VARIANTS, FairFlowRewriterConfig, train_fairflow
from fair_datasets.rewriters.training import generator as training
from fair_datasets.rewriters.training.generator import without_swaps

Settings = Callable[..., FairFlowRewriterConfig]


def test_the_words_and_steps_of_each_variant(
    tiny: Settings, people: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listed or found, and corrected or not."""
    mine = tmp_path / "mine.tsv"
    mine.write_text("man\twoman\nking\tqueen\n")
    found: dict[str, tuple[str, str]] = {}

    def noted(config: Any, train: Any, work: Path, *, steps: str, **_: Any) -> None:
        found[work.parent.name] = (Path(config.axis).name, steps)
        raise RuntimeError("killed")

    monkeypatch.setattr(training, "parallel_rows", noted)
    cases: dict[str, dict[str, Any]] = {name: {"variant": name} for name in VARIANTS}
    cases["mine"] = {"axis": str(mine)}
    for name, changes in cases.items():
        with pytest.raises(RuntimeError, match="killed"):
            train_fairflow(tiny("fairflow", out=tmp_path / name, **changes), people)
    assert found == {
        "V1.work": ("gender", "repair"), "V2.work": ("words.tsv", "repair"),
        "Hall-M.work": ("gender", "swap"), "mine.work": ("mine.tsv", "repair"),
    }  # fmt: skip


def test_what_words_make_of_training_texts_is_not_tested(tiny: Settings, tmp_path: Path) -> None:
    """They are found when the rows are split already."""
    mine = tmp_path / "mine.tsv"
    mine.write_text("man\twoman\nlord\tlady\n")
    texts = {"train": ["a lord", "a cat"], "validation": ["a lady", "a dog"],
             "test": ["the lord", "a cat", "a lady"]}  # fmt: skip
    rows = {name: Dataset.from_dict({"text": each}) for name, each in texts.items()}
    found = without_swaps(tiny("fairflow", axis=str(mine)), DatasetDict(rows))
    assert {name: each["text"][:] for name, each in found.items()} == {
        "train": texts["train"], "validation": ["a dog"], "test": ["the lord"],
    }  # fmt: skip


def test_a_pair_that_is_in_no_text_is_told(tiny: Settings, people: Dataset) -> None:
    """Once the texts are read."""
    with pytest.raises(InputError, match="'sun' stands 0 times in the"):
        train_fairflow(tiny("fairflow", words={"pairs": ("sun", "moon")}), people)
