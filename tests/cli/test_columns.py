"""What is told of columns that are not there, and of an axis that nobody mentions."""

from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value, load_dataset

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.selection.diet.scoring import (
    positive_classes,
    with_classes,
    with_classes_of,
    with_two_classes,
)
from fair_datasets.selection.splits import held_out
from fair_datasets.technique import reproduce


@pytest.mark.parametrize(("content", "text", "sentence"), [
    ("id;text\nHe left.\n", "text", "its one column is 'id;text', as if fields were"),
    ("id\ttext\nHe left.\n", "text", "separated by tabs; say so by --delimiter tab."),
    ("a,b\nHe left.,x\n", "a,b", "no column 'a,b'; give each column by itself: --text a --te"),
    ("a,b\nHe left.,x\n", "a, b", "give each column by itself: --text a --text b."),
    ("a,b\nHe left.,x\n", "a,c", "there is no column 'a,c'; the columns are 'a', 'b'."),
    ("id;text\nHe left.\n", "nix,y", "its one column is 'id;text'"),
])  # fmt: skip
def test_missing_columns(run: Any, here: Path, content: str, text: str, sentence: str) -> None:
    """Where the reason can be told, it is."""
    (here / "in.csv").write_text(content)
    outcome = run("augment", "in.csv", "--text", text, "--out", "out").refused()
    assert sentence in outcome
    assert len(outcome.strip().splitlines()) == 1
    assert [path.name for path in here.iterdir()] == ["in.csv"]


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


@pytest.mark.parametrize(("options", "sentence"), [
    (["--axis", "team.csv"], "axis 'team.csv' is taken for a file, whose name must end in .tsv"),
    (["--axis", "sex"], "but it is 'sex'. Did you mean 'gender'?"),
    (["--axis", "Ethnicity"], "Did you mean 'race'?"),
    (["--target", "female"], "but it is 'female'. Did you mean 'woman'?"),
    (["--source", "MEN"], "but it is 'MEN'. Did you mean 'man'?"),
    (["--axis", "religion", "--target", "Muslims"], "Did you mean 'muslim'?"),
])  # fmt: skip
def test_what_was_meant(run: Any, reviews: Path, options: list[str], sentence: str) -> None:
    """The name of an axis or of an attribute is suggested for another word of the same."""
    assert sentence in run("augment", reviews, "--text", "text", *options, "--dry-run").refused()


def rows(*labels: str | float | None) -> Dataset:
    """Return rows with some labels."""
    return Dataset.from_dict({"label": list(labels)})


def test_the_classes_are_the_same_in_all_splits() -> None:
    """A split that lacks a class does not number the others anew; nulls stay nulls."""
    splits = with_classes(
        {"train": rows("b", "a", "c", "b", None, "a"), "test": rows("c", "b"),
         "unlabelled": Dataset.from_dict({"text": ["He won."]})},
        "label", owner="in.csv",
    )  # fmt: skip
    assert splits["train"]["label"][:] == [1, 0, 2, 1, None, 0]
    assert splits["test"]["label"][:] == [2, 1]
    assert splits["test"].features["label"] == ClassLabel(names=["a", "b", "c"])
    assert splits["unlabelled"].column_names == ["text"]


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_any_kind_of_text(kind: str) -> None:
    """Arrow has several."""
    texts = rows("b", "a", "b", "a").cast(Features(label=Value(kind)))
    assert with_classes({"train": texts}, "label", owner="x")["train"]["label"][:] == [1, 0, 1, 0]


def test_numbers_stay_as_they_are() -> None:
    """So do classes that have names already."""
    named = rows(0, 1).cast_column("label", ClassLabel(names=["no", "yes"]))
    for splits in (
        {"train": rows(1, 0)}, {"train": named}, {"train": Dataset.from_dict({})},
        {"train": rows(5, 1), "test": named},
    ):  # fmt: skip
        assert with_classes(splits, "label", owner="x") == splits


