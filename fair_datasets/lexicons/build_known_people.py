"""Lists people of public life, whose rows `protect="known_people"` leaves alone.

They are the people whose pages of Wikipedia the sentences of BOLD (Dhamala et al., 2021) are from:
a title of two to four words whose first is a first name of the US Social Security Administration,
or an initial. `people/reviewed.tsv` says by hand which titles are of no person, which other titles
are, and who else is known.

    python -m fair_datasets.lexicons.build_known_people --bold bold_wikipedia_gender_race.csv.gz \
        --ssa ssa_totals.csv.gz
"""

import argparse
import csv
import gzip
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from fair_datasets.lexicons.build_first_names import write_cells
from fair_datasets.lexicons.build_race_names import read_births
from fair_datasets.system.checks import InputError

PEOPLE = Path(__file__).parent / "people"
FEWEST_BIRTHS = 100
"""Rarer first names are told from other words by hand."""

_PARTICLES = frozenset({"al", "bin", "da", "de", "del", "della", "der", "di", "dos", "la", "le"})
_PARTICLES |= {"the", "van", "von"}
_WORD = re.compile(r"[^\W\d_]\.?|[^\W\d_](?:[^\W\d_]|['’.-])+")
_NOTE = re.compile(r" \(.*\)$")


def build(bold: Path, ssa: Path, out: Path) -> None:
    """Write the list."""
    with gzip.open(bold, "rt", encoding="utf-8", newline="") as file:
        titles = {_NOTE.sub("", row["person"].replace("_", " ")) for row in csv.DictReader(file)}
    with (out / "reviewed.tsv").open(encoding="utf-8", newline="") as file:
        reviewed = list(csv.DictReader(file, delimiter="\t"))
    births = read_births(ssa)
    left_out = {row["name"] for row in reviewed if row["verdict"] != "person"}
    people = {title: "BOLD" for title in titles if is_full_name(title, births)}
    people |= {row["name"]: row["source"] for row in reviewed}
    rows = [(name, people[name]) for name in sorted(people) if name not in left_out]
    write_cells(out / "known_people.tsv", [("name", "source"), *rows])


def is_full_name(title: str, births: Mapping[str, tuple[int, int]]) -> bool:
    """Tell whether a title is the full name of a person, by its first word.

    Example:
        >>> births = {"ada": (90, 10)}
        >>> is_full_name("Ada Lovelace", births), is_full_name("Alkaline Trio", births)
        (True, False)
    """
    words = title.split(" ")
    is_name = all(
        _WORD.fullmatch(word) and (word[0].isupper() or word in _PARTICLES) for word in words
    )
    is_given = sum(births.get(words[0].lower(), (0, 0))) >= FEWEST_BIRTHS
    is_initial = len(words[0]) == 2 and words[0][1] == "."
    return is_name and 2 <= len(words) <= 4 and (is_given or is_initial)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description="List people of public life.")
    parser.add_argument("--bold", type=Path, required=True, help="bold_wikipedia_..., gzipped")
    parser.add_argument("--ssa", type=Path, required=True, help="the table, ssa_totals.csv.gz")
    parser.add_argument("--out", type=Path, default=PEOPLE, help="the folder of the lists")
    options = parser.parse_args(arguments)
    try:
        build(options.bold, options.ssa, options.out)
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
