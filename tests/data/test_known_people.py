"""Tests of the script that lists people of public life."""

import gzip
from pathlib import Path

import pytest

from hub_scripts.data.known_people import (
    PEOPLE,
    Common,
    build,
    is_full_name,
    is_one_person,
    lone_surnames,
    main,
)

COMMON = Common(
    {"ada": (90, 10), "bo": (5, 5), "john": (0, 200_000)},
    {"brown": 4, "okeefe": 900, "rossi": 20_000},
    frozenset({"job", "pink", "bjork"}),
)


@pytest.mark.parametrize(("title", "is_name"), [
    ("Ada Lovelace", True), ("Ada de Lovelace", True), ("Ada J. O'Neil-Smith Jr.", True),
    ("A. Lovelace", True), ("Ada", False), ("Ada lovelace", False), ("Ada Lovelace 2", False),
    ("Ada Lovelace King of England", False), ("Bo Li", False), ("Alkaline Trio", False),
    ("John Brown", False),
])  # fmt: skip
def test_titles_that_are_full_names(title: str, is_name: bool) -> None:
    """They begin with a first name, or an initial, and have two to four words; few bear them."""
    assert is_full_name(title, COMMON) is is_name


@pytest.mark.parametrize(("name", "views", "is_one"), [
    ("Aristotle", 1, True), ("Ada", 9_000_000, False), ("Job", 9_000_000, False),
    ("Rossi", 9_000_000, True), ("Brown", 9_000_000, False), ("Ay", 9_000_000, False),
    ("RZA", 9_000_000, False), ("Ada Lovelace", 1, True), ("John Brown", 900_000, False),
    ("John Brown", 2_000_000, True), ("Charles I", 9_000_000, False), ("Charles II", 1, True),
    ("James, son of Alphaeus", 9_000_000, False),
])  # fmt: skip
def test_names_that_mean_one_person(name: str, views: int, is_one: bool) -> None:
    """Not first names, frequent surnames and words; of common full names only of the best known."""
    assert is_one_person(name, views, COMMON) is is_one


@pytest.mark.parametrize(("views", "surnames"), [
    ({"Vladimir Putin": 9_000_000, "Igor Putin": 90_000}, ["Putin"]),
    ({"Barack Obama": 7_000_000, "Michelle Obama": 2_000_000}, []),
    ({"Vladimir Putin": 1_000_000}, []),
    ({"Alecia Pink": 9_000_000, "James Brown": 9_000_000, "Tatum O'Keefe": 9_000_000}, []),
    ({"Gunnar Björk": 9_000_000}, []),
    ({"Gertrude of Baden": 9_000_000, "Kim Jong": 9_000_000, "Louis XVI": 9_000_000}, ["Jong"]),
    ({"Putin": 9_000_000, "Al Ono": 9_000_000, "Edward, the Black Prince": 9_000_000}, []),
])  # fmt: skip
def test_surnames_that_mean_one_person(views: dict[str, int], surnames: list[str]) -> None:
    """Nearly all who ask for the surname ask for one, and it is nothing else."""
    assert list(lone_surnames(views, COMMON)) == surnames


def _written(folder: Path, name: str, content: str) -> str:
    with gzip.open(folder / name, "wt", encoding="utf-8") as file:
        file.write(content)
    return str(folder / name)


def test_what_is_reviewed_by_hand(tmp_path: Path) -> None:
    """Names of another sense are left out; others are added."""
    bold = "person,text\nAda_Lovelace_(poet),x\nAda_Award,x\nBo_Li,x\nTrio,x\n"
    people = (
        "name\tpage_views_english\nVladimir Putin\t9000000\nHeinrich Hertz\t9000000\n"
        "Horatio Nelson, 1st Viscount Nelson\t7\n"
    )
    (tmp_path / "reviewed.tsv").write_text(
        "name\tverdict\tsource\nAda Award\tno person\tBOLD\nBo Li\tperson\tBOLD\n"
        "Hertz\tother sense\tPantheon\nMadonna\tperson\town\n"
    )
    files = [
        ("people", _written(tmp_path, "people.gz", people)),
        ("bold", _written(tmp_path, "bold.gz", bold)),
        ("ssa", _written(tmp_path, "ssa.gz", "name,female,male\nAda,90,10\n")),
        ("surnames", _written(tmp_path, "surnames.gz", "surname\nSMITH\n")),
        ("out", str(tmp_path)),
    ]
    main([word for name, file in files for word in (f"--{name}", file)])
    assert (tmp_path / "known_people.tsv").read_text() == (
        "name\tsource\nAda Lovelace\tBOLD\nBo Li\tBOLD\nHeinrich Hertz\tPantheon\n"
        "Horatio Nelson\tPantheon\nMadonna\town\n"
        "Putin\tPantheon, surname\nVladimir Putin\tPantheon\n"
    ).replace("Nelson\tPantheon, surname\n", "")


def test_the_list_that_ships_is_what_the_script_writes(
    data_directory: Path, tmp_path: Path
) -> None:
    """From the shared data, to the byte."""
    (tmp_path / "reviewed.tsv").write_bytes((PEOPLE / "reviewed.tsv").read_bytes())
    names = data_directory / "names"
    build(
        names / "notable_people.tsv.gz",
        data_directory / "classification" / "bold_wikipedia_gender_race.csv.gz",
        names / "ssa_totals.csv.gz", names / "surnames_race_census2010.csv.gz", tmp_path,
    )  # fmt: skip
    name = "known_people.tsv"
    assert (tmp_path / name).read_bytes() == (PEOPLE / name).read_bytes()
