"""Reading rows along one axis: what they mention, what is left alone, what the swap writes."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.findings import Marked, Sample
from fair_datasets.auditing.settings import axis_title
from fair_datasets.reader.matching.find import attributes_of
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.counterfactual import CounterfactualSwap, ReadRow
from fair_datasets.swap.rewriting import Rows


@dataclass(frozen=True)
class Grouping:
    """Which rows mention which attributes of an axis, or belong to which group of a column.

    Attributes:
        name: What the axis is called; or `column` and the name of the column.
        axis: The axis, as it was given; empty for a column.
        attributes: The attributes, or the groups. Length A.
        rows: The row of each pair of a row and an attribute that it mentions. Shape (M,).
        codes: The attribute of the pair. Shape (M,).
        counts: How often the row mentions it. Shape (M,).
        size: The number of rows N.
    """

    name: str
    axis: str
    attributes: tuple[str, ...]
    rows: NDArray[np.int64]
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]
    size: int

    def mask(self, code: int) -> NDArray[np.bool_]:
        """Return which rows mention an attribute. Shape (N,)."""
        found = np.zeros(self.size, np.bool_)
        found[self.rows[self.codes == code]] = True
        return found

    @cached_property
    def any(self) -> NDArray[np.bool_]:
        """Which rows mention any attribute. Shape (N,)."""
        found = np.zeros(self.size, np.bool_)
        found[self.rows] = True
        return found

    @cached_property
    def alone(self) -> NDArray[np.int64]:
        """The attribute of each row that mentions just one; -1 for the others. Shape (N,)."""
        several = np.bincount(self.rows, minlength=self.size)
        found = np.full(self.size, -1, np.int64)
        found[self.rows] = self.codes
        found[several != 1] = -1
        return found

    def rows_with(self, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Count those of some rows that mention each attribute. Shape (A,)."""
        return np.bincount(self.codes[kept[self.rows]], minlength=len(self.attributes))


class AxisReading(NamedTuple):
    """What was read along one axis.

    Attributes:
        swap: What reads and swaps it.
        grouping: The mentions.
        changed: The rows that the swap changes. Shape (K,).
        written: A hash of the texts that it writes for them. Shape (K,), uint64.
        kept: How many mentions stand in rows that are left alone as a whole.
        left: How often a word was left alone, by the reason and the word in lower case.
        samples: Each reason to rows in which something was left alone for it.
    """

    swap: CounterfactualSwap
    grouping: Grouping
    changed: NDArray[np.int64]
    written: NDArray[np.uint64]
    kept: int
    left: Counter[tuple[str, str]]
    samples: Mapping[str, Sequence[Sample]]


class AxisReader:
    """Reads batches along one axis."""

    def __init__(self, swap: CounterfactualSwap, samples: int) -> None:
        """Set out to read rows."""
        self.swap = swap
        self.attributes = attributes_of([swap.table(swap.axes[0])])
        self.number_of = {name: code for code, name in enumerate(self.attributes)}
        self.cells: list[NDArray[np.int64]] = []
        self.counts: list[NDArray[np.int64]] = []
        self.changed: list[int] = []
        self.written: list[int] = []
        self.kept = 0
        self.left: Counter[tuple[str, str]] = Counter()
        self.samples = _Drawn(samples)

    def read(
        self, texts: Sequence[Row], hashes: NDArray[np.uint64], start: int, split: str, first: int
    ) -> None:
        """Read the rows of a batch, the first of which has some number in all and in its split."""
        cells: list[int] = []
        for row in self.swap.read(Rows(texts, [None] * len(texts))):
            base = (start + row.number) * len(self.attributes)
            for reading in row.readings:
                if reading is not None:
                    cells += [base + self.number_of[m.term.attribute] for m in reading.mentions]
                    # "She gave birth" mentions a woman, although no man is put in her place.
                    kept = [left.attribute for left in reading.left if left.attribute]
                    cells += [base + self.number_of[attribute] for attribute in kept]
                    self.kept += len(kept)
            if row.counterfactual is not None:
                self.changed.append(start + row.number)
                self.written.append(hash_of(row.counterfactual.texts))
            self._count_left(row, int(hashes[row.number]), split, first + row.number)
        found, counts = np.unique(np.array(cells, np.int64), return_counts=True)
        self.cells.append(found)
        self.counts.append(counts)

    def reading(self, size: int) -> AxisReading:
        """Return what was read of that many rows."""
        cells, counts = np.concatenate(self.cells), np.concatenate(self.counts)
        rows, codes = np.divmod(cells, len(self.attributes))
        axis = self.swap.axes[0]
        return AxisReading(
            self.swap,
            Grouping(axis_title(axis), axis, self.attributes, rows, codes, counts, size),
            np.array(self.changed, np.int64),
            np.array(self.written, np.uint64),
            self.kept,
            self.left,
            self.samples.found(),
        )

    def _count_left(self, row: ReadRow, key: int, split: str, number: int) -> None:
        """Count the words of a row that are left alone, and keep the row as a sample."""
        for reading in row.readings:
            if reading is None:
                continue
            tokens = reading.tokens
            for first, last, reason, *_ in reading.left:
                start, end = tokens.starts[first], tokens.end(last)
                self.left[reason.value, tokens.text[start:end].lower()] += 1
                if self.samples.takes(reason.value, key):
                    sample = Sample(
                        axis=axis_title(self.swap.axes[0]), split=split, row=number,
                        note=reason.value,
                        texts=(Marked(tokens.text, ((start, end, reason.value),)),),
                    )  # fmt: skip
                    self.samples.add(reason.value, key, sample)


class _Drawn:
    """A few rows for each reason, drawn by the hash of their texts: the same in any order."""

    def __init__(self, size: int) -> None:
        """Set out to draw that many."""
        self.size = size
        self.kept: dict[str, dict[int, Sample]] = {}

    def takes(self, reason: str, key: int) -> bool:
        """Tell whether a row belongs to those that are kept so far."""
        kept = self.kept.setdefault(reason, {})
        return key not in kept and (len(kept) < self.size or (bool(kept) and key < max(kept)))

    def add(self, reason: str, key: int, sample: Sample) -> None:
        """Keep a row, and drop another if there are too many."""
        kept = self.kept[reason]
        kept[key] = sample
        if len(kept) > self.size:
            del kept[max(kept)]

    def found(self) -> dict[str, Sequence[Sample]]:
        """Return the rows of each reason."""
        return {reason: [kept[key] for key in sorted(kept)] for reason, kept in self.kept.items()}


def hash_of(texts: Row) -> int:
    """Return a number that stands for the texts of a row, letter case and white space apart.

    Returns:
        A number of 64 bits.

    Example:
        >>> hash_of(("HE  ran.",)) == hash_of(("He ran.",)) != hash_of(("She ran.",))
        True
    """
    joined = "\0".join(" ".join(text.casefold().split()) if text else "" for text in texts)
    digest = hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")
