"""How CSV and other files of text are separated and encoded: found, said, and kept."""

from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

from fair_datasets.cli.inputs import load_input

TEXT = "id{0}text\n1{0}He left the café.\n2{0}It rains, hard.\n"
TWINS = [(1, "He left the café."), (1, "She left the café."), (2, "It rains, hard.")]


@pytest.mark.parametrize(("name", "delimiter", "encoding", "options"), [
    ("in.csv", ";", "utf-8", []), ("in.csv", "\t", "utf-8-sig", []), ("in.csv", "|", "utf-8", []),
    ("in.csv", "^", "utf-8", ["--delimiter", "^"]), ("in.tsv", ";", "utf-8", ["--delimiter", ";"]),
    ("in.csv", ";", "cp1252", ["--encoding", "cp1252"]), ("in.csv", "\t", "utf-16", ["--encoding",
     "utf-16", "--delimiter", "tab"]), ("in.tsv", "\t", "utf-16-be", ["--encoding", "UTF-16BE"]),
])  # fmt: skip
def test_a_command_keeps_it(
    run: Any, tmp_path: Path, name: str, delimiter: str, encoding: str, options: list[str]
) -> None:
    """In a CSV file that is written, and in the code that loads it; the card says how to read."""
    (tmp_path / name).write_text(TEXT.format(delimiter), encoding=encoding)
    words = ["augment", tmp_path / name, "--text", "text", "--no-family", *options, "--out"]
    told = run(*words, tmp_path / "o.csv").done().out
    written = (tmp_path / "o.csv").read_text().splitlines()
    kept = delimiter if name == "in.csv" else options[1] if "--delimiter" in options else ","
    assert written[:2] == [f"id{kept}text", f"1{kept}He left the café."]
    (code,) = told.split("dataset = ")[1:]
    found = eval(code, {"load_dataset": load_dataset})
    assert list(zip(found["id"], found["text"], strict=True)) == TWINS
    assert run(*words, tmp_path / "out").code == 0
    card = (tmp_path / "out" / "README.md").read_text()
    (line,) = (line for line in card.splitlines() if line.startswith("dataset = load_input("))
    code = line.removeprefix("dataset = ").replace(f"'{name}'", repr(str(tmp_path / name)))
    assert eval(code, {"load_input": load_input})["train"]["text"][0] == "He left the café."


def test_an_audit_reads_what_was_written(run: Any, tmp_path: Path) -> None:
    """Also where its first lines do not show what separates the cells."""
    (tmp_path / "in.csv").write_text("id^text\n1^He left.\n2^It rains, hard.\n3^It snows.\n")
    words = ["--text", "text", "--delimiter", "^", "--out", tmp_path / "o.csv"]
    run("augment", tmp_path / "in.csv", *words, "--audit", tmp_path / "audit").done()
    assert (tmp_path / "audit" / "audit.html").is_file()


@pytest.mark.parametrize("header", [",text\n", '"",text\n', "\ufeff,text\n"])
def test_a_column_without_a_name(run: Any, tmp_path: Path, header: str) -> None:
    """As pandas writes that of its index: it stays without one, in each format."""
    (tmp_path / "in.csv").write_text(f"{header}0,He ran.\n")
    for out in ("out", "o.jsonl", "o.csv"):
        words = ["--text", "text", "--no-family", "--out", tmp_path / out]
        run("augment", tmp_path / "in.csv", *words).done()
    assert (tmp_path / "o.csv").read_text() == ",text\n0,He ran.\n0,She ran.\n"
    assert load_dataset(str(tmp_path / "out"), split="train")[""][:] == [0, 0]
    assert (tmp_path / "o.jsonl").read_text().startswith('{"": 0, "text": "He ran."')
