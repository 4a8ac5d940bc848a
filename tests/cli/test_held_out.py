"""Splits that go along as they are, and test rows that are held out before the swap."""

from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict, load_dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.cli.held_out import held_out
from fair_datasets.technique import reproduce

TEXTS = [f"He has {number % 20} reasons." for number in range(30)]
ROWS = Dataset.from_dict({"id": [f"r{number // 3}" for number in range(30)], "text": TEXTS})
TEXT = ("--text", "text")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Save two splits, whose rows all have a word to swap."""
    splits = DatasetDict(train=ROWS.select(range(20)), dev=ROWS.select(range(20, 30)))
    splits.save_to_disk(str(tmp_path / "in"))
    return tmp_path / "in"


@pytest.mark.parametrize("mode", ["augment", "replace", "pair"])
def test_other_splits_go_along_as_they_are(
    run: Any, source: Path, tmp_path: Path, mode: str
) -> None:
    """With the columns that are added, as splits are alike; the card makes the same again."""
    words = [*TEXT, "--mode", mode, "--split", "train", "--family", "--confidence"]
    outcome = run("augment", source, *words, "--out", tmp_path / "out").quiet()
    assert "\ndev: 10 rows, as they are\n" in outcome.out
    found = load_dataset(str(tmp_path / "out"))
    swap = CounterfactualSwap(columns="text", mode=mode, family=True, confidence=True)
    assert found["train"].to_dict() == swap.apply(ROWS.select(range(20))).to_dict()
    assert found["dev"].select_columns(["id", "text"])[:] == ROWS[20:]
    assert found["dev"]["confidence"][:] == [None] * 10
    assert found["dev"].features == found["train"].features
    card = (tmp_path / "out" / "README.md").read_text()
    assert "Not rewritten, and the same as in the source: `dev`." in card
    code = card.split("```python\n")[-1].split("```")[0]
    given = {"__name__": "card", "reproduce": reproduce}
    lines = code.replace("'in'", repr(str(source))).replace('"README.md"', "README")
    exec(lines, {**given, "README": str(tmp_path / "out")}, given)
    assert {name: rows[:] for name, rows in given["dataset"].items()} == {
        name: rows[:] for name, rows in found.items()
    }


def test_a_file_holds_one_split(run: Any, source: Path, tmp_path: Path) -> None:
    """A sentence says that the others are not in it."""
    outcome = run(
        "augment", source, *TEXT, "--split", "dev", "--no-family", "--out", tmp_path / "a.csv"
    ).done()
    assert "a.csv gets the split 'dev' alone, because one file holds one split; a" in outcome.err
    assert (tmp_path / "a.csv").read_text().splitlines()[:2] == ["id,text", "r6,He has 0 reasons."]


@pytest.mark.parametrize("options", [[], ["--id-column", "id"]])
def test_held_out_rows_have_nothing_to_do_with_the_others(
    run: Any, tmp_path: Path, options: list[str]
) -> None:
    """No row of one text or one id is on both sides, and the test rows are not swapped."""
    ROWS.to_csv(str(tmp_path / "in.csv"))
    words = ["augment", tmp_path / "in.csv", *TEXT, *options, "--test-size", "0.3"]
    run(*words, "--out", tmp_path / "out").quiet()
    found = load_dataset(str(tmp_path / "out"))
    assert list(found) == ["train", "test"]
    assert len(found["train"]) == 2 * (30 - len(found["test"]))
    assert all(text.startswith("He ") for text in found["test"]["text"])
    for column in ("text", "family_id", *(["id"] if options else [])):
        train, test = (set(rows[column]) for rows in found.values())
        assert test
        assert not train & test
    again = run(*words, "--out", tmp_path / "out")
    assert "nothing is done again" in again.out
    run(*words[:-1], "0.5", "--out", tmp_path / "out").refused()
    card = (tmp_path / "out" / "README.md").read_text()
    assert "held_out(dataset, 'train', 0.3, columns=['text']" in card
    assert "Rows of one `family_id` belong in one split" in card
    shown = run(*words, "--dry-run")
    assert "train: " in shown.out or "train, row " in shown.out
    assert "test, row" not in shown.out


def test_families_that_are_there_are_held_out_together() -> None:
    """Rows that an earlier swap made are on the side of their origin."""
    twins = CounterfactualSwap(columns="text", id_column="id").apply(ROWS)
    found = held_out({"all": twins}, "all", 0.3, columns=["text"])
    assert list(found) == ["all", "test"]
    assert not set(found["all"]["family_id"]) & set(found["test"]["family_id"])
    again = held_out({"all": twins.select(range(len(twins))[::-1])}, "all", 0.3, columns=["text"])
    assert set(again["test"]["text"]) == set(found["test"]["text"])


@pytest.mark.parametrize(("words", "told"), [
    (["--test-size", "1.5"], "--test-size must be a share between 0 and 1, such as 0.2"),
    (["--test-size", "nan"], "but it is nan"),
    (["--test-size", "0.2"], "has the splits train, dev, but --test-size divides one split"),
    (["--split", "dev", "--test-size", "0.95"], "10 families leave nothing for 'dev'"),
    (["--split", "tran"], "--split must be one of 'train', 'dev', but it is 'tran'"),
])  # fmt: skip
def test_what_cannot_be_held_out(
    run: Any, source: Path, tmp_path: Path, words: list[str], told: str
) -> None:
    """One sentence says why, and nothing is written."""
    assert told in run("augment", source, *TEXT, *words, "--out", tmp_path / "out").refused()
    assert not (tmp_path / "out").exists()


def test_two_splits_are_no_file(run: Any, source: Path, tmp_path: Path) -> None:
    """Nor can a test split be made where there is one."""
    outcome = run("augment", source, *TEXT, "--test-size", "0.2", "--out", tmp_path / "a.csv")
    assert "--test-size makes two splits, which one file cannot hold" in outcome.err
    splits = DatasetDict(train=ROWS, test=ROWS)
    splits.save_to_disk(str(tmp_path / "both"))
    words = [*TEXT, "--split", "train", "--test-size", "0.2", "--out", tmp_path / "out"]
    assert "has a split 'test' already; leave out" in run("augment", tmp_path / "both", *words).err
    words = [*TEXT, "--test-size", "0.2", "--out", tmp_path / "out"]
    assert "read in place" in run("augment", f"{tmp_path}/*.parquet", *words).err
