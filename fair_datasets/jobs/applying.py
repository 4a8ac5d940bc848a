"""Applying techniques, one after the other, to the rows of a shard."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fair_datasets.cards import SplitCounts
from fair_datasets.jobs.rewriting import rewritten
from fair_datasets.jobs.shards import Progress
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True)
class ApplyToShard:
    """What techniques make of the rows of a shard, one after the other.

    Attributes:
        techniques: The techniques; without any, the rows stay what they are.
    """

    techniques: tuple[Technique, ...] = ()

    def __call__(self, rows: "Dataset", progress: Progress) -> "tuple[Dataset, dict[str, Any]]":
        """Apply them.

        Returns:
            What they became, and the fields of their `SplitCounts`.
        """
        from datasets import concatenate_datasets

        parts = []
        # In batches, as a model may take minutes for them, and an interrupt is obeyed in between.
        for start in range(0, max(1, len(rows)), ROWS_AT_ONCE):
            part = rows.select(range(start, min(len(rows), start + ROWS_AT_ONCE)))
            parts.append(self._applied(part))
            progress(len(part))
        result = concatenate_datasets(parts)
        return result, SplitCounts(len(rows), len(result), 0, {}, {}, {}, {})._asdict()

    def _applied(self, rows: "Dataset") -> "Dataset":
        """Apply them to a batch of rows."""
        for number, technique in enumerate(self.techniques):
            if isinstance(technique, Rewriter):
                rows = rewritten(rows, technique, technique.features(rows.features))
            else:
                rows = technique.apply(
                    rows, keep_in_memory=True, load_from_cache_file=False,
                    new_fingerprint=f"shard-{number}",
                )  # fmt: skip
        return rows
