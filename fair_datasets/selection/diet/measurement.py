"""What is measured on a trained classifier, on pairs of texts and on templates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.measures.controls import flip_rate_control
from fair_datasets.measures.counterfactual_parity import (
    counterfactual_demographic_parity,
    counterfactual_equal_opportunity,
)
from fair_datasets.measures.flip_rate import counterfactual_flip_rate
from fair_datasets.measures.inputs import nan_is_enough
from fair_datasets.measures.parity import demographic_parity, equal_opportunity
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.rows import annotations_of, chunks, merge_split_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import refuse_nulls
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import counterfactual_field, field_columns
from fair_datasets.scores.probes.train import Predict, probabilities_of
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.placebos import Placebos, placebos_of
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting.counterfactuals import apply_edits
from fair_datasets.swap.whole_rows import skip_rows, skipped_in
from fair_datasets.system.checks import caller_name, error_context, invalid

if TYPE_CHECKING:
    from datasets import Dataset

Row = tuple[str, ...]


def attribute_versions(rows: Sequence[Row], config: DietConfig) -> dict[str, list[Row]]:
    """Write rows for each attribute of an axis, so that attributes are compared on the same rows.

    A row has a version for each attribute if all its mentions are of one attribute, and have a form
    for every other: its own texts are the version of its own. Rows with several attributes are left
    out, as no version of theirs would be that of one attribute; so are those that are the same for
    another attribute, and those that the swap leaves as a whole for another attribute ("the Pope"
    beside Christians). The attributes are those that the axis swaps: man and woman on the axis
    `gender`; all of an axis without counterparts, on which a pair's target is drawn.

    Returns:
        Attribute to the versions of the rows, in the order of the rows and of equal length for all
        attributes; empty lists where no row has them.

    Example:
        >>> config = DietConfig(columns="text")
        >>> attribute_versions([("He won.",), ("He saw her.",), ("Rain.",)], config)
        {'man': [('He won.',)], 'woman': [('She won.',)]}
    """
    swap = CounterfactualSwap(**config.reading)
    versions: dict[str, list[Row]] = {attribute: [] for attribute in swapped_attributes(swap)}
    for _, written in versions_of_rows(rows, swap):
        for attribute, row in written.items():
            versions[attribute].append(row)
    return versions


def versions_of_rows(
    rows: Sequence[Row], swap: CounterfactualSwap
) -> Iterator[tuple[int, dict[str, Row]]]:
    """Write rows for each attribute of an axis, and say which rows they are.

    Example:
        >>> swap = CounterfactualSwap(columns="text")
        >>> list(versions_of_rows([("Rain.",), ("He won.",)], swap))
        [(1, {'man': ('He won.',), 'woman': ('She won.',)})]
    """
    table = swap.table(swap.axes[0])
    attributes = swapped_attributes(swap)
    for number, readings in _rewritable(rows, table, attributes):
        own = _own_attribute(readings, attributes)
        if own is None:
            continue
        row = rows[number]
        written = {
            attribute: _written(row, readings, {(table.axis, own): attribute})
            for attribute in attributes
            if attribute != own
        }
        if row not in written.values():
            yield number, {attribute: written.get(attribute, row) for attribute in attributes}


def _rewritable(
    rows: Sequence[Row], table: TermTable, attributes: Sequence[str]
) -> Iterator[tuple[int, Sequence[Annotation | None]]]:
    """Find the mentions in rows, of which those are left out that some attribute is not for."""
    others = [
        {(table.axis, own): attribute for own in attributes if own != attribute}
        for attribute in attributes
    ]
    for several in merge_split_rows(chunks(rows, [table])):
        skipped: set[int] = set()
        for each in others:
            skipped.update(skipped_in(several, each, table))
        # Where nothing is rewritten, nothing is left; what is said of things is read with groups.
        parts = (part for chunk in several for part in skip_rows(chunk, {}, [table]).by_text())
        for number, own_parts in groupby(parts, attrgetter("row")):
            if number not in skipped:
                yield number, annotations_of(rows[number], own_parts)


def swapped_attributes(swap: CounterfactualSwap) -> tuple[str, ...]:
    """Return the attributes that a swap of one axis rewrites, in the order of the lexicon.

    Example:
        >>> swapped_attributes(CounterfactualSwap(columns="text"))
        ('man', 'woman')
    """
    return tuple(swap.plan(swap.axes[0]))


def _own_attribute(readings: Sequence[Annotation | None], attributes: Sequence[str]) -> str | None:
    """Return the one attribute that a row mentions, if it can be written for all others."""
    mentions = [mention for reading in readings if reading for mention in reading.mentions]
    mentioned = {mention.term.attribute for mention in mentions}
    if len(mentioned) != 1 or not all(_has_forms(mention, attributes) for mention in mentions):
        return None
    return next(iter(mentioned))


def _has_forms(mention: Mention, attributes: Sequence[str]) -> bool:
    """Whether a mention is of one of some attributes and has a form for each of them."""
    term = mention.term
    return term.attribute in attributes and all(
        term.attribute == attribute or term.entry.forms.get(attribute) for attribute in attributes
    )


def _written(
    row: Row, readings: Sequence[Annotation | None], targets: dict[tuple[str, str], str]
) -> Row:
    """Write the mentions of a row for another attribute."""
    edits = swap_row(readings, targets)
    return tuple(text and apply_edits(text, own) for text, own in zip(row, edits, strict=True))


_OF_GROUPS = ("auc", "demographic_parity", "equal_opportunity_1", "equal_opportunity_0",
              "equalized_odds")  # fmt: skip
_OF_PAIRS = ("demographic_parity_changed", "demographic_parity_by_attribute", "flip_rate",
             "changed_rows", "rows_by_attribute")  # fmt: skip
_OF_PLACEBOS = ("flip_rate_control", "flip_rate_excess", "rows_with_placebos")
PAIR_MEASURES = (*_OF_GROUPS, *_OF_PAIRS, *_OF_PLACEBOS)

Places = NDArray[np.intp]


class Evaluation(Protocol):
    """Rows on which a classifier is measured."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of what is measured."""

    def measure(self, predict: Predict) -> dict[str, float]:
        """Measure a classifier.

        Returns:
            Each of `measures` to its value. For `flip_rate` and `flip_rate_excess` lower is fairer;
            the other measures of fairness are scores, 1 less the difference between the groups.
            `changed_rows`, `rows_with_placebos` and `rows_by_attribute` say of how many rows they
            are.
        """


