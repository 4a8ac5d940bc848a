"""Rows as the swap writes them: the edits of their texts made."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from fair_datasets.matching.found import Chunk, Part
from fair_datasets.rewriting import Counterfactual, Edit
from fair_datasets.rewriting.edits import apply_edits, shifted
from fair_datasets.row_texts import Row

CONFIDENCE = "confidence"
"""The column that says how likely it is that a row is rewritten rightly."""


class Edited(NamedTuple):
    """The edits of a text of a row, or of a part of it.

    Attributes:
        row: The number of the row.
        which: Which text of the row it is.
        begin: Where the part begins in the text; 0 for a whole text.
        edits: The edits, in the order of the text, with offsets into the part.
        confidence: How likely it is that the row is rewritten rightly; None where nobody asked.
    """

    row: int
    which: int
    begin: int
    edits: list[Edit]
    confidence: float | None


class Swapped(NamedTuple):
    """Rows that are read together, and how they are rewritten.

    Attributes:
        chunk: The rows with what is found in them.
        edits: The number of each text in which something changes to its edits.
        confidences: The number of each row to its confidence; empty where nobody asked.
    """

    chunk: Chunk
    edits: Mapping[int, list[Edit]]
    confidences: Mapping[int, float]

    def by_text(self) -> Iterator[Edited]:
        """Give the texts in which something changes, in order."""
        chunk = self.chunk
        row_of, which = chunk.row_of.tolist(), chunk.which.tolist()
        begins = chunk.begins.tolist()
        for text in sorted(self.edits):
            row = row_of[text]
            known = self.confidences.get(row)
            yield Edited(row, which[text], begins[text], self.edits[text], known)

    def readings(self) -> Iterator[tuple[Part, Edited]]:
        """Give the texts in which something is found, with their edits."""
        for part in self.chunk.by_text():
            edits = self.edits.get(part.number, [])
            known = self.confidences.get(part.row)
            yield part, Edited(part.row, part.which, part.begin, edits, known)


def counterfactual_of(row: Row, parts: Iterable[Edited], *, states_edits: bool) -> Counterfactual:
    """Make the edits in the texts of a row, or in parts of them.

    Args:
        row: The texts of the row.
        parts: What changes in them, in order.
        states_edits: Whether the edits are asked for.

    Returns:
        The texts that the row becomes.
    """
    texts = list(row)
    edits: list[list[Edit]] = [[] for _ in row]
    log: dict[str, Any] = {}
    for which, several in groupby(parts, attrgetter("which")):
        text, written, position = row[which] or "", list[str](), 0
        for part in several:
            own = shifted(part.edits, part.begin) if part.begin else part.edits
            end = own[-1].end
            before = shifted(own, -position) if position else own
            written.append(apply_edits(text[position:end], before))
            position = end
            if states_edits:
                edits[which] += own
            if part.confidence is not None:
                log = {CONFIDENCE: part.confidence}
        texts[which] = "".join([*written, text[position:]])
    return Counterfactual(tuple(texts), edits if states_edits else None, log=log)
