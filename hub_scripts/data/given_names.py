"""Lists given names of the world: how many bear them, and of which cultures they are.

`given_names.tsv` has how often the US Social Security Administration registered each name for girls
and for boys (public domain), and the rank of the word among surnames (US Census 2010, public
domain). `cultures.tsv` says, by hand, from which locales of Faker (MIT) and which countries of
popular-names-by-country (CC0) the names of a culture are taken, and what Faker's comments name as
their source; `names_by_culture.tsv` has those names. Names in Cyrillic, Greek, Armenian and
Georgian letters are romanised, and Chinese ones written in Pinyin.

    pip install faker==40.63.0 anyascii==0.3.3 pypinyin==0.55.0
    python -m hub_scripts.data.given_names --ssa ssa_totals.csv.gz \
        --surnames surnames_race_census2010.csv.gz --countries forenames_by_country.csv
"""

import argparse
import csv
import gzip
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.system.checks import InputError
from hub_scripts.data.first_names import write_cells
from hub_scripts.data.race_names import read_births

FOLDER = Path(__file__).parents[2] / "fair_datasets" / "reader" / "names"
FEWEST_BIRTHS = 100
"""Rarer names are as often misspelt as given."""
SURNAMES = 30_000
"""Rarer surnames are borne by fewer than a thousand people."""
_GENDERS = {"woman": ("female", "F"), "man": ("male", "M")}

# Scripts in which each letter is written with the same Latin ones whatever stands beside it.
_ALPHABETS = ("bg_BG", "el_GR", "hy_AM", "ka_GE", "mk_MK", "ru_RU", "uk_UA")
_SIGNS = str.maketrans("", "", "'’`")

Names = Mapping[str, list[str]]


class Culture(NamedTuple):
    """A culture, and the locales and countries from which its names are taken.

    Attributes:
        left_out: Names that a source lists for the other gender, or misspells.
    """

    name: str
    locales: Sequence[str]
    countries: Sequence[str]
    left_out: frozenset[str]


def read_cultures(path: Path) -> list[Culture]:
    """Read from where the names of each culture are taken."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Culture(
                row["culture"],
                row["locales"].split(),
                row["countries"].split(),
                frozenset(row["left_out"].split()),
            )
            for row in csv.DictReader(file, delimiter="\t")
        ]


def locale_names(locale: str) -> tuple[Names, bool]:
    """Return the given names of a locale of Faker by gender, and whether it has frequencies.

    Where it has any, the most frequent names come first.
    """
    provider = import_module(f"faker.providers.person.{locale}").Provider
    by_gender: dict[str, list[str]] = {}
    is_ordered = False
    for gender, (sex, _) in _GENDERS.items():
        names: Iterable[str]
        if pairs := getattr(provider, f"first_name_{sex}_pairs", None):
            names = [latin for _, _, latin in pairs]
        else:
            names = getattr(provider, f"first_names_{sex}")
        if isinstance(names, Mapping):
            is_ordered |= len(set(names.values())) > 1
            names = sorted(names, key=names.__getitem__, reverse=True)
        by_gender[gender] = [_romanised(name, locale) for name in names]
    return by_gender, is_ordered


def _romanised(name: str, locale: str) -> str:
    """Write a name in Latin letters."""
    if locale == "zh_CN":
        from pypinyin import lazy_pinyin

        return "".join(lazy_pinyin(name)).capitalize()
    if locale in _ALPHABETS:
        from anyascii import anyascii

        # Two letters for the one with which some Armenian names begin.
        return anyascii(name).translate(_SIGNS).capitalize().replace("Rr", "R")
    return name


def country_names(path: Path) -> Mapping[str, Names]:
    """Return the given names of each country by gender, the most popular first."""
    genders = {letter: gender for gender, (_, letter) in _GENDERS.items()}
    countries: dict[str, dict[str, list[str]]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            names = countries.setdefault(row["Country"], {gender: [] for gender in _GENDERS})
            names[genders[row["Gender"]]].append(row["Romanized Name"])
    return countries


def names_of(culture: Culture, countries: Mapping[str, Names]) -> tuple[Names, bool]:
    """Return the names of a culture that are one word of Latin letters, and whether in order."""
    of_locales = [locale_names(locale) for locale in culture.locales]
    sources = [names for names, _ in of_locales]
    sources += [countries[country] for country in culture.countries]
    names = {
        gender: [
            name
            for name in dict.fromkeys(chain.from_iterable(own[gender] for own in sources))
            if _is_name(name) and name not in culture.left_out
        ]
        for gender in _GENDERS
    }
    # Lists of several locales or countries one behind the other are in no order.
    orders = [is_ordered for _, is_ordered in of_locales] or [True for _ in culture.countries]
    return names, orders == [True]


def _is_name(name: str) -> bool:
    """Whether a name is one word of Latin letters of which the first alone is a capital."""
    plain = without_accents(name)
    return len(name) > 1 and plain.isascii() and plain.isalpha() and name == name.capitalize()


def build(ssa: Path, surnames: Path, countries: Path, out: Path) -> None:
    """Write both lists."""
    by_country, births, ranks = country_names(countries), read_births(ssa), read_ranks(surnames)
    rows: list[tuple[str, ...]] = []
    known = {name for name, both in births.items() if sum(both) >= FEWEST_BIRTHS}
    known |= {name for name, rank in ranks.items() if rank <= SURNAMES}
    lists: dict[str, list[str]] = defaultdict(list)
    for culture in read_cultures(FOLDER / "cultures.tsv"):
        names, is_ordered = names_of(culture, by_country)
        for gender, own in names.items():
            for name in dict.fromkeys(map(without_accents, own)):
                lists[name].append(str(len(rows)))
            order = "frequency" if is_ordered else ""
            rows.append((culture.name, gender, order, " ".join(own)))
    write_cells(out / "names_by_culture.tsv", [("culture", "gender", "order", "names"), *rows])
    cells = [
        (name, *map(str, births.get(name, (0, 0))), str(ranks.get(name, "")), " ".join(lists[name]))
        for name in sorted(known | lists.keys())
    ]
    header = ("name", "women", "men", "surname_rank", "lists")
    write_cells(out / "given_names.tsv", [header, *cells])


def read_ranks(path: Path) -> Mapping[str, int]:
    """Read the rank of each surname, from 1 for the most frequent."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return {row["surname"].lower(): rank for rank, row in enumerate(rows, start=1)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description="List given names of the world.")
    for name, file in (("ssa", "ssa_totals.csv.gz"),
                       ("surnames", "surnames_race_census2010.csv.gz"),
                       ("countries", "forenames_by_country.csv")):  # fmt: skip
        parser.add_argument(f"--{name}", type=Path, required=True, help=file)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder of the lists")
    options = parser.parse_args(arguments)
    try:
        build(options.ssa, options.surnames, options.countries, options.out)
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
