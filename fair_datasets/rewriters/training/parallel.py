"""Parallel data: texts with their counterfactuals, which the swap makes and models correct.

Source: Tokpo and Calders (2023), whose four steps these are: dictionary, detector of replaced
tokens, infilling, filter. FairFlow (2024) takes the first three, with another dictionary.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from fair_datasets.reader.load import checked_reader
from fair_datasets.reader.matching.pipeline import checked_pipeline
from fair_datasets.rewriters.error_correction import AttributeFilter, Infill, MaskErratic
from fair_datasets.rewriters.error_correction.infill import FILLS, STATUS
from fair_datasets.rewriters.error_correction.mask_erratic import MASK, SPARED
from fair_datasets.rewriters.error_correction.slots import SPANS, TRIGGERS
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.draws import plain
from fair_datasets.rows.given import one_dataset
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.probe import load_probe, predict_logits
from fair_datasets.scores.probes.train import train_probes
from fair_datasets.selection.thresholds import Threshold
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system import checks
from fair_datasets.system.checks import error_context, invalid, warn
from fair_datasets.system.resume import write_atomically
from fair_datasets.system.validate import (
    AxisName,
    Count,
    OneOf,
    Revision,
    Strings,
    path_or_name,
    validate_fields,
)
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset


TEXT, ATTRIBUTE = "text", "attribute"
_EPOCHS = 20


class AttributedRows(NamedTuple):
    """Texts and the attribute of each.

    Attributes:
        rows: The columns `text` and `attribute`, the number of a name, a null where it is not
            known; and that of a label, where one was named.
    """

    rows: "Dataset"
    names: tuple[str, str]
    dropped: dict[str, int]


def attributed_rows(
    dataset: "Dataset",
    *,
    text: str,
    attribute: str | None,
    names: Sequence[str],
    classifier: str | None,
    label: str | None = None,
) -> AttributedRows:
    """Read texts and the attribute that each is of.

    Args:
        text: The column of the texts; rows without a text are left out.
        attribute: The column of the attribute, with a null or an empty text where it is not known;
            None to have the classifier read it.
        names: What it calls the two attributes, in the order of the classifier's classes; none for
            what the classifier calls them, or else the two values of the column.
    """
    from datasets import Dataset, Features, Value, concatenate_datasets

    given = one_dataset(dataset, rows=True).with_format(None)
    named_columns = [text, *(name for name in (attribute, label) if name is not None)]
    column_checks.present(named_columns, given.column_names)
    if label in (TEXT, ATTRIBUTE):
        raise invalid(f"the column of a label cannot be called {label!r}; rename it.")
    read = column_checks.texts({text: given[text][:]}, text)
    numbers = [number for number, each in enumerate(read) if each is not None and each.strip()]
    texts = [str(read[number]) for number in numbers]
    if not texts:
        raise invalid(f"column {text!r} holds no text; name the column of the texts.")
    labels = _labels(classifier) if classifier is not None else ()
    if attribute is None:
        classes = predict_logits(str(classifier), texts).argmax(1).tolist()
        known = tuple(names) or labels
    else:
        named = _named(given, attribute, numbers)
        known = _names(named, tuple(names), labels, column=attribute)
        classes = [None if value is None else known.index(value) for value in named.values()]
    refuse_one_class(classes, known)
    features: Features = Features({TEXT: Value("string"), ATTRIBUTE: Value("int64")})
    rows = Dataset.from_dict({TEXT: texts, ATTRIBUTE: classes}, features=features)
    if label is not None:
        labels = given.select(numbers).select_columns([label])
        if {*labels[label]} <= {"0", "1"}:  # A CSV file has texts for numbers.
            labels = labels.cast_column(label, Value("int64"))
        rows = concatenate_datasets([rows, labels], axis=1)
    empty = len(given) - len(texts)
    return AttributedRows(rows, (known[0], known[1]), {"no text": empty} if empty else {})


def refuse_one_class(classes: Sequence[int | None], names: Sequence[str]) -> None:
    """Raise unless both attributes occur."""
    for number, name in enumerate(names):
        if number not in classes:
            raise invalid(
                f"no row has the attribute {name!r}, and training needs rows of both; "
                "add some, or give larger shares."
            )


def class_numbers(
    classifier: str, names: Sequence[str], given: Sequence[str], *, parameter: str
) -> tuple[int, int]:
    """Return the number of the attribute that each class of a classifier stands for."""
    labels = _labels(classifier)
    order = tuple(given) or labels
    if set(order) != set(names):
        raise invalid(
            f"the attributes are {checks.format_choices(names)}, but the classes of "
            f"{classifier!r} are {checks.format_choices(order)}; use {parameter} to say which "
            "attribute each class is, in their order."
        )
    return names.index(order[0]), names.index(order[1])


def linear_classifier(rows: "Dataset", folder: Path) -> str:
    """Train a linear probe of the attribute, in seconds."""
    settings = ProbeConfig(
        out=folder, columns=TEXT, label=ATTRIBUTE, model="linear", seeds=1, epochs=_EPOCHS
    )
    labelled = rows.filter(lambda row: row[ATTRIBUTE] is not None)
    return train_probes(settings, labelled)[0][-1]


def _named(given: "Dataset", column: str, numbers: Sequence[int]) -> dict[int, str | None]:
    """Return what the values of the attribute's column are called, by row, for some rows."""
    from datasets import ClassLabel

    kind = given.features[column]
    values: list[Any] = given[column][:]
    named: dict[int, str | None] = {}
    for number in numbers:
        value = values[number]
        # A file of rows has nothing else for a null.
        if column_checks.is_null(value) or value == "":
            named[number] = None
        elif isinstance(kind, ClassLabel):
            named[number] = kind.int2str(value)
        else:
            named[number] = str(plain(value))
    return named


