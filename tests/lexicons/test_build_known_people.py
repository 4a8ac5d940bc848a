"""Tests of the script that lists people of public life."""

import gzip
from pathlib import Path

import pytest

from fair_datasets.lexicons.build_known_people import PEOPLE, build, is_full_name, main

BIRTHS = {"ada": (90, 10), "bo": (5, 5)}


@pytest.mark.parametrize(("title", "is_name"), [
    ("Ada Lovelace", True),
    ("Ada de Lovelace", True),
    ("Ada J. O'Neil-Smith Jr.", True),
    ("A. Lovelace", True),
    ("Ada", False),
    ("Ada lovelace", False),
    ("Ada Lovelace 2", False),
    ("Ada Lovelace King of England", False),
    ("Bo Li", False),
    ("Alkaline Trio", False),
])  # fmt: skip
def test_titles_that_are_full_names(title: str, is_name: bool) -> None:
    """They begin with a first name, or an initial, and have two to four words."""
    assert is_full_name(title, BIRTHS) is is_name


def test_what_is_reviewed_by_hand(tmp_path: Path) -> None:
    """Titles that are no people are left out; others are added."""
    with gzip.open(tmp_path / "bold.gz", "wt") as file:
        file.write("person,text\nAda_Lovelace_(poet),x\nAda_Award,x\nBo_Li,x\nTrio,x\n")
    with gzip.open(tmp_path / "ssa.gz", "wt") as file:
        file.write("name,female,male\nAda,90,10\n")
    (tmp_path / "reviewed.tsv").write_text(
        "name\tverdict\tsource\n"
        "Ada Award\tno person\tBOLD\nBo Li\tperson\tBOLD\nMadonna\tperson\town\n"
    )
    main(
        ["--bold", str(tmp_path / "bold.gz"), "--ssa", str(tmp_path / "ssa.gz"), "--out",
         str(tmp_path)]
    )  # fmt: skip
    assert (tmp_path / "known_people.tsv").read_text() == (
        "name\tsource\nAda Lovelace\tBOLD\nBo Li\tBOLD\nMadonna\town\n"
    )


def test_the_list_that_ships_is_what_the_script_writes(
    data_directory: Path, tmp_path: Path
) -> None:
    """From the shared data, to the byte."""
    (tmp_path / "reviewed.tsv").write_bytes((PEOPLE / "reviewed.tsv").read_bytes())
    build(
        data_directory / "classification" / "bold_wikipedia_gender_race.csv.gz",
        data_directory / "names" / "ssa_totals.csv.gz",
        tmp_path,
    )
    name = "known_people.tsv"
    assert (tmp_path / name).read_bytes() == (PEOPLE / name).read_bytes()
