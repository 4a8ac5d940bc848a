"""Parallel data: texts with their counterfactuals, which the swap makes and models correct.

Source: Tokpo and Calders (2023), whose four steps these are: dictionary, detector of replaced
tokens, infilling, filter. FairFlow (2024) takes the first three, with another dictionary.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.reader.load import checked_reader
from fair_datasets.reader.matching.pipeline import checked_pipeline
from fair_datasets.rewriters.error_correction import AttributeFilter, Infill, MaskErratic
from fair_datasets.rewriters.error_correction.infill import FILLS, STATUS
from fair_datasets.rewriters.error_correction.mask_erratic import MASK
from fair_datasets.rewriters.error_correction.slots import SPANS
from fair_datasets.rewriters.training.rows import ATTRIBUTE, TEXT
from fair_datasets.scores.probes.config import path_or_name
from fair_datasets.scores.resuming import write_whole
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError
from fair_datasets.technique.contract import Technique

if TYPE_CHECKING:
    from datasets import Dataset

COUNTERFACTUAL = "text_counterfactual"
_NEUTRAL, _UNDONE = "nothing changes", "the repair undoes the swap"
STEPS = ("swap", "repair", "filter")
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
        spare: Words that are never masked: those that were `inserted` by the swap, or all `terms`
            of the axis; None for none.
        infiller: The Hub id or folder of the model that fills the masks; see `Infill`.
        infiller_revision: Of the infiller on the Hub.
        beams: How many beams it has.
        classifier: The Hub id or folder of the classifier of the attribute, which the filter asks;
            None for a linear probe that is trained on the training rows.
        neutral: What becomes of texts in which the swap finds nothing to change: `drop`, or `copy`
            to have the generator learn to leave them as they are.

    Raises:
        InputError: A setting is not what it must be.

    Example:
        >>> ParallelConfig(attribute="gender").detector
        'google/electra-base-discriminator'
    """

    text: str = "text"
    attribute: str | None = None
    attributes: tuple[str, ...] | str = ()
    axis: str = "gender"
    names: bool | None = None
    pipeline: str | None = None
    reader: str | None = None
    detector: str = "google/electra-base-discriminator"
    detector_revision: str | None = None
    trigger: str = "any"
    threshold: float = 0.0
    spare: str | None = None
    infiller: str = "facebook/bart-base"
    infiller_revision: str | None = None
    beams: int = 1
    classifier: str | None = None
    neutral: str = "drop"

    def __post_init__(self) -> None:
        """Check the settings that no technique does, and those that do not need a model."""
        owner = "[parallel]"
        checks.settle(self, path_or_name, "detector", "infiller", owner=owner)
        checks.settle(self, path_or_name, "classifier", owner=owner, optional=True)
        object.__setattr__(self, "pipeline", checked_pipeline(self.pipeline, owner=owner))
        reader = checked_reader(self.reader, self.pipeline, owner=owner)
        object.__setattr__(self, "reader", reader)
        checks.one_of(self.neutral, NEUTRAL, owner=owner, parameter="neutral")
        checks.settle(self, checks.strings, "attributes", owner=owner)
        names = self.attributes
        if names and (len(names) != 2 or names[0] == names[1]):
            raise InputError(f"{owner}: attributes must name two attributes, but it is {names!r}.")
        if self.attribute is None and self.classifier is None:
            raise InputError(
                f"{owner}: nothing says which attribute a text has; name its column as attribute, "
                "or a classifier."
            )

    @property
    def reading(self) -> dict[str, Any]:
        """What the techniques are told that read the axis in the texts."""
        return {name: getattr(self, name) for name in ("axis", "names", "pipeline", "reader")}

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
    owner: str,
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
        raise InputError(
            f"{owner}: no row is left to train on, because the swap changes no text; give texts "
            "with words of the axis, or another axis."
        )
    found = changed
    if steps == "filter" and classifier is not None:
        chosen = AttributeFilter(
            columns=TEXT, counterfactual_columns=COUNTERFACTUAL, attribute=ATTRIBUTE,
            model=classifier, neutral=config.neutral, **config.reading,
        )  # fmt: skip
        found = kept(work / "filtered", lambda: chosen.apply(changed))
        dropped["its attribute stays"] = len(changed) - len(found)
    return Parallel(found, {reason: count for reason, count in dropped.items() if count})


def corrected_rows(config: ParallelConfig, rows: "Dataset", work: Path, *, steps: str) -> "Dataset":
    """Give texts their counterfactuals, without a look at what comes of them."""
    made: list[tuple[str, Technique]] = [
        ("seed", CounterfactualSwap(columns=TEXT, mode="pair", **config.reading))
    ]
    if steps != "swap":
        made += [("masked", masking(config)), ("infilled", infilling(config))]
    swapped = None
    for name, technique in made:
        rows = kept(work / name, lambda rows=rows, technique=technique: technique.apply(rows))  # type: ignore[misc]
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
    """Say why a text and its counterfactual are no pair; None where they are one."""
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
        columns=COUNTERFACTUAL, originals=TEXT if config.spare == "inserted" else (),
        model=config.detector, revision=config.detector_revision, trigger=config.trigger,
        threshold=config.threshold, spare=config.spare, **config.reading,
    )  # fmt: skip


def infilling(config: ParallelConfig) -> Infill:
    """Return what fills the masks."""
    return Infill(
        columns=COUNTERFACTUAL, model=config.infiller, revision=config.infiller_revision,
        beams=config.beams, spans=SPANS,
    )  # fmt: skip


def kept(folder: Path, make: "Callable[[], Dataset]") -> "Dataset":
    """Return rows that are made once, and read from their folder from then on."""
    from datasets import load_from_disk

    if not folder.is_dir():
        rows = make()
        write_whole(folder, lambda path: rows.save_to_disk(path))
    found: Dataset = load_from_disk(folder)
    return found
