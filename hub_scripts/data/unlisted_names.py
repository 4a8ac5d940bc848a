"""Builds `unlisted_names.toml`: common names that the lists of names by race do not hold, and why.

`find_terms` reads it to say why such a name is left alone; nothing is rewritten by it. The figures
are those of `hub_scripts.data.race_names`, whose lists are read as they are shipped.

    python -m hub_scripts.data.unlisted_names --first first_names_race_tzioumis.csv \
        --surnames surnames_race_census2010.csv.gz \
        --out fair_datasets/reader/matching/unlisted_names.toml
"""

import argparse
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from fair_datasets.lexicons import load_lexicon
from fair_datasets.lexicons.shipped import DATA
from hub_scripts.data.first_names import read_readings
from hub_scripts.data.race_names import RaceName, first_name_groups, surname_groups

# How many of the most frequent surnames are looked at.
SURNAMES = 3000

_HEADER = """\
# Built by hub_scripts.data.unlisted_names. Names from Tzioumis (2018; CC BY 4.0,
# https://doi.org/10.7910/DVN/TYJKEZ) and the US Census Bureau (public domain).
"""


def unlisted_names(first: Path, surnames: Path) -> dict[str, list[str]]:
    """Find the common names that are in neither list of names by race.

    Returns:
        The names in lower case, those without a group and those that have one and are left out all
        the same: under `first_without_group`, `first_left_out`, `surnames_without_group` and
        `surnames_left_out`.

    Raises:
        InputError: A file cannot be read or lacks a column, or a share is no number.
    """
    listed = {
        form.text.lower()
        for lexicon in map(load_lexicon, ("race_first_names", "race_surnames"))
        for form in lexicon.forms()
    }
    readings = read_readings(DATA / "ambiguous_names.tsv")
    never = {name.lower() for name, reading in readings.items() if reading == "never"}
    names = {
        "first": [name for name in first_name_groups(first) if name.text.lower() not in never],
        "surnames": surname_groups(surnames)[:SURNAMES],
    }
    by_kind: dict[str, list[str]] = {}
    for kind, ranked in names.items():
        # Also no "All other first names", the last row of a source.
        selected = [name for name in ranked if len(name.text) > 2 and name.text.isalpha()]
        selected = [name for name in selected if name.text.lower() not in listed]
        by_kind[f"{kind}_without_group"] = _sorted(name for name in selected if not name.group)
        by_kind[f"{kind}_left_out"] = _sorted(name for name in selected if name.group)
    return by_kind


def _sorted(names: Iterable[RaceName]) -> list[str]:
    """List names in lower case."""
    return sorted(name.text.lower() for name in names)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script.

    Args:
        arguments: The command line's, without the program.
    """
    parser = argparse.ArgumentParser(description="List the names that no list by race holds.")
    for name in ("first", "surnames", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args(arguments)
    lists = [
        f'\n{name} = """\n{textwrap.fill(" ".join(names), 100)}\n"""\n'
        for name, names in unlisted_names(options.first, options.surnames).items()
    ]
    options.out.write_text(_HEADER + "".join(lists), encoding="utf-8")


if __name__ == "__main__":
    main()
