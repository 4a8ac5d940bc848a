"""Found pairs as a CSV file that people review: they accept, reject or edit each of them."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from os import PathLike
from pathlib import Path

from fair_datasets.lexicons.lexicon import MADE_OF, is_readable
from fair_datasets.rewriters.fairflow.rows import DETAILS, are_attributes, lexicon_text
from fair_datasets.rewriters.fairflow.votes import FoundPair
from fair_datasets.scores.resuming import write_file
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import regular_file

GIVEN = "given"
_PROPOSAL = "proposal"
_DECISIONS = ("", "accept", "reject", "edit", _PROPOSAL)
_COLUMNS = ("decision", "edited", "original", "counterfactual", "attribute", "votes", "margin",
            "places", "example")  # fmt: skip
_LARGEST = 50_000_000
_MOST_DIGITS = 18


@dataclass(frozen=True)
class FoundLexicon:
    """Pairs of words, of which a lexicon is made.

    Attributes:
        attributes: The two attributes.
        given: The pairs that all began with, the word of the first attribute first.
        pairs: What was found.
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

        Args:
            path: The file, whose name ends in .tsv.

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

        Args:
            path: The file, whose name ends in .csv.

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
    """Read what people decided.

    Args:
        path: The file that `FoundLexicon.save_review` wrote and people edited.

    Returns:
        The pairs that they keep.

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
            f"{place}: the counterpart of {row['original']!r} is edited with the decision edit "
            f"and a word in the column 'edited'; here they are {decision!r} and {row['edited']!r}."
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