def _labels(classifier: str) -> tuple[str, ...]:
    """Return what a classifier calls its two classes; their numbers where it has no names."""
    probe = load_probe(classifier)
    if probe.classes != 2:
        raise invalid(
            f"the classifier {classifier!r} has {probe.classes} classes, but there are "
            "two attributes; choose another classifier."
        )
    loaded = getattr(probe, "loaded", None)
    labels = {} if loaded is None else loaded.model.config.id2label
    return tuple(str(labels.get(number, number)) for number in range(2))


def _names(
    values: Mapping[int, str | None], given: tuple[str, ...], labels: tuple[str, ...], *,
    column: str) -> tuple[str, ...]:  # fmt: skip
    """Return what the two attributes are called, in the order of the classifier's classes."""
    held = sorted({value for value in values.values() if value is not None})
    if len(held) < 2:
        text = f"{held[0]!r} alone" if held else "no attribute"
        raise invalid(
            f"column {column!r} holds {text}, and training needs rows of two attributes; add some."
        )
    known = given or labels or tuple(held)
    if set(held) <= set(known) and len(known) == 2:
        return known
    others = [row for row, value in values.items() if value not in (None, *known)]
    where = f" (a third in row {others[0]}, counted from 0)" if others else ""
    two = f" values, {checks.format_choices(known)} here" if len(known) == 2 else ""
    raise invalid(
        f"column {column!r} holds {checks.format_first(held)}{where}, but a rewriter is trained on "
        f"two{two}; drop the rows of the other values, or use attributes to say what the column "
        "calls the two, in the order of the classifier's classes."
    )


COUNTERFACTUAL = "text_counterfactual"
_NEUTRAL, _UNDONE = "nothing changes", "the repair undoes the swap"
NEUTRAL = ("drop", "copy")


