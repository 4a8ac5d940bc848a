"""What `augment` reads and writes."""

import csv
import datetime
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import (
    ClassLabel,
    Dataset,
    DatasetDict,
    Features,
    Image,
    Value,
    load_dataset,
    load_from_disk,
)
from huggingface_hub import DatasetCard

from fair_datasets import CounterfactualSwap, load_technique
from fair_datasets.lexicons import load_lexicon, save_people

TEXTS = ["He is a waiter.", "It rains."]
TWINS = ["He is a waiter.", "She is a waitress.", "It rains."]


def csv_text(separator: str = ",") -> str:
    """Write the two texts as a CSV file with another column."""
    lines = [separator.join(["text", "n"]), *(separator.join([text, "1"]) for text in TEXTS)]
    return "".join(f"{line}\n" for line in lines)


def json_lines() -> str:
    """Write the two texts as JSON lines."""
    return "".join(json.dumps({"text": text, "n": 1}) + "\n" for text in TEXTS)


def parquet_bytes() -> bytes:
    """Write the two texts as a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(pa.table({"text": TEXTS, "n": [1, 1]}), buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(("name", "content"), [
    ("A.CSV", csv_text().encode()), ("bom.csv", b"\xef\xbb\xbf" + csv_text().encode()),
    ("windows.csv", csv_text().replace("\n", "\r\n").encode()), ("a.ndjson", json_lines().encode()),
    ("a.parquet", parquet_bytes()), ("a.txt", "\n".join(TEXTS).encode()),
    ("a.txt.gz", gzip.compress("\n".join(TEXTS).encode(), mtime=0)),
    ("we[1]rd *name.csv", csv_text().encode()),
])  # fmt: skip
def test_reads_each_format(run: Any, tmp_path: Path, name: str, content: bytes) -> None:
    """Each format gives the rows, each followed by its counterfactual."""
    (tmp_path / name).write_bytes(content)
    outcome = run("augment", tmp_path / name, "--text", "text", "--out", tmp_path / "out").done()
    assert outcome.err == ""
    assert "train: 2 rows in, 3 rows out, 1 rewritten" in outcome.out
    result = load_dataset(str(tmp_path / "out"))
    assert list(result) == ["train"]
    assert list(result["train"]["text"]) == TWINS


@pytest.mark.parametrize("name", ["{}.tsv", "{}.csv.gz", "{}/a.csv", "{}.jsonl"])
def test_folder_keeps_its_splits(run: Any, tmp_path: Path, name: str) -> None:
    """A folder's files train.* and test.* (or folders of these names) stay two splits."""
    for split in ("train", "test"):
        file = tmp_path / "in" / name.format(split)
        file.parent.mkdir(parents=True, exist_ok=True)
        is_json = name.endswith(".jsonl")
        content = json_lines() if is_json else csv_text("\t" if ".tsv" in name else ",")
        data = content.encode()
        file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    run("augment", tmp_path / "in", "--text", "text", "--out", tmp_path / "out").done()
    result = load_dataset(str(tmp_path / "out"))
    assert {split: list(rows["text"]) for split, rows in result.items()} == {
        "train": TWINS,
        "test": TWINS,
    }


def labelled() -> Dataset:
    """Return a dataset with a class label."""
    features = Features({"text": Value("string"), "label": ClassLabel(names=["bad", "good"])})
    return Dataset.from_dict({"text": TEXTS, "label": [1, 0]}, features=features)


@pytest.mark.parametrize(("save", "splits"), [
    (lambda path: labelled().to_parquet(str(path.with_suffix(".parquet"))), ["train"]),
    (lambda path: labelled().save_to_disk(str(path)), ["train"]),
    (lambda path: labelled().with_format("numpy").save_to_disk(str(path)), ["train"]),
    (lambda path: DatasetDict({"train": labelled(), "dev": labelled()}).save_to_disk(str(path)),
     ["train", "dev"]),
], ids=["parquet", "saved", "saved with a format", "saved splits"])  # fmt: skip
def test_class_labels_stay(run: Any, tmp_path: Path, save: Any, splits: list[str]) -> None:
    """The features of Parquet files and saved datasets stay, class labels among them."""
    save(tmp_path / "in")
    source = next(tmp_path.iterdir())
    assert run("augment", source, "--text", "text", "--out", tmp_path / "out").code == 0
    result = load_dataset(str(tmp_path / "out"))
    assert list(result) == splits
    for rows in result.values():
        assert rows.features == {**labelled().features, "family_id": Value("string")}
        assert list(rows["label"]) == [1, 1, 0]


