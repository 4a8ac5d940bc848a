"""Counterfactual data augmentation and substitution (CDA, CDS) by lexicon.

CDA: Lu et al. (2018), "Gender Bias in Neural Natural Language Processing". CDS and the names
intervention: Hall Maudslay et al. (2019), "It's All in the Name".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets import checks, columns, draws
from fair_datasets.lexicons import Lexicon
from fair_datasets.matching.mentions import read_row
from fair_datasets.swap.lexical import LexicalTechnique, Row
from fair_datasets.swap.rewrite import Edit, apply_edits, swap_mentions
from fair_datasets.technique import Batch

if TYPE_CHECKING:
    from datasets import Features

MODES = ("augment", "substitute", "replace")
PROVENANCE = ("counterfactual", "source_id", "edits")


class _Rewritten(NamedTuple):
    """A row's counterfactual: its texts, and the edits as provenance states them."""

    texts: Row
    edits: list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class CounterfactualSwap(LexicalTechnique):
    """Rewrite the terms of a demographic axis to their counterparts, for `datasets.map`.

    Map it with `batched=True`; on an `IterableDataset`, or with `provenance=True`, pass
    `features=technique.features(dataset.features)` as well.

    Attributes:
        columns: The text column or columns; those of one row are rewritten together.
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        source: The attribute whose terms are rewritten; None for all that have a counterpart.
        target: The attribute that they are rewritten to; None for each term's counterpart. On an
            axis whose attributes are not paired, None draws one per row.
        mode: `augment` (CDA): each row, then its counterfactual. `substitute` (CDS): each row
            is replaced by its counterfactual with probability `rate`. `replace`: every row is.
        rate: The probability of `substitute`, in [0, 1]; one coin per row.
        names: Whether first names are swapped too (the names intervention); they have an
            attribute on the gender axis only.
        seed: The seed of the draws, which are keyed by the row: see `fair_datasets.draws`.
        id_column: A column that identifies the row; None to key the draws by the texts, as where
            the id is null.
        provenance: Whether to add the columns `counterfactual` (bool), `source_id` (string) and
            `edits` (column, start, end, before, after, axis, attribute).
        keep_unchanged: Whether `augment` duplicates rows in which nothing changes, which gives
            the 2N rows of the papers.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> swap({"text": ["He is a waiter.", "It rains."], "label": [1, 0]})
        {'text': ['He is a waiter.', 'She is a waitress.', 'It rains.'], 'label': [1, 1, 0]}
    """

    source: str | None = None
    target: str | None = None
    mode: str = "augment"
    rate: float = 0.5
    seed: int = 0
    id_column: str | None = None
    provenance: bool = False
    keep_unchanged: bool = False

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        owner = type(self).__name__
        checks.one_of(self.mode, MODES, owner=owner, parameter="mode")
        object.__setattr__(self, "rate", checks.fraction(self.rate, owner=owner, parameter="rate"))
        if self.id_column is not None:
            checks.column_name(self.id_column, owner=owner, parameter="id_column")
        seed = checks.whole_number(self.seed, owner=owner, parameter="seed")
        object.__setattr__(self, "seed", seed)
        for parameter in ("provenance", "keep_unchanged"):
            value = checks.switch(getattr(self, parameter), owner=owner, parameter=parameter)
            object.__setattr__(self, parameter, value)
        _check_direction(self.lexicon, self.source, self.target, owner)

    def features(self, features: "Features") -> "Features":
        """Return the features of the result: those of the dataset, and of the provenance.

        Args:
            features: The features of the dataset that is mapped over.

        Returns:
            The features to pass to `map`.
        """
        from datasets import Features, List, Value

        if not self.provenance:
            return features.copy()
        edit = {"column": Value("string"), "start": Value("int64"), "end": Value("int64")}
        edit |= {name: Value("string") for name in ("before", "after", "axis", "attribute")}
        added = {
            "counterfactual": Value("bool"),
            "source_id": Value("string"),
            "edits": List(edit),
        }
        return Features({**features, **added})

    def __call__(self, batch: Batch) -> dict[str, list[Any]]:
        """Rewrite a batch.

        Args:
            batch: Column name to values; the text columns hold strings or nulls.

        Returns:
            Every column of the batch, and the provenance columns if they were asked for.

        Raises:
            InputError: A column is missing, holds something else than text, or would be
                overwritten; one row was given in place of a batch; or a lexicon has changed since
                the technique was made.
        """
        owner = type(self).__name__
        if self.id_column:
            columns.values(batch, self.id_column, owner=owner)
        rows = self.rows(batch)
        if self.provenance:
            checks.free(PROVENANCE, batch, owner=owner)
        return self._lay_out(batch, rows, self._rewrite(rows, batch))

    def _rewrite(self, rows: Sequence[Row], batch: Batch) -> list[_Rewritten | None]:
        """Return each row's counterfactual, or None where it is not wanted or nothing changes."""
        plan = _plan(self.lexicon, self.source, self.target)
        table = self.table(tuple(plan))
        fixed = {attribute: targets[0] for attribute, targets in plan.items()}
        is_fixed = all(len(targets) == 1 for targets in plan.values())
        has_coin = self.mode == "substitute"
        rewritten: list[_Rewritten | None] = []
        for number, row in enumerate(rows):
            readings = read_row(row, table)
            if not readings:
                rewritten.append(None)
                continue
            targets = fixed if is_fixed else self._drawn(plan, self._key(number, row, batch))
            edits = [swap_mentions(reading, targets) if reading else [] for reading in readings]
            wanted = any(edits) and (not has_coin or self._toss(self._key(number, row, batch)))
            rewritten.append(self._rewritten(row, edits) if wanted else None)
        return rewritten

    def _rewritten(self, row: Row, edits: Sequence[Sequence[Edit]]) -> _Rewritten:
        """Make the edits in the texts of a row."""
        # A list first: a generator would cost more than the edits of a short text.
        texts = tuple(
            [
                apply_edits(text, changes) if text and changes else text
                for text, changes in zip(row, edits, strict=True)
            ]
        )
        if not self.provenance:
            return _Rewritten(texts, [])
        return _Rewritten(
            texts,
            [
                {"column": column, "axis": self.axis, **edit._asdict()}
                for column, changes in zip(self.columns, edits, strict=True)
                for edit in changes
            ],
        )

    def _toss(self, key: str) -> bool:
        """Toss the row's coin."""
        return draws.uniform(self.seed, key, "substitute") < self.rate

    def _drawn(self, plan: Mapping[str, Sequence[str]], key: str) -> dict[str, str]:
        """Draw a target for each attribute of an axis whose attributes are not paired."""
        return {
            attribute: draws.choice(targets, self.seed, key, f"target of {attribute}")
            for attribute, targets in plan.items()
        }

    def _key(self, number: int, row: Row, batch: Batch) -> str:
        """Return the key of a row: its id if it has one, else its texts."""
        row_id = self._id(number, batch)
        return draws.row_key(row if row_id is None else [row_id])

    def _lay_out(
        self,
        batch: Batch,
        rows: Sequence[Row],
        rewritten: Sequence[_Rewritten | None],
    ) -> dict[str, list[Any]]:
        """Put the rows of the result together, each counterfactual beside its origin."""
        layout: list[tuple[int, _Rewritten | None]] = []
        for number, counterfactual in enumerate(rewritten):
            if self.mode != "augment":
                layout.append((number, counterfactual))
                continue
            layout.append((number, None))
            if counterfactual is not None:
                layout.append((number, counterfactual))
            elif self.keep_unchanged:
                layout.append((number, _Rewritten(rows[number], [])))
        result: dict[str, list[Any]] = {}
        for column in batch:
            if column in self.columns:
                place = self.columns.index(column)
                result[column] = [(new.texts if new else rows[k])[place] for k, new in layout]
            else:
                values = batch[column]
                result[column] = [values[k] for k, _ in layout]
        if self.provenance:
            result["counterfactual"] = [new is not None for _, new in layout]
            result["source_id"] = [self._source_id(k, rows[k], batch) for k, _ in layout]
            result["edits"] = [new.edits if new else [] for _, new in layout]
        return result

    def _source_id(self, number: int, row: Row, batch: Batch) -> str:
        """Return what identifies a row's origin: its id, or the key of its texts."""
        row_id = self._id(number, batch)
        return draws.row_key(row) if row_id is None else str(row_id)

    def _id(self, number: int, batch: Batch) -> Any:
        """Return a row's id as Python has it; None without an id column or where it is null."""
        if self.id_column is None:
            return None
        row_id = draws.plain(batch[self.id_column][number])
        return None if columns.is_null(row_id) else row_id


