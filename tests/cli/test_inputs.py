"""Several files that are read as one, and the first rows of a dataset."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets.cli.inputs import load_input

FILES = {
    "a.csv": "id,text\n7,He left.\n", "b.csv": "text,id\nShe came.,007\n",
    "c.csv": "text\nHe left.\n", "d.jsonl": '{"text": "He left."}\n',
    "e.jsonl": '{"txt": "He left."}\n', "f.jsonl": '{"text": \n',
}  # fmt: skip


@pytest.fixture(autouse=True)
def _files(here: Path) -> None:
    """Write the files."""
    for name, content in FILES.items():
        (here / name).write_text(content)


def test_files_are_read_as_one(run: Any, here: Path) -> None:
    """In their order, with types that hold what stands in any of them; the card says how."""
    run("augment", "a.csv", "b.csv", "--text", "text", "--limit", 2, "--out", "out").quiet()
    card = (here / "out" / "README.md").read_text()
    assert "Made from `a.csv, b.csv`" in card
    assert "fair-datasets augment a.csv b.csv --limit 2 --text text" in card
    (line,) = [line for line in card.splitlines() if line.startswith("dataset = load_input(")]
    rows = eval(line.partition(" = ")[2], {"load_input": load_input})["train"]
    assert rows.to_dict() == {"id": ["7", "007"], "text": ["He left.", "She came."]}


def test_the_first_rows(run: Any, here: Path) -> None:
    """--limit keeps them, with the types of the whole; more than there are is all."""
    options = ("--text", "text", "--mode", "replace", "--out")
    assert run("augment", "a.csv", "b.csv", "--limit", 1, *options, "one.csv").code == 0
    assert (here / "one.csv").read_text() == "id,text\n7,She left.\n"
    assert run("augment", "a.csv", "--limit", 9, *options, "nine.csv").code == 0
    assert (here / "nine.csv").read_text() == "id,text\n7,She left.\n"
    outcome = run("augment", "a.csv", "b.csv", "--limit", 1, "--text", "text", "--dry-run")
    assert outcome.out.endswith(
        "train: 1 row would change.\n\nNothing was written: this was a dry run.\n"
    )
