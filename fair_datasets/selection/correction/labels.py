"""Leaving out the rows on whose label people did not agree."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from fair_datasets.rows import column_checks, columns
from fair_datasets.rows.draws import plain
from fair_datasets.technique.contract import Batch, Technique


@dataclass(frozen=True, kw_only=True)
class KeepLabelled(Technique):
    """Keep the rows that have a gold label, for `datasets.filter`.

    SNLI writes "-", or -1 where labels are numbers, for a pair on whose label no three of five
    people agreed. Nulls, NaN and empty texts are no labels either.

    Attributes:
        column: The column with the label.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> KeepLabelled(column="gold_label")({"gold_label": ["neutral", "-", None]})
        [True, False, False]

    Source:
        Bowman, Angeli, Potts and Manning (2015), section 2.2.
    """

    method: ClassVar[Literal["map", "filter"]] = "filter"

    column: str = field(kw_only=False)

    def __post_init__(self) -> None:
        """Check the parameter."""
        column_checks.column_name(self.column, owner=type(self).__name__, parameter="column")
        super().__post_init__()

    def process(self, batch: Batch) -> list[bool]:
        """Tell which rows of a batch to keep."""
        values = columns.values(batch, self.column, owner=type(self).__name__)
        return [not _is_none(value) for value in values]


def _is_none(value: Any) -> bool:
    """Tell whether a value stands for no label."""
    if columns.is_null(value):
        return True
    found = plain(value)
    return found.strip() in ("", "-", "-1") if isinstance(found, str) else found == -1