def test_result_is_not_another_folder_of_its_name(run: Any, tmp_path: Path) -> None:
    """load_dataset tells two results of one name apart, and one that was made anew."""
    for place, content in (("a", "He ran.\n"), ("b", "It rains.\n")):
        (tmp_path / f"{place}.txt").write_text(content)
        out = tmp_path / place / "out"
        assert run("augment", tmp_path / f"{place}.txt", "--text", "text", "--out", out).code == 0
        assert load_dataset(str(out))["train"][0]["text"] == content.strip()


def test_input_is_not_another_folder_of_its_name(run: Any, tmp_path: Path) -> None:
    """Of two folders with one name and one card, each is read for itself."""
    card = '---\nconfigs: [{"config_name": "default", "data_files": "a.csv"}]\n---\n'
    for place, text in (("a", "NA"), ("b", "None")):
        (tmp_path / place / "in").mkdir(parents=True)
        (tmp_path / place / "in" / "README.md").write_text(card)
        (tmp_path / place / "in" / "a.csv").write_text(f"text\n{text}\n")
        out = tmp_path / f"out {place}"
        assert run("augment", tmp_path / place / "in", "--text", "text", "--out", out).code == 0
        assert list(load_dataset(str(out))["train"]["text"]) == [text]


def test_other_columns_stay_bit_for_bit(run: Any, tmp_path: Path) -> None:
    """Columns that are not text are not touched: nanoseconds, large integers, NaN, bytes."""
    others = {
        "u64": pa.array([2**64 - 1, None], pa.uint64()),
        "ns": pa.array([1234567890123456789, None], pa.timestamp("ns")),
        "time": pa.array([1, None], pa.time64("ns")), "f32": pa.array([0.1, None], pa.float32()),
        "date": pa.array([datetime.date(1, 1, 1), None]), "bytes": pa.array([b"\xff\x00", None]),
        "struct": pa.array([{"a": 1, "b": None}, None], pa.struct({"a": "int8", "b": "string"})),
        "list": pa.array([[1, None], []], pa.list_(pa.int16())), "null": pa.nulls(2),
    }  # fmt: skip
    pq.write_table(pa.table({"text": TEXTS, **others}), tmp_path / "in.parquet")
    assert (
        run("augment", tmp_path / "in.parquet", "--text", "text", "--out", tmp_path / "out").code
        == 0
    )
    written = pq.read_table(tmp_path / "out" / "data")
    expected = pa.table(others).take([0, 0, 1])
    assert written.select(list(others)).cast(expected.schema).equals(expected)


def test_images_are_not_encoded_anew(run: Any, tmp_path: Path) -> None:
    """An image column's bytes pass through, even where they are no image that could be decoded."""
    features = Features({"text": Value("string"), "image": Image()})
    rows = {"text": ["He."], "image": [{"bytes": b"no image", "path": None}]}
    pq.write_table(pa.table(rows, schema=features.arrow_schema), tmp_path / "in.parquet")
    assert (
        run("augment", tmp_path / "in.parquet", "--text", "text", "--out", tmp_path / "out").code
        == 0
    )
    written = pq.read_table(tmp_path / "out" / "data")["image"].to_pylist()
    assert [cell["bytes"] for cell in written] == [b"no image"] * 2


@pytest.mark.parametrize(("options", "expected"), [
    (["--mode", "replace"], ["She is a waitress.", "It rains."]),
    (["--mode", "substitute", "--rate", "0"], TEXTS),
    (["--mode", "replace", "--target", "man"], TEXTS),
    (["--mode", "replace", "--source", "woman"], TEXTS),
])  # fmt: skip
def test_modes_and_directions(
    run: Any, reviews: Path, tmp_path: Path, options: list[str], expected: list[str]
) -> None:
    """Mode, rate, source and target reach the technique."""
    run("augment", reviews, "--text", "text", *options, "--out", tmp_path / "out").done()
    assert list(load_dataset(str(tmp_path / "out"))["train"]["text"]) == expected


@pytest.mark.parametrize(("option", "changed"), [("--names", 1), ("--no-names", 0)])
def test_names_switch(run: Any, tmp_path: Path, option: str, changed: int) -> None:
    """--no-names leaves first names alone."""
    (tmp_path / "in.txt").write_text("Mary arrived.\n")
    outcome = run("augment", tmp_path / "in.txt", "--text", "text", option, "--dry-run")
    assert outcome.out.count("\n+ ") == changed


