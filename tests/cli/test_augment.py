"""What `augment` reads and writes."""

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
from fair_datasets.lexicons import save_people

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
    ("A.CSV", csv_text().encode()),
    ("a.csv.gz", gzip.compress(csv_text().encode(), mtime=0)),
    ("bom.csv", b"\xef\xbb\xbf" + csv_text().encode()),
    ("windows.csv", csv_text().replace("\n", "\r\n").encode()),
    ("a.tsv", csv_text("\t").encode()),
    ("a.jsonl", json_lines().encode()),
    ("a.ndjson", json_lines().encode()),
    ("a.jsonl.gz", gzip.compress(json_lines().encode(), mtime=0)),
    ("a.json", json.dumps([{"text": text, "n": 1} for text in TEXTS]).encode()),
    ("a.parquet", parquet_bytes()),
    ("a.txt", "\n".join(TEXTS).encode()),
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


@pytest.mark.parametrize("name", ["{}.csv", "{}.tsv", "{}.csv.gz", "{}/a.csv", "{}.jsonl"])
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


def test_own_output_is_an_input(run: Any, reviews: Path, tmp_path: Path) -> None:
    """What the command writes it can read again."""
    assert run("augment", reviews, "--text", "text", "--out", tmp_path / "one").code == 0
    outcome = run("augment", tmp_path / "one", "--text", "text", "--out", tmp_path / "two")
    assert "train: 3 rows in, 5 rows out, 2 rewritten" in outcome.out


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


@pytest.mark.parametrize(
    "cells", [["NA"], ["nan", "-"], ["1e5", "007"], ["True"], ["None", "null", "#N/A", "NA"]]
)
def test_csv_text_stays_text(run: Any, tmp_path: Path, cells: list[str]) -> None:
    """A cell that pandas would take for a number or a missing value stays the text it is."""
    file = tmp_path / "in.csv"
    file.write_text("\n".join(["text", *cells, ""]))
    assert run("augment", file, "--text", "text", "--out", tmp_path / "out").code == 0
    assert list(load_dataset(str(tmp_path / "out"))["train"]["text"]) == cells


def test_csv_quoting_survives(run: Any, tmp_path: Path) -> None:
    """Line breaks, Windows line ends, commas and quotes inside a cell survive."""
    text = 'a\nb\r\nc, "d"\t e'
    quoted = text.replace('"', '""')
    (tmp_path / "in.csv").write_bytes(f'id,text\r\n007,"{quoted}"\r\n'.encode())
    assert (
        run("augment", tmp_path / "in.csv", "--text", "text", "--out", tmp_path / "out").code == 0
    )
    assert list(load_dataset(str(tmp_path / "out"))["train"]["text"]) == [text]


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
    (["--mode", "augment"], TWINS),
    (["--mode", "replace"], ["She is a waitress.", "It rains."]),
    (["--mode", "substitute", "--rate", "1"], ["She is a waitress.", "It rains."]),
    (["--mode", "substitute", "--rate", "0"], TEXTS),
    (["--mode", "replace", "--target", "woman"], ["She is a waitress.", "It rains."]),
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