@dataclass(frozen=True)
class Pairs:
    """Texts and their counterfactuals: the groups are the texts as they are and swapped.

    Attributes:
        texts: The texts that are predicted, each row of texts once.
        factual: The place of each row in `texts`. Shape (N,).
        counterfactual: The place of each swapped row. Shape (N,).
        versions: Attribute to the places of the rows that mention one attribute alone, written for
            this one; see `attribute_versions`. Each of shape (M,).
    """

    texts: list[Row]
    factual: Places
    counterfactual: Places
    labels: NDArray[np.bool_]
    versions: Mapping[str, Places]
    placebos: Placebos | None = None

    @classmethod
    def read(
        cls, dataset: "Dataset", config: DietConfig, training: "Dataset | None" = None
    ) -> "Pairs":
        """Read a dataset that `CounterfactualSwap(mode="pair")` made.

        Args:
            training: The rows that classifiers are trained on, in which the words are counted that
                placebos are drawn from; None for `dataset`.
        """
        roles = tuple(config.roles)
        factual = text_rows(dataset, config.columns, roles)
        known = dataset.column_names
        names = [counterfactual_field(name, known) for name in config.columns]
        swapped = text_rows(dataset, names, roles)
        places: dict[Row, int] = {}

        def placed(rows: Sequence[Row]) -> Places:
            numbers = (places.setdefault(row, len(places)) for row in rows)
            return np.fromiter(numbers, np.intp, len(rows))

        written = attribute_versions(factual, config)
        fields = placed(factual), placed(swapped), labels(dataset, config.label)
        versions = {attribute: placed(rows) for attribute, rows in written.items()}
        counted = None if training is None else text_rows(training, config.columns, roles)
        return cls(list(places), *fields, versions, _placebos(factual, config, counted))

    @property
    def measures(self) -> tuple[str, ...]:
        """See `Evaluation`; without placebos, nothing is measured by them."""
        return PAIR_MEASURES if self.placebos else (*_OF_GROUPS, *_OF_PAIRS)

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Which rows the swap changed. Shape (N,)."""
        differs: NDArray[np.bool_] = self.factual != self.counterfactual
        return differs

    def measure(self, predict: Predict) -> dict[str, float]:
        """Measure a classifier; see `Evaluation`."""
        scores = positive(predict, self.texts)
        predictions = scores > 0.5
        factual, swapped = predictions[self.factual], predictions[self.counterfactual]
        changed = factual[self.changed], swapped[self.changed]
        versions = np.concatenate([predictions[places] for places in self.versions.values()])
        compared = len(versions) // len(self.versions)
        attributes = np.repeat(list(self.versions), compared)
        with nan_is_enough():
            parity, parity_changed = (
                counterfactual_demographic_parity(*pairs).all_rows.score
                for pairs in ((factual, swapped), changed)
            )
            one, zero = (
                counterfactual_equal_opportunity(
                    self.labels, factual, swapped, outcome=outcome
                ).all_rows.score
                for outcome in (1, 0)
            )
            by_attribute = demographic_parity(versions, attributes).score
            flips = counterfactual_flip_rate(*changed).all
        of_pairs = parity_changed, by_attribute, flips.flip_rate, flips.rows, compared
        return {
            **_named(auc(self.labels, scores[self.factual]), parity, one, zero),
            **dict(zip(_OF_PAIRS, of_pairs, strict=True)),
            **({} if self.placebos is None else _beside_placebos(self.placebos, predict)),
        }


@dataclass(frozen=True)
class Templates:
    """Texts made from templates, of which each belongs to a group."""

    texts: list[Row]
    groups: list[str]
    labels: NDArray[np.bool_]
    measures: tuple[str, ...] = _OF_GROUPS

    @classmethod
    def read(cls, dataset: "Dataset") -> "Templates":
        """Read rows with a text, a label and a group, as of `identity_templates`."""
        with error_context(f"{caller_name()}, templates"):
            column_checks.present(["group"], dataset.column_names)
        groups = [str(group) for group in dataset["group"][:]]
        return cls(text_rows(dataset, ["text"]), groups, labels(dataset, "label"))

    def measure(self, predict: Predict) -> dict[str, float]:
        """Measure a classifier; see `Evaluation`."""
        scores = positive(predict, self.texts)
        predictions = scores > 0.5
        with nan_is_enough():
            one, zero = (
                equal_opportunity(self.labels, predictions, self.groups, outcome=outcome).score
                for outcome in (1, 0)
            )
            parity = demographic_parity(predictions, self.groups).score
        return _named(auc(self.labels, scores), parity, one, zero)


def _placebos(
    rows: Sequence[Row], config: DietConfig, training: Sequence[Row] | None
) -> Placebos | None:
    """Draw placebo versions of rows; None where no row has any."""
    if not config.placebo_draws:
        return None
    swap = CounterfactualSwap(**config.reading)
    placebos = placebos_of(
        rows, swap, training=training, count=config.placebo_draws, seed=config.seed
    )  # fmt: skip
    controlled = [row for row, has in zip(placebos.rows, placebos.controlled, strict=True) if has]
    return replace(placebos, rows=controlled) if controlled else None


def _beside_placebos(placebos: Placebos, predict: Predict) -> dict[str, float]:
    """Compare how often predictions flip with how often they do under placebo changes."""
    own, drawn = placebos.asked(lambda rows: positive(predict, rows) > 0.5)
    rates = flip_rate_control(own[:, 0] != own[:, 1], drawn[:, 0] != drawn[:, 1])
    values = rates.flip_rate_control, rates.flip_rate_excess, rates.rows
    return dict(zip(_OF_PLACEBOS, values, strict=True))


def positive(predict: Predict, rows: Sequence[Row]) -> NDArray[np.float64]:
    """Return the probability of class 1 that a classifier gives each row. Shape (N,).

    Example:
        >>> positive(lambda rows: np.tile([0.25, 0.75], (len(rows), 1)), [("a",), ("b",)])
        array([0.75, 0.75])
    """
    probabilities = probabilities_of(predict, rows, what="the trainer's classifier")
    return probabilities[:, 1]


def auc(references: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """Return the area under the ROC curve.

    Example:
        >>> auc(np.array([False, True]), np.array([0.1, 0.9]))
        1.0
    """
    from sklearn.metrics import roc_auc_score

    if references.all() or not references.any():
        raise invalid(
            f"all {len(references)} rows that are measured have label "
            f"{int(references.all())}, so there is no AUC; give rows of both classes."
        )
    return float(roc_auc_score(references, scores))


def text_rows(dataset: "Dataset", columns: Sequence[str], roles: tuple[str, ...] = ()) -> list[Row]:
    """Return the texts of each row of a dataset, or raise."""
    held = field_columns(columns, dataset.column_names)
    batch = {name: dataset[name][:] for name in held}
    texts = RowTexts.read(batch, columns, roles=roles).by_field()
    for column, values in zip(columns, texts, strict=True):
        refuse_nulls(values, f"column {column!r}")
    return [tuple(map(str, row)) for row in zip(*texts, strict=True)]


def labels(dataset: "Dataset", column: str) -> NDArray[np.bool_]:
    """Return the class of each row, which must be 0 or 1. Shape (N,)."""
    column_checks.present([column], dataset.column_names)
    return inputs.binary(dataset[column][:], f"column {column!r}")


def _named(area: float, parity: float, one: float, zero: float) -> dict[str, float]:
    """Name the measures; equalized odds is the mean of the scores of the two outcomes."""
    return dict(zip(_OF_GROUPS, (area, parity, one, zero, (one + zero) / 2), strict=True))
