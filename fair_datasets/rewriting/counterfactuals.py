"""What a rewriter is given, and what it gives back."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from fair_datasets import draws
from fair_datasets.rewriting.edits import Edit, aligned_edits
from fair_datasets.row_texts import Row

_NO_LOG: Mapping[str, Any] = MappingProxyType({})


class Rows(NamedTuple):
    """The rows that are rewritten: their texts, and what identifies them.

    Attributes:
        texts: The texts of each row, nulls among them.
        ids: The id of each row; None where it is a null, or there is no column of ids.
    """

    texts: Sequence[Row]
    ids: Sequence[str | None]

    def key(self, number: int) -> str:
        """Return the key of a row's draws: its id, or its texts."""
        row_id = self.ids[number]
        return draws.row_key(self.texts[number] if row_id is None else [row_id])

    def take(self, numbers: Sequence[int]) -> "Rows":
        """Return some of the rows, numbered anew."""
        return Rows([self.texts[k] for k in numbers], [self.ids[k] for k in numbers])


class Counterfactual(NamedTuple):
    """The texts that a row is rewritten to.

    Attributes:
        texts: One for each text of the row, those that stay included. Where all stay, the row has
            no counterfactual, and the log says what was tried.
        edits: For each text its edits, in the order of the text; None to find them by aligning the
            texts word by word, when they are asked for.
        axis: The demographic axis that edits so found are stated with.
        attribute: The attribute that they are stated with.
        log: What the rewriter's own columns say; null for those that are left out. What is no
            column of its `log_columns` is not kept.

    Example:
        >>> found = Counterfactual(("She ran.",), axis="gender", attribute="woman")
        >>> [(edit.before, edit.after) for edit in found.edits_from(("He ran.",))[0]]
        [('He', 'She')]
    """

    texts: Row
    edits: Sequence[Sequence[Edit]] | None = None
    axis: str = ""
    attribute: str = ""
    log: Mapping[str, Any] = _NO_LOG

    def edits_from(self, row: Row) -> Sequence[Sequence[Edit]]:
        """Return the edits of each text; a text that is or becomes a null has none.

        Args:
            row: The texts before.

        Returns:
            As many as texts.
        """
        if self.edits is not None:
            return self.edits
        return [
            []
            if before is None or after is None
            else aligned_edits(before, after, axis=self.axis, attribute=self.attribute)
            for before, after in zip(row, self.texts, strict=True)
        ]
