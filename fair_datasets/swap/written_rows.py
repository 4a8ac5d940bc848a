"""Rows as the swap writes them, with their edits and confidences where they are asked for."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from fair_datasets.matching.found import Chunk, Part
from fair_datasets.rewriting import Counterfactual, Edit
from fair_datasets.rewriting.counterfactuals import shifted
from fair_datasets.row_texts import Row
from fair_datasets.swap.edit_columns import EditColumns

CONFIDENCE = "confidence"
"""The column that says how likely it is that a row is rewritten rightly."""


class Written(NamedTuple):
    """A text of a row as it is written, or a part of it.

    Attributes:
        number: The number of the text, or of the part, in its chunk.
        row: The number of its row.
        which: Which text of the row it is.
        begin: Where the part begins in the text; 0 for a whole text.
        end: Where it ends there.
        text: What is written.
        edits: The edits, with offsets into the part; empty where they are not asked for.
        confidence: How likely it is that the row is rewritten rightly; None where nobody asked.
    """

    number: int
    row: int
    which: int
    begin: int
    end: int
    text: str
    edits: list[Edit]
    confidence: float | None


class Swapped(NamedTuple):
    """Rows that are read together, and how they are rewritten.

    Attributes:
        chunk: The rows with what is found in them.
        edits: The edits of their texts.
        confidences: The number of each row to its confidence; empty where nobody asked.
    """

    chunk: Chunk
    edits: EditColumns
    confidences: Mapping[int, float]

    def by_text(self, *, states_edits: bool) -> Iterator[Written]:
        """Give the texts in which something changes, in order."""
        chunk, texts = self.chunk, self.chunk.found.words.texts
        row_of, which = chunk.row_of.tolist(), chunk.which.tolist()
        begins, known = chunk.begins.tolist(), self.confidences
        edits = dict(self.edits.by_text()) if states_edits else {}
        for number, text in self.edits.written():
            begin, row = begins[number], row_of[number]
            end = begin + len(texts[number])
            own = edits.get(number, [])
            yield Written(number, row, which[number], begin, end, text, own, known.get(row))

    def readings(self) -> Iterator[tuple[Part, Written | None, float | None]]:
        """Give the texts in which something is found, with what is written and the confidence."""
        written = {each.number: each for each in self.by_text(states_edits=True)}
        for part in self.chunk.by_text():
            yield part, written.get(part.number), self.confidences.get(part.row)


def counterfactual_of(row: Row, parts: Iterable[Written], *, states_edits: bool) -> Counterfactual:
    """Put what is written into the texts of a row.

    Args:
        row: The texts of the row.
        parts: What is written, in order.
        states_edits: Whether the edits are asked for.

    Returns:
        The texts that the row becomes.
    """
    parts = list(parts)
    if len(parts) == 1 and not states_edits:
        [part] = parts
        text = row[part.which] or ""
        told = {} if part.confidence is None else {CONFIDENCE: part.confidence}
        new = f"{text[: part.begin]}{part.text}{text[part.end :]}"
        return Counterfactual((*row[: part.which], new, *row[part.which + 1 :]), None, log=told)
    texts = list(row)
    edits: list[list[Edit]] = [[] for _ in row]
    log: dict[str, Any] = {}
    for which, several in groupby(parts, attrgetter("which")):
        text, written, position = row[which] or "", list[str](), 0
        for part in several:
            written += text[position : part.begin], part.text
            position = part.end
            if states_edits:
                edits[which] += shifted(part.edits, part.begin) if part.begin else part.edits
            if part.confidence is not None:
                log = {CONFIDENCE: part.confidence}
        texts[which] = "".join([*written, text[position:]])
    return Counterfactual(tuple(texts), edits if states_edits else None, log=log)
