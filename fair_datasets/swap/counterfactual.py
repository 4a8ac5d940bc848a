"""Counterfactual data augmentation and substitution (CDA, CDS) by lexicon.

CDA: Lu et al. (2018), "Gender Bias in Neural Natural Language Processing". CDS and the names
intervention: Hall Maudslay et al. (2019), "It's All in the Name".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from fair_datasets import checks, draws
from fair_datasets.lexicons import Lexicon, load_lexicon
from fair_datasets.matching.rows import found_in_rows
from fair_datasets.matching.table import TermTable
from fair_datasets.row_ids import row_ids
from fair_datasets.row_texts import RowTexts
from fair_datasets.swap.directions import (
    Targets,
    check_directions,
    check_pronouns_written,
    draw_targets,
    plan_targets,
)
from fair_datasets.swap.layout import (
    Rewritten,
    RowKeys,
    augmented_rows,
    lay_out,
    pair_rows,
    replaced_rows,
    state_provenance,
)
from fair_datasets.swap.lexical import LexicalTechnique
from fair_datasets.swap.pronoun_sets import check_pronoun_set
from fair_datasets.swap.provenance import PROVENANCE, provenance_features, trace
from fair_datasets.swap.rewrite import Edit, apply_edits, swap_mentions
from fair_datasets.technique import Batch
from fair_datasets.text_fields import counterfactual_column, text_field

if TYPE_CHECKING:
    from datasets import Features

MODES = ("augment", "substitute", "replace", "pair")


class _Axis(NamedTuple):
    """An axis as it is rewritten: where it leads, and the terms that are read."""

    lexicon: Lexicon
    plan: Mapping[str, Sequence[str]]
    table: TermTable


class _Group(NamedTuple):
    """Axes that are rewritten in one counterfactual; `targets` is None where they are drawn."""

    axes: Sequence[_Axis]
    tables: Sequence[TermTable]
    targets: Targets | None


@dataclass(frozen=True, kw_only=True)
class CounterfactualSwap(LexicalTechnique):
    """Rewrite the terms of a demographic axis to their counterparts, for `datasets.map`.

    Map it with `batched=True`, or use `apply`, which passes the features of new columns on.

    Attributes:
        columns: The text column or columns; those of one row are rewritten together. Texts inside
            lists and objects are named by a path, such as `messages[].content`.
        roles: Whose texts of a conversation are rewritten, by what `role` (or `from`) says, such as
            `user`; none for everybody's.
        axis: A shipped lexicon's name, the path of a user's own `.tsv` file, or several of them.
        names: Whether names are swapped too, on the axes whose attributes they have. None for
            first names of men and women alone (the names intervention).
        protect: Names of people who are left alone ("Lily Allen").
        pipeline: A trained spaCy pipeline, by its name or path, whose tags, entities and parse are
            asked in place of our own guesses.
        source: The attribute or attributes whose terms are rewritten; None for all that have a
            counterpart. An axis of which none is named is rewritten as without a source.
        target: The attribute that they are rewritten to (one for each axis); None for each term's
            counterpart. On an axis whose attributes are not paired, None draws one per row.
        joint: Whether several axes are rewritten in one counterfactual. Otherwise each has its
            own; `substitute` and `replace` draw one of them per row.
        pronouns: Which pronouns are written for people who are neither men nor women (a `target`
            such as `non-binary`): `they` (themself), `they/themselves`, `xe`, `ze`, `ey` or `fae`.
        mode: `augment` (CDA): each row, then its counterfactual. `substitute` (CDS): each row
            is replaced by its counterfactual with probability `rate`. `replace`: every row is.
            `pair`: each row keeps its texts and gets its counterfactual's beside them, in the
            columns `<column>_counterfactual`; where nothing changes both are equal.
        rate: The probability of `substitute`, in [0, 1], for which None is 0.5; one coin per row.
        seed: The seed of the draws, which are keyed by the row: see `fair_datasets.draws`.
        id_column: A column that identifies the row; None to key the draws by the texts, as where
            the id is null.
        provenance: Whether to add the columns `counterfactual` (bool), `source_id` (string) and
            `edits` (column, axis, attribute, before, after, and the offsets in both texts).
        keep_unchanged: Whether `augment` duplicates rows in which nothing changes, which gives
            the 2N rows of the papers.

    Raises:
        InputError: A parameter is not what it must be, or would do nothing beside the others.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> swap({"text": ["He is a waiter.", "It rains."], "label": [1, 0]})
        {'text': ['He is a waiter.', 'She is a waitress.', 'It rains.'], 'label': [1, 1, 0]}
    """

    source: tuple[str, ...] | str | None = None
    target: tuple[str, ...] | str | None = None
    joint: bool = False
    pronouns: str = "they"
    mode: str = "augment"
    rate: float | None = None
    seed: int = 0
    id_column: str | None = None
    provenance: bool = False
    keep_unchanged: bool = False

    takes_several_axes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        owner = type(self).__name__
        checks.one_of(self.mode, MODES, owner=owner, parameter="mode")
        check_pronoun_set(self.pronouns, owner=owner)
        object.__setattr__(self, "rate", self._checked_rate(owner))
        if self.id_column is not None:
            checks.column_name(self.id_column, owner=owner, parameter="id_column")
        seed = checks.whole_number(self.seed, owner=owner, parameter="seed")
        object.__setattr__(self, "seed", seed)
        for parameter in ("joint", "provenance", "keep_unchanged"):
            value = checks.switch(getattr(self, parameter), owner=owner, parameter=parameter)
            object.__setattr__(self, parameter, value)
        for parameter in ("source", "target"):
            value = getattr(self, parameter)
            names = checks.strings(value, owner=owner, parameter=parameter)
            object.__setattr__(self, parameter, names if isinstance(value, list) else value)
        if self.keep_unchanged and self.mode != "augment":
            raise checks.InputError(
                f"{owner}: keep_unchanged is for mode='augment', as mode={self.mode!r} keeps every "
                "row; leave it out."
            )
        if self.provenance and self.mode == "pair":
            raise checks.InputError(
                f"{owner}: provenance tells what was done to a row, but mode='pair' leaves each as "
                "it is; use mode='replace' for the edits."
            )
        lexicons = [self.lexicon(axis) for axis in self.axes]
        check_directions(lexicons, self._sources, self._targets, owner)
        if self.pronouns != "they":
            check_pronouns_written(self.pronouns, lexicons, self._sources, self._targets, owner)

    def _checked_rate(self, owner: str) -> float | None:
        """Return the probability of `substitute`, and None for the other modes; or raise."""
        if self.rate is None:
            return 0.5 if self.mode == "substitute" else None
        rate = checks.fraction(self.rate, owner=owner, parameter="rate")
        if self.mode != "substitute":
            raise checks.InputError(
                f"{owner}: rate is the probability of mode='substitute', but mode is "
                f"{self.mode!r}; leave it out, or choose that mode."
            )
        return rate

    @property
    def _sources(self) -> tuple[str, ...]:
        """The attributes whose terms are rewritten; none for all."""
        return checks.strings(self.source, owner=type(self).__name__, parameter="source")

    @property
    def _targets(self) -> tuple[str, ...]:
        """The attributes that they are rewritten to; none for their counterparts."""
        return checks.strings(self.target, owner=type(self).__name__, parameter="target")

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Say which columns are added: of provenance, or of counterfactuals beside the texts.

        Args:
            features: The features of the dataset that is mapped over.

        Returns:
            The name of each column to its feature.
        """
        if self.provenance:
            return provenance_features()
        if self.mode != "pair":
            return {}
        owner = type(self).__name__
        fields = (text_field(name, features, owner=owner) for name in self.columns)
        return {counterfactual_column(field.column): features[field.column] for field in fields}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
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
        ids = row_ids(batch, self.id_column, owner=owner) if self.id_column else None
        texts = self.texts(batch)
        keys = RowKeys(texts.rows, ids or [None] * len(texts.rows))
        if self.provenance:
            checks.free(PROVENANCE, batch, owner=owner)
        if self.mode == "pair":
            checks.free(map(counterfactual_column, texts.columns), batch, owner=owner)
        rewritten = self._rewrite(texts, keys)
        if self.mode == "pair":
            return pair_rows(batch, texts, rewritten)
        if self.mode == "augment":
            places = augmented_rows(texts.rows, rewritten, keep_unchanged=self.keep_unchanged)
        else:
            places = replaced_rows(texts.rows, rewritten)
        result = lay_out(batch, texts, *places)
        if self.provenance:
            result |= state_provenance(*places, keys.source_id)
        return result

    def _groups(self) -> list[_Group]:
        """Return the axes by the counterfactual in which they are rewritten."""
        axes = []
        for axis in self.axes:
            table, lexicon = self.table(axis), load_lexicon(axis)
            plan = plan_targets(lexicon, self._sources, self._targets)
            axes.append(_Axis(lexicon, plan, table))
        groups = []
        for group in [axes] if self.joint else [[axis] for axis in axes]:
            is_drawn = any(len(options) > 1 for axis in group for options in axis.plan.values())
            targets = None if is_drawn else self._drawn(group, "")
            groups.append(_Group(group, [axis.table for axis in group], targets))
        return groups

    def _rewrite(self, texts: RowTexts, keys: RowKeys) -> dict[int, list[Rewritten]]:
        """Return the counterfactuals of the rows that have any and of which any is wanted."""
        rewritten: dict[int, list[Rewritten]] = {}
        for group in self._groups():
            several = group.tables if len(group.tables) > 1 else ()
            for number, readings in found_in_rows(texts.rows, group.tables):
                targets = group.targets
                if targets is None:
                    targets = self._drawn(group.axes, keys.key(number))
                edits = [
                    swap_mentions(reading, targets, self.pronouns, several)
                    if reading and reading.mentions
                    else []
                    for reading in readings
                ]
                if any(edits):
                    found = self._rewritten(texts, number, edits)
                    rewritten.setdefault(number, []).append(found)
        if self.mode == "augment" or (self.mode == "replace" and len(self.axes) == 1):
            return rewritten
        chosen = {k: self._chosen(found, keys.key(k)) for k, found in rewritten.items()}
        return {number: found for number, found in chosen.items() if found}

    def _rewritten(
        self, texts: RowTexts, number: int, edits: Sequence[Sequence[Edit]]
    ) -> Rewritten:
        """Make the edits in the texts of a row."""
        row = tuple(map(_edited, texts.rows[number], edits))
        if not self.provenance:
            return row, []
        traced = [trace(*pair) for pair in zip(texts.labels(number), edits, strict=True)]
        return row, [edit for stated in traced for edit in stated]

    def _chosen(self, found: list[Rewritten], key: str) -> list[Rewritten]:
        """Choose one of a row's counterfactuals, or none where the coin says so."""
        if self.mode != "substitute" and len(found) == 1:
            return found
        if self.rate is not None and draws.uniform(self.seed, key, "substitute") >= self.rate:
            return []
        return [draws.choice(found, self.seed, key, "axis")]

    def _drawn(self, axes: Sequence[_Axis], key: str) -> Targets:
        """Return what each attribute becomes in a row."""
        targets: dict[tuple[str, str], str] = {}
        for lexicon, plan, table in axes:
            targets |= draw_targets(table.axis, lexicon, plan, self.seed, key)
        return targets


def _edited(text: str | None, edits: Sequence[Edit]) -> str | None:
    """Make edits in a text, if there are any."""
    return apply_edits(text, edits) if text and edits else text
