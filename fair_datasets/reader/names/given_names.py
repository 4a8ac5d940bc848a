"""What is known of given names of the world, and which others a culture has.

A word is no name because it stands in a table: a third of the commonest English words are names
somewhere. The figures say how many people bear it as a given name and as a surname, and that moves
what a reader makes of its neighbours.
"""

import csv
import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.estimates import estimated
from fair_datasets.reader.matching.letters import without_accents

FEWEST = 15
"""From how many names of each gender on a culture is one whose names are drawn."""
GENDERS = ("woman", "man")

_FOLDER = Path(__file__).parent
# The estimated bearers of US surnames of these ranks.
_RANKS = np.log([1, 10, 100, 1_000, 10_000, 50_000, 100_000, 170_000])
_BEARERS = np.log([2.4e6, 1.1e6, 2.2e5, 3.1e4, 3.2e3, 520, 210, 100])
# How many bearers a culture's list is worth; of names that few bear, how many more are assumed.
_OF_CULTURE, _ASSUMED = 150, 30
# From which share of its births in the USA on a name is given to a gender there.
_OF_BOTH = 0.015
# How far figures move what a reader says: its log odds are moved by so much of theirs.
_WEIGHT, _FAINT = 0.7, 1e-3
# How long the endings are that tell names of women from names of men; and how many names the share
# of a shorter ending is worth.
_ENDING, _STRENGTH = 4, 2
# What a culture's list says of a gender counts as much as so many births.
_VOTE = 2_000
# How much a difference in frequency from the first to the last of a list parts two names; the
# cultures of two that share none part them by one.
_OF_ORDER = 0.2


MOSTLY = 1.5
"""From which log odds on a word is a given name far more often than a surname."""
# From which share of its bearers on a name may be a woman's or a man's.
_MAY_BE = 0.1

Shares = NDArray[np.float64]


class GivenName(NamedTuple):
    """What is known of a word as a name.

    Attributes:
        women: How many girls were registered with it in the USA.
        men: How many boys were.
        rank: Its rank among surnames there, from 1; 0 if it is a rare one or none.
        cultures: Each culture of whose women or men it is a given name, and which.
    """

    women: int
    men: int
    rank: int
    cultures: Sequence[tuple[str, str]]

    @property
    def counts(self) -> tuple[int, int]:
        """How many women bear it, and how many people; what a culture's list says counts too."""
        votes = [gender for _, gender in self.cultures]
        women = self.women + _VOTE * votes.count("woman")
        return women, women + self.men + _VOTE * votes.count("man")


@lru_cache(maxsize=1 << 16)
def known(name: str) -> GivenName | None:
    """Return what is known of a name.

    Args:
        name: The name, in small letters without accents.

    Returns:
        The figures; None where there are none.

    Example:
        >>> known("nneka").cultures, known("qwrt")
        ([('Igbo', 'woman')], None)
    """
    lines = _lines()
    line = bisect_left(lines, f"{name}\t", 1)
    if line == len(lines) or not lines[line].startswith(f"{name}\t"):
        return None
    return _parse_line(lines[line])[1]


def _parse_line(line: str) -> tuple[str, GivenName]:
    """Read a line of the table."""
    name, women, men, rank, lists = line.split("\t")
    cultures = [_cultures()[int(number)] for number in lists.split()] if lists else ()
    return name, GivenName(int(women), int(men), int(rank or 0), cultures)


@lru_cache(maxsize=1 << 16)
def log_odds(name: str) -> float:
    """Return how much likelier a word is a given name than a surname, before its text is looked at.

    Args:
        name: The word, in small letters without accents.

    Returns:
        The log odds, by how many bear it as one or the other; NaN if nothing is known.

    Example:
        >>> log_odds("nomvula") > 0 > log_odds("smith"), log_odds("qwrt")
        (True, nan)
    """
    record = known(name)
    if record is None:
        return math.nan
    given = record.women + record.men + _OF_CULTURE * len(record.cultures)
    return math.log((given + _ASSUMED) / (_bearers(record.rank) + _ASSUMED))


