"""Edits of many texts in columns: they are made at once, and stated one by one where asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.words import Mask, Places, Words, edges
from fair_datasets.rewriting.counterfactuals import Edit

# An edit from a tuple of its attributes, which takes half the time.
_as_edit = partial(tuple.__new__, Edit)


@dataclass(frozen=True, eq=False)
class EditColumns:
    """Edits in the order of the texts.

    Attributes:
        words: The words of the texts.
        texts: The text of each edit. Shape (E,).
        starts: Where it begins in the joined texts. Shape (E,).
        ends: Where it ends there. Shape (E,).
        after: What stands there now. Shape (E,).
        axes: The demographic axis of each. Shape (E,).
        attributes: The demographic attribute that is mentioned now. Shape (E,).

    Example:
        >>> words = Words(["He ran.", "Rain."])
        >>> edits = EditColumns.of(words, {0: [Edit(0, 2, "He", "She", "gender", "woman")]})
        >>> list(edits.written())
        [(0, 'She ran.')]
    """

    words: Words
    texts: NDArray[np.int64]
    starts: Places
    ends: Places
    after: NDArray[Any]
    axes: NDArray[Any]
    attributes: NDArray[Any]

    @classmethod
    def of(cls, words: Words, by_text: Mapping[int, Sequence[Edit]]) -> "EditColumns":
        """Put edits into columns.

        Args:
            words: The words of the texts.
            by_text: The number of a text to its edits.

        Returns:
            The edits.
        """
        counts = np.fromiter(map(len, by_text.values()), np.int64, len(by_text))
        texts = np.repeat(np.array(list(by_text), np.int64), counts)
        rows = [edit for edits in by_text.values() for edit in edits]
        offsets = words.offset[texts]
        starts = offsets + np.array([edit.start for edit in rows], np.int64)
        ends = offsets + np.array([edit.end for edit in rows], np.int64)
        said = (
            [edit.after for edit in rows],
            [edit.axis for edit in rows],
            [edit.attribute for edit in rows],
        )
        return cls(words, texts, starts, ends, *(np.array(column, object) for column in said))

    def take(self, rows: Mask | NDArray[np.int64]) -> "EditColumns":
        """Return some of the edits, in the order that is given."""
        return EditColumns(
            self.words, self.texts[rows], self.starts[rows], self.ends[rows], self.after[rows],
            self.axes[rows], self.attributes[rows],
        )  # fmt: skip

    def before(self) -> list[str]:
        """Return what stood at each place before."""
        joined = self.words.joined
        places = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [joined[start:end] for start, end in places]

    def by_text(self) -> Iterator[tuple[int, list[Edit]]]:
        """Give the edits of each text that has any, with its number."""
        offsets = self.words.offset[self.texts]
        columns = (
            (self.starts - offsets).tolist(), (self.ends - offsets).tolist(), self.before(),
            self.after.tolist(), self.axes.tolist(), self.attributes.tolist(),
        )  # fmt: skip
        edits = list(map(_as_edit, zip(*columns, strict=True)))
        for text, first, stop in self._texts():
            yield text, edits[first:stop]

    def written(self) -> Iterator[tuple[int, str]]:
        """Make the edits: give each text that has any, with its number."""
        words, joined = self.words, self.words.joined
        runs = edges(self.texts)
        begins = np.concatenate(([0], self.ends[:-1]))[: len(self.ends)]
        begins[runs[:-1]] = words.offset[self.texts[runs[:-1]]]
        pieces = [""] * (2 * len(begins))
        places = zip(begins.tolist(), self.starts.tolist(), strict=True)
        pieces[::2] = [joined[begin:start] for begin, start in places]
        pieces[1::2] = self.after.tolist()
        # What is behind the last edit of each.
        lasts = runs[1:] - 1
        stops = words.start[words.first[self.texts[lasts] + 1] - 1]
        rest = zip(self._texts(), self.ends[lasts].tolist(), stops.tolist(), strict=True)
        for (text, first, stop), end, close in rest:
            yield text, "".join(pieces[2 * first : 2 * stop]) + joined[end:close]

    def _texts(self) -> Iterator[tuple[int, int, int]]:
        """Give each text that has edits, with the numbers of its first and behind its last."""
        runs = edges(self.texts)
        texts = self.texts[runs[:-1]].tolist()
        yield from zip(texts, runs[:-1].tolist(), runs[1:].tolist(), strict=True)


def merged(several: Sequence[EditColumns]) -> EditColumns:
    """Put edits of the same texts together.

    Args:
        several: The edits, of which no two overlap; one at least.

    Returns:
        All of them, in the order of the texts.
    """
    if len(several) == 1:
        return several[0]
    columns = {
        name: np.concatenate([getattr(edits, name) for edits in several])
        for name in ("texts", "starts", "ends", "after", "axes", "attributes")
    }
    order = np.argsort(columns["starts"], kind="stable")
    return EditColumns(several[0].words, **columns).take(order)
