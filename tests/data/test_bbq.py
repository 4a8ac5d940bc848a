"""Tests of the script that writes the table of BBQ's items."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.measures.bbq_items import ANSWERS
from fair_datasets.system.checks import InputError
from hub_scripts.data import bbq

TABLE = resources.files("fair_datasets.measures").joinpath("data", "bbq_items.tsv")
HEADER = "category,question_index,example_id,target_loc\n"
PEOPLE = [["lodger", "lowSES"], ["Not told", "unknown"], ["landlady", "highSES"]]


def write(folder: Path, rows: list[dict[str, Any]], targets: list[str]) -> tuple[Path, Path]:
    """Write items and a mapping."""
    items, mapping = folder / "items", folder / "mapping.csv"
    items.mkdir()
    (items / "SES.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    lines = (f"SES,1,{number},{target}\n" for number, target in enumerate(targets))
    mapping.write_text(HEADER + "".join(lines), "utf-8")
    return items, mapping


def rows(labels: list[int], people: list[list[str]] = PEOPLE) -> list[dict[str, Any]]:
    """Make four items with the same answers."""
    return [
        {
            "category": "SES", "example_id": number, "question_index": "1",
            "question_polarity": "nonneg" if number > 1 else "neg",
            "context_condition": "disambig" if number % 2 else "ambig",
            "answer_info": dict(zip(ANSWERS, people, strict=True)), "label": label,
            "additional_metadata": {"stereotyped_groups": ["low SES"]},
        }
        for number, label in enumerate(labels)
    ]  # fmt: skip


@pytest.mark.parametrize(("labels", "targets", "letter"), [
    ([1, 0, 1, 2], "0022", "c"), ([1, 2, 1, 0], "0022", "d"), ([1, 2, 1, 0], "2200", "D"),
])  # fmt: skip
def test_a_letter_is_written(tmp_path: Path, labels: Any, targets: str, letter: str) -> None:
    """In any order of the rows, by what is right and what the mapping says."""
    items, mapping = write(tmp_path, rows(labels)[::-1], [*targets])
    bbq.build(items, mapping, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == (
        f"category\tquestion_index\tquartets\nSES\t1\t{letter}\n"
    )


@pytest.mark.parametrize(("labels", "targets", "sentence"), [
    ([1, 0, 1, 0], "0022", "no four items that belong together"),
    ([1, 0, 1, 2], "0012", "no four items that belong together"),
])  # fmt: skip
def test_what_no_letter_stands_for(
    tmp_path: Path, labels: Any, targets: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with a sentence, and no traceback."""
    items, mapping = write(tmp_path, rows(labels), [*targets])
    with pytest.raises(SystemExit):
        bbq.main(["--items", str(items), "--mapping", str(mapping), "--out", str(tmp_path / "o")])
    assert sentence in capsys.readouterr().err


def test_a_missing_mapping_is_one_sentence(tmp_path: Path) -> None:
    """The sentence names the file."""
    with pytest.raises(InputError, match=r"none\.csv cannot be read as the published mapping"):
        bbq.read_targets(tmp_path / "none.csv")


def test_two_targets_of_an_item(tmp_path: Path) -> None:
    """The published file has items twice, but with one target."""
    (tmp_path / "m.csv").write_text(f"{HEADER}SES,1,0,1\nSES,1,0,1\nSES,1,0,2\n", "utf-8")
    with pytest.raises(InputError, match=r"has two targets for item \('SES', 0\)"):
        bbq.read_targets(tmp_path / "m.csv")


@pytest.mark.full
def test_the_shipped_table_is_what_the_script_makes(
    published_benchmarks: Path, tmp_path: Path
) -> None:
    """Building from the published items gives the shipped bytes."""
    folder = published_benchmarks / "BBQ" / "data"
    bbq.build(folder, folder / "additional_metadata.csv", tmp_path / "bbq_items.tsv")
    assert (tmp_path / "bbq_items.tsv").read_bytes() == TABLE.read_bytes()