@dataclass(frozen=True, kw_only=True)
class ParallelConfig:
    """How texts get the counterfactuals that a generator is trained on: the table `[parallel]`.

    Attributes:
        text: The column of the texts.
        attribute: The column of the attribute that each text is of; None to have the classifier
            read it.
        attributes: What that column calls the two attributes, in the order of the classifier's
            classes; none for the names that the classifier has, or, where it is trained here, for
            the two values of the column.
        axis: The axis of the swap: a shipped lexicon's name, or the path of a `.tsv` file.
        names: Whether names are swapped; see `CounterfactualSwap`, as for the next two.
        pipeline: A trained spaCy pipeline that tells terms from other words.
        reader: A token classifier that tells names and pronouns.
        detector: The Hub id or folder of the detector of wrong words; see `MaskErratic`, as for the
            next four.
        detector_revision: Of the detector on the Hub.
        trigger: Whether `any` piece of a word has it masked, or its `head` alone.
        threshold: The logit above which a piece is wrong.
        never_mask: Words that are not masked: those that the swap `inserted`, or all `terms` of
            the axis; None for none.
        infiller: The Hub id or folder of the model that fills the masks; see `Infill`.
        infiller_revision: Of the infiller on the Hub.
        beams: How many beams it has.
        classifier: The Hub id or folder of the classifier of the attribute, which the filter asks;
            None for a linear probe that is trained on the training rows.
        neutral: What becomes of texts in which the swap finds nothing to change: `drop`, or `copy`
            to have the generator learn to leave them as they are.
        spare: `never_mask`, by its former name, for one release.

    Raises:
        InputError: A setting is not what it must be.

    Example:
        >>> ParallelConfig(attribute="gender").detector
        'google/electra-base-discriminator'
    """

    text: ColumnName = "text"
    attribute: ColumnName | None = None
    attributes: Strings = ()
    axis: AxisName = "gender"
    names: bool | None = None
    pipeline: str | None = None
    reader: str | None = None
    detector: Annotated[str, path_or_name] = "google/electra-base-discriminator"
    detector_revision: Revision | None = None
    trigger: Annotated[str, OneOf(TRIGGERS)] = "any"
    threshold: Threshold = 0.0
    never_mask: Annotated[str, OneOf(SPARED)] | None = None
    infiller: Annotated[str, path_or_name] = "facebook/bart-base"
    infiller_revision: Revision | None = None
    beams: Count = 1
    classifier: Annotated[str, path_or_name] | None = None
    neutral: Annotated[str, OneOf(NEUTRAL)] = "drop"
    spare: InitVar[str | None] = None

    @error_context("[parallel]")
    def __post_init__(self, spare: str | None) -> None:
        """Check the settings that no technique does, and those that do not need a model."""
        if spare is not None:
            object.__setattr__(self, "never_mask", spare)
            warn("rename spare to never_mask.", FutureWarning)
        validate_fields(self)
        object.__setattr__(self, "pipeline", checked_pipeline(self.pipeline))
        reader = checked_reader(self.reader, self.pipeline)
        object.__setattr__(self, "reader", reader)
        names = self.attributes
        if names and (len(names) != 2 or names[0] == names[1]):
            raise invalid(f"attributes must name two attributes, but it is {names!r}.")
        if self.attribute is None and self.classifier is None:
            raise invalid(
                "nothing says which attribute a text has; name its column as attribute, "
                "or a classifier."
            )

    @property
    def reading(self) -> dict[str, Any]:
        """What the techniques are told that read the axis in the texts."""
        names = ("axis", "names", "pipeline", "reader")
        return {"protect": (), **{name: getattr(self, name) for name in names}}

    def models(self, steps: str) -> Iterator[str]:
        """Yield the models that the steps up to one need.

        Yields:
            Their Hub ids or folders.
        """
        if steps != "swap":
            yield from (self.detector, self.infiller)
        if self.classifier is not None:
            yield self.classifier


class Parallel(NamedTuple):
    """Texts with their counterfactuals.

    Attributes:
        rows: The columns `text`, `attribute` and `text_counterfactual`.
    """

    rows: "Dataset"
    dropped: dict[str, int]


