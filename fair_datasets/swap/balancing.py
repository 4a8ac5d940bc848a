"""Baselines of the swap: balancing adds negatives to groups, blindness takes terms away.

Balancing is of Dixon et al. (2018), "Measuring and Mitigating Unintended Bias in Text
Classification".
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from fair_datasets.reader.matching.rows import annotate_rows, mentions_in_rows
from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.given import one_dataset
from fair_datasets.swap.rewrite import remove_mentions
from fair_datasets.swap.rewriting.counterfactuals import Counterfactual, apply_edits
from fair_datasets.swap.rewriting.offsets import warn_of_stale
from fair_datasets.swap.rewriting.rewriter import lay_out, replaced_rows
from fair_datasets.system import checks
from fair_datasets.system.checks import caller_name, error_context, invalid
from fair_datasets.system.validate import validate_fields
from fair_datasets.technique.contract import Batch
from fair_datasets.technique.lexical import LexicalTechnique

if TYPE_CHECKING:
    from datasets import Dataset, Features


@dataclass(frozen=True, kw_only=True)
class MentionedAttribute(LexicalTechnique):
    """Add a column that says which attribute of an axis a row mentions, for `datasets.map`.

    Attributes:
        output_column: The column to add. It holds the attribute; `several` where a row mentions
            more than one, null where it mentions none.

    The others are those of `LexicalTechnique`.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> MentionedAttribute(columns="text")({"text": ["She left.", "He saw her.", "Rain."]})
        {'text': ['She left.', 'He saw her.', 'Rain.'], 'group': ['woman', 'several', None]}
    """

    reads: ClassVar[tuple[str, ...]] = ("columns",)

    output_column: ColumnName = "group"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        validate_fields(self)

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the feature of the added column."""
        from datasets import Value

        return {self.output_column: Value("string")}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Add the column to a batch."""
        rows = self.texts(batch).rows
        column_checks.free([self.output_column], batch)
        table = self.table(self.axes[0])
        groups: list[str | None] = []
        for annotations in annotate_rows(rows, [table]):
            readings = [reading for reading in annotations if reading]
            attributes = {
                mention.term.attribute for annotation in readings for mention in annotation.mentions
            }
            groups.append("several" if len(attributes) > 1 else next(iter(attributes), None))
        result = {column: list(values) for column, values in batch.items()}
        return {**result, self.output_column: groups}


class Balanced(NamedTuple):
    """What `balance_groups` returns.

    Attributes:
        dataset: The dataset, and behind it the rows that were drawn from the pool.
        added: Group to the number that the pool could give.
    """

    dataset: "Dataset"
    lacking: dict[Hashable, int]
    added: dict[Hashable, int]


def negatives_lacking(
    groups: Sequence[Hashable], labels: Sequence[int], *, positive: int = 1
) -> dict[Hashable, int]:
    """Count the negatives that each group needs for a rate of positives no higher than overall.

    With p the rate of positives over all rows, pos(g) and n(g) the positives and the rows of
    group g, it lacks max(0, ceil(pos(g) / p - n(g))).

    Args:
        groups: The group of each row; rows whose group is None count for p alone. Length N.

    Raises:
        InputError: The lengths differ, a label is a null, or no row is positive.

    Example:
        >>> negatives_lacking(["a", "a", "b", "b"], [1, 1, 0, 0])
        {'a': 2, 'b': 0}
    """
    if len(groups) != len(labels):
        raise invalid(
            f"it got {checks.counted(len(groups), 'group')} and "
            f"{checks.counted(len(labels), 'label')}; give one of each per row."
        )
    column_checks.refuse_nulls(labels, "the sequence of labels")
    positives = sum(label == positive for label in labels)
    if not positives:
        raise invalid(
            f"no row has the positive class {positive!r}, so there is no rate to balance."
        )
    sizes = Counter(group for group in groups if group is not None)
    own = Counter(compress(groups, (label == positive for label in labels)))
    # pos(g) / p = pos(g) * N / positives; in integers, so that the ceiling is exact.
    return {
        group: max(0, -(-own[group] * len(labels) // positives) - size)
        for group, size in sizes.items()
    }


def balance_groups(
    dataset: "Dataset",
    pool: "Dataset",
    *,
    group_column: str,
    label_column: str,
    positive: int = 1,
    band_column: str | None = None,
    seed: int = 0,
) -> Balanced:
    """Add negatives from a pool until no group has a higher rate of positives than the dataset.

    The rate is that of the dataset as it is given. A group at or under it stays as it is: nothing
    is removed and no positives are added, so the groups' rates need not become equal. The rows
    are drawn without replacement; where the pool is short, all that it has are taken, and the gap
    shows in the counts.

    Args:
        pool: Other rows with the same columns; its positives and other groups are left out.
        group_column: The column with the group, for instance from `MentionedAttribute`.
        band_column: A column whose bands (of text length, in the paper) are balanced apart, each
            against the rate of the whole dataset.

    Raises:
        InputError: A column is missing, a label is a null, no row is positive, or the pool has
            other columns or types that cannot be cast to the dataset's.

    Example:
        >>> from datasets import Dataset
        >>> data = Dataset.from_dict({"group": ["a", "b", "b"], "label": [1, 1, 0]})
        >>> more = Dataset.from_dict({"group": ["a", "a"], "label": [0, 0]})
        >>> balanced = balance_groups(data, more, group_column="group", label_column="label")
        >>> balanced.lacking, balanced.added, balanced.dataset.num_rows
        ({'a': 1, 'b': 0}, {'a': 1, 'b': 0}, 4)
    """
    from datasets import concatenate_datasets

    one_dataset(dataset)
    with error_context(f"{caller_name()}: the pool"):
        one_dataset(pool)
    needed = [group_column, label_column, *([band_column] if band_column else [])]
    column_checks.present(needed, dataset.column_names)
    with error_context(f"{caller_name()}: the pool"):
        column_checks.present(dataset.column_names, pool.column_names)
    labels = _labels(dataset, label_column)
    keys = _keys(dataset, group_column, band_column)
    lacking = negatives_lacking(keys, labels, positive=positive)
    waiting: dict[Hashable, list[int]] = {}
    pool_keys = _keys(pool, group_column, band_column)
    with error_context(f"{caller_name()}: the pool"):
        pool_labels = _labels(pool, label_column)
    for row, (key, label) in enumerate(zip(pool_keys, pool_labels, strict=True)):
        if label != positive:
            waiting.setdefault(key, []).append(row)
    drawn = {key: _drawn(waiting.get(key, []), count, seed) for key, count in lacking.items()}
    rows = sorted(row for taken in drawn.values() for row in taken)
    added = _cast(pool.select(rows), dataset.features)
    return Balanced(
        concatenate_datasets([dataset, added]),
        _by_group(lacking),
        _by_group({key: len(taken) for key, taken in drawn.items()}),
    )


def _drawn(rows: Sequence[int], count: int, seed: int) -> list[int]:
    """Draw some of the rows, each by a draw of its own."""
    return sorted(rows, key=lambda row: draws.uniform(seed, draws.row_key([row]), "balance"))[
        :count
    ]


def _cast(pool: "Dataset", features: "Features") -> "Dataset":
    """Return the columns of the dataset out of the pool, cast to the dataset's types."""
    pool = pool.select_columns(list(features))
    for column, kind in features.items():
        if pool.features[column] == kind:
            continue
        try:
            pool = pool.cast_column(column, kind)
        except (ValueError, TypeError, NotImplementedError) as error:  # pyarrow's are among them.
            raise invalid(
                f"the pool's column {column!r} cannot be cast from "
                f"{pool.features[column]} to the dataset's {kind}; give it that type first."
            ) from error
    return pool


