"""Building the list of names that no list by race holds."""

import gzip
from pathlib import Path

from fair_datasets.reader.matching import mentions
from hub_scripts.data.unlisted_names import main, unlisted_names

SHIPPED = Path(mentions.__file__).with_name("unlisted_names.toml")


def test_names_are_parted_by_what_the_figures_say(tmp_path: Path) -> None:
    """Listed names, short ones and those that are no name are left out."""
    first = tmp_path / "first.csv"
    first.write_text(
        "firstname,obs,pcthispanic,pctwhite,pctblack,pctapi\n"
        "EMILY,900,2,92,2,4\nJUAN,900,90,8,1,1\nZZZAN,90,0,99,1,0\nRARE,29,50,50,0,0\n"
        "AL,900,50,50,0,0\nALL OTHER FIRST NAMES,900,20,60,10,10\n",
        encoding="utf-8",
    )
    surnames = tmp_path / "surnames.csv.gz"
    surnames.write_bytes(
        gzip.compress(
            b"surname,p_whi,p_bla,p_his,p_asi\nSMITH,0.7,0.2,0.1,0\nGARCIA,0,0,1,0\n"
            b"WASHINGTON,0.1,0.9,0,0\n"
        )
    )
    assert unlisted_names(first, surnames) == {
        "first_without_group": ["emily"], "first_left_out": ["zzzan"],
        "surnames_without_group": ["smith"], "surnames_left_out": ["washington"],
    }  # fmt: skip


def test_the_shipped_list_is_what_the_script_makes(data_directory: Path, tmp_path: Path) -> None:
    """Building from the published figures gives the shipped bytes."""
    names, out = data_directory / "names", tmp_path / "unlisted_names.toml"
    main(
        [
            f"--first={names / 'first_names_race_tzioumis.csv'}",
            f"--surnames={names / 'surnames_race_census2010.csv.gz'}",
            f"--out={out}",
        ]
    )
    assert out.read_bytes() == SHIPPED.read_bytes()
