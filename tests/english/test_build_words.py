"""Counting classes of words."""

import csv
import gzip
import json
from pathlib import Path

from fair_datasets.english import build_words
from fair_datasets.english.lists import WORDS


def _write_table(path: Path, header: list[str], *rows: list[str]) -> Path:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_the_classes_are_counted(tmp_path: Path) -> None:
    """Everyday words are parted by the surnames, and names of both sexes are found; others stay."""
    novels = tmp_path / "novels.jsonl.gz"
    with gzip.open(novels, "wt", encoding="utf-8") as file:
        file.write((json.dumps({"text": "a young rose and Rome. Rose"}) + "\n") * 30)
    ssa = _write_table(
        tmp_path / "ssa.csv.gz",
        ["name", "female", "male"],
        ["Kim", "3000", "1000"],
        ["John", "10", "9000"],
        ["Rare", "5", "5"],
    )
    surnames = _write_table(tmp_path / "surnames.csv.gz", ["surname"], ["YOUNG"])
    words = tmp_path / "words.tsv"
    header = "word\tclasses\tsource\n"
    words.write_text(f"{header}and\tconjunctions\town\nold\tcommon_words\tLitBank\n", "utf-8")
    build_words.main(
        ["--novels", str(novels), "--ssa", str(ssa), "--surnames", str(surnames),
         "--words", str(words)]
    )  # fmt: skip
    assert words.read_text("utf-8").removeprefix(header).splitlines() == [
        "and\tcommon_words conjunctions\tLitBank, own",
        "kim\tunisex_names\tUS SSA",
        "rose\tcommon_words\tLitBank",
        "young\tsurname_words\tLitBank, US Census",
    ]


def test_the_shipped_classes_are_those_that_are_counted(
    data_directory: Path, tmp_path: Path
) -> None:
    """Counted anew, the shipped table stays as it is."""
    words = tmp_path / "words.tsv"
    words.write_bytes(WORDS.read_bytes())
    sources = {
        "novels": "text/novels.jsonl.gz",
        "ssa": "names/ssa_totals.csv.gz",
        "surnames": "names/surnames_race_census2010.csv.gz",
        "words": str(words),
    }
    build_words.main(
        [
            part
            for name, path in sources.items()
            for part in (f"--{name}", str(data_directory / path))
        ]
    )
    assert words.read_bytes() == WORDS.read_bytes()