def _plan(lexicon: Lexicon, source: str | None, target: str | None) -> dict[str, tuple[str, ...]]:
    """Return each attribute that is rewritten, with the attributes it may become."""
    sources = [source] if source else list(lexicon.attributes)
    plan: dict[str, tuple[str, ...]] = {}
    for attribute in sources:
        if target:
            targets: tuple[str, ...] = (target,)
        elif lexicon.counterparts:
            paired = lexicon.counterparts.get(attribute)
            targets = (paired,) if paired else ()
        else:
            targets = tuple(other for other in lexicon.attributes if other != attribute)
        if targets and targets != (attribute,):
            plan[attribute] = targets
    return plan


def _check_direction(lexicon: Lexicon, source: str | None, target: str | None, owner: str) -> None:
    """Raise unless source and target are attributes of the axis that lead somewhere."""
    for parameter, value in (("source", source), ("target", target)):
        if value is not None:
            checks.one_of(value, lexicon.attributes, owner=owner, parameter=parameter)
    if not _plan(lexicon, source, target):
        if source == target:
            raise checks.InputError(
                f"{owner}: source and target are both {source!r}; choose two different attributes."
            )
        raise checks.InputError(
            f"{owner}: {source!r} has no counterpart of its own on the axis {lexicon.name!r}; "
            f"give a target: {', '.join(map(repr, lexicon.counterparts))}."
        )
