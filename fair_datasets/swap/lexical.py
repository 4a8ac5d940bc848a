"""What the techniques share that read the mentions of an axis in text columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fair_datasets import checks
from fair_datasets.columns import refuse_ragged, texts
from fair_datasets.lexicons import Lexicon
from fair_datasets.matching.table import TermTable, build_table, read_lexicon, table_files
from fair_datasets.technique import Batch, Technique

Row = tuple[str | None, ...]


@dataclass(frozen=True, kw_only=True)
class LexicalTechnique(Technique):
    """A technique that reads the terms of a demographic axis in the text columns of a row.

    Attributes:
        columns: The text column or columns; those of one row are read together.
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether first names are read too; they have an attribute on the gender axis only.
    """

    columns: tuple[str, ...] | str
    axis: str = "gender"
    names: bool = True

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        owner = type(self).__name__
        object.__setattr__(self, "columns", checks.column_names(self.columns, owner=owner))
        object.__setattr__(self, "axis", checks.axis_name(self.axis, owner=owner))
        names = checks.switch(self.names, owner=owner, parameter="names")
        object.__setattr__(self, "names", names)
        super().__post_init__()

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons: the axis's own, and the first names where they are read."""
        return table_files(self.axis, names=self.names)

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon of the axis, as it was when the technique was made."""
        return read_lexicon(self.axis, self.digests)

    def table(self, attributes: tuple[str, ...]) -> TermTable:
        """Return the table of the terms that mention certain attributes.

        Raises:
            InputError: A lexicon has changed since the technique was made.
        """
        # The table is built once per process; whether the files are the same is asked each time.
        read_lexicon(self.axis, self.digests)
        return build_table(self.axis, attributes, self.digests)

    def rows(self, batch: Batch) -> list[Row]:
        """Return the texts of each row of a batch, or raise a sentence about the column."""
        return text_rows(batch, tuple(self.columns), owner=type(self).__name__)


def text_rows(batch: Batch, columns: Sequence[str], *, owner: str) -> list[Row]:
    """Return the texts of each row of a batch.

    Args:
        batch: Column name to values; the text columns hold strings or nulls.
        columns: The text columns.
        owner: The class or function that reads them.

    Returns:
        For each row its texts, in the order of the columns.

    Raises:
        InputError: A text column is missing or holds something else than text, the columns differ
            in length, or one row was given in place of a batch.
    """
    found = [texts(batch, column, owner=owner) for column in columns]
    refuse_ragged(batch, owner=owner)
    return list(zip(*found, strict=True))
