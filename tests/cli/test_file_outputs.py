"""One file as what a command writes."""

import errno
import gzip
import os
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, load_dataset

from fair_datasets.cli.inputs import load_input

TWINS = ["He is a waiter.", "She is a waitress.", "It rains."]
AUGMENT = ("--text", "text", "--out")


@pytest.mark.parametrize("name", [
    "o.csv", "o.CSV", "o.tsv", "o.jsonl", "o.ndjson", "o.parquet", "o.csv.gz", "o.jsonl.xz",
    "o.tsv.bz2",
])  # fmt: skip
def test_one_file_of_each_format(run: Any, reviews: Path, here: Path, left: Any, name: str) -> None:
    """The file reads back, also as is told; only its manifest lies beside it."""
    outcome = run("augment", reviews, *AUGMENT, here / "new" / name).quiet()
    (code,) = outcome.out.split("dataset = ")[1:]
    assert eval(code, {"load_dataset": load_dataset})["text"][:] == TWINS
    assert sorted(os.listdir(here / "new")) == sorted([name, f".{name}.manifest.json"])
    assert [path.name for path in left()] == ["new"]
    rows = load_input(str(here / "new" / name), ["text"], None)["train"]
    plain = rows.remove_columns("family_id").to_dict()
    assert plain == {"id": [1, 1, 2], "text": TWINS, "label": [1, 1, 0]}


def test_equal_runs_give_equal_files(run: Any, reviews: Path, tmp_path: Path) -> None:
    """Also where they are compressed."""
    for name in ("a.csv.gz", "b.csv.gz"):
        assert run("augment", reviews, *AUGMENT, tmp_path / name).code == 0
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).startswith(
        b"id,text,label,family_id"
    )


def test_a_file_is_overwritten_on_request_only(run: Any, reviews: Path, here: Path) -> None:
    """--overwrite replaces the file, also behind a link, and nothing else does."""
    (here / "real.csv").write_text("mine")
    (here / "o.csv").symlink_to("real.csv")
    outcome = run("augment", reviews, *AUGMENT, "o.csv").refused()
    assert "The output file o.csv already exists, and nothing is overwritten" in outcome
    assert (here / "real.csv").read_text() == "mine"
    assert run("augment", reviews, *AUGMENT, "o.csv", "--overwrite").code == 0
    assert (here / "o.csv").is_symlink()
    assert (here / "real.csv").read_text().startswith("id,text,label,family_id\n")


@pytest.mark.parametrize("name", ["in.tsv", "link.tsv", "hard.tsv"])
@pytest.mark.parametrize("command", ["augment", "correct"])
def test_no_file_replaces_what_it_is_made_from(
    run: Any, here: Path, command: str, name: str
) -> None:
    """Neither under its own name nor under another one, and whichever command writes."""
    rows = "text\tbias_score\nHe left.\t0.5\nIt rained.\t0.0\n"
    (here / "in.tsv").write_text(rows)
    (here / "other.tsv").write_text(rows)
    (here / "link.tsv").symlink_to("in.tsv")
    (here / "hard.tsv").hardlink_to(here / "in.tsv")
    words = ["--correction", "Sub50"] if command == "correct" else []
    outcome = run(command, "other.tsv", "in.tsv", *words, *AUGMENT, name, "--overwrite").refused()
    told = f"{command}: in.tsv would be replaced by what is made from it; give another --out."
    assert told in outcome
    assert (here / "in.tsv").read_text() == rows


def test_a_slash_makes_a_folder(run: Any, reviews: Path, here: Path) -> None:
    """A name that ends in a slash is that of a folder, as is one of another ending."""
    assert run("augment", reviews, *AUGMENT, "o.csv/").code == 0
    assert (here / "o.csv" / "README.md").is_file()
    assert run("augment", reviews, *AUGMENT, "reviews-v1.0").code == 0
    assert (here / "reviews-v1.0" / "README.md").is_file()


def test_one_file_holds_one_split(run: Any, here: Path) -> None:
    """Which --split names."""
    (here / "in").mkdir()
    for split in ("train", "test"):
        (here / "in" / f"{split}.csv").write_text(f"text\nHe is in {split}.\n")
    words = [*AUGMENT, "o.csv", "--split", "test", "--no-family"]
    assert run("augment", "in", *words).code == 0
    assert (here / "o.csv").read_text() == "text\nHe is in test.\nShe is in test.\n"


def test_a_failure_leaves_nothing(
    run: Any, reviews: Path, here: Path, left: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the disk is full in the end, the earlier file stays, and the same command goes on."""

    def fail(*arguments: object) -> Any:
        yield "id,text,label\n"
        raise OSError(errno.ENOSPC, "No space left on device")

    (here / "o.csv").write_text("mine")
    monkeypatch.setattr("fair_datasets.jobs.file_outputs.lines", fail)
    outcome = run("augment", reviews, *AUGMENT, "o.csv", "--overwrite")
    assert outcome.code == 1
    assert "the disk is full" in outcome.err
    assert outcome.err.endswith("kept in o.csv.work, and the same command goes on from there.\n")
    assert sorted(path.name for path in left()) == ["o.csv", "o.csv.work"]
    assert (here / "o.csv").read_text() == "mine"
    monkeypatch.undo()
    monkeypatch.chdir(here)
    assert run("augment", reviews, *AUGMENT, "o.csv", "--overwrite").code == 0
    assert (here / "o.csv").read_text() != "mine"
    assert sorted(os.listdir(here)) == [".o.csv.manifest.json", "o.csv"]


def test_scores_and_selections_are_files_too(run: Any, here: Path) -> None:
    """`score` writes the classes by their names, and `select` reads and writes such a file."""
    words, labels = ("rude", "kind"), ("bad", "good")
    lines = [f"He was {words[n % 2]} on day {n},{labels[n % 2]}\n" for n in range(20)]
    (here / "in.csv").write_text("".join(["text,label\n", *lines]))
    run("score", "in.csv", "--text", "text", "--probes", 1, "--out", "scored.csv").quiet()
    scored = load_input("scored.csv", ["text", "text_counterfactual"], None)["train"]
    assert scored["label"][:2] == ["bad", "good"]
    assert scored["text_counterfactual"][0] == "She was rude on day 0"
    assert (here / "scored.csv.work").is_dir()
    run("select", "scored.csv", "--text", "text", "-a", 1, "-b", 0.5, "--out", "o.jsonl").quiet()
    assert load_input("o.jsonl", ["text"], None)["train"].num_rows == 30


def test_an_empty_text_beside_a_null_is_told(run: Any, here: Path) -> None:
    """The note goes to the standard error, and the file is written."""
    rows = {"text": ["He left.", "She left.", "It rains."], "note": ["", None, "x"]}
    Dataset.from_dict(rows).to_parquet(str(here / "in.parquet"))
    outcome = run("augment", "in.parquet", *AUGMENT, "o.csv", "--no-family").done()
    assert "column 'note' holds nulls and empty texts, which most readers of .csv" in outcome.err
    assert (here / "o.csv").read_text().splitlines()[1] == 'He left.,""'
    assert run("augment", "in.parquet", *AUGMENT, "o.jsonl").err == ""
