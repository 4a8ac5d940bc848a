"""The standard input as what is read, and the standard output as what is written."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROWS = [{"id": 2**62, "text": "He is a waiter."}, {"id": 2, "text": "É là."}]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
AUGMENT = ("augment", "-", "--text", "text", "--out")
UTF8 = {**os.environ, "PYTHONIOENCODING": "ascii"}


def piped(start: Any, content: str, *arguments: object, **options: Any) -> tuple[int, str, str]:
    """Run the command with a text on its standard input."""
    process = start(*arguments, stdin=subprocess.PIPE, encoding="utf-8", **options)
    out, err = process.communicate(content)
    return process.returncode, out, err


def test_rows_go_through(start: Any, here: Path, left: Any) -> None:
    """JSON lines in and out, whatever the terminal's encoding; messages on the standard error."""
    code, out, err = piped(
        start,
        LINES,
        *AUGMENT,
        "-",
        "--no-family",
        env={**UTF8, "TMPDIR": str(here.parent / "temporary")},
    )
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        ROWS[0], {"id": 2**62, "text": "She is a waitress."}, ROWS[1]
    ]  # fmt: skip
    assert "É là." in out
    assert "train: 2 rows in, 3 rows out, 1 rewritten" in err
    assert err.endswith("\nWritten to the standard output.\n")
    assert left() == []


def test_tables_go_through(start: Any) -> None:
    """--format says that both are tables."""
    code, out, _ = piped(
        start, "id\ttext\n01\tHe left.\n", *AUGMENT, "-", "--format", "tsv", "--no-family"
    )
    assert (code, out) == (0, "id\ttext\n01\tHe left.\n01\tShe left.\n")


def test_the_card_of_a_pipe_names_a_file(start: Any, tmp_path: Path) -> None:
    """What was piped has no name; the card calls it standard-input.jsonl, for who keeps it."""
    code, _, err = piped(start, LINES, *AUGMENT, tmp_path / "out")
    assert (code, err) == (0, "")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "fair-datasets augment standard-input.jsonl --text text" in card
    assert "load_input('standard-input.jsonl', ['text'], None)" in card


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


def test_closed_standard_input(start: Any) -> None:
    """A standard input that is closed cannot be read."""
    process = start(*AUGMENT, "-", preexec_fn=lambda: os.close(0))
    assert (
        "the standard input is closed, so that - cannot be read; name a file."
        in (process.communicate()[1])
    )
    assert process.returncode == 2


def test_a_reader_that_takes_one_line(start: Any, long_file: Path) -> None:
    """`| head -1` ends the command without a word of it."""
    with start("augment", long_file, "--text", "text", "--out", "-") as process:
        assert json.loads(process.stdout.readline())["text"].startswith("He saw")
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


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


def test_a_format_of_nothing_is_refused(run: Any, tmp_path: Path) -> None:
    """A file is told by its ending, so that --format would say nothing."""
    file = tmp_path / "in.csv"
    file.write_text("text\nHe ran.\n")
    outcome = run(
        "augment", file, "--text", "text", "--format", "tsv", "--out", tmp_path / "out"
    ).refused()
    assert "--format tsv says what - is, but neither INPUT nor --out is -" in outcome
    assert not (tmp_path / "out").exists()


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
