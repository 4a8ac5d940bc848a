"""Auditing a dataset: every analysis, on rows that are read once, and what they found together."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing.biased import biased_part, scores_of
from fair_datasets.auditing.change_findings import compared
from fair_datasets.auditing.changes import Changes
from fair_datasets.auditing.classifiers import NoClassifierError, Side, classifier_of
from fair_datasets.auditing.counterfactuals import counterfactual_part
from fair_datasets.auditing.coverage import coverage_part
from fair_datasets.auditing.dropped import Exclusions, dropped_part
from fair_datasets.auditing.findings import (
    CHANGE,
    MEASURES,
    ON_REQUEST,
    SEVERITIES,
    Figure,
    Finding,
    Part,
)
from fair_datasets.auditing.impact import impact_part
from fair_datasets.auditing.leaks import leaks_part
from fair_datasets.auditing.parity import CONTROLLED, NEED_LABELS, SELECTION, predictions_part
from fair_datasets.auditing.reading import Material, read_material
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
from fair_datasets.system.files import indented
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

    from fair_datasets.cards.croissant import DataFile


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What `audit` found.

    `print` shows the findings, `save` writes the page, the data and the table.

    Attributes:
        rows: Split name to its number of rows.
        changes: What differs from the audit that it was compared with; None if with none.
        side: What was asked of the rows, for an audit that is compared with this one.
    """

    title: str
    rows: Mapping[str, int]
    settings: Mapping[str, Any]
    parts: tuple[Part, ...]
    changes: Changes | None = None
    side: "Side | None" = field(default=None, repr=False, compare=False)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, analysis by analysis."""
        return tuple(figure for part in self.parts for figure in part.figures)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings: those of high severity first, and within one severity by analysis."""
        found = [finding for part in self.parts for finding in part.findings]
        return tuple(sorted(found, key=lambda finding: list(SEVERITIES).index(finding.severity)))

    @property
    def unmeasured(self) -> dict[str, str]:
        """Each measure that could not be taken, and why."""
        return {name: why for part in self.parts for name, why in part.unmeasured.items()}

    @property
    def asks_probe(self) -> bool:
        """Whether its classifier is a probe, and neither a model nor a column of predictions."""
        return not (self.settings.get("model") or self.settings.get("predictions"))

    def check(self, rules: Sequence[str] | str) -> list[str]:
        """Tell which rules are broken.

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

    def data(self) -> dict[str, Any]:
        """Return everything as JSON data; what is not defined is null.

        Returns:
            The title, the version of the package, the rows, the settings, the findings in their
            order, the figures, the samples, what could not be measured; and what changed, if two
            audits are compared.
        """
        return {
            "title": self.title,
            "fair_datasets": __version__,
            "rows": dict(self.rows),
            "settings": dict(self.settings),
            "findings": [_plain(asdict(finding)) for finding in self.findings],
            "unmeasured": self.unmeasured,
            "figures": [{"topic": part.topic, **_plain(asdict(figure))}
                        for part in self.parts for figure in part.figures],
            "samples": [{"topic": part.topic, **_plain(asdict(sample))}
                        for part in self.parts for sample in part.samples],
            "tables": [_plain(asdict(table)) for part in self.parts for table in part.tables],
            "notes": [note for part in self.parts for note in part.notes],
            "changes": self.changes and {
                "findings": [_plain(asdict(finding)) for finding in self.changes.findings],
                "figures": [{"direction": pair.direction, **_plain(asdict(pair.figure))}
                            for pair in self.changes.pairs],
                "unmeasured": dict(self.changes.unmeasured),
                "before": self.changes.before.data(),
            },
        }  # fmt: skip

    def to_json(self) -> str:
        """Return everything as JSON."""
        # Half of a letter, which JSON can escape and UTF-8 cannot hold, is escaped.
        return indented(self.data(), allow_nan=False) + "\n"

    def to_dataset(self) -> "Dataset":
        """Return the figures as a dataset, one row each.

        Returns:
            The dataset: the side (before, after or change; empty where nothing is compared), the
            topic, the measure, its place, value, interval and rows; and, of a
            figure that a finding rests on, the severity and the sentence.
        """
        from datasets import Dataset, Features, Value

        before = self.changes.before.parts if self.changes else ()
        rows = [*_rows(self.parts, "after" if self.changes else ""), *_rows(before, "before")]
        if self.changes:
            figures = tuple(pair.figure for pair in self.changes.pairs)
            part = Part(topic="changes", figures=figures, findings=self.changes.findings)
            rows += _rows((part,), "change")
        kinds = {"value": "float64", "low": "float64", "high": "float64", "p_value": "float64",
                 "rows": "int64"}  # fmt: skip
        names = ["side", "topic", *(each.name for each in fields(Figure)), "severity", "sentence"]
        features = Features({name: Value(kinds.get(name, "string")) for name in names})
        return Dataset.from_list(
            [{name: _writable(value) for name, value in row.items()} for row in rows],
            features=features,
        )

    def to_dict(self) -> dict[str, float]:
        """Return the figures as one flat table, as trackers of experiments log it.

        Returns:
            Name to value: the measure, and behind a slash the axis, the attribute, the label and
            the split that it is of, with dots between; `all` where it is of none. What is not
            defined is left out. Where two audits are compared, the figures are those after, and
            what changed has `_change` behind the measure. Letters that a tracker refuses in a name
            are `_`.

        Example:
            >>> from datasets import Dataset
            >>> from fair_datasets import audit
            >>> found = audit(Dataset.from_dict({"text": ["He ran.", "Rain."]}), "text").to_dict()
            >>> found["mention_share/gender.man"]
            0.5
        """
        changed = [pair.figure for pair in self.changes.pairs] if self.changes else []
        found: dict[str, float] = {}
        for figure in (*self.figures, *changed):
            # No name is the folder of another one: some trackers keep a file for each.
            place = ".".join(map(_named, filter(None, figure.places)))
            name = f"{figure.measure}/{place or 'all'}"
            while name in found:
                name += "_"
            if math.isfinite(figure.value):
                found[name] = float(figure.value)
        return found

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


def _rows(parts: Sequence[Part], side: str) -> Iterator[dict[str, Any]]:
    """Give a row for each figure; the first finding that rests on it is told with it."""
    told = {figure: finding for part in reversed(parts) for finding in reversed(part.findings)
            for figure in finding.figures}  # fmt: skip
    for part in parts:
        for figure in part.figures:
            finding = told.get(figure)
            yield {
                "side": side, "topic": part.topic, **_plain(asdict(figure)),
                "severity": finding and finding.severity,
                "sentence": finding and finding.sentence,
            }  # fmt: skip


def _named(place: str) -> str:
    """Write a place as a part of a name that trackers take."""
    return re.sub(r"[^\w.\- ]+", "_", place).strip(" .") or "_"


def _plain(value: Any) -> Any:
    """Return data as JSON has them: NaN and infinity are null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _writable(value: Any) -> Any:
    """Return a text as UTF-8 can hold it."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


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
        return Part(
            topic="predictions", unmeasured=dict.fromkeys(_OF_CLASSIFIERS, str(error))
        ), side
    asked = beside or side
    part = counterfactual_part(asked.material, asked.settings, classifier, commands)
    return part, side._replace(asked=classifier.asked)
