"""The command `train fairflow`."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

_OF_THE_COMMANDS = runpy.run_path(str(Path(__file__).parents[3] / "cli" / "conftest.py"))
run = _OF_THE_COMMANDS["run"]
TOP = (
    'out = "generator"\npreset = "small"\nwidth = 16\nheads = 2\nvocabulary = 400\n'
    "denoising = 0\nepochs = 1\nmax_length = 40\nshares = [0.6, 0.2, 0.2]\n"
    '[rows]\nsource = "rows.csv"\n[parallel]\nattribute = "gender"\n'
)


@pytest.mark.slow
def test_from_one_pair_to_a_model(
    run: Any, rows: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, detector: str,
    infiller: str, encoder: str,
) -> None:  # fmt: skip
    """The words come from a corpus of its own; what is written is told."""
    monkeypatch.chdir(tmp_path)
    rows.to_csv("rows.csv")
    Dataset.from_dict({"body": rows["text"]}).to_csv("corpus.csv")
    Path("fairflow.toml").write_text(
        f'{TOP}detector = "{detector}"\ninfiller = "{infiller}"\n'
        f'[dictionary]\npairs = ["he", "she"]\nmodel = "{encoder}"\ncolumns = "body"\n'
        'attributes = ["man", "woman"]\nfewest = 5\nthreshold = 1e-4\nflow_epochs = 2\n'
        'mutual = false\ncandidates = "opposite"\n[corpus]\nsource = "corpus.csv"\n'
    )
    arguments = ("train", "fairflow", "--config", "fairflow.toml")
    done = run(*arguments)
    assert done.code == 0, done.err
    for text in (
        "70  train", "words have a counterpart. They are in generator.tsv, a draft;",
        "generator, verified", "fair-datasets push model generator user/name",
    ):  # fmt: skip
        assert text in done.out
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"rows.csv", "corpus.csv", "fairflow.toml", "generator", "generator.tsv",
                       "generator.review.csv"}  # fmt: skip
    card = Path("generator/README.md").read_text("utf-8")
    assert "fair-datasets train fairflow --config fairflow.toml" in card
    again = run(*arguments)
    assert again.code == 2
    assert "is not empty, and nothing" in again.err
