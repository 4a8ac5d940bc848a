"""Found pairs as a CSV file that people review: they accept, reject or edit each of them."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from fair_datasets.lexicons import Entry, load_lexicon
from fair_datasets.lexicons.lexicon import MADE_OF, is_readable
from fair_datasets.rewriters.fairflow.config import DETAILS, are_attributes
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import regular_file, write_file


class Proposal(NamedTuple):
    """What one place of a word proposes."""

    original: str
    counterfactual: str
    side: int
    logit: float


class FoundPair(NamedTuple):
    """A word and its counterpart with the other attribute.

    Attributes:
        counterfactual: Its counterpart; the other way round is a pair of its own.
        side: The attribute of the word, 0 or 1.
        votes: How many places of the word propose it.
        margin: How many more they are than those of the next one.
        places: How many places of the word were asked.
        example: One of them in its text.
    """

    original: str
    counterfactual: str
    side: int
    votes: int
    margin: int
    places: int
    example: str = ""


def count_votes(proposals: Iterable[Proposal], *, mutual: bool = True) -> list[FoundPair]:
    """Choose the counterpart of each word by the majority of its places.

    A word that was kept on both sides is left out. A vote for itself does not count, nor one for a
    word of the same side: the attribute would stay as it is. Equal numbers of votes are decided by
    the sum of the logits without their sign, then by the alphabet.

    Args:
        mutual: Whether a counterpart has to propose the word at least once, too.

    Source:
        Tokpo and Calders (2024), FairFlow, and its code, which asks for mutual proposals.
    """
    given = list(proposals)
    places: dict[str, dict[int, int]] = {}
    for each in given:
        sides = places.setdefault(each.original, {})
        sides[each.side] = sides.get(each.side, 0) + 1
    votes: dict[str, dict[str, tuple[int, float]]] = {}
    for each in given:
        if len(places[each.original]) == 1 and set(places.get(each.counterfactual, ())) != {
            each.side
        }:
            tally = votes.setdefault(each.original, {})
            count, strength = tally.get(each.counterfactual, (0, 0.0))
            tally[each.counterfactual] = count + 1, strength + abs(each.logit)
    pairs = []
    for original, proposed in votes.items():
        allowed = [word for word in proposed if not mutual or original in votes.get(word, {})]
        ranked = sorted(allowed, key=lambda word: (*(-n for n in proposed[word]), word))
        counts = [proposed[word][0] for word in ranked[:2]]
        ((side, asked),) = places[original].items()
        if counts:
            margin = counts[0] - sum(counts[1:])
            pairs.append(FoundPair(original, ranked[0], side, counts[0], margin, asked))
    return sorted(pairs, key=lambda pair: (-pair.votes, -pair.margin, pair.original))


def two_way(pairs: Sequence[FoundPair]) -> list[tuple[FoundPair, FoundPair]]:
    """Return the pairs that hold in both directions, the first attribute's word first."""
    of = {pair.original: pair for pair in pairs}
    return [
        (pair, of[pair.counterfactual])
        for pair in pairs
        if pair.side == 0
        and pair.counterfactual in of
        and of[pair.counterfactual].counterfactual == pair.original
    ]


GIVEN = "given"
_PROPOSAL = "proposal"
_DECISIONS = ("", "accept", "reject", "edit", _PROPOSAL)
_COLUMNS = ("decision", "edited", "original", "counterfactual", "attribute", "votes", "margin",
            "places", "example")  # fmt: skip
_LARGEST = 50_000_000
_MOST_DIGITS = 18


