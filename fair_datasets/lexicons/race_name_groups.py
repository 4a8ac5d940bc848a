"""First names and surnames with the racial or ethnic group that mostly bears each, as counted.

The figures are those that `build_race_names` names; who bears a name is told by the share of each
group among its bearers in the United States.
"""

import csv
import gzip
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fair_datasets.system.checks import InputError

GROUPS = ("white", "black", "hispanic", "asian")

# A name is a group's if at least this share of those who bear it belong to the group.
# White people are 82 % of the mortgage applicants, but 64 % of the population in 2010, and Black
# people 4 % in place of 12 %: a share of 0.5 there is one of about 0.8 among all people. At 0.8
# only 3 names of Black men would be left. Few names of Asian people from India reach 0.9.
FIRST_NAME_SHARES = {"white": 0.95, "black": 0.5, "hispanic": 0.8, "asian": 0.8}
# Black and white people in the United States share most surnames: of the 10,000 most frequent, 13
# reach 0.9 for Black people, and 104 reach 0.7.
SURNAME_SHARES = {"white": 0.9, "black": 0.7, "hispanic": 0.9, "asian": 0.9}

# How many applicants bear a first name at least, for its shares to be trusted to about a tenth.
FEWEST_BEARERS = 30
# Among these each group has some hundreds of specific surnames; the shares of rarer ones are rough.
MOST_FREQUENT_SURNAMES = 20_000
# The column of each group in the sources.
_FIRST_NAME_COLUMNS = {
    "white": "pctwhite",
    "black": "pctblack",
    "hispanic": "pcthispanic",
    "asian": "pctapi",
}
_SURNAME_COLUMNS = {"white": "p_whi", "black": "p_bla", "hispanic": "p_his", "asian": "p_asi"}


class RaceName(NamedTuple):
    """A name, and the group that mostly bears it.

    Attributes:
        group: The group, one of `GROUPS`; empty where the figures give none.
    """

    text: str
    group: str


def read_births(path: Path) -> dict[str, tuple[int, int]]:
    """Read how many girls and boys were given each name.

    Args:
        path: The gzipped table of the Social Security Administration, with the columns name, female
            and male.
    """
    columns = ("name", "female", "male")
    return {
        row["name"].lower(): (int(_number(row["female"], place)), int(_number(row["male"], place)))
        for place, row in _rows(path, columns)
    }


def first_name_groups(path: Path) -> list[RaceName]:
    """Read first names with the group that each is specific enough to.

    Returns:
        The names of enough bearers, the most frequent first; the group is empty where there is
        none.
    """
    columns = ("firstname", "obs", *_FIRST_NAME_COLUMNS.values())
    names = []
    for place, row in _rows(path, columns):
        bearers = _number(row["obs"], place)
        shares = {
            group: _number(row[column], place) / 100
            for group, column in _FIRST_NAME_COLUMNS.items()
        }
        if bearers >= FEWEST_BEARERS:
            name = RaceName(row["firstname"].capitalize(), _group(shares, FIRST_NAME_SHARES))
            names.append((-bearers, name))
    return [name for _, name in sorted(names)]


def surname_groups(path: Path) -> list[RaceName]:
    """Read surnames with the group that each is specific enough to.

    Args:
        path: The gzipped table of the Census, the most frequent name first.

    Returns:
        The most frequent names; the group is empty where there is none.
    """
    columns = ("surname", *_SURNAME_COLUMNS.values())
    names = []
    for place, row in islice(_rows(path, columns), MOST_FREQUENT_SURNAMES):
        shares = {group: _number(row[column], place) for group, column in _SURNAME_COLUMNS.items()}
        names.append(RaceName(_spelt(row["surname"].lower()), _group(shares, SURNAME_SHARES)))
    return names


def _rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Read the rows of a table, gzipped or not, with the place of each."""
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8", newline="") as file:
            table = csv.DictReader(file)
            missing = sorted(set(columns) - set(table.fieldnames or ()))
            if missing:
                raise InputError(f"{path} lacks the columns {', '.join(missing)}.")
            for row in table:
                yield f"{path}, line {table.line_num}", row
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as a table: {error}.") from error


def _number(cell: str | None, place: str) -> float:
    """Return a figure, or raise."""
    try:
        return float(cell or "")
    except ValueError as error:
        raise InputError(f"{place}: {cell!r} must be a number.") from error


def _group(shares: Mapping[str, float], fewest: Mapping[str, float]) -> str:
    """Return the group that a name is specific to; empty if there is none."""
    group = max(shares, key=lambda group: shares[group])
    return group if shares[group] >= fewest[group] else ""


def _spelt(name: str) -> str:
    """Write a surname with its capitals."""
    if name.startswith("mc"):
        return "Mc" + name[2:].capitalize()
    return name.capitalize()
