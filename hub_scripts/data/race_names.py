"""Lists first names and surnames that one racial or ethnic group bears far more often than others.

The names of the groups are matched by their rank: each row holds one name of each group, about as
frequent among that group's names as the others are among theirs; first names are matched within a
gender, so that a woman's name becomes a woman's. Two sources say how likely a group is given a
name:

- Tzioumis (2018), "Demographic aspects of first names", Scientific Data 5:180025 (CC BY 4.0), from
  mortgage applications in the United States.
- The surnames of the US Census of 2010 (public domain), as the R package wru lists them; the
  figures alone are used. They stand in the order of the names' frequency.

Both count Pacific Islanders among Asian people, and neither tells names of Native American people
well enough: no first name reaches a tenth, and the Census's figures as listed have them under
"other". These two groups have no names, therefore. A group with fewer names than there are rows
lends them out again, where they are written and not read: each name has one counterpart then, and
each row a name for all four groups.

    python -m hub_scripts.data.race_names --first first_names_race_tzioumis.csv \
        --surnames surnames_race_census2010.csv.gz --ssa ssa_totals.csv.gz \
        --out fair_datasets/lexicons/data
"""

import argparse
import csv
import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fair_datasets.lexicons.shipped import DATA
from fair_datasets.system.checks import InputError
from hub_scripts.data.first_names import THRESHOLD, read_readings, read_terms, write_cells

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
    """A name, and the group that mostly bears it."""

    text: str
    group: str


def read_births(path: Path) -> dict[str, tuple[int, int]]:
    """Read how many girls and boys were given each name."""
    columns = ("name", "female", "male")
    return {
        row["name"].lower(): (int(_number(row["female"], place)), int(_number(row["male"], place)))
        for place, row in _rows(path, columns)
    }


def first_name_groups(path: Path) -> list[RaceName]:
    """Read first names with the group that each is specific enough to."""
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
            if missing := sorted(set(columns) - set(table.fieldnames or ())):
                raise InputError(f"{path} lacks the columns {', '.join(missing)}.")
            for row in table:
                yield f"{path}, line {table.line_num}", row
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as a table: {error}.") from error


def _number(cell: str | None, place: str) -> float:
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


# A surname that was given to more children than this as a first name is read as a first name.
MOST_BIRTHS = 10_000

# Names that are everyday words or places and not in the hand-checked list of first names, and
# surnames that women alone bear (Kaur).
_WORDS = """
akhter akter alas alley an bah bales battle beam beas beck beers begum berlin bi bin binder bing
blank bliss block bloom bock bong bower bowling bravo brill brink burger cable cadet call capers
case cha cheeks chi chin chinchilla choice close cooks coon cope corona corral cosey cote crane
crouch currier dat decker ding do dodge doll dong dung eads fan fang favors ferry field fine fish
flakes fleck freed fry funk gable gall gallant gang gathers ge german goad gold grayer grays grove
ha hacker hammer han hang harder harms havens he heck hedges hein her herr ho hook horner huh hui
hung im in innocent ip kaur keener khatun kin knoll kong kung lam lawless layman le lien lieu light
ling link lira lo loan loc long ly ma madrigal main man mantilla mast masters mead meek meh mi ming
moon morse mun ogle oh oo painter pan parent parry parsons paw peck pence phat phi pike polite pond
post power prude ragin rains read ring roe root rust sager salaam sang seal seaman sell session
sexton shank shaver sheets shin shoemaker shook shore singer so son song soo soon sow sowers speller
spells stack stark stern stiles stock stoner storm stout strand stump sturgeon sun sung ta tan tang
tao tat thai than thong tice tin ting to tong tram tri trout tu tung um urban vest viet vivas
waggoner wan washington welsh wen will wing wolf won woo workman ye yen you young
"""
# Surnames whose capitals or spaces the Census's upper case does not tell: Van Dyke, O'Brien,
# MacDonald, de la Cruz, Leblanc or LeBlanc, Jean-Louis.
_UNSURE_SPELLING = re.compile(
    "(van|von|del|dela|de|di|st|la|le|du)(?=[b-df-hj-np-tv-z])...+|mac[^eiohku].+|macken.+|deanda"
    "|o(brien|conn|dell|donn|dwyer|dono|grady|hara|keef|lear|mall|mara|mear|neal|neil|quin|reil"
    "|rour|shau|shea|sulli|toole).*|(jean|pierre|saint).+|santacruz|lopezlopez"
)