def test_empty_output_folder_is_used(run: Any, reviews: Path, tmp_path: Path) -> None:
    """An empty folder, or a link to one, may be the output; folders above it are made."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    assert run("augment", reviews, "--text", "text", "--out", tmp_path / "link").code == 0
    assert (tmp_path / "empty" / "README.md").is_file()
    deep = tmp_path / "new" / "folder" / "out"
    assert run("augment", reviews, "--text", "text", "--out", deep).code == 0
    assert (deep / "README.md").is_file()


def test_saved_input_is_left_as_it_was(run: Any, tmp_path: Path) -> None:
    """A save_to_disk folder is only read: no cache file is left in it."""
    labelled().save_to_disk(str(tmp_path / "in"))
    before = sorted(path.name for path in (tmp_path / "in").iterdir())
    assert run("augment", tmp_path / "in", "--text", "text", "--out", tmp_path / "out").code == 0
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == before
    assert list(load_from_disk(str(tmp_path / "in"))["text"]) == TEXTS


def test_known_people_and_facts_are_options(run: Any, tmp_path: Path) -> None:
    """A list of one's own goes with the result, and nobody learns where it lay here."""
    (tmp_path / "in.txt").write_text(
        "Bo Li ran. She won.\nHe has a beard.\nToni Morrison, she won\n"
    )
    save_people(["Bo Li"], tmp_path / "people.tsv")
    options = ["--protect", tmp_path / "people.tsv"]
    options += ["--no-leave-facts", "--mode", "replace"]
    out = tmp_path / "out"
    assert run("augment", tmp_path / "in.txt", "--text", "text", *options, "--out", out).code == 0
    assert load_dataset(str(out))["train"]["text"][:] == [
        "Bo Li ran. She won.", "She has a beard.", "Toni Morrison, she won",
    ]  # fmt: skip
    card = DatasetCard.load(out / "README.md").text
    assert "--protect people.tsv --protect known_people" in card
    assert "--no-leave-facts" in card
    assert str(tmp_path) not in card
    (saved,) = (out / "lexicons").glob("*/people.tsv")
    assert "Bo Li" in saved.read_text()


@pytest.mark.parametrize(("others", "options", "told"), [
    (1, [], "More than a tenth of the rows name known people .*: 1 of 2 .50.0 %"),
    (10, [], "Some rows name known people .*: 1 of 11 .9.1 %"), (1, ["--no-protect"], "rewritten"),
])  # fmt: skip
def test_how_many_rows_name_known_people_is_told(
    run: Any, tmp_path: Path, others: int, options: list[str], told: str
) -> None:
    """Of all rows, with what rewrites them, in the summary and the card; their mentions count."""
    (tmp_path / "in.txt").write_text("Obama met his wife.\n" + "He left.\n" * others)
    out = tmp_path / "out"
    shown = run("augment", tmp_path / "in.txt", "--text", "text", *options, "--out", out).done().out
    card = DatasetCard.load(out / "README.md").text.replace("\\", "")
    for text in (shown, card):
        assert re.search(told, text)
        assert ("stay as they are, because" in text) == (not options)
    assert f"| train | man | {others + 1} |" in card
    assert "--leave-facts" in card
    assert ("--protect known_people" in card, "--no-protect --" in card) == (
        not options, bool(options),
    )  # fmt: skip


def test_axes_pronouns_and_protected_names_are_options(
    run: Any, reviews: Path, tmp_path: Path
) -> None:
    """What the technique can do is within reach of the shell, and stands in the card's command."""
    out = tmp_path / "out"
    options = ["--axis", "gender", "--axis", "race", "--joint", "--target", "non-binary",
               "--target", "black", "--pronouns", "xe", "--protect", "Lily Allen"]  # fmt: skip
    assert run("augment", reviews, "--text", "text", *options, "--out", out).code == 0
    card = DatasetCard.load(out / "README.md").text
    assert " ".join(options[:4]) in card
    assert "--joint" in card
    assert "--protect 'Lily Allen'" in card
    config = re.search(r"```json\n(.*?)\n```", card, re.DOTALL)
    assert config is not None
    technique = load_technique(json.loads(config[1]))
    assert technique == CounterfactualSwap(
        columns="text", axis=("gender", "race"), target=("non-binary", "black"), joint=True,
        pronouns="xe", protect="Lily Allen",
    )  # fmt: skip
    assert "| train | black |" in card


def test_shows_the_first_changes_and_writes_nothing(run: Any, tmp_path: Path) -> None:
    """Five changed rows are shown with their numbers, without colour in a pipe."""
    (tmp_path / "in.txt").write_text("It rains.\n" + "He ran.\n" * 7)
    outcome = run("augment", tmp_path / "in.txt", "--text", "text", "--dry-run").done()
    assert outcome.err == ""
    changes = "".join(f"train, row {row}\n- He ran.\n+ She ran.\n" for row in range(1, 6))
    assert outcome.out == changes + "\nNothing was written: this was a dry run.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


