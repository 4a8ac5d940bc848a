"""Tests of the command `evaluate-encoders`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, load_dataset

from fair_datasets.measures.weat import weat_test
from hub_scripts.encoders import EncoderTask, evaluate_encoders
from hub_scripts.encoders.encoders import plain_evaluation

WORDS = [*weat_test("C6b").words(), "this", "is", "good", "bad", "day", "man"]
TASKS = """\
[mood]
kind = "text"
columns = "text"
label = "label"
data = "mood"

["how far"]
kind = "similarity"
columns = ["u", "v"]
label = "score"
train = "far.csv"
validation = "far.csv"
test = "far.csv"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files of word vectors and two tasks."""
    for seed in (0, 1):
        values = np.random.default_rng(seed).normal(size=(len(WORDS), 8)).round(4).astype(str)
        lines = (" ".join([word, *row]) for word, row in zip(WORDS, values, strict=True))
        (tmp_path / f"vectors-{seed}.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "mood").mkdir()
    for split in ("train", "validation", "test"):
        rows = ["text,label", *(f"{mood} {word},{mood}" for mood in ("good", "bad")
                                for word in ("day", "man", "home"))]  # fmt: skip
        (tmp_path / "mood" / f"{split}.csv").write_text("\n".join(rows) + "\n")
    # Scores that are kept as text, as they would not read back as they are written.
    (tmp_path / "far.csv").write_text("u,v,score\nday,man,0.50\nhome,day,2.50\nman,man,5.00\n")
    (tmp_path / "tasks.toml").write_text(TASKS)
    return tmp_path


@pytest.mark.slow
def test_it_compares_encoders_in_a_folder(run: Any, folder: Path) -> None:
    """The tables are printed and written; rows, JSON and picture are beside them."""
    out = folder / "out"
    outcome = run(
        "evaluate-encoders", f"words={folder}/vectors-0.txt", f"words={folder}/vectors-1.txt",
        f"other={folder}/vectors-1.txt", "--test", "C6b", "--tasks", folder / "tasks.toml",
        "--out", out,
    ).done()  # fmt: skip
    header = outcome.out.splitlines()[0]
    assert header.split("  ")[0] == "test"
    assert "words, n = 2" in header
    assert "other, n = 1" in header
    assert f"dataset = load_dataset('{out}')" in outcome.out
    report = (out / "README.md").read_text()
    assert "| test | words, n = 2 | other, n = 1 |" in report
    assert "| mood | accuracy | 0.500 |" in report
    assert "![Effect sizes and probes of each encoder](encoders.svg)" in report
    command = next(line for line in report.splitlines() if line.startswith("fair-datasets "))
    assert command == (
        "fair-datasets evaluate-encoders words=vectors-0.txt words=vectors-1.txt "
        "other=vectors-1.txt --test C6b --tasks tasks.toml --pooling auto --seed 0 --out out"
    )
    assert str(folder) not in report
    data = json.loads((out / "encoders.json").read_text())
    assert str(folder) not in json.dumps(data)
    rows = load_dataset(str(out), split="train")
    assert rows.to_list() == data["rows"]
    assert (out / "encoders.svg").read_text().startswith("<?xml")


def test_json_is_what_the_function_gives(run: Any, folder: Path) -> None:
    """Files are read as Python reads the same data."""
    outcome = run(
        "evaluate-encoders", f"words={folder}/vectors-0.txt", "--test", "C6b",
        "--tasks", folder / "tasks.toml", "--json",
    ).done()  # fmt: skip
    mood = load_dataset("csv", data_files=str(folder / "mood" / "train.csv"), split="train")
    far = Dataset.from_dict({"u": ["day", "home", "man"], "v": ["man", "day", "man"],
        "score": [0.5, 2.5, 5.0]})  # fmt: skip
    names = ("train", "validation", "test")
    tasks = [
        EncoderTask(name="mood", kind="text", columns="text", label="label",
                    splits=dict.fromkeys(names, mood)),
        EncoderTask(name="how far", kind="similarity", columns=("u", "v"), label="score",
                    splits=dict.fromkeys(names, far)),
    ]  # fmt: skip
    given = {"words": folder / "vectors-0.txt"}
    expected = plain_evaluation(evaluate_encoders(given, tests=["C6b"], tasks=tasks))
    assert json.loads(outcome.out) == expected


def test_sentences_of_a_file_are_tested(run: Any, folder: Path) -> None:
    """As May et al. publish theirs."""
    sets = {"targ1": ["he"], "targ2": ["she"], "attr1": ["home"], "attr2": ["office"]}
    examples = {key: {"examples": [*words, "this"]} for key, words in sets.items()}
    (folder / "mine.jsonl").write_text(json.dumps(examples))
    outcome = run(
        "evaluate-encoders", f"words={folder}/vectors-0.txt",
        "--test", f"C6b={folder}/mine.jsonl", "--json",
    ).done()  # fmt: skip
    row = json.loads(outcome.out)["rows"][0]
    assert (row["test"], row["size"], row["left_out"]) == ("C6b", 8, [])


def test_tasks_are_read_as_other_commands_read_them(run: Any, folder: Path) -> None:
    """With the delimiter and the encoding of their files."""
    for file in [*(folder / "mood").iterdir(), folder / "far.csv"]:
        text = file.read_text().replace(",", "^").replace("day", "day é")
        file.write_text(text, encoding="cp1252")
    words = [f"a={folder}/vectors-0.txt", "--test", "C6b", "--tasks", folder / "tasks.toml"]
    assert "name its encoding by --encoding" in run("evaluate-encoders", *words).refused()
    given = ["--delimiter", "^", "--encoding", "cp1252", "--json"]
    rows = json.loads(run("evaluate-encoders", *words, *given).done().out)["rows"]
    assert {"mood", "how far"} < {row["test"] for row in rows}
