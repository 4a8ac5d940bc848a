"""Tests of build-lexicon: what it writes, and what it refuses."""

import csv
import runpy
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.lexicons import Lexicon

_MODELS = runpy.run_path(
    str(Path(__file__).parents[1] / "rewriters" / "fairflow" / "test_build.py")
)
SETTINGS = [
    "--threshold", "0.001", "--fewest", "5", "--candidates", "opposite", "--no-mutual",
    "--flow-epochs", 2,
]  # fmt: skip


@pytest.fixture
def arguments(tmp_path: Path) -> list[Any]:
    """Return what builds a lexicon from a small corpus and an untrained model."""
    rows = "\n".join(["id,text", *(f"{n},{text}" for n, text in enumerate(_MODELS["TEXTS"]))])
    (tmp_path / "corpus.csv").write_text(rows + "\n")
    model = _MODELS["saved"](tmp_path / "model")
    return ["build-lexicon", tmp_path / "corpus.csv", "--text", "text", "--pair", "she,he",
            "--model", model, "--attributes", "woman,man", "--out", tmp_path / "mine.tsv",
            *SETTINGS]  # fmt: skip


@pytest.mark.slow
def test_a_lexicon_its_review_and_its_steps_are_written(
    run: Any, arguments: list[Any], tmp_path: Path
) -> None:
    """The review makes a lexicon in turn, and the same command uses the steps again."""
    done = run(*arguments).done()
    lexicon = Lexicon.from_tsv(tmp_path / "mine.tsv")
    assert lexicon.attributes == ("woman", "man")
    assert "Written to" in done.out
    assert "inverse error" in done.out
    assert "already exists, and nothing is overwritten" in run(*arguments).refused()
    written = (tmp_path / "mine.tsv").read_bytes()
    assert run(*arguments, "--overwrite").code == 0
    assert (tmp_path / "mine.tsv").read_bytes() == written
    review = tmp_path / "mine.review.csv"
    with review.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["decision"] == "accept"
    run("build-lexicon", "--review", review, "--out", tmp_path / "kept.tsv").done()
    assert (tmp_path / "kept.tsv").read_bytes() == written


@pytest.mark.parametrize(("changed", "told"), [
    (["--out", "mine.csv"], "--out mine.csv: a lexicon's name must end in .tsv; write"),
    (["--text", "id"], "column 'id' holds whole numbers only"),
    (["--text", "txet"], "there is no column 'txet'"),
    (["--pair", "he,she"], "is on both sides of pairs"),
    (["--model", "./none"], "there is no folder './none'"),
    (["--attributes", "woman,kind"], "and other than kind, inflection, note, but it is"),
    (["--work", __file__], "is a file; choose another --work"),
    (["--review", "mine.review.csv"], "takes the place of texts; leave out INPUT, or --review"),
])  # fmt: skip
def test_what_is_refused(run: Any, arguments: list[Any], changed: list[str], told: str) -> None:
    """In one sentence, before anything is computed."""
    refused = run(*arguments, *changed).refused()
    assert told in refused
    assert refused.count("\n") == 2
