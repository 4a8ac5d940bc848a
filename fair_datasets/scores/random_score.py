"""A random score: the baseline for scores that mean something."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.draws import row_ids
from fair_datasets.rows.text_fields import RowTexts
from fair_datasets.system import checks
from fair_datasets.technique.contract import Batch, Technique

if TYPE_CHECKING:
    from datasets import Features


@dataclass(frozen=True, kw_only=True)
class RandomScore(Technique):
    """Add a number that is uniform on [0, 1), for `datasets.map`.

    It is drawn for each row by the seed and the row's texts, so that it does not depend on the
    order of the rows; rows with equal texts have equal numbers, unless `id_column` tells them
    apart. A row whose texts are all nulls has a null.

    Attributes:
        columns: The text column or columns.
        id_column: A column that tells rows apart; None to tell them apart by their texts.
        seed: The seed of the draws.
        output_column: The column to add.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> score = RandomScore(columns="text")
        >>> score({"text": ["a", "b"]})["random"] == score({"text": ["b", "a"]})["random"][::-1]
        True
    """

    columns: tuple[str, ...] | str = field(kw_only=False)
    id_column: str | None = None
    seed: int = 0
    output_column: str = "random"

    def __post_init__(self) -> None:
        """Check the parameters."""
        owner = type(self).__name__
        checks.settle(self, column_checks.column_names, "columns")
        if self.id_column is not None:
            column_checks.column_name(self.id_column, owner=owner, parameter="id_column")
        checks.settle(self, checks.whole_number, "seed")
        column_checks.column_name(self.output_column, owner=owner, parameter="output_column")
        super().__post_init__()

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Say that the column is added."""
        from datasets import Value

        return {self.output_column: Value("float64")}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Add the column to a batch."""
        owner = type(self).__name__
        rows = RowTexts.read(batch, self.columns, owner=owner).rows
        column_checks.free([self.output_column], batch, owner=owner)
        keys = rows
        if self.id_column is not None:
            ids = row_ids(batch, self.id_column, owner=owner)
            column_checks.refuse_nulls(ids, f"column {self.id_column!r}", owner=owner)
            keys = [(value,) for value in ids]
        scores = [
            None
            if all(text is None for text in texts)
            else draws.uniform(self.seed, draws.row_key(key), "random score")
            for texts, key in zip(rows, keys, strict=True)
        ]
        result = {column: list(values) for column, values in batch.items()}
        return {**result, self.output_column: scores}
