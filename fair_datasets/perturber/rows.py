"""The rows that are perturbed: their snippets, the candidates in them, and what was drawn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fair_datasets.matching.mentions import Reading
from fair_datasets.perturber.pairs import Candidate, Pair
from fair_datasets.perturber.snippets import Snippet
from fair_datasets.row_texts import Row


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
                for first, last, term in reading.mentions:
                    begin = tokens.starts[first]
                    if start <= begin < end:
                        # A name can become what its list has a name for.
                        known = term.entry.forms if term.is_name else self.attributes[axis]
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
    """

    row: Row
    snippet: Snippet
    pair: Pair
    readings: Sequence[Reading | None]

    @property
    def texts(self) -> list[str]:
        """The stretches of the snippet, as a model that rewrites it is to read them."""
        return [(self.row[place] or "")[start:end] for place, start, end in self.snippet]
