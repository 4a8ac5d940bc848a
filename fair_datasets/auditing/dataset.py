"""Auditing a dataset: every analysis, on rows that are read once."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing.association import association_part
from fair_datasets.auditing.biased import biased_part, scores_of
from fair_datasets.auditing.change_findings import compared
from fair_datasets.auditing.classifiers import NoClassifierError, Side, classifier_of
from fair_datasets.auditing.commands import Commands
from fair_datasets.auditing.controls import CONTROLLED
from fair_datasets.auditing.counterfactuals import counterfactual_part
from fair_datasets.auditing.coverage import coverage_part
from fair_datasets.auditing.dropped import Exclusions, dropped_part
from fair_datasets.auditing.findings import Part
from fair_datasets.auditing.impact import impact_part
from fair_datasets.auditing.leaks import leaks_part
from fair_datasets.auditing.parity import NEED_LABELS, SELECTION
from fair_datasets.auditing.predictions import predictions_part
from fair_datasets.auditing.reading import Material, read_material
from fair_datasets.auditing.reference import read_population, reference_part
from fair_datasets.auditing.representation import representation_part
from fair_datasets.auditing.result import Audit
from fair_datasets.auditing.settings import OWNER, AuditSettings
from fair_datasets.rows.given import one_dataset, refuse_absent_roles
from fair_datasets.scores.probes import load_probe
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

_OF_CLASSIFIERS = ("flip_rate", *CONTROLLED, *SELECTION[:2], *NEED_LABELS)


def audit(
    dataset: "Dataset | DatasetDict",
    columns: tuple[str, ...] | str = (),
    *,
    title: str = "dataset",
    source: Sequence[str] | str = (),
    before: Audit | None = None,
    dropped: str | PathLike[str] | None = None,
    reason: str | None = None,
    id_column: str | None = None,
    **settings: Any,
) -> Audit:
    """Audit a dataset: whom it speaks of, what its labels go with, and what a classifier learns.

    Args:
        dataset: The rows, or splits of them.
        columns: The text column or columns, or paths into them; see `CounterfactualSwap`. Impact
            tables and shares of a population need none.
        source: The words that name the rows for a command of the shell, such as `tweets.csv`, so
            that findings can name the next command.
        before: The audit of what the rows were, or of another classifier, to compare with: both
            classifiers are asked about the same rows, those that the one before was asked about,
            and neither learns from them. Where rows of it are missing here, as behind a filter,
            it is told of whom.
        dropped: The file or folder of the rows that the filter dropped, as exclusion writers of
            datatrove and the tracer of Data-Juicer write them, to tell for which reason.
        reason: The column that says why: in `dropped`, else in the rows before.
        id_column: The column by which rows are known before, after and in `dropped`, where their
            texts were rewritten (default: by their texts).
        **settings: `label`, `predictions` and `groups`: columns of classes, of which `groups` may
            be several, which are also compared together. `label_names`: what labels mean, such as
            `{0: "harmless", 1: "sexist"}`, where they are no `ClassLabel`. `model`: the folder or
            Hub id of a classifier that is asked in place of the column of predictions; without
            either, a probe is trained on the labels. `axis`: one axis or several (default:
            gender); `names`: whether names are read, `pipeline` or `reader`: what tells them, and
            `min_confidence`: which rows are left alone, as for `CounterfactualSwap`; `roles`: whose
            texts of a conversation are read. `vectors`, `encoder`, `direction` and `centred`: how
            words are scored, as for `BiasScore`.
            `table="impact"`: impact tables of `groups`, with `selected`, the column that tells who
            was selected, or `score`, that of scores; `exclude_below` (at most 0.02) leaves small
            categories out, and `why` is the reason. `reference`: a CSV file, or several, with the
            shares of a population: a column for each column of groups, and `share`.
            `samples`: how many rows are shown of each kind (5); 0 for none.
            `model_rows`: about how many rows a classifier or an encoder is asked at most (10,000).
            `draws`: how many placebo draws counterfactual figures are compared with (99); with
            fewer, none of them has a colour. `seed`: of all draws (0).

    Returns:
        The figures, the findings and the samples; and what differs from the audit before, as
        `changes`.

    Raises:
        InputError: A setting is wrong, a column or a file is missing or holds what it must not, or
            the audit before has no figure in common.

    Example:
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({"text": ["He is a nurse.", "She is a nurse.", "He ran."]})
        >>> found = audit(rows, "text")
        >>> [str(each) for each in found.figures if each.measure == "mention_balance"]
        ['0.667 [0.208, 0.939]']
    """
    known = {field.name for field in fields(AuditSettings)} - {"columns"}
    for name in settings:
        if name not in known:
            raise TypeError(f"audit() got an unexpected keyword argument {name!r}")
    checked = AuditSettings(columns=columns, **settings)
    known_of = Exclusions(
        dropped=None if dropped is None else fspath(dropped), reason=reason, id_column=id_column
    )
    if before is None and known_of != Exclusions():
        raise InputError(
            f"{OWNER}: dropped, reason and id_column describe dropped rows; give the audit of the "
            "rows before as well (before, --against)."
        )
    words = [source] if isinstance(source, str) else list(source)
    commands = Commands(checked, title, words)
    splits = _splits(dataset)
    # What cannot be read is told before the rows are.
    scores_of(checked)
    if checked.model is not None:
        load_probe(checked.model, owner=OWNER)
    refuse_absent_roles(dataset, tuple(checked.columns), tuple(checked.roles), owner=OWNER)
    for file in checked.reference:
        read_population(file)
    material = read_material(splits, checked)
    commands = replace(commands, augmented=material.augmented())
    side = Side(title, material, checked)
    beside = before.side if before else None
    parts: list[Part] = []
    if checked.columns:
        predictions, side = _predictions(side, commands, beside)
        parts = [predictions, *_text_parts(material, commands)]
    if checked.table is not None:
        parts.append(impact_part(material, checked))
    if checked.reference:
        parts.append(reference_part(material, checked))
    if beside and checked.columns and (part := dropped_part(beside, side, known_of)):
        parts.append(part)
    rows = {name: len(split) for name, split in splits.items()}
    found = Audit(title=title, rows=rows, settings=checked.data(), parts=tuple(parts), side=side)
    if before is None:
        return found
    return replace(found, changes=compared(replace(before, changes=None), found))


def _text_parts(material: Material, commands: Commands) -> tuple[Part, ...]:
    """Measure what the texts say."""
    return (
        leaks_part(material, commands.settings),
        association_part(material, commands),
        biased_part(material, commands.settings, commands),
        representation_part(material, commands),
        coverage_part(material, commands),
    )


def _splits(given: Any) -> "dict[str, Dataset]":
    """Return the splits of what was given; one dataset is one of train."""
    several = dict(given) if isinstance(given, Mapping) else {"train": given}
    splits = {str(name): one_dataset(rows, owner=OWNER) for name, rows in several.items()}
    if not sum(map(len, splits.values())):
        raise InputError(f"{OWNER}: the dataset has no rows; give one that has some.")
    return splits


def _predictions(side: Side, commands: Commands, before: Side | None) -> tuple[Part, Side]:
    """Measure predictions, and tell what was asked: those of a column, of a model or of a probe."""
    if side.material.predictions is not None:
        return predictions_part(side.material), side
    # A column of predictions says nothing of which rows may be asked about.
    beside = before if before and before.asked is not None else None
    try:
        classifier = classifier_of(side, beside)
    except NoClassifierError as error:
        return Part(
            topic="predictions", unmeasured=dict.fromkeys(_OF_CLASSIFIERS, str(error))
        ), side
    asked = beside or side
    part = counterfactual_part(asked.material, asked.settings, classifier, commands)
    return part, side._replace(asked=classifier.asked)
