"""Rows with one named person, written for names of several cultures and of both genders.

A version is the row with another name: of the same gender all else stays, of the other one the
pronouns, titles and nouns of the person move along, as in a swap. So a classifier can be asked what
it makes of a name; `fair_datasets.measures.name_sensitivity` compares its answers.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.names.given_names import drawn_names
from fair_datasets.rows import draws
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import NAME, Name, PlaceboRow, RowDivider, Texts, listed_names
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

AMERICAN = "American"
"""What names of the list of the United States are called among those of cultures."""
_GENDERS = ("man", "woman")
_YEARS, _FEWEST = 20, 20
"""How far apart in time names may be, and among how many a name is drawn at least."""
_MOST = 10
"""How many names of a culture and gender a row has at most."""
_UNNAMED, _SEVERAL, _ELSEWHERE, _AGAIN = (
    "no first name that moves with a gender", "several people or names",
    "the name would stay somewhere in the row", "the same as an earlier row but for the name",
)  # fmt: skip


class NamedRow(NamedTuple):
    """A row with one named person.

    Attributes:
        number: Its number among the rows that were given.
        slots: The place of the name in its version as a man's and as a woman's.
        only_name: Whether these versions differ in nothing but the name.
        names: The names that are written. Shape (2, G, K): gender, culture, draw.
    """

    number: int
    row: PlaceboRow
    slots: tuple[int, int]
    only_name: bool
    names: NDArray[np.str_]

    def texts(self) -> list[Texts]:
        """Return the versions, in the order of the names."""
        several = zip(self.row.versions, self.slots, self.names, strict=True)
        return [
            version.with_name(slot, name)
            for version, slot, names in several
            for name in names.ravel().tolist()
        ]


@dataclass(frozen=True, eq=False)
class NameVersions:
    """Rows with one named person, and their versions; see `name_versions`.

    Attributes:
        rows: The rows, N of them.
        cultures: The cultures of the names, G of them.
        count: How many names of each culture and gender each row has, K.
        skipped: Why other rows have no versions, and how many.
    """

    rows: Sequence[NamedRow]
    cultures: tuple[str, ...]
    count: int
    skipped: Mapping[str, int]

    def columns(self, *, texts: bool = True) -> dict[str, Any]:
        """Return the versions one below the other, as columns that are named as in the measure.

        Args:
            texts: Whether to write them as well, in the column `texts`: a tuple each.

        Returns:
            Columns of N * 2 * G * K values: `rows`, `genders`, `cultures`, `names` and
            `only_names`.
        """
        shape = 2, len(self.cultures), self.count
        genders, cultures, _ = np.meshgrid(
            _GENDERS, self.cultures, np.zeros(shape[2]), indexing="ij"
        )
        many, size = len(self.rows), int(np.prod(shape))
        columns: dict[str, Any] = {
            "rows": np.repeat(np.array([row.number for row in self.rows], np.int64), size),
            "genders": np.tile(genders.ravel(), many),
            "cultures": np.tile(cultures.ravel(), many),
            "names": np.array([row.names for row in self.rows], np.str_).ravel(),
            "only_names": np.repeat(np.array([row.only_name for row in self.rows], np.bool_), size),
        }
        if texts:
            columns["texts"] = [each for row in self.rows for each in row.texts()]
        return columns


def name_versions(
    rows: Sequence[Texts],
    swap: CounterfactualSwap,
    *,
    cultures: Sequence[str] | None = None,
    count: int = 2,
    seed: int = 0,
    divider: RowDivider | None = None,
) -> NameVersions:
    """Write rows that name one person with names of several cultures and of both genders.

    A row is written as a whole or left: one first name, which may stand there several times, and
    words of that person's gender alone, which the swap can write for the other one. Names of a
    culture are drawn evenly, by the texts of the row; American ones in pairs of a man's and a
    woman's name that are about as frequent and of the same time, and as the name of the row is
    where the list has it. Surnames stay.

    Args:
        rows: The texts of each row.
        swap: What swaps their genders.
        cultures: The cultures, `American` among them; None for all that have enough names.
        count: How many names of each culture and gender a row has, from 2 to 10: what two of them
            do is the control.
        seed: The seed of the draws.
        divider: What divides rows by this swap, and may have kept some of them.

    Raises:
        InputError: The swap is of another axis, a culture has no list of names, or there are too
            few names of each, or too many.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> found = name_versions([("John ran.",), ("Rain.",)], swap, cultures=["Igbo", "Zulu"])
        >>> len(found.columns()["texts"]), found.skipped
        (8, {'no first name that moves with a gender': 1})
        >>> found.columns()["genders"][:4].tolist() == ["man"] * 4
        True

    Source:
        Names drawn for a row as correspondence studies do it: Bertrand and Mullainathan, Are Emily
        and Greg More Employable than Lakisha and Jamal?, 2004.
    """
    checks.whole_number(count, parameter="count", least=2)
    if count > _MOST:
        raise invalid(
            f"count must be at most {_MOST}, as few names of some cultures are known, but it is "
            f"{count}."
        )
    checks.whole_number(seed, parameter="seed", least=0)
    known = (AMERICAN, *drawn_names())
    for name in cultures or ():
        checks.one_of(name, known, parameter="each of cultures")
    chosen = tuple(name for name in known if cultures is None or name in cultures)
    reader = divider or RowDivider(swap)
    if {*reader.attributes} != {*_GENDERS}:
        raise invalid(
            "the swap must be of the axis of gender, from men to women and from women to men, but "
            f"it leads to {checks.format_choices(reader.attributes)}."
        )
    entries: dict[tuple[Texts, Texts], NamedRow] = {}
    skipped = {_UNNAMED: len(rows), _SEVERAL: 0, _ELSEWHERE: 0, _AGAIN: 0}
    for row in reader.rows(rows):
        slots = [_names_of(version.slots, reader) for version in row.versions]
        if not any(slots):
            continue
        skipped[_UNNAMED] -= 1
        if row.attribute < 0 or any(len(each) != 1 for each in slots):
            skipped[_SEVERAL] += 1
            continue
        both = slots[0][0], slots[1][0]
        first, second = (
            version.with_name(slot, NAME)
            for version, slot in zip(row.versions, both, strict=True)
        )  # fmt: skip
        word = reader.slots[both[row.attribute]].word
        if any(word in tokenize(text).lower for text in (first, second)[row.attribute]):
            skipped[_ELSEWHERE] += 1
            continue
        if (first, second) in entries:
            skipped[_AGAIN] += 1
            continue
        names = _drawn(word, rows[row.number], chosen, count, seed)
        entries[first, second] = NamedRow(row.number, row, both, first == second, names)
    return NameVersions(
        list(entries.values()), chosen, count, {why: each for why, each in skipped.items() if each}
    )


def _names_of(slots: Sequence[int], reader: RowDivider) -> list[int]:
    """Return those slots that stand for names, each once."""
    return [slot for slot in dict.fromkeys(slots) if reader.slots[slot].part == NAME]


def _drawn(
    word: str, texts: Texts, cultures: Sequence[str], count: int, seed: int
) -> NDArray[np.str_]:
    """Draw the names of a row, none of which stands there already. Shape (2, G, K)."""
    key, everywhere = draws.row_key(texts), (AMERICAN, *drawn_names())
    generator = np.random.default_rng(draws.drawn_seed(seed, key, "names of cultures"))
    # Of all cultures, so that the names of one do not depend on which others are asked for.
    chances = generator.random((len(everywhere), 2, count))
    there = {without_accents(each) for text in texts for each in tokenize(text).words}
    names: list[Sequence[Sequence[str]]] = []
    for culture, own in zip(everywhere, chances, strict=True):
        if culture == AMERICAN and culture in cultures:
            pairs = _picked(_pairs_like(word), there, own[0])
            names.append(list(zip(*pairs, strict=True)))
        elif culture in cultures:
            both = (
                _picked(_spelt(culture, gender, word.isascii()), there, chance)
                for gender, chance in zip(_GENDERS, own, strict=True)
            )
            names.append([[name for (name,) in each] for each in both])
    return np.array(names, np.str_).transpose(1, 0, 2)


def _distinct(chances: NDArray[np.float64], size: int) -> list[int]:
    """Draw distinct numbers below a size, one for each chance in [0, 1).

    Example:
        >>> _distinct(np.array([0.5, 0.5, 0.0]), 3)
        [1, 2, 0]
    """
    taken: list[int] = []
    for drawn, chance in enumerate(chances.tolist()):
        place = int(chance * (size - drawn))
        for each in sorted(taken):
            place += place >= each
        taken.append(place)
    return taken


def _picked(
    options: Sequence[tuple[str, ...]], there: AbstractSet[str], chances: NDArray[np.float64]
) -> list[tuple[str, ...]]:
    """Draw distinct names, or pairs of them, that are no words of a row."""
    sample = [options[place] for place in _distinct(chances, len(options))]
    if there.isdisjoint(without_accents(name) for each in sample for name in each):
        return sample
    free = [each for each in options if there.isdisjoint(map(without_accents, each))]
    several = free if len(free) >= len(sample) else options
    return [several[place] for place in _distinct(chances, len(several))]


@cache
def _spelt(culture: str, gender: str, is_plain: bool) -> Sequence[tuple[str]]:
    """Return the names of a culture; without accents for a row whose own name has none."""
    names = drawn_names()[culture][gender]
    return [(without_accents(name).capitalize() if is_plain else name,) for name in names]


@cache
def _pairs_like(word: str) -> Sequence[tuple[str, str]]:
    """Return American names of men and of women that are alike, and like a name if it is listed."""
    own, pairs = listed_names().get(word), _pairs()
    if own is not None and own.gender in _GENDERS:
        pairs = [pair for pair in pairs if pair[0].quarter == own.quarter]
        # How far they lie from it in time; of an old name the nearest ones.
        years = [max(abs(each.year - own.year) for each in pair) for pair in pairs]
        reach = max(_YEARS, sorted(years)[min(_FEWEST, len(years)) - 1])
        pairs = [pair for pair, distance in zip(pairs, years, strict=True) if distance <= reach]
    return [(man.text, woman.text) for man, woman in pairs]


@cache
def _pairs() -> Sequence[tuple[Name, Name]]:
    """Return the rows of the list whose names are as frequent and of one time, and are no words."""
    names, pairs = listed_names(), []
    for entry in load_lexicon("first_names").entries:
        forms = [entry.forms[gender][0] for gender in _GENDERS if gender in entry.forms]
        both = [names[form.text.lower()] for form in forms if form.text.lower() in names]
        if len(both) != 2 or any(form.flags for form in forms):
            continue
        man, woman = both
        is_pair = (man.gender, woman.gender, man.quarter) == (*_GENDERS, woman.quarter)
        if is_pair and abs(man.year - woman.year) <= _YEARS:
            pairs.append((man, woman))
    return pairs