def _labels(dataset: "Dataset", label_column: str) -> list[Any]:
    """Return the class of each row, or raise where it is a null."""
    labels: list[Any] = dataset.with_format(None)[label_column][:]
    column_checks.refuse_nulls(labels, f"column {label_column!r}")
    return labels


def _keys(dataset: "Dataset", group_column: str, band_column: str | None) -> list[Any]:
    """Return (group, band) of each row; None where the row has no group."""
    dataset = dataset.with_format(None)
    groups = dataset[group_column][:]
    bands = dataset[band_column][:] if band_column else [None] * len(groups)
    return [
        None if group is None else (group, band) for group, band in zip(groups, bands, strict=True)
    ]


def _by_group(counts: Mapping[Any, int]) -> dict[Hashable, int]:
    """Add the counts of a group's bands up."""
    total: Counter[Hashable] = Counter()
    for (group, _), count in counts.items():
        total[group] += count
    return dict(total)


_BLIND_MODES = ("remove", "neutralise")


@dataclass(frozen=True, kw_only=True)
class Blindness(LexicalTechnique):
    """Remove or neutralise the terms of a demographic axis, for `datasets.map`.

    Attributes:
        mode: `remove` deletes each term. `neutralise` writes its neutral form ("person"), and
            deletes the terms that have none.

    The others are those of `LexicalTechnique`.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> blind = Blindness(columns="text", mode="neutralise")
        >>> blind({"text": ["The waitress called Mary's husband."]})
        {'text': ['The server called spouse.']}
        >>> Blindness(columns="text")({"text": ["It was her own idea."]})
        {'text': ['It was own idea.']}
    """

    reads: ClassVar[tuple[str, ...]] = ("columns",)

    mode: str = "remove"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        checks.one_of(self.mode, _BLIND_MODES, parameter="mode")
        if self.mode == "neutralise" and not self.lexicon(self.axes[0]).neutral:
            raise invalid(
                f"the axis {self.axis!r} has no neutral attribute, so there is nothing to "
                "neutralise its terms to; use mode='remove'."
            )

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Remove or neutralise the terms in a batch."""
        lexicon = self.lexicon(self.axes[0])
        attributes = tuple(name for name in lexicon.attributes if name != lexicon.neutral)
        neutral = lexicon.neutral if self.mode == "neutralise" else ""
        table = self.table(self.axes[0])
        texts = self.texts(batch)
        blind: dict[int, list[Counterfactual]] = {}
        for number, readings in mentions_in_rows(texts.rows, [table]):
            row = tuple(
                apply_edits(text, remove_mentions(reading, attributes, neutral))
                if text and reading
                else text
                for text, reading in zip(texts.rows[number], readings, strict=True)
            )
            blind[number] = [Counterfactual(row)]
        warn_of_stale(texts, blind, ())
        return lay_out(batch, texts, *replaced_rows(texts.rows, blind))
