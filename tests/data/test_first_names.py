"""Tests of the script that pairs first names."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.lexicons.shipped import DATA
from hub_scripts.data.first_names import Name, build, main, pair_names, read_names

FIRST_LINE = "name,female,male,mean_year_female,mean_year_male,first_year,last_year"


def write_table(folder: Path, *rows: tuple[str, int, int], header: str = FIRST_LINE) -> Path:
    """Write a table like that of the SSA."""
    path = folder / "ssa.csv.gz"
    lines = [
        header,
        *(f"{name},{female},{male},1950.4,1960.0,1880,2023" for name, female, male in rows),
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def built(folder: Path, table: Path, pairs: int) -> list[list[str]]:
    """Build the pairs with the data files of a folder, and return the cells."""
    build(table, folder / "out.tsv", pairs, data=folder)
    return [line.split("\t") for line in (folder / "out.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("men", "women", "pairs"),
    [
        # Of equally frequent names, the more specific ones become partners.
        ([("Adam", 1000, 1.0), ("Bert", 1000, 0.91)], [("Cora", 1000, 0.92), ("Dora", 1000, 0.99)],
         {"Adam": "Dora", "Bert": "Cora"}),
        # The specificity alone would cross these, but the births weigh more.
        ([("Adam", 10**4, 0.99), ("Bert", 10**2, 0.95)], [("Cora", 10**4, 0.96),
         ("Dora", 10**2, 0.98)], {"Adam": "Cora", "Bert": "Dora"}),
        # With men at 4 and 2 and women at 7 and 3.5 (log10), 3 + 1.5 beats 0.5 + 5.
        ([("Bert", 10**4, 1.0), ("Adam", 10**2, 1.0)], [("Dora", 10**7, 1.0), ("Cora", 3162, 1.0)],
         {"Bert": "Dora", "Adam": "Cora"}),
        # An ambiguous name gets a partner that is ambiguous too, however frequent it is.
        ([("Mark", 1000, 0.99, True), ("John", 900, 0.99)], [("Mary", 1000, 0.99),
         ("Hope", 10, 0.99, True)], {"Mark": "Hope", "John": "Mary"}),
    ],
)  # fmt: skip
def test_partners_are_alike(men: list[Any], women: list[Any], pairs: dict[str, str]) -> None:
    """In births, specificity and ambiguity, by the optimal pairing."""
    of_men, of_women = (
        [Name(name, is_man, births, share, is_ambiguous=bool(others))
         for name, births, share, *others in named]
        for is_man, named in ((True, men), (False, women))
    )  # fmt: skip
    assert {man.text: woman.text for man, woman in pair_names(of_men, of_women)} == pairs


def test_equal_names_are_paired_in_order_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    """Names with the same figures go together alphabetically, and the bytes are the same."""
    rows = [(name, 0, 500) for name in ("Adam", "Bert", "Carl", "Dave")]
    rows += [(name, 500, 0) for name in ("Anna", "Beth", "Cora", "Dora")]
    forward = built(tmp_path, write_table(tmp_path, *rows), 4)
    content = (tmp_path / "out.tsv").read_bytes()
    build(write_table(tmp_path, *reversed(rows)), tmp_path / "out.tsv", 4, data=tmp_path)
    assert (tmp_path / "out.tsv").read_bytes() == content
    assert [row[:2] for row in forward[1:]] == [
        ["Adam", "Anna"], ["Bert", "Beth"], ["Carl", "Cora"], ["Dave", "Dora"],
    ]  # fmt: skip


def test_only_specific_and_real_names_are_read(tmp_path: Path) -> None:
    """A share of 0.9 is enough and 0.89 is not; short names and placeholders are left out."""
    table = write_table(
        tmp_path, ("Anna", 90, 10), ("Jess", 89, 11), ("Jo", 900, 0), ("Eve", 50, 0),
        ("Babygirl", 900, 0), ("Unnamed", 0, 900), ("Adam", 1, 99),
    )  # fmt: skip
    names = [(name.text, name.is_man, name.births) for name in read_names(table, frozenset())]
    assert names == [("Adam", True, 99), ("Anna", False, 90), ("Eve", False, 50)]


def test_the_most_frequent_names_of_each_gender_are_taken(tmp_path: Path) -> None:
    """Two pairs are made of the two most frequent of three names, the most frequent first."""
    table = write_table(
        tmp_path,
        *[("Anna", 20, 0), ("Beth", 900, 0), ("Cora", 300, 0)],
        *[("Adam", 0, 200), ("Bert", 0, 30), ("Carl", 0, 999)],
    )
    assert built(tmp_path, table, 2)[1:] == [
        ["Carl", "Beth", "999", "900", "1.0000", "1.0000", "1960", "1950"],
        ["Adam", "Cora", "200", "300", "1.0000", "1.0000", "1960", "1950"],
    ]


def test_what_the_gender_lexicon_reads_is_no_name(tmp_path: Path) -> None:
    """A form of the lexicon is left out in any letter case, but not one that is only written."""
    (tmp_path / "gender.tsv").write_text(
        "man\twoman\tkind\nprince[title]|duke\tprincess\ttitle\nguy\tjewel[target]\tinformal\n",
        encoding="utf-8",
    )
    men = [("Prince", 0, 99), ("Duke", 0, 98), ("Guy", 0, 97), ("Adam", 0, 10)]
    table = write_table(tmp_path, *men, ("Princess", 99, 0), ("Jewel", 50, 0))
    rows = built(tmp_path, table, 1)
    assert [row[:2] for row in rows[1:]] == [["Adam", "Jewel"]]


def test_readings_stand_behind_the_names(tmp_path: Path) -> None:
    """The flags of the hand-checked list are merged into the cells, on either side."""
    (tmp_path / "ambiguous_names.tsv").write_text(
        "name\treading\nJordan\tplace,surname\nHope\tword\nElse\tword\n", encoding="utf-8"
    )
    rows = built(tmp_path, write_table(tmp_path, ("Hope", 98, 2), ("Jordan", 1, 99)), 1)
    columns = ("", "_births", "_specificity", "_year")
    assert rows == [
        [f"{of}{column}" for column in columns for of in ("man", "woman")],
        ["Jordan[place,surname]", "Hope[word]", "99", "98", "0.9900", "0.9800", "1960", "1950"],
    ]


def test_the_command_tells_errors_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command ends with status 2 and the sentence."""
    with pytest.raises(SystemExit) as ended:
        main(["--ssa", str(tmp_path / "no.csv.gz"), "--out", str(tmp_path / "out.tsv")])
    assert ended.value.code == 2
    assert "no.csv.gz cannot be read" in capsys.readouterr().err


@pytest.mark.slow
def test_the_shipped_pairs_are_what_the_script_makes(data_directory: Path, tmp_path: Path) -> None:
    """Building from the SSA's figures gives the shipped bytes: 3,000 pairs, each name once."""
    build(data_directory / "names" / "ssa_totals.csv.gz", tmp_path / "first_names.tsv")
    content = (DATA / "first_names.tsv").read_bytes()
    assert (tmp_path / "first_names.tsv").read_bytes() == content
    rows = [line.split("\t") for line in content.decode().splitlines()[1:]]
    assert len({name for row in rows for name in row[:2]}) == 6000