def test_texts_that_are_no_classes_are_refused() -> None:
    """Nearly as many as there are rows; and texts in one split beside numbers in another."""
    with pytest.raises(InputError, match="column 'label' holds 4 different texts in 6 rows"):
        with_classes({"train": rows(*"abcdaa")}, "label", owner="in.csv")
    with pytest.raises(InputError, match="holds texts in train, but not in test"):
        with_classes({"train": rows("a", "b"), "test": rows(0)}, "label", owner="in.csv")


def test_numbers_are_classes_in_their_order() -> None:
    """Stars as they are written in a file, whole floats too; a class that is missing is none."""
    splits = with_classes({"train": rows(10, 2, 5, 2), "test": rows(2)}, "label", owner="x")
    assert splits["train"]["label"][:] == [2, 0, 1, 0]
    assert splits["test"].features["label"] == ClassLabel(names=["2", "5", "10"])
    floats = with_classes({"train": rows(1.0, 0.0, None)}, "label", owner="x")["train"]
    assert floats["label"][:] == [1, 0, None]


@pytest.mark.parametrize(("labels", "sentence"), [
    ((0.5, 1.0), "in.csv: column 'label' holds 0.5, but a class is a text or a whole number"),
    ((-1, 0, 1), "in.csv: column 'label' holds -1, .*; leave out the rows without a label"),
    (tuple(range(1, 23)), "in.csv: column 'label' holds 22 different numbers in 22 rows"),
])  # fmt: skip
def test_numbers_that_are_no_classes_are_refused(labels: Any, sentence: str) -> None:
    """A score, a missing label and an id are told."""
    with pytest.raises(InputError, match=sentence):
        with_classes({"train": rows(*labels)}, "label", owner="in.csv")


def test_two_classes_are_made_of_several() -> None:
    """A rating is divided above its middle, other classes as the user says, who may err."""
    stars = with_classes({"train": rows(1, 2, 3, 4, 5, None)}, "label", owner="x")
    assert positive_classes(stars, "label", [], owner="x") == ["4", "5"]
    two = with_two_classes(stars["train"], "label", ["5"])
    assert two["label"][:] == [0, 0, 0, 0, 1, None]
    assert two.features["label"].names == ["1, 2, 3, 4", "5"]
    assert two.features["label_given"].int2str(two["label_given"][:5]) == list("12345")
    moods = with_classes({"train": rows(*"abcabc")}, "label", owner="x")
    for given, sentence in (
        ([], "x: column 'label' holds 3 classes .* by --positive, such as --positive c"),
        (["d"], "x: --positive must be one of 'a', 'b', 'c', but it is 'd'"),
        (["a", "b", "c"], "x: --positive names all classes of 'label'"),
    ):
        with pytest.raises(InputError, match=sentence):
            positive_classes(moods, "label", given, owner="x")
    assert positive_classes({"train": rows(0, 1)}, "label", [], owner="x") == []


def test_a_pool_has_the_classes_of_the_rows() -> None:
    """In their order, also where it lacks one; another one is refused."""
    named = with_classes({"train": rows("b", "a")}, "label", owner="x")["train"]
    assert with_classes_of(rows("b", None), named, "label", owner="x")["label"][:] == [1, None]
    stars = with_classes({"train": rows(5, 1)}, "label", owner="x")["train"]
    assert with_classes_of(rows(1, 5), stars, "label", owner="x")["label"][:] == [0, 1]
    assert with_classes_of(rows(1), named, "label", owner="x")["label"][:] == [1]
    with pytest.raises(InputError, match=r"pool.csv: column 'label' holds 'c', but .* 'a', 'b'"):
        with_classes_of(rows("c"), named, "label", owner="pool.csv")
    with pytest.raises(InputError, match="the classes of the training rows are numbers"):
        with_classes_of(rows("c"), rows(0, 1), "label", owner="pool.csv")


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
