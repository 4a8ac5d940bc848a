"""Placebo versions of rows: the places that a swap changes, with other words and names in them.

A swap writes "she" for "he". Its placebos write "of" and then "with" in the same place, and ask
how often that changes a prediction: what the swap does beyond that may be the group's. A draw is
one mapping of words and names for all rows.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import (
    Lexicon,
    available_lexicons,
    lexicon_files,
    load_lexicon,
    name_lexicons,
)
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.matching.letters import match_case
from fair_datasets.reader.matching.mentions import Annotation
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.rows import draws
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.counterfactual import CounterfactualSwap, ReadRow
from fair_datasets.swap.rewriting import Edit, Rows
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid

FEWEST = 20
"""How many words there must be to draw from."""
_FACTORS = 2, 4
"""How many times as many rows may have a word; the second where too few words are found."""
_YEARS = 20
_FUNCTION = "mostly_function_words"
_PARTS = {"adjective": "mostly_adjectives", "adverb": "mostly_adverbs", "verb": "mostly_verbs"}


class Name(NamedTuple):
    """What is known of a name, as far as it is.

    Attributes:
        gender: Who mostly bears it, `man` or `woman`; `surname` where anybody does.
        quarter: Its quarter among the names of that gender by how many bear it, from 0 on.
        group: The racial or ethnic group that mostly bears it; empty where it is not known.
    """

    text: str
    gender: str
    quarter: int
    year: int
    group: str


class _LikeWords:
    """Finds words that are mostly of one part of speech and in about as many rows as others."""

    def __init__(self, frequencies: Counter[str], lexicon: Lexicon) -> None:
        """Set out to look among the words that are in no lexicon."""
        self._frequencies = frequencies
        self._listed = listed_words(lexicon)
        self._parts: dict[str, tuple[NDArray[np.str_], NDArray[np.int64]]] = {}

    def like(self, word: str, part: str) -> NDArray[np.str_]:
        """Return the words like one, none where there are too few. Shape (P,)."""
        if part not in self._parts:
            candidates = sorted(words(part) - self._listed)
            counts = [self._frequencies[word] for word in candidates]
            self._parts[part] = np.array(candidates, np.str_), np.array(counts, np.int64)
        others, often = self._parts[part]
        own = self._frequencies[word]
        for factor in _FACTORS:
            alike = others[(often * factor >= own) & (often <= own * factor)]
            if len(alike) >= FEWEST:
                return alike
        return others[:0]


def like_names(name: str) -> NDArray[np.str_]:
    """Return the names like one, in the order of the list; none of one not known. Shape (P,)."""
    own = listed_names().get(name)
    others = (
        [
            other.text
            for other in _alike()[own.gender, own.quarter, own.group]
            if abs(other.year - own.year) <= _YEARS and other.text != own.text
        ]
        if own
        else []
    )
    return np.array(others, np.str_)


@cache
def _alike() -> Mapping[tuple[str, int, str], Sequence[Name]]:
    """Return the names by gender, quarter and group."""
    names: dict[tuple[str, int, str], list[Name]] = {}
    for name in listed_names().values():
        names.setdefault((name.gender, name.quarter, name.group), []).append(name)
    return names


@cache
def listed_names() -> Mapping[str, Name]:
    """Return what is known of the listed names, by the name in lower case."""
    names: dict[str, Name] = {}
    surnames = load_lexicon("race_surnames").entries
    for place, entry in enumerate(surnames):
        for group, form in entry.all_forms:
            own = Name(form.text, "surname", 4 * place // len(surnames), 0, group)
            names[form.text.lower()] = own
    groups = {
        form.text: group
        for entry in load_lexicon("race_first_names").entries
        for group, form in entry.all_forms
    }
    with lexicon_files("first_names")["first_names"].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for gender in ("man", "woman"):
        ordered = sorted(rows, key=lambda row: -int(row[f"{gender}_births"]))
        for place, row in enumerate(ordered):
            text = row[gender].partition("[")[0]
            quarter, year = 4 * place // len(ordered), int(row[f"{gender}_year"])
            names[text.lower()] = Name(text, gender, quarter, year, groups.get(text, ""))
    return names


def listed_words(lexicon: Lexicon) -> frozenset[str]:
    """Return the words of a lexicon and of all that ship, lists of names too, in lower case.

    Those of an experimental axis count on that axis alone, so that no other draws otherwise for it.
    """
    is_shipped = any(lexicon is each for each in _shipped())
    return _listed() if is_shipped else _listed() | _words_of(lexicon)


@cache
def _listed() -> frozenset[str]:
    """Return the words of all shipped lexicons and lists of names, in lower case."""
    return frozenset().union(*map(_words_of, _shipped()))


def _shipped() -> list[Lexicon]:
    several = map(load_lexicon, (*available_lexicons(), *name_lexicons()))
    return [lexicon for lexicon in several if not lexicon.experimental]


def _words_of(lexicon: Lexicon) -> frozenset[str]:
    """Return the words of a lexicon: those of a form of several, too, but for function words."""
    vocabulary: set[str] = set()
    for _, form in chain.from_iterable(entry.all_forms for entry in lexicon.entries):
        parts = tokenize(form.text).lower
        vocabulary.update(parts if len(parts) == 1 else {*parts} - words(_FUNCTION))
    return frozenset(vocabulary)


def _part_of(term: Term | None) -> str:
    """Return the class of `words.tsv` whose words are like a term; `name` for a name."""
    if term is None:
        return ""
    if term.is_name:
        return NAME
    if term.entry.kind == "pronoun":
        return _FUNCTION
    return _PARTS.get(term.entry.inflection, "mostly_nouns")


Texts = tuple[str, ...]

NAME = "name"


class Slot(NamedTuple):
    """What a placebo is drawn for.

    Attributes:
        word: A word in lower case; of a name, that which the row has as it is.
        part: The class of its part of speech; `name` for a name.
        side: 0; of a name that of the version, as a name has two placebos.
    """

    word: str
    part: str
    side: int


class Version(NamedTuple):
    """A version of a row, divided where placebos are written.

    Attributes:
        texts: Each text in parts, by turns what stays and a word that a placebo stands for. The
            first and the last part stay.
        numbers: For each word of each text the number of its slot.
    """

    texts: tuple[tuple[str, ...], ...]
    numbers: tuple[tuple[int, ...], ...]

    @property
    def slots(self) -> list[int]:
        """The numbers of what its placebos stand for."""
        return list(chain.from_iterable(self.numbers))

    def written(self, placebos: Sequence[str] | None = None) -> Texts:
        """Return the texts, with a placebo for each slot; without any, as the swap has them."""
        if placebos is None:
            return tuple(map("".join, self.texts))
        texts = []
        for parts, numbers in zip(self.texts, self.numbers, strict=True):
            new = list(parts)
            new[1::2] = map(match_case, parts[1::2], [placebos[number] for number in numbers])
            texts.append("".join(new))
        return tuple(texts)

    def with_name(self, slot: int, name: str) -> Texts:
        """Return the texts with a name in the places of one slot, and all else as it is written."""
        texts = []
        for parts, numbers in zip(self.texts, self.numbers, strict=True):
            new = list(parts)
            for place, number in enumerate(numbers):
                if number == slot:
                    word = parts[2 * place + 1]
                    new[2 * place + 1] = name.lower() if word.islower() else match_case(word, name)
            texts.append("".join(new))
        return tuple(texts)


class PlaceboRow(NamedTuple):
    """A row that a swap changes.

    Attributes:
        attribute: The place of the one attribute that it mentions among those that are swapped; -1
            where it mentions several, or nothing else would be written for one of its mentions.
        versions: Its two versions. Of an axis of two attributes they are those of the first and the
            second one; of another axis, and of a row of several attributes, the row and its swap.
    """

    number: int
    attribute: int
    versions: tuple[Version, Version]

    def swapped(self, texts: Texts) -> Texts:
        """Return what the swap makes of the row, whose texts these are."""
        first, second = (version.written() for version in self.versions)
        return first if second == texts else second


@dataclass(frozen=True, eq=False)
class Placebos:
    """Rows that a swap changes, and their placebo versions; see `placebos_of`.

    Attributes:
        rows: The rows, one of each family.
        drawn: The placebo of each slot in each draw; empty where there are too few like it.
            Shape (S, K).
    """

    rows: Sequence[PlaceboRow]
    attributes: tuple[str, ...]
    slots: Sequence[Slot]
    drawn: NDArray[np.str_]

    @property
    def draws(self) -> int:
        """The number of draws K."""
        return int(self.drawn.shape[1])

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The number of each row among those that were given. Shape (N,)."""
        return np.array([row.number for row in self.rows], np.int64)

    @cached_property
    def own(self) -> NDArray[np.int64]:
        """The place of each row's own attribute, -1 where it has none alone. Shape (N,)."""
        return np.array([row.attribute for row in self.rows], np.int64)

    @cached_property
    def kinds(self) -> NDArray[np.str_]:
        """What the swap changes in each row: `names`, `words` or `both`. Shape (N,)."""
        is_name = [slot.part == NAME for slot in self.slots]
        kinds = []
        for row in self.rows:
            own = {is_name[slot] for slot in _slots_of(row)}
            kinds.append("both" if len(own) == 2 else "names" if own == {True} else "words")
        return np.array(kinds, np.str_)

    @cached_property
    def controlled(self) -> NDArray[np.bool_]:
        """Which rows have placebos: there are words like all that the swap changes. Shape (N,)."""
        has_any = self.drawn[:, :1].ravel() != ""
        slots = map(_slots_of, self.rows)
        return np.array([bool(own) and all(has_any[slot] for slot in own) for own in slots], bool)

    @property
    def lacking(self) -> list[tuple[str, int]]:
        """The words without placebos, and in how many rows each is; the most frequent first."""
        has_any = self.drawn[:, :1].ravel() != ""
        counts = Counter(
            word
            for row in self.rows
            for word in {self.slots[slot].word for slot in _slots_of(row) if not has_any[slot]}
        )
        return sorted(counts.items(), key=lambda each: (-each[1], each[0]))

    def versions(self) -> tuple[list[Texts], list[Texts]]:
        """Return the first and the second version of each row, as the swap writes them."""
        first, second = ([row.versions[side].written() for row in self.rows] for side in (0, 1))
        return first, second

    def placebo_versions(self, draw: int) -> tuple[list[Texts], list[Texts]]:
        """Return the two placebo versions of each row that has them, in one draw."""
        words = self.drawn[:, draw].tolist()
        controlled = [row for row, has in zip(self.rows, self.controlled, strict=True) if has]
        first, second = (
            [row.versions[side].written(words) for row in controlled] for side in (0, 1)
        )
        return first, second

    def asked(
        self, predict: Callable[[list[Texts]], NDArray[Any]]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Ask a classifier about all versions; of equal texts of a draw once.

        Returns:
            What it says of the versions, shape (N, 2, ...), and of the placebo versions of the rows
            that have them, shape (M, 2, K, ...).
        """
        own = _distinct(predict, self.versions())
        placebo = [_distinct(predict, self.placebo_versions(draw)) for draw in range(self.draws)]
        return own, np.stack(placebo, axis=2)


def placebos_of(
    rows: Sequence[Texts],
    swap: CounterfactualSwap,
    *,
    training: Iterable[Texts] | None = None,
    count: int = 99,
    seed: int = 0,
    divider: "RowDivider | None" = None,
) -> Placebos:
    """Draw placebo versions of the rows that a swap changes.

    In a draw each listed word has one placebo word for all rows, of the same part of speech and in
    about as many rows; each name has two names, of the same gender, frequency, time and group. What
    agrees with the words (an article, a verb) is written as in the swap. Duplicates, and rows that
    are each other's counterfactuals, are one row: the first.

    Args:
        training: The rows that the classifier was trained on, in which words are counted; None to
            count in `rows`.
        seed: The seed of the draws, which are keyed by it, their number and the word.
        divider: What divides rows by this swap, and may have kept some of them.

    Raises:
        InputError: The swap has several axes, or there is no draw.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> found = placebos_of([("John ran.",), ("Rain.",)], swap, count=2)
        >>> found.versions()
        ([('John ran.',)], [('Mary ran.',)])
        >>> found.placebo_versions(0) != found.placebo_versions(1), found.kinds.tolist()
        (True, ['names'])

    Source:
        The control of a change by another change that leaves the group alone: Kaushik, Hovy and
        Lipton, Learning the Difference that Makes a Difference, 2020, have people write it.
    """
    if len(swap.axes) > 1:
        raise invalid(f"the swap must be of one axis, but it is of {swap.axes}.")
    checks.positive_whole_number(count, parameter="count")
    lexicon = swap.lexicon(swap.axes[0])
    reader = divider or RowDivider(swap)
    families: dict[frozenset[Texts], PlaceboRow] = {}
    for row in reader.rows(rows):
        families.setdefault(frozenset(version.written() for version in row.versions), row)
    selected = list(families.values())
    counted = rows if training is None else training
    frequencies = Counter(
        word for row in counted for word in {word for text in row for word in tokenize(text).lower}
    )
    drawn = _drawn(selected, rows, reader.slots, _LikeWords(frequencies, lexicon), count, seed)
    return Placebos(selected, reader.attributes, reader.slots, drawn)


def versions_of_one(
    rows: Sequence[Texts], divider: "RowDivider"
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Texts], list[Texts]]:
    """Write those rows for both attributes of an axis that mention one of them alone.

    Returns:
        The numbers of these rows, shape (N,), which of the two attributes each mentions, shape
        (N,), and the versions of the first and of the second attribute.

    Example:
        >>> rows = [("Rain.",), ("She ran.",), ("He saw her.",)]
        >>> versions_of_one(rows, RowDivider(CounterfactualSwap(columns="text")))
        (array([1]), array([1]), [('He ran.',)], [('She ran.',)])
    """
    placebo_rows = [row for row in divider.rows(rows) if row.attribute >= 0]
    first, second = ([row.versions[side].written() for row in placebo_rows] for side in (0, 1))
    own = np.array([row.attribute for row in placebo_rows], np.int64)
    return np.array([row.number for row in placebo_rows], np.int64), own, first, second


_Terms = list[tuple[int, Term]]
_Divided = Sequence[tuple[Sequence[str], Sequence[str], Sequence[int]]]


class _Parts:
    """Puts together a divided text."""

    def __init__(self) -> None:
        """Begin with nothing that stays."""
        self.parts, self.numbers = [""], list[int]()

    def stay(self, text: str) -> None:
        """Add what stays."""
        self.parts[-1] += text

    def write(self, word: str, slot: int) -> None:
        """Add a word, for which a placebo stands where there is a slot."""
        if slot < 0:
            self.parts[-1] += word
        else:
            self.parts += word, ""
            self.numbers.append(slot)


class RowDivider:
    """Divides rows where a swap changes them, and keeps what it made of some.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> [row.number for row in RowDivider(swap).rows([("Rain.",), ("He ran.",)])]
        [1]
    """

    def __init__(self, swap: CounterfactualSwap, room: int = 0) -> None:
        """Set out to divide rows, and to keep those of so many characters."""
        self.swap = swap
        self.attributes = tuple(swap.plan(swap.axes[0]))
        self._numbers: dict[Slot, int] = {}
        self._edits: dict[tuple[str, str, str, int], _Divided] = {}
        self._room = room
        self._read_rows: dict[Texts, PlaceboRow | None] = {}

    @property
    def slots(self) -> list[Slot]:
        """What placebos are to be drawn for, in the order of their numbers."""
        return list(self._numbers)

    def rows(self, rows: Sequence[Texts]) -> Iterator[PlaceboRow]:
        """Divide those of some rows that the swap changes."""
        unknown = [number for number, texts in enumerate(rows) if texts not in self._read_rows]
        read = self.swap.read(Rows([rows[number] for number in unknown], [None] * len(unknown)))
        fresh = {unknown[each.number]: self._row(each, rows[unknown[each.number]]) for each in read}
        for number, texts in enumerate(rows):
            row = self._read_rows[texts] if texts in self._read_rows else fresh.get(number)
            if row is not None:
                yield row._replace(number=number)

    def keep(self, rows: Sequence[Row], read: Iterable[ReadRow]) -> Iterator[ReadRow]:
        """Pass on what is read of rows, and keep that of whole ones while there is room."""
        new: dict[int, Texts] = {}
        for number, row in enumerate(rows):
            texts = tuple(text for text in row if text is not None)
            self._room -= sum(map(len, texts))
            if self._room < 0:
                break
            if len(texts) == len(row) and texts not in self._read_rows:
                new[number], self._read_rows[texts] = texts, None
        for each in read:
            if each.number in new:
                self._read_rows[new[each.number]] = self._row(each, new[each.number])
            yield each

    def _row(self, row: ReadRow, texts: Texts) -> PlaceboRow | None:
        """Divide a row; None where the swap leaves it as it is."""
        new = row.counterfactual
        if new is None or new.texts == texts:
            return None
        edits, terms = new.edits_from(texts), list(map(_terms, row.readings))
        attribute = self._own(terms, edits)
        own = max(0, attribute) if len(self.attributes) == 2 else 0
        pairs = [self._versions(*each, own) for each in zip(texts, edits, terms, strict=True)]
        before, after = (
            Version(tuple(tuple(each.parts) for each in side),
                    tuple(tuple(each.numbers) for each in side))
            for side in zip(*pairs, strict=True)
        )  # fmt: skip
        versions = (after, before) if own else (before, after)
        return PlaceboRow(row.number, attribute, versions)

    def _own(self, terms: Sequence[_Terms], edits: Sequence[Sequence[Edit]]) -> int:
        """Return the place of the one attribute of a row whose mentions all change; else -1."""
        mentioned = {
            term.attribute if any(edit.start <= start < edit.end for edit in own) else ""
            for several, own in zip(terms, edits, strict=True)
            for start, term in several
        }
        name = mentioned.pop() if len(mentioned) == 1 else ""
        return self.attributes.index(name) if name in self.attributes else -1

    def _versions(
        self, text: str, edits: Sequence[Edit], terms: _Terms, own: int
    ) -> tuple[_Parts, _Parts]:
        """Divide a text as it is, and as the swap writes it."""
        before, after = _Parts(), _Parts()
        position = 0
        for edit in edits:
            term = next((term for at, term in terms if edit.start <= at < edit.end), None)
            between, position = text[position : edit.start], edit.end
            both = self._divided(edit.before, edit.after, _part_of(term), own)
            for parts, (written, gaps, slots) in zip((before, after), both, strict=True):
                parts.stay(between + gaps[0])
                for word, gap, slot in zip(written, gaps[1:], slots, strict=True):
                    parts.write(word, slot)
                    parts.stay(gap)
        for parts in (before, after):
            parts.stay(text[position:])
        return before, after

    def _divided(self, before: str, after: str, part: str, own: int) -> _Divided:
        """Divide what an edit removes and writes: words, what is around them, and their slots."""
        key = before, after, part, own
        if key not in self._edits:
            pair = tokenize(before), tokenize(after)
            shared = {*pair[0].lower} & {*pair[1].lower}
            name = pair[0].lower[0] if part == NAME else ""
            self._edits[key] = [
                (tokens.words, tokens.gaps,
                 [self._slot(word, part, name, side, shared) for word in tokens.words])
                for tokens, side in zip(pair, (own, 1 - own), strict=True)
            ]  # fmt: skip
        return self._edits[key]

    def _slot(self, word: str, part: str, name: str, side: int, shared: set[str]) -> int:
        """Return the number of the slot of a word; -1 for one that is written as in the swap."""
        lower = word.lower()
        is_written = len(word) < 2 or lower in shared
        # What is written for a noun may have an article.
        if is_written or not part or (part != _FUNCTION and not name and lower in words(_FUNCTION)):
            return -1
        slot = Slot(name, NAME, side) if name else Slot(lower, part, 0)
        return self._numbers.setdefault(slot, len(self._numbers))


def _terms(reading: Annotation | None) -> _Terms:
    """Return where the mentions of a text begin, each with its term."""
    mentions = reading.mentions if reading else ()
    return [(reading.tokens.starts[each.first], each.term) for each in mentions if reading]


def _slots_of(row: PlaceboRow) -> set[int]:
    """Return the numbers of all slots of a row."""
    return {slot for version in row.versions for slot in version.slots}


def _distinct(
    predict: Callable[[list[Texts]], NDArray[Any]], versions: tuple[list[Texts], list[Texts]]
) -> NDArray[Any]:
    """Ask about the two versions of rows, of equal texts once. Shape (N, 2, ...)."""
    places = {texts: place for place, texts in enumerate(dict.fromkeys(versions[0] + versions[1]))}
    predicted = np.asarray(predict(list(places)))
    first, second = ([places[texts] for texts in each] for each in versions)
    return np.stack([predicted[first], predicted[second]], axis=1)


def _drawn(
    rows: Sequence[PlaceboRow],
    texts: Sequence[Texts],
    slots: Sequence[Slot],
    likes: _LikeWords,
    count: int,
    seed: int,
) -> NDArray[np.str_]:
    """Draw the placebo of each slot of rows, so that none has one for two of them. (S, K)."""
    placebos: list[NDArray[np.str_]] = [np.full(count, "", np.str_)] * len(slots)
    beside = _cooccurring(rows, texts, slots)
    pools = {
        number: like_names(slot.word) if slot.part == NAME else likes.like(slot.word, slot.part)
        for number, slot in ((number, slots[number]) for number in beside)
    }
    # Where there is least to choose from, it is chosen first.
    for number in sorted(pools, key=lambda each: (len(pools[each]), slots[each])):
        slot, pool = slots[number], pools[number]
        others, named = beside[number]
        free = pool[~np.isin(pool, named)] if named else pool
        if len(free) < 2:
            continue
        key = draws.row_key([slot.word, slot.side])
        generator = np.random.default_rng(int(draws.row_key([seed, key])[:15], 16))
        places = generator.integers(len(free), size=count)
        taken = np.array([placebos[other] for other in others], np.str_).reshape(-1, count)
        for _ in range(len(free)):
            is_taken = (free[places] == taken).any(axis=0)
            if not is_taken.any():
                break
            places[is_taken] = (places[is_taken] + 1) % len(free)
        placebos[number] = free[places]
    return np.array(placebos, np.str_).reshape(len(slots), count)


def _cooccurring(
    rows: Sequence[PlaceboRow], texts: Sequence[Texts], slots: Sequence[Slot]
) -> dict[int, tuple[list[int], list[str]]]:
    """Return the other slots that are in rows with each, and the words there if it is a name."""
    others: dict[int, set[int]] = {}
    named: dict[int, set[str]] = {}
    for row in rows:
        own = _slots_of(row)
        for slot in own:
            others.setdefault(slot, set()).update(own)
        names = [slot for slot in own if slots[slot].part == NAME]
        if names:
            words = {word for text in texts[row.number] for word in tokenize(text).words}
            for slot in names:
                named.setdefault(slot, set()).update(word for word in words if word[0].isupper())
    return {
        number: (sorted(own - {number}), sorted(named.get(number, ())))
        for number, own in others.items()
    }
