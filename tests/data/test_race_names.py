"""Tests of the script that lists names by racial or ethnic group."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.lexicons.shipped import DATA
from hub_scripts.data.race_names import (
    GROUPS,
    RaceName,
    build,
    main,
    match_names,
)

FILES = ("race_first_names.tsv", "race_surnames.tsv")
# Name, bearers, then the percentages of Hispanic, white, Black, Asian and Native American people
# and of people of two or more races.
FIRST = [
    ("WANDA", 400, 1, 96, 3, 0, 0, 0), ("WILMA", 90, 1, 97, 2, 0, 0, 0),
    ("HARRY", 80, 1, 98, 1, 0, 0, 0), ("BELLA", 70, 10, 30, 60, 0, 0, 0),
    ("LUZIA", 60, 85, 15, 0, 0, 0, 0), ("AYAKO", 50, 0, 10, 5, 85, 0, 0),
    ("OLSEN", 40, 0, 100, 0, 0, 0, 0), ("JO", 900, 0, 100, 0, 0, 0, 0),
    ("RARE", 29, 0, 100, 0, 0, 0, 0), ("MIXED", 500, 10, 80, 10, 0, 0, 0),
    ("ROBIN", 500, 0, 100, 0, 0, 0, 0),
]  # fmt: skip
SURNAMES = [
    ("OLSEN", 0.94, 0.0, 0.03, 0.0, 0.03), ("MCNAIL", 0.95, 0.0, 0.0, 0.0, 0.05),
    ("WANDA", 0.95, 0.0, 0.0, 0.0, 0.05), ("VANDYKE", 0.95, 0.0, 0.0, 0.0, 0.05),
    ("ADEYEMI", 0.2, 0.75, 0.0, 0.0, 0.05), ("LUNA", 0.05, 0.0, 0.91, 0.0, 0.04),
    ("SATO", 0.05, 0.0, 0.0, 0.92, 0.03), ("SMITH", 0.7, 0.23, 0.02, 0.0, 0.05),
]  # fmt: skip
BIRTHS = dict.fromkeys(("Wanda", "Wilma", "Bella", "Luzia", "Ayako", "Jo", "Olsen"), (100, 0))
BIRTHS |= {"Harry": (0, 100), "Robin": (50, 50), "Wanda": (20_000, 1)}


def write_tables(folder: Path) -> dict[str, Path]:
    """Write tables like those of the sources."""
    tables = {
        "first": (
            "first.csv",
            "firstname,obs,pcthispanic,pctwhite,pctblack,pctapi,pctaian,pct2prace",
            FIRST,
        ),
        "surnames": ("surnames.csv.gz", "surname,p_whi,p_bla,p_his,p_asi,p_oth", SURNAMES),
        "ssa": ("ssa.csv.gz", "name,female,male", [(n, *births) for n, births in BIRTHS.items()]),
    }
    paths = {}
    for key, (name, header, rows) in tables.items():
        text = "\n".join([header, *(",".join(map(str, row)) for row in rows)]).encode()
        paths[key] = folder / name
        paths[key].write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return paths


def built(folder: Path, rows: int = 8) -> list[list[list[str]]]:
    """Build the lists from invented figures, and return the cells of both."""
    build(**write_tables(folder), out=folder, rows=rows)
    return [
        [line.split("\t") for line in (folder / name).read_text("utf-8").splitlines()]
        for name in FILES
    ]


def test_first_names_are_matched_within_a_gender(tmp_path: Path) -> None:
    """A woman's name stands beside women's; a group that runs out lends its names again."""
    first, _ = built(tmp_path)
    assert first == [
        ["white", "black", "hispanic", "asian", "kind"],
        ["Harry", "", "", "", "man"],
        ["Wanda", "Bella", "Luzia", "Ayako", "woman"],
        ["Wilma", "Bella[target]", "Luzia[target]", "Ayako[target]", "woman"],
    ]


def test_surnames_are_specific_and_spelt_for_sure(tmp_path: Path) -> None:
    """What is more often a first name, or may be spelt with a space, is left out."""
    _, surnames = built(tmp_path)
    assert surnames[1:] == [
        ["Olsen", "Adeyemi", "Luna", "Sato", "surname"],
        ["McNail", "Adeyemi[target]", "Luna[target]", "Sato[target]", "surname"],
    ]


def test_no_more_rows_are_made_than_asked_for(tmp_path: Path) -> None:
    """A quarter as many rows of first names as of surnames are made for each gender."""
    first, surnames = built(tmp_path, rows=4)
    assert [row[0] for row in first[1:]] == ["Harry", "Wanda"]
    assert len(surnames) == 3
    assert len(built(tmp_path, rows=1)[1]) == 2


def test_what_the_race_lexicon_reads_is_no_name(tmp_path: Path) -> None:
    """A form of the lexicon, in any letter case, is left out of both lists."""
    (tmp_path / "race.tsv").write_text("white\tblack\nWilma\tluna\n", encoding="utf-8")
    first, surnames = built(tmp_path)
    assert not [row for row in first if "Wilma" in row]
    assert not [row for row in surnames if "Luna" in row]


def test_readings_stand_behind_the_names(tmp_path: Path) -> None:
    """The flags of the hand-checked list are merged into the cells, and some names are no name."""
    (tmp_path / "ambiguous_names.tsv").write_text(
        "name\treading\nWanda\tword,place\nBella\tword\nHarry\tnever\n", encoding="utf-8"
    )
    first, _ = built(tmp_path)
    assert first[1:] == [
        ["Wanda[word,place]", "Bella[word]", "Luzia", "Ayako", "woman"],
        ["Wilma", "Bella[target]", "Luzia[target]", "Ayako[target]", "woman"],
    ]


@given(st.lists(st.sampled_from(GROUPS), min_size=1), st.integers(min_value=1, max_value=50))
def test_each_name_is_read_in_one_row(groups: list[str], rows: int) -> None:
    """Whatever the groups, a name is read at most once, and no name is made up or misplaced."""
    names = [RaceName(f"Name{number}", group) for number, group in enumerate(groups)]
    table = match_names(names, rows)
    read = [cell for row in table for cell in row if cell and not cell.endswith("[target]")]
    assert len(read) == len(set(read))
    assert len(table) == min(rows, max(groups.count(group) for group in GROUPS))
    for row in table:
        for group, cell in zip(GROUPS, row, strict=True):
            assert bool(cell) == (group in groups)
            assert not cell or RaceName(cell.removesuffix("[target]"), group) in names


def test_the_command_builds_and_tells_errors_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes both files; without a table it ends with status 2 and the sentence."""
    tables = write_tables(tmp_path)
    options = [f"--{key}={path}" for key, path in tables.items()]
    main([*options, f"--out={tmp_path}"])
    assert all((tmp_path / name).exists() for name in FILES)
    tables["ssa"].unlink()
    with pytest.raises(SystemExit) as ended:
        main([*options, f"--out={tmp_path}"])
    assert ended.value.code == 2
    assert "ssa.csv.gz cannot be read" in capsys.readouterr().err


def test_the_shipped_lists_are_what_the_script_makes(data_directory: Path, tmp_path: Path) -> None:
    """Building from the published figures gives the shipped bytes."""
    names = data_directory / "names"
    for name in ("ambiguous_names.tsv", "race.tsv"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    build(
        names / "first_names_race_tzioumis.csv", names / "surnames_race_census2010.csv.gz",
        names / "ssa_totals.csv.gz", tmp_path,
    )  # fmt: skip
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes()