def test_rows_that_are_left_as_a_whole_are_counted(run: Any, tmp_path: Path) -> None:
    """By their reasons; nobody is told that they hold no word of the axis."""
    rows = ["A German met a Mexican.", "A German left.", "It rains.", "A Thai met a Mexican."]
    (tmp_path / "in.txt").write_text("\n".join(rows))
    options = ("--axis", "nationality", "--target", "american", "--dry-run")
    outcome = run("augment", tmp_path / "in.txt", "--text", "text", *options)
    told = "train: 2 rows are left as a whole: two groups of the row would become one."
    assert outcome.out.splitlines()[3:5] == ["train: 1 row would change.", told]
    (tmp_path / "in.txt").write_text(rows[0])
    outcome = run("augment", tmp_path / "in.txt", "--text", "text", *options).quiet()
    assert outcome.out.splitlines()[:2] == [
        "train: no rows would change.", told.replace("2 rows are", "1 row is"),
    ]  # fmt: skip


def test_the_words_are_named_that_tie_rows(run: Any, tmp_path: Path) -> None:
    """Those first that tie the most rows."""
    rows = [
        "The Pope met Catholics.", "Catholics left.", "Luther met Catholics.", "Popes ate Lent.",
    ]  # fmt: skip
    (tmp_path / "in.txt").write_text("\n".join([*rows, "Pope and Catholics."]))
    options = ("--axis", "religion", "--target", "hindu", "--dry-run")
    told = run("augment", tmp_path / "in.txt", "--text", "text", *options).out
    assert (
        "train: 3 rows are left as a whole: another word of the row is tied to the group: tied to "
        "'christian' by 'Pope' (2), tied to 'christian' by 'Luther' (1)."
    ) in told.splitlines()


def test_an_experimental_axis_is_told(run: Any, tmp_path: Path) -> None:
    """Before anything is written, in the terminal and in the card; of other axes nothing is."""
    told, out = load_lexicon("disability").experimental, tmp_path / "out"
    (tmp_path / "in.txt").write_text("A blind man met a woman.")
    options = ("augment", tmp_path / "in.txt", "--text", "text", "--axis")
    assert told in run(*options, "disability", "--dry-run").out
    assert told in run(*options, "disability", "--out", out).out
    assert told in (out / "README.md").read_text()
    assert "experimental" not in run(*options, "gender", "--dry-run").out


def test_rows_that_are_not_trusted_are_counted(run: Any, tmp_path: Path) -> None:
    """As the run leaves them, whose column says how sure the others are."""
    rows = ["She left.", "Much of her treating and advising was in Leeds.", "It rains."]
    (tmp_path / "in.txt").write_text("\n".join(rows))
    options = ("--text", "text", "--min-confidence", "0.95")
    shown = run("augment", tmp_path / "in.txt", *options, "--dry-run").out.splitlines()
    assert shown[3:5] == [
        "train: 1 row would change.",
        "train: 1 row is left as a whole: the confidence of the row is below min_confidence.",
    ]
    out = tmp_path / "out.jsonl"
    options = (*options, "--confidence", "--mode", "replace", "--out", out)
    assert run("augment", tmp_path / "in.txt", *options).code == 0
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["text"] for row in found] == ["He left.", *rows[1:]]
    assert found[0]["confidence"] > 0.95
    assert [row["confidence"] for row in found[1:]] == [None, None]


def test_control_characters_are_shown(run: Any, tmp_path: Path) -> None:
    """Escape sequences in a text do not reach the terminal."""
    (tmp_path / "in.csv").write_text(
        'text\n"\x1b[31mhe\x1b[0m \x07ran\n\x9b31m \u202ehe"\n', encoding="utf-8", newline=""
    )
    outcome = run("augment", tmp_path / "in.csv", "--text", "text", "--dry-run").done()
    assert "- \\x1b[31mhe\\x1b[0m \\x07ran\\n\\x9b31m \\u202ehe\n" in outcome.out
    assert all(letter.isprintable() or letter == "\n" for letter in outcome.out)


def test_same_coin_as_the_run(run: Any, tmp_path: Path) -> None:
    """A dry run of substitute tosses the coins that the run tosses."""
    (tmp_path / "in.txt").write_text("He ran.\n")
    options = ["augment", tmp_path / "in.txt", "--text", "text", "--mode", "substitute", "--rate"]
    assert "no rows would change" in run(*options, "0", "--dry-run").out
    assert "1 row would change" in run(*options, "1", "--dry-run").out


