"""Rows in one file: what is written is what our own reader gives back."""

import json
import os
import subprocess
import time
from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset, Features, Json, List, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.cli.inputs import load_input
from fair_datasets.rows.exact_lines import lines, mixes_empty_texts

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
NUMBER = st.integers(-(2**63), 2**63 - 1)
FLOAT = st.floats(allow_nan=False, allow_infinity=False)


def read_again(rows: Dataset, kind: str, texts: list[str]) -> Dataset:
    """Write rows and read them as the command line does."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"rows{kind}"
        file.write_bytes("".join(lines(rows, kind)).encode())
        again: Dataset = load_input(str(file), texts, None, cache=f"{folder}/cache")["train"]
        return Dataset.from_list(again.to_list(), features=again.features)


@pytest.mark.parametrize("kind", [".csv", ".tsv", ".jsonl"])
@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(TEXT, NUMBER, FLOAT, st.booleans()), min_size=1, max_size=5))
def test_what_is_written_is_read(kind: str, found: list[tuple[str, int, float, bool]]) -> None:
    """Texts of any signs, whole numbers of 64 bits, floats and booleans come back as they are."""
    names = ["text", "number", "share", "flag"]
    rows = Dataset.from_list([dict(zip(names, row, strict=True)) for row in found])
    again = read_again(rows, kind, ["text"])
    assert again.to_list() == rows.to_list()
    assert again.features == rows.features


@pytest.mark.parametrize("kind", [".csv", ".tsv"])
@settings(max_examples=15, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=5))
def test_a_single_column_loses_no_row(kind: str, texts: list[str]) -> None:
    """An empty line is no row for a reader, so that none is written."""
    assert read_again(Dataset.from_dict({"text": texts}), kind, ["text"])["text"][:] == texts


def test_nulls_and_empty_texts_are_written_apart() -> None:
    """A null is an empty cell and an empty text two quotes; where both are, that is told."""
    rows = Dataset.from_dict({"a": ["", None], "b": [None, 1]})
    assert "".join(lines(rows, ".csv")) == 'a,b\n"",\n,1\n'
    assert mixes_empty_texts(rows) == "a"
    assert mixes_empty_texts(Dataset.from_dict({"a": ["", "x"], "b": [None, "x"]})) == ""


def test_other_readers_of_csv_agree() -> None:
    """Pandas reads the same texts."""
    texts = ['He said "no", then', "two\nlines", "a\rb", " spaces ", "tab\there", ";"]
    rows = Dataset.from_dict({"text": texts, "n": range(6)})
    read = pd.read_csv(StringIO("".join(lines(rows, ".csv")), newline=""), lineterminator="\n")
    assert read["text"].tolist() == texts


def test_kinds_of_values() -> None:
    """A class is its name, a point in time ISO 8601, a decimal number its digits."""
    table = pa.table(
        {
            "kind": pa.array([1, -1, None], pa.int64()), "day": [date(2024, 5, 1)] * 3,
            "time": pa.array([datetime(2024, 5, 1, 12, tzinfo=UTC)] * 3, pa.timestamp("us", "UTC")),
            "price": [Decimal("1.10")] * 3, "rate": [0.5, float("nan"), float("inf")],
        }
    )  # fmt: skip
    rows = Dataset(table).cast_column("kind", ClassLabel(names=["rude", "kind"]))
    written = "".join(lines(rows, ".jsonl")).splitlines()
    assert written[0] == (
        '{"kind": "kind", "day": "2024-05-01", "time": "2024-05-01T12:00:00+00:00", '
        '"price": "1.10", "rate": 0.5}'
    )
    assert written[1].startswith('{"kind": -1, ')
    assert [line.rpartition(" ")[2] for line in written[1:]] == ["NaN}", "Infinity}"]
    cells = "".join(lines(rows, ".csv")).splitlines()
    assert cells[1] == "kind,2024-05-01,2024-05-01T12:00:00+00:00,1.10,0.5"
    assert cells[2].endswith(",nan")


def test_nested_values_and_big_numbers_are_json() -> None:
    """Lists, objects and JSON stand in JSON lines as they are, with every digit."""
    values = {"id": 2**62 + 1, "turns": [{"role": "user", "content": "Où?"}]}
    features = Features({"meta": Json(), "turns": List(Value("string"))})
    rows = Dataset.from_dict({"meta": [values], "turns": [["a", None]]}, features=features)
    assert "".join(lines(rows, ".jsonl")) == (
        '{"meta": {"id": 4611686018427387905, "turns": [{"role": "user", "content": "Où?"}]}, '
        '"turns": ["a", null]}\n'
    )


ROWS = [{"id": 2**62, "text": "He is a waiter."}, {"id": 2, "text": "É là."}]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
AUGMENT = ("augment", "-", "--text", "text", "--out")
UTF8 = {**os.environ, "PYTHONIOENCODING": "ascii"}


def piped(start: Any, content: str, *arguments: object, **options: Any) -> tuple[int, str, str]:
    """Run the command with a text on its standard input."""
    process = start(*arguments, stdin=subprocess.PIPE, encoding="utf-8", **options)
    out, err = process.communicate(content)
    return process.returncode, out, err


@pytest.mark.slow
def test_rows_go_through(start: Any, here: Path, left: Any) -> None:
    """JSON lines in and out, whatever the terminal's encoding; messages on the standard error."""
    code, out, err = piped(
        start, LINES, *AUGMENT, "-", "--no-family",
        env={**UTF8, "TMPDIR": str(here.parent / "temporary")},
    )  # fmt: skip
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        ROWS[0], {"id": 2**62, "text": "She is a waitress."}, ROWS[1]
    ]  # fmt: skip
    assert "É là." in out
    assert "train: 2 rows in, 3 rows out, 1 rewritten" in err
    assert err.endswith("\nWritten to the standard output.\n")
    assert left() == []


