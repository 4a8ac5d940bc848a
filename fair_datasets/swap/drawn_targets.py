"""The targets of rows, each of which draws its own; and draws anew where they do not fit it."""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple

from fair_datasets.lexicons import Lexicon
from fair_datasets.matching.long_texts import TOGETHER
from fair_datasets.matching.reasons import Cause
from fair_datasets.matching.table import TermTable
from fair_datasets.rewriting import Rows
from fair_datasets.swap.directions import Targets, draw_targets, other_targets

# Of so few words it does not matter how many speak against becoming somebody.
_FEW = 10


class Axis(NamedTuple):
    """An axis as it is rewritten: where it leads, and the terms that are read."""

    lexicon: Lexicon
    plan: Mapping[str, Sequence[str]]
    table: TermTable

    def targets(self, seed: int, key: str) -> Targets:
        """Draw what each attribute becomes in a row.

        Args:
            seed: The seed.
            key: The row's key.

        Returns:
            Axis and attribute to the attribute that it becomes.
        """
        return draw_targets(self.table.axis, self.lexicon, self.plan, seed, key)

    def others(self, seed: int, key: str, mentioned: Set[str]) -> list[Targets]:
        """Draw what else it may become, last those against whom many words speak.

        Args:
            seed: The seed.
            key: The row's key.
            mentioned: The attributes that the row mentions.

        Returns:
            All further targets, in the order in which they are tried.
        """
        against, axis = self.table.language.speaking_against(self.table.axis), self.table.axis

        def doubt(targets: Targets) -> int:
            return sum(
                against.get(targets.get((axis, name), name), 0) // _FEW for name in mentioned
            )

        return sorted(other_targets(axis, self.lexicon, self.plan, seed, key), key=doubt)


class DrawnTargets:
    """What each attribute becomes, by the number of the row.

    Where what a row draws does not fit the rest of it, as "Buddhist" beside "the Lord", the row
    draws another target, and is left alone only if none fits. So it is changed in the same way in
    every batch, and a row whose first draw fits as if nothing were ever drawn anew.

    Attributes:
        axes: The axes.
        rows: The rows.
        seed: The seed of the draws.
    """

    def __init__(self, axes: Sequence[Axis], rows: Rows, seed: int) -> None:
        """Have drawn nothing yet."""
        self.axes = axes
        self.rows = rows
        self.seed = seed
        self._drawn: dict[int, Targets] = {}

    def __call__(self, row: int) -> Targets:
        """Return what each attribute becomes in a row."""
        found = self._drawn.get(row)
        if found is None:
            key, targets = self.rows.key(row), dict[tuple[str, str], str]()
            for axis in self.axes:
                targets.update(axis.targets(self.seed, key))
            found = self._drawn[row] = targets
        return found

    def redraw(
        self,
        left: Mapping[int, Cause],
        mentioned: Mapping[int, Set[str]],
        table: TermTable,
        leaves: Callable[[Sequence[int]], Mapping[int, Cause]],
    ) -> Mapping[int, Cause]:
        """Draw other targets for the rows that are left, where others may fit.

        Args:
            left: The numbers of the rows, with the cause of each.
            mentioned: Which attributes each of them mentions.
            table: The axis along which they are.
            leaves: Says the same of some of the rows, by what they drew last.

        Returns:
            The rows for which nothing fits, with the causes of their first draws.
        """
        axis = next(axis for axis in self.axes if axis.table is table)
        tried = [row for row, cause in left.items() if not cause.is_final and self._is_whole(row)]
        first, misfits = {row: self(row) for row in tried}, dict(left)
        others = {row: axis.others(self.seed, self.rows.key(row), mentioned[row]) for row in tried}
        for attempt in range(max(map(len, others.values()), default=0)):
            for row in tried:
                self._drawn[row] = {**first[row], **others[row][attempt]}
            still = leaves(tried) if tried else {}
            for row in tried:
                if row not in still:
                    del misfits[row]
            tried = [row for row in tried if row in still]
        self._drawn.update((row, first[row]) for row in tried)
        return misfits

    def _is_whole(self, row: int) -> bool:
        """Tell whether a row is read at once, so that all of it can draw anew."""
        return all(text is None or len(text) <= TOGETHER for text in self.rows.texts[row])
