"""The command `train mbcda`."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import ModelRewrite
from fair_datasets.system import interrupts

_OF_THE_COMMANDS = runpy.run_path(str(Path(__file__).parents[2] / "cli" / "conftest.py"))
run = _OF_THE_COMMANDS["run"]
MADE = runpy.run_path(str(Path(__file__).with_name("sentences.py")))


def plan(detector: str, infiller: str, more: str = "") -> str:
    """Write a file of settings and return its name."""
    Path("mbcda.toml").write_text(
        'out = "generator"\npreset = "small"\nwidth = 16\nheads = 2\nvocabulary = 400\n'
        f"denoising = 1\nepochs = 1\nmax_length = 40\nshares = [0.6, 0.2, 0.2]\n{more}"
        '[rows]\nsource = "rows.csv"\n'
        f'[parallel]\nattribute = "gender"\ndetector = "{detector}"\ninfiller = "{infiller}"\n'
        "[discriminator]\nwidths = [16, 8]\nepochs = 1\n",
        encoding="utf-8",
    )
    return "mbcda.toml"


@pytest.mark.slow
def test_from_a_dataset_to_a_model(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, detector: str, infiller: str
) -> None:
    """An interrupted run is told, and goes on; another configuration of its folder is refused."""
    monkeypatch.chdir(tmp_path)
    rows: Dataset = MADE["as_rows"](MADE["sentences"](90, neutral=0.1))
    rows.add_column("id", list(range(90))).to_csv("rows.csv")
    arguments = ("train", "mbcda", "--config", plan(detector, infiller))
    steps = iter(range(1000))

    def interrupted() -> None:
        if next(steps) == 24:
            raise KeyboardInterrupt(2)

    with monkeypatch.context() as patch:
        patch.setattr(interrupts, "obey", interrupted)
        stopped = run(*arguments)
    assert stopped.code == 130, stopped.err
    assert "is kept in generator.work, and the same command goes on" in stopped.err
    plan(detector, infiller, "seed = 1\n")
    other = run(*arguments)
    assert other.code == 2
    assert "holds a model trained with seed=0, not 1" in other.err
    plan(detector, infiller)
    done = run(*arguments)
    assert done.code == 0, done.err
    for text in (
        "53  train", "19  validation", "18  test", "pairs", "The discriminator reads",
        "generator, verified", "fair-datasets push model generator user/name",
    ):  # fmt: skip
        assert text in done.out
    assert not Path("generator.work").exists()
    card = Path("generator/README.md").read_text("utf-8")
    assert "fair-datasets train mbcda --config mbcda.toml" in card
    assert "`rows.csv`" in card
    rewrite = ModelRewrite(columns="text", model="generator", control="plain", mode="pair")
    assert len(rewrite.apply(rows.select(range(4)))) == 4
    again = run(*arguments)
    assert again.code == 2
    assert "is not empty, and nothing" in again.err
