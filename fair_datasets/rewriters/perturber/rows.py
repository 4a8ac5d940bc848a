"""The rows that are perturbed: their snippets, candidates, what was drawn and what was made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from fair_datasets.reader.matching.found import Mention, Reading
from fair_datasets.reader.person import Asked
from fair_datasets.rewriters.perturber.pairs import Candidate, Pair
from fair_datasets.rewriters.perturber.snippets import Piece, Snippet
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.rewriting import Edit


@dataclass(frozen=True)
class CandidateRow:
    """A row with candidates.

    Attributes:
        texts: Its texts, nulls among them.
        snippets: What it is divided into.
        readings: The name of an axis to the candidates in each text, or None.
        attributes: The name of an axis to its attributes.
    """

    texts: Row
    snippets: Sequence[Snippet]
    readings: Mapping[str, Sequence[Reading | None]]
    attributes: Mapping[str, Sequence[str]]

    def candidates(self, snippet: Snippet) -> Iterator[Candidate]:
        """Give the candidates of a snippet, in the order of the axes and of the text."""
        for axis, readings in self.readings.items():
            for place, start, end in snippet:
                reading = readings[place]
                if reading is None:
                    continue
                tokens = reading.tokens
                for first, last, term, _ in reading.mentions:
                    begin = tokens.starts[first]
                    if start <= begin < end:
                        # A name can become what its list has a name for, and an age in numbers
                        # what there is another number for.
                        is_limited = term.is_name or term.entry.kind == "age"
                        known = term.entry.forms if is_limited else self.attributes[axis]
                        targets = [name for name in known if name != term.attribute]
                        word = tokens.text[begin : tokens.end(last)]
                        yield Candidate(word, axis, term.attribute, targets)


class Drawn(NamedTuple):
    """A snippet that is to be perturbed.

    Attributes:
        row: The texts of its row.
        snippet: Which stretches of them.
        pair: The word and the attribute that were drawn.
        readings: The candidates in the row's texts on the axis of the pair, or None.
        key: The key of the row's draws.
        number: Which of the row's snippets it is.
    """

    row: Row
    snippet: Snippet
    pair: Pair
    readings: Sequence[Reading | None]
    key: str
    number: int

    def mentions(self, piece: Piece) -> list[Mention]:
        """Return the candidates that begin in a stretch of the snippet, in order."""
        reading = self.readings[piece.place]
        if reading is None:
            return []
        starts = reading.tokens.starts
        return [m for m in reading.mentions if piece.start <= starts[m.first] < piece.end]

    def person(self) -> Asked | None:
        """Return the first mention by the drawn word in the snippet; None if it is cut there."""
        for piece in self.snippet:
            reading = self.readings[piece.place]
            for mention in self.whole_mentions(piece):
                assert reading is not None
                start, end = reading.tokens.starts[mention.first], reading.tokens.end(mention.last)
                word = reading.tokens.text[start:end].lower()
                if mention.term.attribute == self.pair.source and word == self.pair.word:
                    return Asked(self.readings, piece.place, mention)
        return None

    def whole_mentions(self, piece: Piece) -> list[Mention]:
        """Return those of the candidates that end in the stretch too."""
        reading = self.readings[piece.place]
        found = self.mentions(piece)
        return [] if reading is None else [
            m for m in found if reading.tokens.end(m.last) <= piece.end
        ]  # fmt: skip


class Perturbed(NamedTuple):
    """What a snippet is rewritten to.

    Attributes:
        edits: For each text of its row the edits, in the order of the text; None where the row is
            to be null.
        outcome: What the columns say of it that tell what happened; empty where there are none.
        left: Why the swap leaves its row as a whole; None where it does not.
    """

    edits: list[list[Edit]] | None
    outcome: Mapping[str, Any] = MappingProxyType({})
    left: str | None = None