def parallel_rows(
    config: ParallelConfig,
    rows: "Dataset",
    work: Path,
    *,
    steps: str,
    classifier: str | None = None,
) -> Parallel:
    """Give texts their counterfactuals, and leave out those that are none.

    Each step is kept in a folder, whole or not at all; what is there is not made again.

    Args:
        steps: The last step: `swap`, `repair` (the detector and the infiller) or `filter`.
    """
    swapped = corrected_rows(config, rows, work, steps="swap")
    corrected = corrected_rows(config, rows, work, steps=steps)
    pairs = zip(corrected[TEXT], swapped[COUNTERFACTUAL], corrected[COUNTERFACTUAL], strict=True)
    what = [_what_changes(text, swap, new) for text, swap, new in pairs]
    wanted = (None, _NEUTRAL) if config.neutral == "copy" else (None,)
    changed = corrected.select([row for row, why in enumerate(what) if why in wanted])
    dropped = {why: what.count(why) for why in (_NEUTRAL, _UNDONE) if why not in wanted}
    if not len(changed):
        raise invalid(
            "no row is left to train on, because the swap changes no text; give texts "
            "with words of the axis, or another axis."
        )
    remaining = changed
    if steps == "filter" and classifier is not None:
        chosen = AttributeFilter(
            columns=TEXT, counterfactual_columns=COUNTERFACTUAL, attribute=ATTRIBUTE,
            model=classifier, neutral=config.neutral, **config.reading,
        )  # fmt: skip
        remaining = cached_step(work / "filtered", chosen, changed)
        dropped["its attribute stays"] = len(changed) - len(remaining)
    return Parallel(remaining, {reason: count for reason, count in dropped.items() if count})


def corrected_rows(config: ParallelConfig, rows: "Dataset", work: Path, *, steps: str) -> "Dataset":
    """Give texts their counterfactuals, without a look at what comes of them."""
    made: list[tuple[str, Technique]] = [
        ("seed", CounterfactualSwap(columns=TEXT, mode="pair", **config.reading))
    ]
    if steps != "swap":
        made += [("masked", masking(config)), ("infilled", infilling(config))]
    swapped = None
    for name, technique in made:
        rows = cached_step(work / name, technique, rows)
        swapped = rows if swapped is None else swapped
    logs = [name for name in (SPANS, STATUS, FILLS) if name in rows.column_names]
    rows = rows.remove_columns(logs)
    return rows if swapped is None or steps == "swap" else _as_they_were(rows, swapped)


def _as_they_were(rows: "Dataset", swapped: "Dataset") -> "Dataset":
    """Undo the repair of texts in which the swap found nothing: nobody is mentioned in them."""
    texts = [
        text if text == swap else new
        for text, swap, new in zip(
            rows[TEXT], swapped[COUNTERFACTUAL], rows[COUNTERFACTUAL], strict=True
        )
    ]
    feature = rows.features[COUNTERFACTUAL]
    return rows.remove_columns(COUNTERFACTUAL).add_column(COUNTERFACTUAL, texts, feature=feature)


def _what_changes(text: str, swap: str, new: str) -> str | None:
    """Return why a text and its counterfactual are no pair; None where they are one."""
    if text == swap:
        return _NEUTRAL
    return _UNDONE if text == new else None


def refuse_unfit_models(config: ParallelConfig, *, steps: str) -> None:
    """Open the models of the steps, and raise before any work where one does not suit."""
    if steps == "swap":
        return
    batch: dict[str, list[Any]] = {TEXT: ["He left."], COUNTERFACTUAL: ["She left."]}
    masking(config)(batch)
    Infill(
        columns=COUNTERFACTUAL, model=config.infiller, revision=config.infiller_revision,
        beams=config.beams,
    )({COUNTERFACTUAL: [f"She {MASK}."]})  # fmt: skip


def masking(config: ParallelConfig) -> MaskErratic:
    """Return what masks the wrong words of counterfactuals."""
    return MaskErratic(
        columns=COUNTERFACTUAL, originals=TEXT if config.never_mask == "inserted" else (),
        model=config.detector, revision=config.detector_revision, trigger=config.trigger,
        threshold=config.threshold, never_mask=config.never_mask, **config.reading,
    )  # fmt: skip


def infilling(config: ParallelConfig) -> Infill:
    """Return what fills the masks."""
    return Infill(
        columns=COUNTERFACTUAL, model=config.infiller, revision=config.infiller_revision,
        beams=config.beams, spans=SPANS,
    )  # fmt: skip


def cached_step(folder: Path, technique: Technique, rows: "Dataset") -> "Dataset":
    """Return what a technique makes of rows, once, and read from its folder from then on."""
    from datasets import load_from_disk

    if not folder.is_dir():
        made = technique.apply(rows)
        write_atomically(folder, lambda path: made.save_to_disk(path))
    cached: Dataset = load_from_disk(folder)
    return cached
