"""Keeping the pairs whose counterfactual is read as somebody of another attribute.

Tokpo and Calders (2023), "Model-based Counterfactual Generator for Gender Bias
Mitigation": the gender filter.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.rows import mentions_in_rows
from fair_datasets.rewriters.generation.loading import refuse_changed_model
from fair_datasets.rows import column_checks, draws
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.given import splits_of
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import counterfactual_columns, refuse_missing_counterfactuals
from fair_datasets.scores.importance import softmax
from fair_datasets.scores.probes.probe import (
    InferenceOptions,
    Probe,
    Texts,
    load_probe,
    probe_files,
)
from fair_datasets.scores.probes.transformer import TransformerProbe
from fair_datasets.system.checks import InputError, format_choices, invalid
from fair_datasets.system.validate import (
    Count,
    OneOf,
    PathOrName,
    Revision,
    Share,
    Strings,
    validate_fields,
)
from fair_datasets.technique.contract import Batch
from fair_datasets.technique.lexical import LexicalTechnique

if TYPE_CHECKING:
    from fair_datasets.technique.contract import AppliedTo

NEUTRAL = ("drop", "copy")


@dataclass(frozen=True, slots=True)
class AttributeReader:
    """A classifier with the names of its classes, and the way in which it is run."""

    probe: Probe
    names: Sequence[str]
    reading: InferenceOptions
    model: str

    @property
    def is_named(self) -> bool:
        """Whether its classes are called otherwise than by their numbers."""
        return not all(name.removeprefix("LABEL_").isdecimal() for name in self.names)

    @classmethod
    def load(
        cls, model: str, revision: str | None, *, classes: Sequence[str], reading: InferenceOptions
    ) -> "AttributeReader":
        """Load a classifier."""
        probe = load_probe(model, revision=revision)
        config = probe.loaded.model.config if isinstance(probe, TransformerProbe) else None
        if getattr(config, "problem_type", None) == "multi_label_classification":
            raise invalid(
                f"the classes of {model!r} do not exclude each other, so a text may have "
                "several; choose a classifier with one attribute for each text."
            )
        if probe.classes < 2:
            raise invalid(
                f"{model!r} has one class, but there must be one for each attribute, two "
                "or more; train it on rows of all attributes."
            )
        if classes and len(classes) != probe.classes:
            raise invalid(
                f"classes names {len(classes)}, but {model!r} has "
                f"{probe.classes}; name each, in its order."
            )
        known = getattr(config, "id2label", None) or {}
        own = [str(known.get(number, number)) for number in range(probe.classes)]
        return cls(probe, classes or own, reading, model)

    def classes_of(
        self, values: Sequence[Any], column: str, labels: Sequence[str] | None
    ) -> list[int | None]:
        """Return the classes that a column of attributes names; None for a null.

        Args:
            labels: The names of the `ClassLabel` that the column is; None where nothing is known.
        """
        numbers = {name: number for number, name in enumerate(self.names)}
        classes: list[int | None] = []
        for row, value in enumerate(values):
            plain = None if column_checks.is_null(value) else draws.plain(value)
            where = f"row {row} of the batch (counted from 0) holds"
            if type(plain) is int and labels is None and self.is_named:
                raise invalid(
                    f"{where} the number {plain} in column {column!r}, and a ClassLabel of the "
                    "dataset may name this number differently from the model; call "
                    "apply(dataset), or give names."
                )
            if type(plain) is int and 0 <= plain < len(labels or ()):
                plain = (labels or ())[plain]
            number = numbers.get(plain) if isinstance(plain, str) else plain
            is_class = type(number) is int and 0 <= number < len(self.names)
            if plain is not None and not is_class:
                raise invalid(
                    f"column {column!r} must hold the classes of {self.model!r}, "
                    f"{format_choices(self.names)} or their numbers from 0 on, but {where} "
                    f"{plain!r}; set classes to the column's name for each class."
                )
            classes.append(number)
        return classes

    def probabilities(self, rows: Sequence[Texts]) -> NDArray[np.float64]:
        """Return the probability of each class for each row. Shape (N, C)."""
        logits = self.probe.logits(rows, self.reading)
        if not np.isfinite(logits).all():
            raise InputError(
                f"The outputs of {self.model!r} for the texts are not finite; its training may "
                "have diverged, so train it with a lower learning rate."
            )
        return softmax(logits)


@dataclass(frozen=True, kw_only=True)
class AttributeFilter(LexicalTechnique):
    """Drop the pairs in which a classifier still finds the original's attribute, for `filter`.

    A row holds both texts, as the swap writes them in `mode="pair"`. It is dropped if the
    probability of the original's attribute, given the new text, is at least `threshold`; a row
    with a null among its texts is, too.

    Attributes:
        columns: The columns of the original texts.
        roles: Whose texts of a conversation are read; none for everybody's.
        axis: The axis whose terms make a row other than neutral; of `neutral="copy"` alone, as are
            the next three.
        names: Whether names count as terms of the axis.
        protect: Names of people who do not count as terms of the axis.
        pipeline: A trained spaCy pipeline that is asked which words are terms of the axis.
        reader: A token classifier that is asked about names and pronouns.
        model: The folder or Hub id of a classifier of texts with a class for each attribute; or a
            checkpoint that `train_probes` returned, such as a linear probe.
        revision: The branch, tag or commit on the Hub; None for the main branch.
        counterfactual_columns: The columns of the new texts, in the same order; None for
            `<column>_counterfactual`.
        attribute: The column with the original's attribute, as the name or the number of a class;
            None to have it predicted from the original. A null is predicted, too. Of a
            `ClassLabel` the names count, whatever their order. A batch of which nothing says what
            its numbers are is refused where the model's classes have names; `apply` knows.
        classes: What that column calls each class of the model, in its order; none for the names
            that the model has. A linear probe has none.
        threshold: The probability of the original's attribute from which on a row is dropped.
        neutral: `drop` asks the same of rows that mention nobody of the axis, which as a rule drops
            them (the paper); `copy` keeps those of them in which nothing was changed, for a
            generator to learn to copy.
        batch_size: How many texts the model reads at once at most.
        max_length: How many tokens of a text it reads.
        label_names: The names of the `ClassLabel` that `attribute` is, in its order, and none where
            it is no such column; `apply` finds them. None where they are not known.

    Raises:
        InputError: A parameter is not what it must be, or there is no such folder.

    Example:
        >>> keep = AttributeFilter(columns="text", model="ada/gender", neutral="copy")
        >>> pair = {"text": ["It rains."], "text_counterfactual": ["It rains."]}
        >>> keep(pair)  # It is neutral, so that no model is asked.
        [True]
    """

    reads: ClassVar[tuple[str, ...]] = ("columns", "counterfactual_columns", "attribute")

    method: ClassVar[Literal["map", "filter"]] = "filter"

    model: PathOrName
    revision: Revision | None = None
    counterfactual_columns: tuple[str, ...] | str | None = None
    attribute: ColumnName | None = None
    classes: Strings = ()
    threshold: Share = 0.5
    neutral: Annotated[str, OneOf(NEUTRAL)] = "drop"
    batch_size: Count = 64
    max_length: Count = 512
    label_names: tuple[str, ...] | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        validate_fields(self)
        if self.classes and self.attribute is None:
            raise invalid(
                "classes says what the column of attributes calls each class, but "
                "attribute names no column; name it, or leave classes out."
            )
        super().__post_init__()
        swapped = counterfactual_columns(self.counterfactual_columns, self.columns)
        object.__setattr__(self, "counterfactual_columns", swapped)

    def resources(self) -> Mapping[str, Path]:
        """Name the files of a model that lies in a folder, and the lexicons where they are read."""
        files = probe_files(str(self.model))
        return {**(super().resources() if self.neutral == "copy" else {}), **files}

    def process(self, batch: Batch) -> list[bool]:
        """Return which rows of a batch to keep.

        Raises:
            InputError: A column is missing or holds something else than texts, or attributes that
                are no classes of the model; or the model cannot be read, is no classifier of two
                classes or more, or has changed.
        """
        old, new = self.texts(batch), self._new_texts(batch)
        pairs = list(zip(_by_row(old), _by_row(new), strict=True))
        given: Sequence[Any] = [None] * len(pairs)
        if self.attribute is not None:
            given = column_checks.values(batch, self.attribute)
        is_copied = self._copied(old, pairs)
        asked = [
            (number, before, after)
            for number, (before, after) in enumerate(pairs)
            if before is not None and after is not None and not is_copied[number]
        ]
        if not asked:
            return is_copied
        reader = self._reader()
        numbers = [number for number, _, _ in asked]
        own = reader.classes_of(given, str(self.attribute), self._labels_of(batch))
        before = reader.probabilities([texts for _, texts, _ in asked])
        after = reader.probabilities([texts for _, _, texts in asked])
        for number, old_row, new_row in zip(numbers, before, after, strict=True):
            attribute = own[number]
            if attribute is None:
                attribute = int(old_row.argmax())
            is_copied[number] = bool(new_row[attribute] < self.threshold)
        return is_copied

    def apply(self, dataset: "AppliedTo", **options: Any) -> "AppliedTo":
        """Filter a dataset; see `Technique.apply`.

        Raises:
            InputError: As for every technique; or no row of a split is left, or the column of
                attributes is a `ClassLabel` with names that the model does not have.
        """
        named = copy.copy(self)
        object.__setattr__(named, "label_names", self._label_names(dataset))
        result = super(AttributeFilter, named).apply(dataset, **options)
        splits = dataset if isinstance(dataset, Mapping) else {"": dataset}
        remaining = result if isinstance(result, Mapping) else {"": result}
        for name, split in splits.items():
            rows = getattr(split, "num_rows", 0)
            if rows and not remaining[name].num_rows:
                where = f" of the split {name!r}" if name else ""
                raise invalid(
                    f"it keeps none of the {rows} rows{where}, because the "
                    "model reads the attribute of the original in every new text; check that the "
                    "texts were swapped, and that the model can tell the attributes apart."
                )
        return result

    def _label_names(self, dataset: "AppliedTo") -> tuple[str, ...] | None:
        """Return the names of the `ClassLabel` that the attribute is; see `label_names`."""
        splits = splits_of(dataset)
        namings = {self._names_in(split.features) for split in splits}
        if len(namings) > 1:
            lists = sorted(format_choices(names or ()) or "without names" for names in namings)
            raise invalid(
                f"the splits number the classes of column {self.attribute!r} differently: "
                f"{'; '.join(lists)}; filter each split by itself."
            )
        return next(iter(namings), None)

    def _labels_of(self, batch: Batch) -> tuple[str, ...] | None:
        """Return the names that numbers of a batch stand for; see `label_names`."""
        if self.label_names is not None:
            return self.label_names
        return self._names_in(getattr(batch, "features", None))

    def _names_in(self, features: Mapping[str, Any] | None) -> tuple[str, ...] | None:
        """Return the names of the `ClassLabel` that the attribute is; None without features."""
        from datasets import ClassLabel

        if features is None:
            return None
        kind = features.get(self.attribute or "")
        return tuple(kind.names) if isinstance(kind, ClassLabel) else ()

    def _reader(self) -> AttributeReader:
        """Load the model, and raise where it does not fit."""
        name = str(self.model)
        refuse_changed_model(name, self.digests)
        reading = InferenceOptions(self.batch_size, self.max_length, "float32")
        return AttributeReader.load(
            name, self.revision, classes=tuple(self.classes), reading=reading
        )

    def _new_texts(self, batch: Batch) -> RowTexts:
        """Return the new texts, or raise a sentence about where they come from."""
        names = tuple(self.counterfactual_columns or ())
        refuse_missing_counterfactuals(self.columns, names, batch)
        return RowTexts.read(batch, names, roles=tuple(self.roles))

    def _copied(
        self, old: RowTexts, pairs: Sequence[tuple[Texts | None, Texts | None]]
    ) -> list[bool]:
        """Return which rows are kept as they are: those that mention nobody, and did not change."""
        is_copied = [False] * len(pairs)
        if self.neutral == "copy":
            same = [k for k, (one, other) in enumerate(pairs) if one is not None and one == other]
            for number in same:
                is_copied[number] = True
            (axis,) = self.axes
            for place, readings in mentions_in_rows(
                [old.rows[k] for k in same], [self.table(axis)]
            ):
                if any(reading and reading.mentions for reading in readings):
                    is_copied[same[place]] = False
        return is_copied


def _by_row(texts: RowTexts) -> list[Texts | None]:
    """Return the texts of each row, one for each field; None where one is a null."""
    return [None if None in row else row for row in zip(*texts.by_field(), strict=True)]