@dataclass(frozen=True)
class FoundLexicon:
    """Pairs of words that become a lexicon.

    Attributes:
        attributes: The two attributes.
        given: The pairs that all began with, the word of the first attribute first.
        spellings: How words are written that are not in lower case, such as "Mary".
        proposals: What has too few votes: the review shows it, and the lexicon leaves it out.

    Example:
        >>> pair = FoundPair("king", "queen", 1, votes=3, margin=2, places=4)
        >>> lexicon = FoundLexicon(("women", "men"), (("she", "he"),), (pair,))
        >>> print(lexicon.review().splitlines()[2])
        ,,king,queen,men,3,2,4,
    """

    attributes: tuple[str, str]
    given: tuple[tuple[str, str], ...]
    pairs: tuple[FoundPair, ...]
    spellings: Mapping[str, str] = field(default_factory=dict)
    proposals: tuple[FoundPair, ...] = ()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the lexicon.

        Raises:
            InputError: It cannot be written.
        """
        _write(Path(path), self.text())

    def text(self) -> str:
        """Return the lexicon as text; see `lexicon_text`."""
        return lexicon_text(self.pairs, self.given, self.attributes, self.spellings)

    def save_review(self, path: str | PathLike[str]) -> None:
        """Write the file that people review.

        The column `decision` is for them: `accept` or nothing keeps a pair, `reject` drops it, and
        `edit` keeps it with the counterpart that they write into `edited`. A `proposal` has too few
        votes and is dropped unless they write `accept` or `edit` in its place.

        Raises:
            InputError: It cannot be written.
        """
        _write(Path(path), self.review())

    def review(self) -> str:
        """Return what people review as CSV; see `save_review`."""
        spelt = self.spellings
        file = StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        # Whoever reads it learns the names of both attributes from the rows.
        lacks_one = not any(pair.side for pair in (*self.pairs, *self.proposals))
        for first, second in self.given:
            words = [spelt.get(word, word) for word in (first, second)]
            for side in (0, 1) if lacks_one else (0,):
                ways = words if side == 0 else words[::-1]
                writer.writerow(["accept", "", *ways, self.attributes[side], GIVEN, "", "", ""])
        decisions = [""] * len(self.pairs) + [_PROPOSAL] * len(self.proposals)
        for decision, pair in zip(decisions, (*self.pairs, *self.proposals), strict=True):
            words = [spelt.get(word, word) for word in pair[:2]]
            statistics = [pair.votes, pair.margin, pair.places, pair.example]
            writer.writerow([decision, "", *words, self.attributes[pair.side], *statistics])
        return file.getvalue()


def read_review(path: str | PathLike[str]) -> FoundLexicon:
    """Read what people decided about the pairs of words that were found.

    Args:
        path: The file that `FoundLexicon.save_review` wrote and people edited.

    Raises:
        InputError: It cannot be read, or a row says something else.
    """
    place = Path(path)
    rows = list(_rows(place))
    attributes = _attributes(rows, place)
    given, pairs = [], []
    spellings: dict[str, str] = {}
    line_of: dict[str, int] = {}
    for line, row in rows:
        pair = _pair(row, attributes, f"{place}, line {line}")
        if pair is None:
            continue
        if row["votes"] == GIVEN:
            # The rows may be sorted otherwise, so that the other attribute is the first.
            first, second = pair[:2] if pair.side == 0 else pair[1::-1]
            given.append((first, second))
        elif line_of.setdefault(pair.original, line) != line:
            raise InputError(
                f"{place}, line {line}: {row['original']!r} has a counterpart in line "
                f"{line_of[pair.original]} already; reject one of the two rows."
            )
        else:
            pairs.append(pair)
        written = (row["original"], row["edited"] or row["counterfactual"])
        spellings |= {word.lower(): word for word in written if word != word.lower()}
    if not given and not pairs:
        raise InputError(f"{place}: all pairs are rejected; keep at least one.")
    once = tuple(dict.fromkeys(given))
    return FoundLexicon((attributes[0], attributes[1]), once, tuple(pairs), spellings)


def _attributes(rows: Sequence[tuple[int, Mapping[str, str]]], path: Path) -> list[str]:
    """Return the two attributes of a review, or raise."""
    lines: dict[str, int] = {}
    for line, row in rows:
        lines.setdefault(row["attribute"], line)
    names = list(lines)
    if len(names) > 2:
        raise InputError(
            f"{path}, line {lines[names[2]]}: the attribute must be {names[0]!r} or {names[1]!r}, "
            f"as in the lines before, but it is {names[2]!r}."
        )
    if not are_attributes(names):
        raise InputError(
            f"{path}: the column 'attribute' must name two attributes, without tabs and other than "
            f"{', '.join(DETAILS)}, but it names {names!r}; keep a row of each, with reject where "
            "it is not wanted."
        )
    return names


def _rows(path: Path) -> Iterable[tuple[int, dict[str, str]]]:
    """Yield the number of each line and its cells."""
    regular_file(path, largest=_LARGEST)
    try:
        text = path.read_bytes().decode("utf-8-sig")
        # In some languages a spreadsheet separates cells by semicolons.
        header = text.partition("\n")[0]
        mark = max(",;\t", key=header.count)
        reader = csv.DictReader(StringIO(text, newline=""), strict=True, delimiter=mark)
        missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise InputError(
                f"{path}: there is no column {missing[0]!r}; the columns of a review are "
                f"{', '.join(_COLUMNS)}."
            )
        for row in reader:
            cells = {name: (row[name] or "").strip() for name in _COLUMNS}
            if any(cells.values()):
                yield reader.line_num, cells
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{path} cannot be read as CSV ({error}); save it as CSV in UTF-8."
        ) from error


def _pair(row: Mapping[str, str], attributes: Sequence[str], place: str) -> FoundPair | None:
    """Return the pair of a row, None where it is rejected, or raise."""
    decision = row["decision"].lower()
    if decision not in _DECISIONS:
        raise InputError(
            f"{place}: the decision must be accept, reject, edit, proposal or nothing, but it is "
            f"{row['decision']!r}."
        )
    if (decision == "edit") != bool(row["edited"]):
        raise InputError(
            f"{place}: to edit the counterpart of {row['original']!r}, write the decision edit and "
            f"a word in the column 'edited'; here they are {decision!r} and {row['edited']!r}."
        )
    if decision in ("reject", _PROPOSAL):
        return None
    counterfactual = row["edited"] or row["counterfactual"]
    words = [row["original"].lower(), counterfactual.lower()]
    if not all(words) or words[0] == words[1]:
        raise InputError(f"{place}: a pair needs two different words; fill them in, or reject it.")
    for word in words:
        if not is_readable(word):
            raise InputError(f"{place}: {word!r} would never be found in a text; write {MADE_OF}.")
    numbers = [row[name] or "0" for name in ("votes", "margin", "places")]
    if row["votes"] == GIVEN:
        numbers = ["0"] * 3
    if not all(number.isdecimal() and len(number) <= _MOST_DIGITS for number in numbers):
        raise InputError(f"{place}: votes, margin and places must be whole numbers, or empty.")
    votes, margin, places = map(int, numbers)
    side = attributes.index(row["attribute"])
    return FoundPair(words[0], words[1], side, votes, margin, places, row["example"])


def _write(path: Path, text: str) -> None:
    """Write a file whole, or raise."""
    try:
        write_file(path, text.encode())
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}); choose another place."
        ) from error


class Row(NamedTuple):
    """A row of a lexicon of two attributes."""

    first: str
    second: str
    kind: str = ""
    inflection: str = ""
    note: str = ""


def lexicon_text(
    pairs: Sequence[FoundPair],
    given: Iterable[tuple[str, str]],
    attributes: Sequence[str],
    spellings: Mapping[str, str],
) -> str:
    r"""Write pairs as a lexicon.

    A pair of both directions is one row; the counterpart of one of one direction is marked
    `[target]`, so that it is read in its own row alone. English pronouns become the rows of the
    gender lexicon, one for each case, which tell "her" for "his" from "her" for "him"; what is no
    such pronoun has none as its counterpart. Statistics stand in the column `note`.

    Example:
        >>> pair = FoundPair("mom", "father", 0, votes=9, margin=4, places=10)
        >>> print(lexicon_text([pair], [("king", "queen")], ["women", "men"], {}))
        women	men	kind	inflection	note
        king	queen			given
        mom	father[target]			mom > father: 9 of 10 votes, margin 4
        <BLANKLINE>
    """
    by_word = {pair.original: pair for pair in pairs}
    pronouns, taken = _pronoun_rows(by_word, list(given))
    by_word = {word: pair for word, pair in by_word.items()
             if word in taken or pair.counterfactual not in taken}  # fmt: skip
    rows = [*pronouns, *_given_rows(by_word, given, taken, spellings)]
    rows += _pair_rows(by_word, taken, spellings)
    lines = ["\t".join([*attributes, *DETAILS]), *("\t".join(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _given_rows(
    by_word: Mapping[str, FoundPair],
    given: Iterable[tuple[str, str]],
    taken: set[str],
    spellings: Mapping[str, str],
) -> Iterator[Row]:
    """Yield the rows of the pairs that all began with."""
    for first, second in given:
        both = [first, second]
        if taken.isdisjoint(both):
            taken.update(both)
            agreeing = [
                by_word[word]
                for word, other in (both, both[::-1])
                if word in by_word and by_word[word].counterfactual == other
            ]
            yield Row(
                spellings.get(first, first),
                spellings.get(second, second),
                note="; ".join(["given", *map(format_statistics, agreeing)]),
            )


def _pair_rows(
    by_word: Mapping[str, FoundPair], taken: set[str], spellings: Mapping[str, str]
) -> Iterator[Row]:
    """Yield the rows of the other pairs, each word read in one of them."""
    for pair in by_word.values():
        original, other = pair.original, pair.counterfactual
        if original in taken:
            continue
        taken.add(original)
        notes = [format_statistics(pair)]
        form, counterpart = spellings.get(original, original), spellings.get(other, other)
        if other not in taken and other in by_word and by_word[other].counterfactual == original:
            taken.add(other)
            notes.append(format_statistics(by_word[other]))
        else:
            counterpart += "[target]"
        first, second = (form, counterpart) if pair.side == 0 else (counterpart, form)
        yield Row(first, second, note="; ".join(notes))


def format_statistics(pair: FoundPair) -> str:
    """Write the statistics of a pair for people."""
    text = (
        f"{pair.original} > {pair.counterfactual}: {pair.votes} of {pair.places} votes, margin "
        f"{pair.margin}"
    )
    example = " ".join(pair.example.split())
    return f"{text}, e.g. {example}" if example else text


def _pronoun_rows(
    by_word: Mapping[str, FoundPair], given: Sequence[tuple[str, str]]
) -> tuple[list[Row], set[str]]:
    """Return a row for each case if a pair is one of English pronouns, and the forms in them."""
    # All cases follow from one: half of them would leave "her" without the row that tells its uses
    # apart.
    directed = [(pair.original, pair.counterfactual, pair.side) for pair in by_word.values()]
    directed += [(first, second, 0) for first, second in given]
    for entry in _pronouns():
        for one in entry.forms:
            for other in entry.forms:
                sides = {
                    side for first, second, side in directed
                    if one != other and first in _read_forms(entry, one)
                    and second in _read_forms(entry, other)
                }  # fmt: skip
                if sides:
                    order = (one, other) if sides == {0} else (other, one)
                    return _case_rows(by_word, *order)
    return [], set()


def _case_rows(
    by_word: Mapping[str, FoundPair], first: str, second: str
) -> tuple[list[Row], set[str]]:
    """Return the rows of the cases of two attributes' pronouns, and the forms that are read."""
    rows, taken = [], set()
    for entry in _pronouns():
        forms = [_read_forms(entry, attribute) for attribute in (first, second)]
        if not all(forms):
            continue
        taken |= {form for cell in forms for form in cell}
        notes = [
            format_statistics(by_word[form])
            for cell, others in (forms, forms[::-1])
            for form in cell
            if form in by_word and by_word[form].counterfactual in others
        ]
        note = "; ".join(notes) or "as the other cases of the pronoun"
        cells = "|".join(forms[0]), "|".join(forms[1])
        rows.append(Row(*cells, "pronoun", entry.inflection, note))
    return rows, taken


def _read_forms(entry: Entry, attribute: str) -> list[str]:
    """Return the forms of an attribute that are read."""
    return [form.text for form in entry.forms[attribute] if form.is_read]


@cache
def _pronouns() -> tuple[Entry, ...]:
    """Return the pronouns of the gender lexicon, a row for each case."""
    return tuple(each for each in load_lexicon("gender").entries if each.kind == "pronoun")