def chance(odds: Shares, given: Shares, family: Shares) -> Shares:
    """Return how likely words are given names by what a reader says and what is known of them.

    Args:
        odds: What `log_odds` says of each word. Shape (N,).
        given: The probability that each is a given name, by its neighbours. Shape (N,).
        family: The probability that each is a family name, by its neighbours. Shape (N,).

    Returns:
        The probabilities, at most `given + family`. Shape (N,).

    Example:
        >>> odds = np.array([log_odds(name) for name in ("nomvula", "smith")])
        >>> chance(odds, np.array([0.1, 0.1]), np.array([0.3, 0.3])).round(2).tolist()
        [0.22, 0.0]
    """
    moved = np.log((given + _FAINT) / (family + _FAINT)) + _WEIGHT * odds
    chances: Shares = np.where(np.isnan(odds), given, (given + family) / (1 + np.exp(-moved)))
    return chances


def is_mostly_given(name: str) -> bool:
    """Whether a word is a given name far more often than a surname.

    Example:
        >>> is_mostly_given("nneka"), is_mostly_given("smith")
        (True, False)
    """
    return log_odds(name) >= MOSTLY


@lru_cache(maxsize=1 << 16)
def share_of_women(name: str) -> float:
    """Estimate how many of those who bear a name are women.

    What the figures say counts by how many bear the name; where they say nothing, its ending does.

    Args:
        name: The name, in small letters without accents.

    Returns:
        The share, above 0 and below 1.

    Example:
        >>> share_of_women("xylina") > 0.9 > 0.1 > share_of_women("obinna")
        True
    """
    endings, record = _endings(), known(name)
    counts = [endings.get(ending, (0, 0)) for ending in _endings_of(name)]
    return estimated([*counts, *([record.counts] if record else [])], _STRENGTH)


def genders_of(name: str) -> Sequence[str]:
    """Return who bears a word as a given name by the tables: women, men or both.

    Args:
        name: The word, in small letters without accents.

    Returns:
        Of `GENDERS` those that a tenth of its bearers are of; empty where it is a word of every
        day, no culture has the name, and it is no given name far more often than a surname.

    Example:
        >>> genders_of("nneka"), genders_of("okafor"), genders_of("table")
        (('woman',), (), ())
    """
    record = known(name)
    if (
        record is None
        or name in words("common_words")
        or not (is_mostly_given(name) or record.cultures)
    ):
        return ()
    share = share_of_women(name)
    shares = zip(GENDERS, (share, 1 - share), strict=True)
    return tuple(gender for gender, own in shares if own >= _MAY_BE)


def is_of_both(name: str) -> bool:
    """Whether some culture gives a name to women, and some culture to men.

    Args:
        name: The name, in small letters without accents.

    Example:
        >>> is_of_both("andrea"), is_of_both("nneka")
        (True, False)
    """
    record = known(name)
    if record is None:
        return False
    genders = {gender for _, gender in record.cultures}
    least = _OF_BOTH * (record.women + record.men)
    counts = zip(GENDERS, (record.women, record.men), strict=True)
    return len(genders | {gender for gender, births in counts if births > least}) > 1


def is_even(name: str) -> bool:
    """Whether a name is given to girls and to boys alike in the USA.

    Args:
        name: The name, in small letters without accents.

    Example:
        >>> is_even("casey"), is_even("andrea")
        (True, False)
    """
    record = known(name)
    return record is not None and min(record.women, record.men) > (record.women + record.men) * (
        1 - _CLEAR
    )


def names_like(name: str, target: str, of: str = "") -> Sequence[str] | None:
    """Return names of a gender that are at home in the same cultures as a name.

    Two names are alike by the share of the cultures of either in which both are listed; in those
    whose lists are in the order of frequency, also by where they stand in it.

    Args:
        name: The name, in small letters without accents.
        target: Whose names are asked for, `woman` or `man`.
        of: Whose name it is: the cultures count in which that gender has it. Empty to count all.

    Returns:
        The 15 names that are most alike, and those as much as the last of them. None if no source
        says of which culture the name is; empty if one does, but has too few names.

    Example:
        >>> "Obinna" in names_like("nneka", "man"), names_like("xyla", "man")
        (True, None)
    """
    record = known(name)
    if record is None:
        return None
    cultures = {culture for culture, gender in record.cultures if of in ("", gender)}
    births = {"woman": record.women, "man": record.men}.get(of, record.women + record.men)
    # "Chris" is no Kenyan name in the USA, but "Guadalupe" is a Mexican one.
    is_american = births > _MOST_BIRTHS and cultures.isdisjoint(_ALSO_AMERICAN)
    return _alike(name, target, of) if cultures and not is_american else None


