"""Tests of the script that lists given names of the world."""

from pathlib import Path

import pytest

from hub_scripts.data.given_names import FOLDER, build


@pytest.mark.slow
def test_the_lists_that_ship_are_what_the_script_writes(
    data_directory: Path, tmp_path: Path
) -> None:
    """From the shared data and Faker, to the byte."""
    names = data_directory / "names"
    build(
        names / "ssa_totals.csv.gz", names / "surnames_race_census2010.csv.gz",
        names / "forenames_by_country.csv", tmp_path,
    )  # fmt: skip
    for file in ("given_names.tsv", "names_by_culture.tsv"):
        assert (tmp_path / file).read_bytes() == (FOLDER / file).read_bytes()
