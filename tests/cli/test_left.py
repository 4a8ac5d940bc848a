"""The rows that a swap leaves as a whole, in the card and in a file."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--left", "left.xyz"), "use one of .csv, .tsv"),
        (("--left", "left.csv.gz"), "use one of .csv, .tsv"),
        (("--left", "left.csv", "--dry-run"), "leave one of them out"),
        (("--left", "taken.csv"), "already exists, and nothing is overwritten"),
        (("--left", "in.csv", "--overwrite"), "that is the input, which the list would replace"),
        (("--left", "out.csv", "--out", "out.csv"), "that is the output"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str], told: str
) -> None:
    """Before anything is read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.csv").write_text("mine")
    outcome = _augment(run, tmp_path, *options)
    assert outcome.code == 2
    assert told in outcome.err
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "taken.csv"}
    assert (tmp_path / "in.csv").read_text() == ROWS


def test_other_techniques_leave_no_rows_as_a_whole(run: Any, tmp_path: Path) -> None:
    """So there is nothing to list."""
    (tmp_path / "in.csv").write_text(ROWS)
    options = ("--text", "text", "--technique", "PerturbationAugmentation", "--out", tmp_path / "o")
    outcome = run("augment", tmp_path / "in.csv", *options, "--left", tmp_path / "left.csv")
    assert outcome.code == 2
    assert "--left is for CounterfactualSwap" in outcome.err
