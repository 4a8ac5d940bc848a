"""Lists people of public life, whose rows a swap leaves alone unless it is told not to.

They are the people of Pantheon 1.0 (Yu et al., 2016), who have pages in more than 25 languages of
Wikipedia, under the names of their pages. Actors of the United States are added, of whose pages the
sentences of BOLD are (Dhamala et al., 2021): titles of two to four words that begin with a first
name. A name of one word counts unless it is a first name, a frequent surname or an everyday word
("Mary", "Job", "Pink"); a surname counts by itself if nearly all who ask for a person of that
surname ask for one ("Putin", "Obama"). Full names that many bear ("John Brown") count only of
people who are asked for often. `people/reviewed.tsv` says by hand which names are left out, as they
mean something else too, which other titles name people, and who else is known.

    python -m hub_scripts.data.known_people --people notable_people.tsv.gz \
        --bold bold_wikipedia_gender_race.csv.gz --ssa ssa_totals.csv.gz \
        --surnames surnames_race_census2010.csv.gz
"""

import argparse
import csv
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from fair_datasets.lexicons.shipped import DATA
from fair_datasets.reader.english.lists import WORDS
from fair_datasets.system.checks import InputError
from hub_scripts.data.first_names import write_cells
from hub_scripts.data.given_names import FOLDER, read_ranks
from hub_scripts.data.race_names import read_births

PEOPLE = DATA.with_name("people")
CULTURES = FOLDER / "names_by_culture.tsv"

FEWEST_BIRTHS = 100
"""So many births make a word a first name."""
MANY_BIRTHS, MANY_SURNAMES = 100_000, 300
"""From so many births on a first name, and up to this rank a surname, is everybody's."""
FREQUENT_SURNAMES = 10_000
"""A surname up to this rank, which some three thousand people bear, is nobody's alone."""
SHARE = 0.85
"""The share of the views of all people of a surname that one of them needs to be meant by it."""
SURNAME_VIEWS = 2_000_000
FULL_NAME_VIEWS = 1_000_000
SHORTEST = 4
"""Letters that a name of one word has at least."""

_PEER = re.compile(r", (?:\d+(?:st|nd|rd|th) .*|Jr\.)$")
_NOTE = re.compile(r" \(.*\)$")
# "Charles I knew" names no king, and nobody is meant by a number or by the place behind "of".
_FIRST = re.compile(r" I$")
_NO_SURNAME = re.compile(r"\b(?:of|the|bin|ibn|Jr\.|[IVX]+)(?= |$)")
_SIGNS = re.compile(r"[^\w]+")
_PARTICLES = frozenset({"al", "bin", "da", "de", "del", "della", "der", "di", "dos", "la", "le"})
_PARTICLES |= {"the", "van", "von"}
_WORD = re.compile(r"[^\W\d_]\.?|[^\W\d_](?:[^\W\d_]|['’.-])+")


@dataclass(frozen=True)
class Common:
    """What else a word may be.

    Attributes:
        births: First name to the births of girls and boys.
        ranks: Surname to its rank, from 1 for the most frequent.
        words: Everyday words, and first names of other cultures.
    """

    births: Mapping[str, tuple[int, int]]
    ranks: Mapping[str, int]
    words: frozenset[str]

    def holds(self, name: str) -> bool:
        """Whether a word is something else than one person's name."""
        word = _plain(name)
        is_common = word in self.words or self.rank(name) <= FREQUENT_SURNAMES
        return is_common or sum(self.births.get(word, (0, 0))) >= FEWEST_BIRTHS

    def is_shared(self, name: str) -> bool:
        """Whether many people bear a full name."""
        first, *_, last = name.split(" ")
        is_everybodys = sum(self.births.get(_plain(first), (0, 0))) >= MANY_BIRTHS
        return is_everybodys and self.rank(last) <= MANY_SURNAMES

    def rank(self, surname: str) -> float:
        """Return the rank of a surname; infinity where nobody has it."""
        return self.ranks.get(_plain(surname), float("inf"))


def build(people: Path, bold: Path, ssa: Path, surnames: Path, out: Path) -> None:
    """Write the list."""
    with (out / "reviewed.tsv").open(encoding="utf-8", newline="") as file:
        reviewed = list(csv.DictReader(file, delimiter="\t"))
    common = Common(read_births(ssa), read_ranks(surnames), _other_words())
    views = read_views(people)
    names = {title: "BOLD" for title in read_titles(bold) if is_full_name(title, common)}
    known = (name for name, count in views.items() if is_one_person(name, count, common))
    names |= dict.fromkeys(known, "Pantheon")
    names |= dict.fromkeys(lone_surnames(views, common), "Pantheon, surname")
    names |= {row["name"]: row["source"] for row in reviewed}
    left_out = {row["name"] for row in reviewed if row["verdict"] != "person"}
    rows = [(name, names[name]) for name in sorted(names) if name not in left_out]
    write_cells(out / "known_people.tsv", [("name", "source"), *rows])


