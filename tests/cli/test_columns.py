"""What is told of columns that are not there, and of an axis that nobody mentions."""

from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value, load_dataset

from fair_datasets import CounterfactualSwap
from fair_datasets.selection.diet.scoring import (
    positive_classes,
    with_classes,
    with_classes_of,
    with_two_classes,
)
from fair_datasets.selection.splits import held_out
from fair_datasets.technique import reproduce


def test_a_column_may_be_called_like_a_list(run: Any, here: Path) -> None:
    """A name with a comma or a semicolon is one that is there."""
    (here / "in.csv").write_text('"a,b",a,b\nHe left.,x,y\n')
    assert run("augment", "in.csv", "--text", "a,b", "--out", "a").code == 0
    (here / "in.csv").write_text("a;b\nHe left.\n")
    assert run("augment", "in.csv", "--text", "a;b", "--out", "b").code == 0


def test_an_axis_that_nobody_mentions_is_told(run: Any, here: Path) -> None:
    """Each axis for itself, on the standard error; nothing failed."""
    (here / "in.csv").write_text("text\nHe left.\n")
    words = ("augment", "in.csv", "--text", "text", "--axis", "gender", "--axis", "religion")
    outcome = run(*words, "--out", "out").done()
    assert outcome.err == (
        "fair-datasets: no text mentions anybody of the axis 'religion'; check --text and --axis.\n"
    )
    (here / "in.csv").write_text("text\nIt rains.\n")
    outcome = run(*words, "--out", "other").done()
    assert [axis in outcome.err for axis in ("'gender'", "'religion'")] == [True, True]


def rows(*labels: str | float | None) -> Dataset:
    """Return rows with some labels."""
    return Dataset.from_dict({"label": list(labels)})


def test_the_classes_are_the_same_in_all_splits() -> None:
    """A split that lacks a class does not number the others anew; nulls stay nulls."""
    splits = with_classes(
        {"train": rows("b", "a", "c", "b", None, "a"), "test": rows("c", "b"),
         "unlabelled": Dataset.from_dict({"text": ["He won."]})},
        "label",
    )  # fmt: skip
    assert splits["train"]["label"][:] == [1, 0, 2, 1, None, 0]
    assert splits["test"]["label"][:] == [2, 1]
    assert splits["test"].features["label"] == ClassLabel(names=["a", "b", "c"])
    assert splits["unlabelled"].column_names == ["text"]


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_any_kind_of_text(kind: str) -> None:
    """Arrow has several."""
    texts = rows("b", "a", "b", "a").cast(Features(label=Value(kind)))
    assert with_classes({"train": texts}, "label")["train"]["label"][:] == [1, 0, 1, 0]


def test_numbers_stay_as_they_are() -> None:
    """So do classes that have names already."""
    named = rows(0, 1).cast_column("label", ClassLabel(names=["no", "yes"]))
    for splits in (
        {"train": rows(1, 0)}, {"train": named}, {"train": Dataset.from_dict({})},
        {"train": rows(5, 1), "test": named},
    ):  # fmt: skip
        assert with_classes(splits, "label") == splits


def test_numbers_are_classes_in_their_order() -> None:
    """Stars as they are written in a file, whole floats too; a class that is missing is none."""
    splits = with_classes({"train": rows(10, 2, 5, 2), "test": rows(2)}, "label")
    assert splits["train"]["label"][:] == [2, 0, 1, 0]
    assert splits["test"].features["label"] == ClassLabel(names=["2", "5", "10"])
    floats = with_classes({"train": rows(1.0, 0.0, None)}, "label")["train"]
    assert floats["label"][:] == [1, 0, None]


def test_two_classes_are_made_of_several() -> None:
    """A rating is divided above its middle, other classes as the user says, who may err."""
    stars = with_classes({"train": rows(1, 2, 3, 4, 5, None)}, "label")
    assert positive_classes(stars, "label", []) == ["4", "5"]
    two = with_two_classes(stars["train"], "label", ["5"])
    assert two["label"][:] == [0, 0, 0, 0, 1, None]
    assert two.features["label"].names == ["1, 2, 3, 4", "5"]
    assert two.features["label_given"].int2str(two["label_given"][:5]) == list("12345")
    assert positive_classes({"train": rows(0, 1)}, "label", []) == []


def test_a_pool_has_the_classes_of_the_rows() -> None:
    """In their order, also where it lacks one; another one is refused."""
    named = with_classes({"train": rows("b", "a")}, "label")["train"]
    assert with_classes_of(rows("b", None), named, "label")["label"][:] == [1, None]
    stars = with_classes({"train": rows(5, 1)}, "label")["train"]
    assert with_classes_of(rows(1, 5), stars, "label")["label"][:] == [0, 1]
    assert with_classes_of(rows(1), named, "label")["label"][:] == [1]


TEXTS = [f"He has {number % 20} reasons." for number in range(30)]
ROWS = Dataset.from_dict({"id": [f"r{number // 3}" for number in range(30)], "text": TEXTS})
TEXT = ("--text", "text")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Save two splits, whose rows all have a word to swap."""
    splits = DatasetDict(train=ROWS.select(range(20)), dev=ROWS.select(range(20, 30)))
    splits.save_to_disk(str(tmp_path / "in"))
    return tmp_path / "in"


@pytest.mark.parametrize("mode", ["augment", "pair"])
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


def test_held_out_rows_have_nothing_to_do_with_the_others(run: Any, tmp_path: Path) -> None:
    """No row of one text or one id is on both sides, and the test rows are not swapped."""
    ROWS.to_csv(str(tmp_path / "in.csv"))
    words = ["augment", tmp_path / "in.csv", *TEXT, "--id-column", "id", "--test-size", "0.3"]
    run(*words, "--out", tmp_path / "out").quiet()
    found = load_dataset(str(tmp_path / "out"))
    assert list(found) == ["train", "test"]
    assert len(found["train"]) == 2 * (30 - len(found["test"]))
    assert all(text.startswith("He ") for text in found["test"]["text"])
    for column in ("text", "family_id", "id"):
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