@pytest.mark.slow
def test_tables_go_through(start: Any) -> None:
    """--format says that both are tables."""
    code, out, _ = piped(
        start, "id\ttext\n01\tHe left.\n", *AUGMENT, "-", "--format", "tsv", "--no-family"
    )
    assert (code, out) == (0, "id\ttext\n01\tHe left.\n01\tShe left.\n")


@pytest.mark.slow
def test_the_card_of_a_pipe_names_a_file(start: Any, tmp_path: Path) -> None:
    """What was piped has no name; the card calls it standard-input.jsonl, for who keeps it."""
    code, _, err = piped(start, LINES, *AUGMENT, tmp_path / "out")
    assert (code, err) == (0, "")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "fair-datasets augment standard-input.jsonl --text text" in card
    assert "load_input('standard-input.jsonl', ['text'], None)" in card


@pytest.mark.slow
@pytest.mark.parametrize(("content", "arguments", "sentence"), [
    ("", ["-"], "the standard input is empty; give a file that has rows."),
    ("text\nHe left.\n", ["-"], "Where it is a table, say so: --format csv, or tsv."),
    ('{"text": 1}\n', ["-"], "the standard input (split train): column 'text' must hold"),
    (LINES, ["-", "in.jsonl"], "- is the standard input, which cannot be read together with"),
])  # fmt: skip
def test_bad_standard_input(
    start: Any, tmp_path: Path, content: str, arguments: list[str], sentence: str
) -> None:
    """A sentence calls it by its name, and not by that of a temporary file."""
    code, out, err = piped(
        start, content, "augment", *arguments, "--text", "text", "--out", tmp_path / "o.csv"
    )
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_closed_standard_input(start: Any) -> None:
    """A standard input that is closed cannot be read."""
    process = start(*AUGMENT, "-", preexec_fn=lambda: os.close(0))
    assert (
        "the standard input is closed, so that - cannot be read; name a file."
        in (process.communicate()[1])
    )
    assert process.returncode == 2


@pytest.mark.slow
def test_a_reader_that_takes_one_line(start: Any, long_file: Path) -> None:
    """`| head -1` ends the command without a word of it."""
    with start("augment", long_file, "--text", "text", "--out", "-") as process:
        assert json.loads(process.stdout.readline())["text"].startswith("He saw")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


@pytest.mark.slow
def test_full_standard_output_loses_rows(start: Any, reviews: Path) -> None:
    """Where the rows cannot be written, the exit code says so."""
    with Path("/dev/full").open("w") as full:
        process = start("augment", reviews, "--text", "text", "--out", "-", stdout=full)
        _, err = process.communicate()
    assert process.returncode == 1
    assert err.endswith(
        "\nfair-datasets: the standard output cannot be written (No space left on device), so that "
        "a part of the rows is missing.\n"
    )


@pytest.mark.slow
def test_a_killed_command_leaves_nothing_for_long(
    start: Any, reviews: Path, tmp_path: Path
) -> None:
    """What it kept of its input and its output goes with the next command."""
    places = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    (tmp_path / "temporary").mkdir()
    words = ("augment", "-", "--format", "csv", "--text", "text", "--out", "-")
    process = start(*words, stdin=subprocess.PIPE, env=places)
    process.stdin.write("text\n")
    process.stdin.flush()
    while not list((tmp_path / "temporary").glob("*/inside/standard-input.csv")):
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert list((tmp_path / "temporary").iterdir())
    with reviews.open() as source:
        process = start(*words, stdin=source, env=places)
        rows, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert len(rows.splitlines()) == 4
    assert list((tmp_path / "temporary").iterdir()) == []
