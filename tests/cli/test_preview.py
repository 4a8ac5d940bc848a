"""What a dry run shows."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.matching.found import Reason


def test_shows_the_first_changes_and_writes_nothing(run: Any, tmp_path: Path) -> None:
    """Five changed rows are shown with their numbers, without colour in a pipe."""
    (tmp_path / "in.txt").write_text("It rains.\n" + "He ran.\n" * 7)
    outcome = run("augment", tmp_path / "in.txt", "--text", "text", "--dry-run").done()
    assert outcome.err == ""
    changes = "".join(f"train, row {row}\n- He ran.\n+ She ran.\n" for row in range(1, 6))
    assert outcome.out == changes + "\nNothing was written: this was a dry run.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


@pytest.mark.parametrize(("content", "line"), [
    ("It rains.\n", "train: no rows would change."),
    ("He ran.\n", "train: 1 row would change."),
    ("He ran.\nIt rains.\nShe ran.\n", "train: 2 rows would change."),
])  # fmt: skip
def test_counts_where_all_is_shown(run: Any, tmp_path: Path, content: str, line: str) -> None:
    """Where the whole input was looked through, the changes are counted."""
    (tmp_path / "in.txt").write_text(content)
    outcome = run("augment", tmp_path / "in.txt", "--text", "text", "--dry-run")
    assert line in outcome.out.splitlines()


def test_facts_and_known_people_are_told(run: Any, tmp_path: Path) -> None:
    """Of rows that are left as a whole, on the axis of gender too."""
    (tmp_path / "in.txt").write_text("She gave birth.\nToni Morrison, she won.\nHe ran.\n")
    options = ("--text", "text", "--protect", "known_people", "--dry-run")
    told = run("augment", tmp_path / "in.txt", *options).out
    assert "train: 1 row would change." in told
    for reason in (Reason.FACT, Reason.KNOWN_PERSON):
        assert f"train: 1 row is left as a whole: {reason.value}." in told


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
        "The Pope met Catholics.",
        "Catholics left.",
        "Luther met Catholics.",
        "Popes ate Lent.",
    ]
    (tmp_path / "in.txt").write_text("\n".join([*rows, "Pope and Catholics."]))
    options = ("--axis", "religion", "--target", "hindu", "--dry-run")
    told = run("augment", tmp_path / "in.txt", "--text", "text", *options).out
    assert (
        "train: 3 rows are left as a whole: another word of the row is tied to the group: tied to "
        "'christian' by 'Pope' (2), tied to 'christian' by 'Luther' (1)."
    ) in told.splitlines()


def test_rows_that_are_not_trusted_are_counted(run: Any, tmp_path: Path) -> None:
    """As the run leaves them, whose column says how sure the others are."""
    rows = ["She left.", "Much of her treating and advising was there.", "It rains."]
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


@pytest.mark.parametrize("column", ["edits", "counterfactual", "family_id"])
def test_text_column_of_any_name(run: Any, tmp_path: Path, column: str) -> None:
    """A text column may be named as a column of the provenance that was not asked for."""
    (tmp_path / "in.csv").write_text(f"{column},id\nHe ran.,1\n")
    options = ["--text", column, "--id-column", "id"]
    outcome = run("augment", tmp_path / "in.csv", *options, "--dry-run")
    assert "- He ran.\n+ She ran.\n" in outcome.out
    assert run("augment", tmp_path / "in.csv", *options, "--out", tmp_path / "out").code == 0


def test_each_split_is_shown(run: Any, tmp_path: Path) -> None:
    """A saved dataset's splits are shown one after the other."""
    rows = Dataset.from_dict({"text": ["He ran."]})
    DatasetDict({"train": rows, "test": rows}).save_to_disk(str(tmp_path / "in"))
    outcome = run("augment", tmp_path / "in", "--text", "text", "--dry-run")
    assert "train, row 0\n" in outcome.out
    assert "test, row 0\n" in outcome.out


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


@pytest.mark.parametrize(("options", "told"), [
    (("--left", "left.xyz"), "use one of .csv, .tsv"),
    (("--left", "left.csv.gz"), "use one of .csv, .tsv"),
    (("--left", "left.csv", "--dry-run"), "leave one of them out"),
    (("--left", "taken.csv"), "already exists, and nothing is overwritten"),
    (("--left", "in.csv", "--overwrite"), "that is the input, which the list would replace"),
    (("--left", "out.csv", "--out", "out.csv"), "that is the output"),
])  # fmt: skip
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
    outcome = run(
        "augment", tmp_path / "in.csv", *options, "--left", tmp_path / "left.csv"
    ).refused()
    assert "--left is for CounterfactualSwap" in outcome