def read_views(path: Path) -> Mapping[str, int]:
    """Read how often the English page of each person was viewed, by their name."""
    views: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            name = _PEER.sub("", _NOTE.sub("", row["name"]))
            views[name] = max(views[name], int(row["page_views_english"]))
    return views


def read_titles(path: Path) -> frozenset[str]:
    """Read the titles of the pages that the sentences of BOLD are from."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return frozenset(_NOTE.sub("", row["person"].replace("_", " ")) for row in rows)


def is_one_person(name: str, views: int, common: Common) -> bool:
    """Whether a name means one person wherever it stands.

    Example:
        >>> common = Common({"john": (0, 200_000)}, {"brown": 4}, frozenset({"job"}))
        >>> names = ["Job", "Aristotle", "John Brown", "Ada Lovelace", "Charles I", "Ay"]
        >>> [name for name in names if is_one_person(name, 500_000, common)]
        ['Aristotle', 'Ada Lovelace']
    """
    if not {",", '"'}.isdisjoint(name) or _FIRST.search(name):
        return False
    if " " in name:
        return views >= FULL_NAME_VIEWS or not common.is_shared(name)
    return _may_stand_alone(name) and not common.holds(name)


def is_full_name(title: str, common: Common) -> bool:
    """Whether a title is the full name of a person, by its first word.

    Example:
        >>> common = Common({"ada": (90, 10)}, {}, frozenset())
        >>> is_full_name("Ada Lovelace", common), is_full_name("Alkaline Trio", common)
        (True, False)
    """
    words = title.split(" ")
    is_name = all(
        _WORD.fullmatch(word) and (word[0].isupper() or word in _PARTICLES) for word in words
    )
    is_given = sum(common.births.get(words[0].lower(), (0, 0))) >= FEWEST_BIRTHS
    is_initial = len(words[0]) == 2 and words[0][1] == "."
    is_name &= 2 <= len(words) <= 4 and (is_given or is_initial)
    return is_name and not common.is_shared(title)


def lone_surnames(views: Mapping[str, int], common: Common) -> Iterable[str]:
    """Give the surnames that mean one person where they stand alone.

    Example:
        >>> views = {"Vladimir Putin": 9_000_000, "Igor Putin": 9_000, "Louis of Baden": 9_000_000}
        >>> list(lone_surnames(views, Common({}, {}, frozenset())))
        ['Putin']
    """
    bearers: dict[str, list[int]] = defaultdict(list)
    for name, count in views.items():
        *others, last = name.split(" ")
        if others and "," not in name and not _NO_SURNAME.search(name):
            bearers[last].append(count)
    for surname, counts in bearers.items():
        is_ones = max(counts) >= max(SURNAME_VIEWS, SHARE * sum(counts))
        if is_ones and _may_stand_alone(surname) and not common.holds(surname):
            yield surname


def _may_stand_alone(name: str) -> bool:
    return len(name) >= SHORTEST and name[0].isupper() and not name.isupper()


def _other_words() -> frozenset[str]:
    """Return everyday words, and first names of all cultures."""
    words: set[str] = set()
    for path, column in ((WORDS, "word"), (CULTURES, "names")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                words.update(map(_plain, row[column].split()))
    return frozenset(words)


def _plain(name: str) -> str:
    """Write a word as the lists of names do: in lower case, without accents and signs."""
    return _SIGNS.sub("", normalize("NFKD", name).lower())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description="List people of public life.")
    for name, file in (("people", "notable_people.tsv.gz"),
                       ("bold", "bold_wikipedia_gender_race.csv.gz"),
                       ("ssa", "ssa_totals.csv.gz"),
                       ("surnames", "surnames_race_census2010.csv.gz")):  # fmt: skip
        parser.add_argument(f"--{name}", type=Path, required=True, help=file)
    parser.add_argument("--out", type=Path, default=PEOPLE, help="the folder of the lists")
    options = parser.parse_args(arguments)
    try:
        build(options.people, options.bold, options.ssa, options.surnames, options.out)
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
