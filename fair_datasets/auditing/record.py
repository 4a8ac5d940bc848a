"""What an audit found, as a record: figures, findings and samples, and what differs from another.

A terminal, a page, cards, metadata and evidence are made of it, and so are JSON and tables.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing.changes import Change
from fair_datasets.auditing.findings import SEVERITIES, Figure, Finding, Part
from fair_datasets.system.files import indented
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What differs between two audits.

    Attributes:
        unmeasured: Each change that could not be measured, and why.
    """

    before: "AuditRecord"
    pairs: tuple[Change, ...]
    findings: tuple[Finding, ...]
    unmeasured: Mapping[str, str]

    def worse(self) -> list[tuple[Figure, bool]]:
        """Return each figure after the change, and whether it is surely worse than before."""
        return [(pair.after, pair.is_sure and pair.direction == "worse") for pair in self.pairs]


@dataclass(frozen=True, kw_only=True)
class AuditRecord:
    """What an audit found.

    Attributes:
        rows: Split name to its number of rows.
        changes: What differs from the audit that it was compared with; None if with none.
    """

    title: str
    rows: Mapping[str, int]
    settings: Mapping[str, Any]
    parts: tuple[Part, ...]
    changes: Changes | None = None

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, analysis by analysis."""
        return tuple(figure for part in self.parts for figure in part.figures)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings: those of high severity first, and within one severity by analysis."""
        findings = [finding for part in self.parts for finding in part.findings]
        return tuple(sorted(findings, key=lambda finding: list(SEVERITIES).index(finding.severity)))

    @property
    def unmeasured(self) -> dict[str, str]:
        """Each measure that could not be taken, and why."""
        return {name: why for part in self.parts for name, why in part.unmeasured.items()}

    @property
    def asks_probe(self) -> bool:
        """Whether its classifier is a probe, and neither a model nor a column of predictions."""
        return not (self.settings.get("model") or self.settings.get("predictions"))

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
        values: dict[str, float] = {}
        for figure in (*self.figures, *changed):
            # No name is the folder of another one: some trackers keep a file for each.
            place = ".".join(map(_named, filter(None, figure.places)))
            name = f"{figure.measure}/{place or 'all'}"
            while name in values:
                name += "_"
            if math.isfinite(figure.value):
                values[name] = float(figure.value)
        return values


def _rows(parts: Sequence[Part], side: str) -> Iterator[dict[str, Any]]:
    """Give a row for each figure; the first finding that rests on it is told with it."""
    findings = {figure: finding for part in reversed(parts) for finding in reversed(part.findings)
            for figure in finding.figures}  # fmt: skip
    for part in parts:
        for figure in part.figures:
            finding = findings.get(figure)
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