def test_several_columns_a_split_and_provenance(run: Any, tmp_path: Path) -> None:
    """Two text columns are rewritten together, with the row's id, in the one split that is."""
    for split in ("train", "test"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{split}.csv").write_text("key,q,a\n7,Who is he?,A king.\n")
    run(
        "augment", tmp_path / "in", "--text", "q", "--text", "a", "--split", "test",
        "--id-column", "key", "--provenance", "--seed", "3", "--out", tmp_path / "out",
    ).done()  # fmt: skip
    result = load_dataset(str(tmp_path / "out"))
    assert sorted(result) == ["test", "train"]
    assert result["train"]["q"][:] == ["Who is he?"]
    assert [(row["q"], row["a"]) for row in result["test"]] == [
        ("Who is he?", "A king."),
        ("Who is she?", "A queen."),
    ]
    assert list(result["test"]["family_id"]) == ["7", "7"]
    assert list(result["test"]["counterfactual"]) == [False, True]
    assert [edit["before"] for edit in result["test"][1]["edits"]] == ["he", "king"]


def test_same_rows_as_the_library(run: Any, tmp_path: Path) -> None:
    """The command's rows are those of `dataset.map`, the draws included."""
    dataset = Dataset.from_dict({"text": [f"He is number {n}." for n in range(200)]})
    dataset.to_parquet(str(tmp_path / "in.parquet"))
    options = ["--mode", "substitute", "--seed", "5", "--out", tmp_path / "out"]
    assert run("augment", tmp_path / "in.parquet", "--text", "text", *options).code == 0
    mapped = dataset.map(
        CounterfactualSwap(columns="text", mode="substitute", seed=5), batched=True
    )
    assert list(load_dataset(str(tmp_path / "out"))["train"]["text"]) == list(mapped["text"])


def test_card_states_what_was_done(run: Any, reviews: Path, tmp_path: Path) -> None:
    """The card parses, names the splits, and its JSON rebuilds the technique."""
    assert run("augment", reviews, "--text", "text", "--out", tmp_path / "out").code == 0
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert vars(card.data)["pretty_name"] == "out"
    config = re.search(r"```json\n(.*?)\n```", card.text, re.DOTALL)
    assert config is not None
    assert load_technique(json.loads(config[1])) == CounterfactualSwap(columns="text")
    assert "| train | 2 | 3 | 1 |" in card.text
    assert "| train | man | 2 | 2 |" in card.text
    assert "## Limits" in card.text
    # Where the file lies on this machine is nobody's business.
    assert "fair-datasets augment reviews.csv --text text --axis gender" in card.text
    assert str(tmp_path) not in card.content


@pytest.mark.slow
def test_two_processes_write_the_same(start: Any, reviews: Path, tmp_path: Path) -> None:
    """--num-proc changes nothing in the result."""
    process = start(
        "augment", reviews, "--text", "text", "--num-proc", 2, "--out", tmp_path / "out",
        anew=True,
    )  # fmt: skip
    assert process.communicate()[1] == ""
    assert process.returncode == 0
    assert list(load_dataset(str(tmp_path / "out"))["train"]["text"]) == TWINS
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        ".manifest.json",
        "README.md",
        "data",
    ]


def test_empty_output_folder_is_used(run: Any, reviews: Path, tmp_path: Path) -> None:
    """An empty folder, or a link to one, may be the output; folders above it are made."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    assert run("augment", reviews, "--text", "text", "--out", tmp_path / "link").code == 0
    assert (tmp_path / "empty" / "README.md").is_file()
    deep = tmp_path / "new" / "folder" / "out"
    assert run("augment", reviews, "--text", "text", "--out", deep).code == 0
    assert (deep / "README.md").is_file()


def test_own_lexicon(run: Any, tmp_path: Path) -> None:
    """--axis takes a file of one's own, of which the card keeps the digest."""
    (tmp_path / "team.tsv").write_text("home\taway\nhost\tguest\n")
    (tmp_path / "in.txt").write_text("The host won.\n")
    run(
        "augment", tmp_path / "in.txt", "--text", "text", "--axis", tmp_path / "team.tsv",
        "--mode", "replace", "--out", tmp_path / "out",
    ).done()  # fmt: skip
    saved = load_dataset(str(tmp_path / "out"))["train"]
    assert list(saved["text"]) == ["The guest won."]


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
    options = ["--protect", "known_people", "--protect", tmp_path / "people.tsv"]
    options += ["--no-leave-facts", "--mode", "replace"]
    out = tmp_path / "out"
    assert run("augment", tmp_path / "in.txt", "--text", "text", *options, "--out", out).code == 0
    assert load_dataset(str(out))["train"]["text"][:] == [
        "Bo Li ran. She won.", "She has a beard.", "Toni Morrison, she won",
    ]  # fmt: skip
    card = DatasetCard.load(out / "README.md").text
    assert "--protect people.tsv" in card
    assert "--no-leave-facts" in card
    assert str(tmp_path) not in card
    (saved,) = (out / "lexicons").glob("*/people.tsv")
    assert "Bo Li" in saved.read_text()


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
        columns="text",
        axis=("gender", "race"),
        target=("non-binary", "black"),
        joint=True,
        pronouns="xe",
        protect="Lily Allen",
    )
    assert "| train | black |" in card