def read_first_names(path: Path, left_out: frozenset[str]) -> list[RaceName]:
    """Read the first names that are specific enough to one group.

    Returns:
        The names, the most frequent first, without those of one or two letters.
    """
    return [
        name
        for name in first_name_groups(path)
        if name.group and len(name.text) > 2 and name.text.lower() not in left_out
    ]


def read_surnames(path: Path, left_out: frozenset[str]) -> list[RaceName]:
    """Read the surnames that are specific enough to one group.

    Returns:
        The names, the most frequent first, without those whose spelling is unsure.
    """
    return [
        name
        for name in surname_groups(path)
        if name.group
        and name.text.lower() not in left_out
        and not _UNSURE_SPELLING.fullmatch(name.text.lower())
    ]


def match_names(names: Sequence[RaceName], rows: int) -> list[list[str]]:
    """Match the names of the groups by their rank.

    Returns:
        Rows with a cell for each of `GROUPS`. A name that was used up is marked as only written; a
        group without names has empty cells.

    Example:
        >>> names = [RaceName("Ann", "white"), RaceName("Bea", "white"), RaceName("Mei", "asian")]
        >>> match_names(names, 5)
        [['Ann', '', '', 'Mei'], ['Bea', '', '', 'Mei[target]']]
    """
    ranked = [[name.text for name in names if name.group == group] for group in GROUPS]
    count = min(rows, max(map(len, ranked)))
    return [[_ranked(texts, rank) for texts in ranked] for rank in range(count)]


def build(first: Path, surnames: Path, ssa: Path, out: Path, rows: int = 800) -> None:
    """Write the two lists of names.

    Args:
        out: The folder of `race_first_names.tsv` and `race_surnames.tsv`, which are replaced. The
            hand-checked `ambiguous_names.tsv` and the terms of `race.tsv` are read there as well,
            where they are.
        rows: How many rows of surnames to make at most; a quarter as many rows of first names are
            made for each gender.
    """
    births = read_births(ssa)
    readings = read_readings(out / "ambiguous_names.tsv")
    never = {name.lower() for name, reading in readings.items() if reading == "never"}
    left_out = frozenset(_WORDS.split()) | read_terms(out / "race.tsv") | never
    given = {name for name, (girls, boys) in births.items() if girls + boys > MOST_BIRTHS}
    last_names = read_surnames(surnames, left_out | given)
    table = [[*row, "surname"] for row in match_names(last_names, rows)]
    header = (*GROUPS, "kind")
    write_cells(out / "race_surnames.tsv", [header, *table])
    # What is one of the surnames above is none of the first names: Nguyen, Santos.
    used = {cell.removesuffix("[target]").lower() for row in table for cell in row}
    names = read_first_names(first, left_out | used)
    table = []
    for gender in ("man", "woman"):
        own = [name for name in names if _gender(births.get(name.text.lower())) == gender]
        table += [[*row, gender] for row in match_names(own, rows // 4)]
    # Names that the hand-checked list gives another reading are marked.
    flags = {name: f"{name}[{reading}]" for name, reading in readings.items()}
    flagged = [[flags.get(cell, cell) for cell in row] for row in table]
    write_cells(out / "race_first_names.tsv", [header, *flagged])


def _gender(births: tuple[int, int] | None) -> str:
    """Return the gender that a name is specific to; empty if there is none."""
    several = births or (0, 0)
    genders = zip(("woman", "man"), several, strict=True)
    return next((name for name, own in genders if own >= THRESHOLD * max(1, sum(several))), "")


def _ranked(texts: Sequence[str], rank: int) -> str:
    """Return the name of a rank, or one that was used already, which is only written then."""
    if rank < len(texts):
        return texts[rank]
    return f"{texts[rank % len(texts)]}[target]" if texts else ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description="List names by racial or ethnic group.")
    parser.add_argument("--first", type=Path, required=True, help="first_names_race_tzioumis.csv")
    parser.add_argument("--surnames", type=Path, required=True, help="the Census's table, gzipped")
    parser.add_argument("--ssa", type=Path, required=True, help="the table, ssa_totals.csv.gz")
    parser.add_argument("--out", type=Path, default=DATA, help="the folder of the lexicons")
    options = parser.parse_args(arguments)
    try:
        build(options.first, options.surnames, options.ssa, options.out)
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
