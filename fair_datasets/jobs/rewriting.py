"""Applying techniques to the rows of a shard, and counting what was rewritten."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fair_datasets.cards import SplitCounts
from fair_datasets.jobs.shards import Progress
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rows.given import ROWS_AT_ONCE
from fair_datasets.rows.text_fields import counterfactual_field, field_columns
from fair_datasets.swap.rewriting import Rewriter
from fair_datasets.swap.rewriting.rewriter import ROW_BY_ROW
from fair_datasets.swap.rewriting.skipped import collect_skip_reasons
from fair_datasets.swap.row_results import RowCounts, mentions_in_part
from fair_datasets.system import checks
from fair_datasets.technique.contract import Technique
from fair_datasets.technique.lexical import LexicalTechnique

if TYPE_CHECKING:
    from datasets import Dataset, Features


@dataclass(frozen=True)
class RewriteShard:
    """What a rewriter makes of the rows of a shard."""

    technique: Rewriter
    features: "Features"
    is_unchanged: bool = False

    def __call__(self, rows: "Dataset", progress: Progress) -> "tuple[Dataset, dict[str, Any]]":
        """Rewrite rows, and count what was rewritten.

        Returns:
            What they became, and the fields of their `SplitCounts`.
        """
        from datasets import concatenate_datasets

        parts: list[Dataset] = []
        tallies = []
        # Long rows, of which a shard has few, are no more than a quarter of it.
        size = min(self.technique.default_batch_size, max(ROWS_AT_ONCE, len(rows) // 4))
        for start in range(0, max(1, len(rows)), size):
            part = rows.select(range(start, min(len(rows), start + size)))
            # What is known of rows is kept for those of a batch, as memory is short.
            known, reasons = RowCounts(_tables(self.technique)), Counter[str]()
            with known.watching(), collect_skip_reasons(counts=reasons):
                parts.append(
                    rewritten(
                        part,
                        self.technique,
                        self.features,
                        progress,
                        is_unchanged=self.is_unchanged,
                    )
                )
            counts = counted(part, parts[-1], self.technique, known, is_unchanged=self.is_unchanged)
            tallies.append(counts._replace(left=dict(reasons))._asdict())
        return concatenate_datasets(parts), total_counts(tallies)._asdict()


def rewritten(
    rows: "Dataset",
    technique: Rewriter,
    features: "Features",
    progress: Progress = lambda rows: None,
    *,
    is_unchanged: bool = False,
) -> "Dataset":
    """Rewrite rows in memory; whatever the rewriter does not rewrite stays bit for bit."""
    import pyarrow as pa
    from datasets import Dataset, DatasetInfo
    from datasets.table import table_cast

    schema = features.arrow_schema
    tables = []
    for table in rows.with_format("arrow").iter(batch_size=technique.default_batch_size):
        made = technique.leave(table) if is_unchanged else technique(table)
        tables.append(table_cast(made, schema))
        progress(table.num_rows)
    return Dataset(
        # Of JSON inside lists there are no empty tables.
        pa.concat_tables(tables or [schema.empty_table()]),
        info=DatasetInfo(features=features),
        fingerprint="shard",
    )


def total_counts(tallies: Iterable[Mapping[str, Any]]) -> SplitCounts:
    """Add up what was counted in the shards of a split.

    Example:
        >>> one = SplitCounts(1, 2, 1, {"man": 1}, {"man": 1}, {"why": {"a": 1}})._asdict()
        >>> total_counts([one, one])
        SplitCounts(rows_in=2, rows_out=4, rows_changed=2, mentions_before={'man': 2},
        mentions_after={'man': 2}, logged={'why': {'a': 2}}, left={})
    """
    totals = _added(list(tallies))
    logged = {column: dict(sorted(values.items())) for column, values in totals["logged"].items()}
    return SplitCounts(**{**totals, "logged": logged, "left": dict(sorted(totals["left"].items()))})


def _added(several: Sequence[Any]) -> Any:
    """Add numbers, by their names in the order in which these come."""
    if not isinstance(several[0], Mapping):
        return sum(several)
    names = dict.fromkeys(name for each in several for name in each)
    return {name: _added([each[name] for each in several if name in each]) for name in names}


def counted(
    dataset: "Dataset",
    result: "Dataset",
    technique: Rewriter,
    known: RowCounts,
    *,
    is_unchanged: bool = False,
) -> SplitCounts:
    """Count rows and mentions before and after."""
    old = tuple(technique.columns)
    new = old
    if technique.mode == "pair":
        new = tuple(counterfactual_field(name, dataset.column_names) for name in old)
    if technique.mode not in ROW_BY_ROW:
        changed = 0 if is_unchanged else technique.added_rows(dataset.num_rows, result.num_rows)
    else:
        read = (
            rows.select_columns(field_columns(names, rows.column_names))
            for rows, names in ((dataset, old), (result, new))
        )
        changed = _different_rows(*read)
    roles = checks.strings(technique.roles, parameter="roles")
    before, after = (
        mentions_in_part(rows, columns, roles, known.tables, known.count) if known.tables else {}
        for rows, columns in ((dataset, old), (result, new))
    )
    counted = [column for column in technique.counted if column in technique.log_columns()]
    logged = {column: _values(result, column) for column in counted}
    return SplitCounts(dataset.num_rows, result.num_rows, changed, before, after, logged)


def _tables(technique: Rewriter) -> Sequence[TermTable]:
    """Return the axes that a technique reads, if any, with all that rows mention."""
    if not isinstance(technique, LexicalTechnique):
        return ()
    return [technique.counting_table(axis) for axis in technique.axes]


def _values(rows: "Dataset", column: str) -> dict[str, int]:
    """Count the values of a column; nulls are none."""
    counts: Counter[str] = Counter()
    for batch in rows.select_columns([column]).iter(batch_size=ROWS_AT_ONCE):
        counts.update(str(value) for value in batch[column] if value is not None)
    return dict(sorted(counts.items()))


def _different_rows(dataset: "Dataset", result: "Dataset") -> int:
    """Count the rows that differ between two datasets of the same length and number of columns."""
    batches = (rows.iter(batch_size=ROWS_AT_ONCE) for rows in (dataset, result))
    return sum(
        old != new
        for before, after in zip(*batches, strict=True)
        for old, new in zip(
            zip(*before.values(), strict=True), zip(*after.values(), strict=True), strict=True
        )
    )


@dataclass(frozen=True)
class ApplyToShard:
    """What techniques make of the rows of a shard, one after the other."""

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
