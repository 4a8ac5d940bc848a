"""What the techniques share that read the texts of rows."""

from dataclasses import dataclass, field

from fair_datasets.rows import column_checks
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.system import checks
from fair_datasets.technique.contract import Batch, Technique


@dataclass(frozen=True, kw_only=True)
class TextTechnique(Technique):
    """A technique that reads the texts of a row together.

    Attributes:
        columns: The text column or columns. Texts inside lists and objects are named by a path,
            such as `messages[].content`.
        roles: Whose texts of a conversation are read, by what `role` (or `from`) says; none for
            everybody's.
    """

    columns: tuple[str, ...] | str = field(kw_only=False)
    roles: tuple[str, ...] | str = ()

    def __post_init__(self) -> None:
        """Check the columns and the roles."""
        owner = type(self).__name__
        object.__setattr__(self, "columns", column_checks.column_names(self.columns, owner=owner))
        roles = checks.strings(self.roles, owner=owner, parameter="roles")
        object.__setattr__(self, "roles", roles)
        super().__post_init__()

    def texts(self, batch: Batch) -> RowTexts:
        """Return the texts of the rows of a batch, or raise a sentence about the column."""
        roles = tuple(self.roles)
        return RowTexts.read(batch, self.columns, roles=roles, owner=type(self).__name__)
