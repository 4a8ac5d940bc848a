"""Counting classes of words."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from fair_datasets.reader.english.lists import WORDS
from hub_scripts.data.words import main


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
        tmp_path / "ssa.csv.gz", ["name", "female", "male"], ["Kim", "3000", "1000"],
        ["John", "10", "9000"], ["Rare", "5", "5"],
    )  # fmt: skip
    surnames = _write_table(tmp_path / "surnames.csv.gz", ["surname"], ["YOUNG"])
    treebank = tmp_path / "treebank.conllu.gz"
    sentence = [("Marathon", "NOUN"), ("and", "CCONJ"), ("rose", "VERB"), ("rose", "NOUN")]
    lines = [f"{place}\t{word}\t_\t{part}\t_\n" for place, (word, part) in enumerate(sentence)]
    treebank.write_bytes(gzip.compress("".join(lines * 2).encode()))
    data = tmp_path / "data"
    (data / "text").mkdir(parents=True)
    with gzip.open(data / "text" / "novels.jsonl.gz", "wt", encoding="utf-8") as file:
        for number in range(20):
            text = f"{number} a rose and young marathon, gail"
            file.write(json.dumps({"book": "x", "text": text}) + "\n")
    words = tmp_path / "words.tsv"
    header = "word\tclasses\tsource\n"
    words.write_text(f"{header}and\tconjunctions\town\nold\tcommon_words\tLitBank\n", "utf-8")
    main(
        ["--novels", str(novels), "--ssa", str(ssa), "--surnames", str(surnames),
         "--treebank", str(treebank), "--data", str(data), "--words", str(words)]
    )  # fmt: skip
    lines = words.read_text("utf-8").removeprefix(header).splitlines()
    assert "gail\teither_gender\tUS SSA" in lines
    assert [line for line in lines if "either_gender" not in line] == [
        "and\tcommon_words conjunctions mostly_function_words\tLitBank, own, UD EWT",
        "kim\tunisex_names\tUS SSA", "marathon\tcorpus_words mostly_nouns\tcorpora, UD EWT",
        "rose\tcommon_words\tLitBank", "young\tsurname_words\tLitBank, US Census",
    ]  # fmt: skip


@pytest.mark.slow
def test_the_shipped_classes_are_those_that_are_counted(
    data_directory: Path, tmp_path: Path
) -> None:
    """Counted anew, the shipped table stays as it is."""
    words = tmp_path / "words.tsv"
    words.write_bytes(WORDS.read_bytes())
    sources = {
        "novels": "text/novels.jsonl.gz", "ssa": "names/ssa_totals.csv.gz",
        "surnames": "names/surnames_race_census2010.csv.gz",
        "treebank": "tagged/ud_ewt_train.conllu.gz", "data": "", "words": str(words),
    }  # fmt: skip
    main(
        [
            part
            for name, path in sources.items()
            for part in (f"--{name}", str(data_directory / path))
        ]
    )
    assert words.read_bytes() == WORDS.read_bytes()