@lru_cache(maxsize=1 << 12)
def _alike(name: str, target: str, of: str) -> Sequence[str]:
    """Return the names that are most alike in their cultures."""
    profile, several = _profile(name, of), _drawn()[target]
    common, steps, counts = np.zeros((3, len(several.names)))
    for culture in np.flatnonzero(profile).tolist():
        rows, own = several.rows[culture], profile[culture]
        common[rows] += several.weight[culture]
        if own < _UNORDERED:
            steps[rows] += np.abs(several.order[rows, culture] - own)
            counts[rows] += 1
    rows = np.flatnonzero(common)
    if len(rows) < FEWEST:
        return ()
    whole = several.whole[rows] + several.weight[profile > 0].sum()
    likeness = common[rows] / (whole - common[rows])
    likeness -= _OF_ORDER * steps[rows] / np.maximum(1, counts[rows])
    least = np.partition(likeness, -FEWEST)[-FEWEST]
    return [several.names[row] for row in rows[likeness >= least].tolist()]


@cache
def drawn_names() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the names of each culture that are drawn, by gender; of cultures that have enough.

    Example:
        >>> {gender: len(names) for gender, names in drawn_names()["Igbo"].items()}
        {'woman': 20, 'man': 20}
    """
    drawn = _drawn()
    return {
        culture: {
            gender: [drawn[gender].names[row] for row in drawn[gender].rows[column].tolist()]
            for gender in GENDERS
        }
        for culture, column in _columns().items()
        if all(len(drawn[gender].rows[column]) for gender in GENDERS)
    }


# Where a list is in no order, every name stands here; the first of an ordered one stands at 1.
_UNORDERED = 3.0


class _Drawn(NamedTuple):
    """Names that may be drawn, and of which cultures they are.

    Attributes:
        names: The names, as they are written.
        order: Where each stands in the list of each culture: from 1 for the first to 2 for the
            last, or 3 in lists that are in no order; 0 where it is on none. Shape (N, C).
        rows: The numbers of the names of each culture.
        weight: How much it says to be a name of each culture: the share of its names that no other
            has. Shape (C,).
        whole: The weight of all cultures of each name. Shape (N,).
    """

    names: Sequence[str]
    order: NDArray[np.float64]
    rows: Sequence[NDArray[np.int64]]
    weight: NDArray[np.float64]
    whole: NDArray[np.float64]


@cache
def _drawn() -> Mapping[str, _Drawn]:
    """Return the names of each gender that may be drawn."""
    clear, cultures = _clear(), names_by_culture().items()
    sizes = [
        min(sum(name in clear[gender] for name in _plain(culture, gender)) for gender in GENDERS)
        for culture, _ in cultures
    ]
    pools: dict[str, _Drawn] = {}
    for gender in GENDERS:
        spelt: dict[str, str] = {}
        for culture, (names, _) in cultures:
            both = zip(_plain(culture, gender), names[gender], strict=True)
            spelt |= {plain: name for plain, name in both if plain in clear[gender]}
        row_of = {name: row for row, name in enumerate(spelt)}
        order = np.zeros((len(spelt), len(sizes)))
        for column, (culture, (_, is_ordered)) in enumerate(cultures):
            rows = np.array([row_of.get(name, -1) for name in _plain(culture, gender)], np.int64)
            places = 1 + np.arange(len(rows)) / len(rows) if is_ordered else _UNORDERED
            order[rows[rows >= 0], column] = np.broadcast_to(places, len(rows))[rows >= 0]
        order *= np.array(sizes) >= FEWEST
        held, listed = np.flatnonzero(order.any(1)), [*spelt.values()]
        selected = [listed[row] for row in held.tolist()]
        order, is_of = order[held], order[held] > 0
        alone = (is_of & (is_of.sum(1, keepdims=True) == 1)).sum(0)
        weight = (1 + alone) / (1 + is_of.sum(0))
        pools[gender] = _Drawn(
            selected, order, [*map(np.flatnonzero, is_of.T)], weight, is_of @ weight
        )
    return pools


def _clear() -> Mapping[str, set[str]]:
    """Return the names that one gender bears alone, and that are neither words nor American.

    Names that the other gender bears as well, or that are words, say nothing.
    """
    everyday = words("common_words") | words("corpus_words")
    names: dict[str, set[str]] = {gender: set() for gender in GENDERS}
    for line in islice(_lines(), 1, None):
        if line[-1] == "\t":
            continue
        name, women, men, _, lists = line.split("\t")
        gender, votes = _alone(lists)
        births = int(women) + int(men)
        if gender and births < _MOST_BIRTHS and name not in everyday:
            own = int(women if gender == "woman" else men)
            if own + votes > _CLEAR * (births + votes):
                names[gender].add(name)
    return names


@cache
def _alone(lists: str) -> tuple[str, int]:
    """Return the only gender of some lists, and how many births they count as; or ""."""
    genders = [_cultures()[int(number)][1] for number in lists.split()]
    return genders[0] if len({*genders}) == 1 else "", _VOTE * len(genders)


# From which share of its bearers on a name is given to one gender alone; and from how many births
# in the USA on it says little of another culture: there are Marys everywhere.
_CLEAR, _MOST_BIRTHS = 0.9, 30_000
_ALSO_AMERICAN = frozenset({"Arabic", "Latin American", "Mexican"})


def _profile(name: str, of: str = "") -> NDArray[np.float64]:
    """Return where a name stands in the list of each culture, as `_Drawn` has it. Shape (C,)."""
    profile = np.zeros(len(names_by_culture()))
    columns = _columns()
    record = known(name)
    for culture, gender in record.cultures if record else ():
        if of not in ("", gender):
            continue
        names, is_ordered = names_by_culture()[culture]
        profile[columns[culture]] = _UNORDERED
        if is_ordered:
            profile[columns[culture]] = 1 + _place(culture, gender)[name] / len(names[gender])
    return profile


@cache
def _columns() -> Mapping[str, int]:
    """Return the number of each culture."""
    return {culture: column for column, culture in enumerate(names_by_culture())}


@cache
def _place(culture: str, gender: str) -> Mapping[str, int]:
    """Return the place of each name in a list, from 0 for the first."""
    return {name: place for place, name in enumerate(_plain(culture, gender))}


@cache
def _plain(culture: str, gender: str) -> Sequence[str]:
    """Return the names of a list in small letters without accents."""
    return [*map(without_accents, names_by_culture()[culture][0][gender])]


@cache
def names_by_culture() -> Mapping[str, tuple[Mapping[str, Sequence[str]], bool]]:
    """Return the names of each culture by gender, and whether the most frequent come first.

    Example:
        >>> names, is_ordered = names_by_culture()["Igbo"]
        >>> "Nneka" in names["woman"], is_ordered
        (True, False)
    """
    cultures: dict[str, tuple[dict[str, Sequence[str]], bool]] = {}
    with (_FOLDER / "names_by_culture.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            names, _ = cultures.setdefault(row["culture"], ({}, bool(row["order"])))
            names[row["gender"]] = row["names"].split()
    return cultures


@cache
def _lines() -> Sequence[str]:
    """Return the lines of the table, in order: parsing all of them would take far longer."""
    return (_FOLDER / "given_names.tsv").read_text("utf-8").rstrip("\n").split("\n")


@cache
def _cultures() -> Sequence[tuple[str, str]]:
    """Return each culture with each gender of its names."""
    cultures = names_by_culture().items()
    return [(culture, gender) for culture, (names, _) in cultures for gender in names]


@lru_cache(maxsize=1 << 12)
def _bearers(rank: int) -> float:
    """Estimate how many people in the USA bear a surname by its rank."""
    return math.exp(float(np.interp(math.log(rank), _RANKS, _BEARERS))) if rank else 0.0


@cache
def _endings() -> Mapping[str, tuple[int, int]]:
    """Return how many listed names with each ending are women's, and how many there are."""
    counts: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for entry in load_lexicon("first_names").entries:
        for gender, forms in entry.forms.items():
            for ending in chain.from_iterable(_endings_of(form.text.lower()) for form in forms):
                women, all_of_them = counts[ending]
                counts[ending] = (women + (gender == "woman"), all_of_them + 1)
    return dict(counts)


def _endings_of(name: str) -> Iterator[str]:
    """Give the endings of a name, the shortest first; ^ says where the name begins."""
    for length in range(_ENDING + 1):
        yield f"^{name}"[len(name) + 1 - length :] if length else ""
