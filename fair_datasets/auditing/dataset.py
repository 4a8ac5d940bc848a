"""Auditing a dataset: every analysis, on rows that are read once, and what they found together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing.audit_input import AuditInput, read_audit_input
from fair_datasets.auditing.biased import biased_part, scores_of
from fair_datasets.auditing.change_findings import compared
from fair_datasets.auditing.classifiers import NoClassifierError, Side, classifier_of
from fair_datasets.auditing.counterfactuals import counterfactual_part
from fair_datasets.auditing.coverage import coverage_part
from fair_datasets.auditing.dropped import Exclusions, dropped_part
from fair_datasets.auditing.findings import (
    CHANGE,
    MEASURES,
    ON_REQUEST,
    Part,
)
from fair_datasets.auditing.impact import impact_part
from fair_datasets.auditing.leaks import leaks_part
from fair_datasets.auditing.names import NAMED
from fair_datasets.auditing.parity import CONTROLLED, NEED_LABELS, SELECTION, predictions_part
from fair_datasets.auditing.record import AuditRecord
from fair_datasets.auditing.reference import read_population, reference_part
from fair_datasets.auditing.representation import association_part, representation_part
from fair_datasets.auditing.rules import WORSE, read_rules
from fair_datasets.auditing.settings import AuditSettings, Commands
from fair_datasets.auditing.terminal import summary
from fair_datasets.cards.croissant import stated_fields
from fair_datasets.rows.arrow import write_parquet
from fair_datasets.rows.given import one_dataset, refuse_absent_roles
from fair_datasets.scores.probes import load_probe
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

    from fair_datasets.cards.croissant import DataFile


@dataclass(frozen=True, kw_only=True)
class Audit(AuditRecord):
    """What `audit` found.

    `print` shows the findings, `save` writes the page, the data and the table.

    Attributes:
        side: What was asked of the rows, for an audit that is compared with this one.
    """

    side: "Side | None" = field(default=None, repr=False, compare=False)

    def check(self, rules: Sequence[str] | str) -> list[str]:
        """Report which rules are broken.

        What could not be measured breaks a rule, too.

        Args:
            rules: Such as `flip_rate > 0.05`: what no figure of the measure may be. An axis, an
                attribute, a label or a split in parentheses says which figures are meant:
                `mention_share(gender, woman) < 0.3`. A rule is about all rows together, unless it
                names a part of them. Where two audits are compared, it is about the one after; the
                name of a measure with `_change` behind it is about what differs:
                `accuracy_change < -0.02`. `worse(flip_rate)` asks whether it is surely worse, and
                `collapsed` whether the classifier is none any more.

        Raises:
            InputError: A rule is written otherwise, or names no measure or place of a figure.

        Example:
            >>> Audit(title="no rows", rows={}, settings={}, parts=()).check("leak_share > 0")
            ['leak_share > 0: leak_share could not be measured: there are no rows to measure it on']
        """
        figures, unmeasured = self.figures, {**ON_REQUEST, **self.unmeasured}
        if self.changes is None:
            why = "there is nothing to compare with (--against)"
            unmeasured |= {f"{name}{CHANGE}": why for name in MEASURES}
        else:
            figures += tuple(pair.figure for pair in self.changes.pairs)
            unmeasured |= self.changes.unmeasured
        places = {place for figure in figures for place in figure.places if place}
        lines = []
        for each in read_rules(rules):
            rule = each.among(places, self.rows)
            if rule.sign != WORSE:
                lines.append(rule.broken(figures, unmeasured, self.findings))
            elif self.changes is None:
                lines.append(f"{rule.text}: there is nothing to compare with (--against)")
            else:
                lines.append(rule.grows_worse(self.changes.worse()))
        return [line for line in lines if line]

    def croissant(
        self, card: Mapping[str, Any] | None = None, files: "Sequence[DataFile]" = ()
    ) -> dict[str, Any]:
        """Describe the dataset by the Croissant vocabulary, with what was found.

        Args:
            card: What people state of it: `license`, `version`, `datePublished`, `citeAs`,
                `dataUseCases` and the other names of `fair_datasets.cards.croissant.FIELDS`.
            files: The files that hold its rows, as `fair_datasets.cards.croissant.data_files`
                finds them.

        Returns:
            The JSON-LD data. `empty_fields` of `fair_datasets.cards` lists what they leave empty.

        Raises:
            InputError: A field of the card is unknown, empty or of another kind.

        Example:
            >>> nothing = Audit(title="a", rows={}, settings={}, parts=())
            >>> nothing.croissant({"license": "mit"})["license"]
            'mit'
        """
        from fair_datasets.auditing.cards import audit_croissant

        stated = stated_fields(card or {})
        rows = list(self.side.material.splits.values()) if self.side else []
        features = rows[0].features if rows else None
        return audit_croissant(self, stated=stated, files=files, features=features)

    def page(self, *, first: str = "", last: str = "") -> str:
        """Return everything as a page of HTML that needs nothing else.

        Args:
            first: HTML that is to stand before everything.
            last: HTML that is to stand behind it.
        """
        from fair_datasets.auditing.page import page

        return page(self, first=first, last=last)

    def save(self, folder: str | PathLike[str]) -> None:
        """Write `audit.html`, `audit.json` and `audit.parquet`."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        (place / "audit.html").write_text(self.page(), encoding="utf-8", errors="replace")
        (place / "audit.json").write_text(self.to_json(), encoding="utf-8")
        self.write_table(place / "audit.parquet")

    def write_table(self, path: Path) -> None:
        """Write the figures as Parquet."""
        write_parquet(self.to_dataset(), path)

    def save_evidence(
        self,
        folder: str | PathLike[str],
        *,
        card: Mapping[str, Any] | None = None,
        files: "Sequence[DataFile]" = (),
    ) -> None:
        """Write what people hand in: the audit with scenarios, tables as CSV, and metadata.

        Args:
            folder: Where to; it is made if it is not there. Its `scenarios.toml` is read and
                kept; where it has none, a draft is written for people to fill in.
            card: What people state of the dataset, as for `croissant`.
            files: The files that hold its rows.

        Raises:
            InputError: The folder holds something else, or a field of the scenarios or of the card
                is empty, unknown or of another kind.
        """
        from fair_datasets.auditing.evidence import (
            SCENARIOS,
            read_scenarios,
            refuse_other_files,
            write_evidence,
        )

        place = Path(folder)
        refuse_other_files(place)
        data, file = self.croissant(card, files), place / SCENARIOS
        given = read_scenarios(file) if file.is_file() else None
        written = file.read_text("utf-8") if given is not None else ""
        place.mkdir(parents=True, exist_ok=True)
        write_evidence(self, place, data, given, written)

    def __str__(self) -> str:
        """Write the findings for a terminal."""
        return summary(self)


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
    """Audit a dataset: whom it mentions, which labels go with whom, what a classifier learns.

    Args:
        columns: The text column or columns; those of `AuditSettings`.
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
        **settings: The fields of `fair_datasets.auditing.settings.AuditSettings`, which says what
            they are: `label`, `predictions`, `groups`, `model`, `axis`, `vectors`, `table` and
            others.

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
        raise invalid(
            "dropped, reason and id_column describe dropped rows; also give the audit "
            "of the rows as they were before (before, --against)."
        )
    words = [source] if isinstance(source, str) else list(source)
    commands = Commands(checked, title, words)
    splits = _splits(dataset)
    # What cannot be read is told before the rows are.
    scores_of(checked)
    if checked.model is not None:
        load_probe(checked.model)
    refuse_absent_roles(dataset, tuple(checked.columns), tuple(checked.roles))
    for file in checked.reference:
        read_population(file)
    data = read_audit_input(splits, checked)
    commands = replace(commands, augmented=data.augmented())
    side = Side(title, data, checked)
    beside = before.side if before else None
    parts: list[Part] = []
    if checked.columns:
        predictions, side = _predictions(side, commands, beside)
        parts = [predictions, *_text_parts(data, commands)]
    if checked.table is not None:
        parts.append(impact_part(data, checked))
    if checked.reference:
        parts.append(reference_part(data, checked))
    if beside and checked.columns and (part := dropped_part(beside, side, known_of)):
        parts.append(part)
    rows = {name: len(split) for name, split in splits.items()}
    audit = Audit(title=title, rows=rows, settings=checked.data(), parts=tuple(parts), side=side)
    if before is None:
        return audit
    return replace(audit, changes=compared(replace(before, changes=None), audit))


def _text_parts(data: AuditInput, commands: Commands) -> tuple[Part, ...]:
    """Measure what the texts say."""
    return (
        leaks_part(data, commands.settings),
        association_part(data, commands),
        biased_part(data, commands.settings, commands),
        representation_part(data, commands),
        coverage_part(data, commands),
    )


def _splits(given: Any) -> "dict[str, Dataset]":
    """Return the splits of what was given; one dataset is one of train."""
    several = dict(given) if isinstance(given, Mapping) else {"train": given}
    splits = {str(name): one_dataset(rows) for name, rows in several.items()}
    if not sum(map(len, splits.values())):
        raise invalid("the dataset has no rows; give one that has some.")
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
        lacking = (*_OF_CLASSIFIERS, *(NAMED if side.settings.name_sensitivity else ()))
        return Part(topic="predictions", unmeasured=dict.fromkeys(lacking, str(error))), side
    asked = beside or side
    part = counterfactual_part(asked.material, asked.settings, classifier, commands)
    return part, side._replace(asked=classifier.asked)