@pytest.mark.parametrize("column", ["edits", "family_id"])
def test_text_column_of_any_name(run: Any, tmp_path: Path, column: str) -> None:
    """A text column may be named as a column of the provenance that was not asked for."""
    (tmp_path / "in.csv").write_text(f"{column},id\nHe ran.,1\n")
    options = ["--text", column, "--id-column", "id"]
    outcome = run("augment", tmp_path / "in.csv", *options, "--dry-run")
    assert "- He ran.\n+ She ran.\n" in outcome.out
    assert run("augment", tmp_path / "in.csv", *options, "--out", tmp_path / "out").code == 0


def test_the_confidence_of_a_row_is_shown_where_it_is_asked_for(run: Any, tmp_path: Path) -> None:
    """A dry run says how sure a counterfactual is, as the whole run would beside it."""
    (tmp_path / "in.csv").write_text("text\nHe ran.\n")
    options = ["augment", tmp_path / "in.csv", "--text", "text", "--dry-run"]
    (confidence,) = CounterfactualSwap(columns="text", mode="replace", confidence=True)(
        {"text": ["He ran."]}
    )["confidence"]
    assert f"train, row 0 (confidence {confidence:.2f})\n" in run(*options, "--confidence").out
    assert "train, row 0\n" in run(*options).out


ROWS = (
    "id,text\n7,The Pope met Catholics.\n8,Catholics left.\n9,Luther met Catholics.\n"
    "10,Catholics and Protestants met.\n"
)
TIED = "another word of the row is tied to the group"
ONE = "two groups of the row would become one"


def _augment(
    run: Any, folder: Path, *options: object, rows: str = ROWS, axis: str = "religion"
) -> Any:
    (folder / "in.csv").write_text(rows)
    own = ("--text", "text", "--axis", axis, "--out", folder / "out")
    return run("augment", folder / "in.csv", *own, *options)


def test_rows_are_counted_by_their_reasons(run: Any, tmp_path: Path) -> None:
    """In the card and on the terminal, whatever the size of the parts."""
    out = _augment(run, tmp_path, "--shard-rows", "2").out.splitlines()
    card = (tmp_path / "out" / "README.md").read_text().splitlines()
    for reason, count in ((TIED, 2), (ONE, 1)):
        assert f"left as a whole: {reason}: {count}" in out
        assert f"| train | {reason} | {count} |" in card


def test_a_card_without_such_rows_says_nothing_of_them(run: Any, tmp_path: Path) -> None:
    """As of most texts on the axis of gender."""
    assert "as a whole" not in _augment(run, tmp_path, axis="gender").out
    assert "as a whole" not in (tmp_path / "out" / "README.md").read_text()


def test_the_rows_are_listed_with_their_reasons(run: Any, tmp_path: Path) -> None:
    """By their split, number and id."""
    left = tmp_path / "left.csv"
    told = _augment(run, tmp_path, "--left", left, "--id-column", "id").out
    assert f"Wrote {left}: 3 lines" in told
    with left.open(newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert rows == [
        ("train", "0", "7", TIED, "tied to 'christian' by 'Pope'", "The Pope met Catholics."),
        ("train", "2", "9", TIED, "tied to 'christian' by 'Luther'", "Luther met Catholics."),
        ("train", "3", "10", ONE, ONE, "Catholics and Protestants met."),
    ]
    later = tmp_path / "later.csv"  # Asked for once the run is finished.
    told = _augment(run, tmp_path, "--left", later, "--id-column", "id").out
    assert "nothing is done again" in told
    assert later.read_bytes() == left.read_bytes()


def test_what_is_listed_is_what_the_result_leaves(run: Any, tmp_path: Path) -> None:
    """The draws are those of the rewriting."""
    rows = "text\n" + "".join(f"A devout Muslim met {n} popes.\n" for n in range(20))
    left = tmp_path / "left.jsonl"
    out = _augment(run, tmp_path, "--left", left, "--mode", "replace", rows=rows + "Rain.\n").out
    assert "20 rewritten" in out
    assert left.read_text() == ""
    options = ("--left", left, "--mode", "replace", "--target", "atheist", "--overwrite")
    assert "0 rewritten" in _augment(run, tmp_path, *options, rows=rows).out
    listed = [json.loads(line) for line in left.read_text().splitlines()]
    assert [row["row"] for row in listed] == [*range(20)]
    assert {row["id"] for row in listed} == {None}
