"""The evidence that people hand in: an audit with its scenarios, its tables and its metadata."""

import csv
import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.auditing.cards import cards_of
from fair_datasets.auditing.findings import RATIOS, SEVERITIES, Figure, Finding
from fair_datasets.auditing.forms import forms
from fair_datasets.auditing.markup import element
from fair_datasets.auditing.page import page
from fair_datasets.auditing.record import AuditRecord
from fair_datasets.auditing.rules import Rule
from fair_datasets.auditing.tables import Cell, Grid
from fair_datasets.cards.croissant import NAME, describe_empty_fields
from fair_datasets.cards.markdown import printable
from fair_datasets.rows.arrow import write_parquet
from fair_datasets.system.checks import InputError, caller_name, error_context, invalid, one_of
from fair_datasets.system.files import indented

SCENARIOS = "scenarios.toml"
_TEMPLATE = "evidence.html.jinja"
AT_MOST, AT_LEAST = "at most", "at least"
_TABLE = "scenario"
_MORE_IS_BETTER = ("accuracy", "precision", "true_positive_rate", "selection_rate", "impact_ratio")
_FIELDS: Mapping[str, str] = {
    "group": "who may be harmed",
    "harm": "how, where the data are used",
    "measure": "the figure that shows it, as --fail-if and --list-figures name it",
    "must_be": f'"{AT_MOST}" or "{AT_LEAST}"',
    "threshold": "the number that it is compared with",
    "threshold_set_by": "who set the threshold, and why there",
    "control": "what is done about it",
    "left": "what harm is still left",
    "look_again": "when somebody looks again, such as 2027-01-31",
}
"""Each field of a scenario, and what it says."""
_DRAFT = """\
# Scenarios: whom what may harm, and what is done about it. This is a draft, which nobody has
# filled in: write what is known in your project, and leave out or add scenarios. Then run the same
# command with --overwrite: this file stays, and the page has the figures beside what it says.
"""


class Scenario(NamedTuple):
    """A harm that may come to somebody, as people describe it."""

    group: str
    harm: str
    measure: str
    must_be: str
    threshold: float
    threshold_set_by: str
    control: str
    left: str
    look_again: date

    @property
    def rule(self) -> Rule:
        """The rule that is broken where the figure is beyond the threshold."""
        sign = ">" if self.must_be == AT_MOST else "<"
        return Rule.read(f"{self.measure} {sign} {self.threshold!r}")

    @property
    def limit(self) -> str:
        """The threshold in words."""
        return f"{self.must_be} {self.threshold:g}"

    def is_met(self, figure: Figure) -> bool:
        """Whether a figure is on the right side of the threshold."""
        if self.must_be == AT_MOST:
            return figure.value <= self.threshold
        return figure.value >= self.threshold

    def is_sure(self, figure: Figure) -> bool:
        """Whether the interval of a figure lies on one side of the threshold."""
        return not figure.low <= self.threshold <= figure.high


class Outcome(NamedTuple):
    """What was measured of a scenario.

    Attributes:
        before: The figures before the control; without one to compare with, all there are.
    """

    scenario: Scenario
    before: Sequence[Figure]
    after: Sequence[Figure]
    why: str = ""

    @property
    def verdict(self) -> str:
        """Whether the threshold is kept, and whether that is sure."""
        known = [each for each in self.after or self.before if not math.isnan(each.value)]
        if not known:
            return "not measured"
        broken = [each for each in known if not self.scenario.is_met(each)]
        is_sure = all(map(self.scenario.is_sure, broken or known))
        return ("exceeded" if broken else "kept") + ("" if is_sure else ", but not surely")


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """Read the scenarios of a file."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read ({error}); repair it, or remove it.") from error
    with error_context(str(path)):
        for key in data:
            one_of(key, [_TABLE], parameter="each table")
    tables = data.get(_TABLE)
    if not isinstance(tables, list) or not tables:
        raise InputError(
            f"{path} has no [[{_TABLE}]]; write one, or remove the file to get a new draft."
        )
    scenarios = []
    for number, each in enumerate(tables, 1):
        with error_context(f"{path}, scenario {number}"):
            scenarios.append(_scenario(each))
    return tuple(scenarios)


def outcomes(audit: AuditRecord, scenarios: Sequence[Scenario]) -> list[Outcome]:
    """Find the figures of scenarios, before and after."""
    sides = [audit.changes.before, audit] if audit.changes else [audit]
    results = []
    for number, scenario in enumerate(scenarios, 1):
        places = {place for side in sides for each in side.figures for place in each.places}
        try:
            rule = scenario.rule.among(places - {""}, audit.rows)
        except InputError as error:
            raise InputError(f"{SCENARIOS}, scenario {number}: {error}") from error
        own = [rule.figures(side.figures) for side in sides]
        is_known = any(not math.isnan(figure.value) for figures in own for figure in figures)
        why = "" if is_known else rule.lacking(own[-1], audit.unmeasured, audit.findings)
        results.append(Outcome(scenario, own[0], own[1] if audit.changes else (), why))
    return results


def draft(audit: AuditRecord) -> str:
    """Write scenarios for people to fill in: one for each cause that an audit found."""
    cards, others = cards_of(audit)
    nothing = Finding(sentence="Nothing was measured.")
    first = next((each for each in others if each.figures), nothing)
    causes = [card.findings[0] for card in cards] or [first]
    return "".join([_DRAFT, *map(_drafted, causes)])


def _drafted(finding: Finding) -> str:
    """Write a scenario of what was found, with the fields empty that nobody can measure."""
    values: dict[str, str] = dict.fromkeys(_FIELDS, "")
    values["control"] = finding.command or finding.advice
    if finding.figures:
        figure = finding.figures[0]
        values["group"] = f"{figure.attribute or 'all'} ({figure.axis})" if figure.axis else ""
        values["measure"] = _name(figure)
        values["must_be"] = _side(figure)
    lines = [f"\n# {printable(finding.sentence)}\n[[{_TABLE}]]\n"]
    lines += [f"# {hint}\n{field} = {_quoted(values[field])}\n" for field, hint in _FIELDS.items()]
    return "".join(lines)


def _name(figure: Figure) -> str:
    """Name a figure as a rule does, by the places that a rule can name."""
    places = [each for each in figure.places if each and not re.search(r"[(),]", each)]
    return f"{figure.measure}({', '.join(places)})" if places else figure.measure


def _side(figure: Figure) -> str:
    """Return on which side of a threshold a figure is to be."""
    # Of what may lie on either side of no difference, too little is told.
    is_too_little = figure.value < (1 if figure.measure in RATIOS else 0)
    return AT_LEAST if is_too_little or figure.measure in _MORE_IS_BETTER else AT_MOST


def _quoted(text: str) -> str:
    """Write a text as TOML has it."""
    written = json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False)
    return written.replace("\x7f", "\\u007f")


def _scenario(table: Any) -> Scenario:
    """Check the fields of a scenario."""
    if not isinstance(table, dict):
        raise InputError(f"{caller_name()} must be a table, with a line for each field.")
    for key in table:
        one_of(key, _FIELDS, parameter="each field")
    values = {field: table.get(field, "") for field in _FIELDS}
    empty = [field for field, value in values.items()
             if isinstance(value, str) and not value.strip()]  # fmt: skip
    if empty:
        gaps = "; ".join(f"{field} ({_FIELDS[field]})" for field in empty)
        raise invalid(
            f"still empty: {gaps}. Fill them in, or remove the scenario; if you remove "
            "the file, a new draft is written."
        )
    one_of(values["must_be"], [AT_MOST, AT_LEAST], parameter="must_be")
    threshold, again = values.pop("threshold"), values.pop("look_again")
    if (
        isinstance(threshold, bool)
        or not isinstance(threshold, int | float)
        or (not math.isfinite(threshold))
    ):
        raise invalid(
            f"threshold must be a number without quotes, such as 0.05, but it is {threshold!r}."
        )
    for field, value in values.items():
        if not isinstance(value, str):
            raise invalid(f"{field} must be a text, but it is {value!r}.")
    scenario = Scenario(threshold=float(threshold), look_again=_date(again), **values)
    scenario.rule  # noqa: B018 - It raises where it is none.
    return scenario


def _date(value: Any) -> date:
    try:
        if isinstance(value, datetime):
            return value.date()
        return value if isinstance(value, date) else date.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise invalid(
            f"look_again must be a day such as 2027-01-31, but it is {value!r}."
        ) from error


TABLES = "tables"
AUDIT_FILES = ("audit.html", "audit.json", "audit.parquet", NAME)
"""What is written of every audit."""
_NO_PROOF = (
    "This folder is evidence of what was measured, and of who set the thresholds. It does not "
    "prove compliance with any law, and does not replace an independent auditor.",
    "Which part answers which question of Article 10 of Regulation (EU) 2024/1689, of NIST's AI "
    "Risk Management Framework and of New York City's Local Law 144: fair-datasets docs evidence.",
    "The tables form_*.csv are drafts of what four laws ask for, with the figures that fill a "
    "field; each says what it rests on.",
)
_HEAD = ("group", "harm", "measure", "threshold", "set by", "control", "before", "after",
         "threshold is", "what is left", "look again")  # fmt: skip


def refuse_other_files(folder: Path) -> None:
    """Raise if a folder holds what no audit with evidence wrote, and would be lost."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the evidence.")
    paths = folder.iterdir() if folder.is_dir() else []
    known = {*AUDIT_FILES, SCENARIOS, TABLES}
    foreign = [path for path in paths if path.name not in known]
    within = folder / TABLES
    if within.is_dir():
        foreign += [path for path in within.iterdir() if path.suffix != ".csv"]
    if foreign:
        raise InputError(
            f"{min(foreign)} was not written by an audit and would be lost; name another folder."
        )


def write_evidence(
    audit: AuditRecord,
    folder: Path,
    croissant: Mapping[str, Any],
    scenarios: Sequence[Scenario] | None,
    written: str = "",
) -> None:
    """Write the evidence into a folder."""
    results = outcomes(audit, scenarios or ())
    gaps = str(element("last", describe_empty_fields(croissant), template=_TEMPLATE))
    html = page(audit, first=_section(results), last=gaps)
    (folder / AUDIT_FILES[0]).write_text(html, encoding="utf-8", errors="replace")
    (folder / AUDIT_FILES[1]).write_text(audit.to_json(), encoding="utf-8")
    write_parquet(audit.to_dataset(), folder / AUDIT_FILES[2])
    (folder / NAME).write_text(f"{indented(croissant)}\n", encoding="utf-8")
    (folder / SCENARIOS).write_text(
        draft(audit) if scenarios is None else written, encoding="utf-8", errors="replace"
    )
    place = folder / TABLES
    place.mkdir(exist_ok=True)
    for old in place.glob("*.csv"):
        old.unlink()
    names: Counter[str] = Counter()
    drafts = forms(audit, croissant, _today().isoformat())
    for name, rows in chain(_tables(audit, results), drafts):
        # Two populations of one file name, or columns that differ in letter case, are two tables.
        names[name] += 1
        end = f"_{names[name]}" if names[name] > 1 else ""
        _write_csv(place / f"{name}{end}.csv", rows)


def _section(results: Sequence[Outcome]) -> str:
    """Write what is told first: the scenarios, and what none of this proves."""
    lines = [list(map(Cell, _cells(result).values())) for result in results]
    grid = Grid("Scenarios, with the figures of this audit", _HEAD, lines)
    day = f"{_today().day} {_today():%B %Y}"
    return str(element("first", day, grid, SCENARIOS, _NO_PROOF, template=_TEMPLATE))


def _cells(result: Outcome) -> dict[str, str]:
    """Write an outcome as a row of a table."""
    scenario = result.scenario
    after = _figures(result.after) or "not compared (--against)"
    before = f"not measured: {result.why}" if result.why else _figures(result.before)
    overdue = " (overdue)" if scenario.look_again < _today() else ""
    values = (
        scenario.group, scenario.harm, scenario.measure, scenario.limit,
        scenario.threshold_set_by, scenario.control, before, after, result.verdict, scenario.left,
        f"{scenario.look_again}{overdue}",
    )  # fmt: skip
    return dict(zip(_HEAD, values, strict=True))


def _today() -> date:
    """Return the day, wherever the machine is."""
    return datetime.now(UTC).date()


def _figures(figures: Sequence[Figure]) -> str:
    """Write figures with their intervals, and where they are from if there are several."""
    several = len(figures) > 1
    return "; ".join(
        f"{figure}{f' ({figure.place})' if several else ''} of {figure.rows:,} rows"
        for figure in figures
    )


def _tables(
    audit: AuditRecord, results: Sequence[Outcome]
) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    """Give each table with its name: the figures of each analysis, and what is said of them."""
    yield "scenarios", map(_cells, results)
    notes = []
    for part in audit.parts:
        yield part.topic, map(_row, part.figures)
        notes += [{"of": part.topic, "note": note} for note in part.notes]
        for each in part.tables:
            yield re.sub(r"\W+", "_", each.title).strip("_").lower(), each.columns()
            notes += [{"of": each.title, "note": note} for note in each.notes]
    yield "notes", notes
    if audit.changes:
        for part in audit.changes.before.parts:
            yield f"{part.topic}_before", map(_row, part.figures)
        yield "changes", (
            {**_row(pair.figure), "before": pair.before.value, "after": pair.after.value,
             "which_is": pair.direction if pair.is_sure else "not sure"}
            for pair in audit.changes.pairs
        )  # fmt: skip
    yield "findings", (
        {"severity": SEVERITIES[each.severity], "sentence": each.sentence, "caution": each.caution,
         "advice": each.advice, "command": each.command}
        for each in audit.findings
    )  # fmt: skip
    yield (
        "not_measured",
        ({"measure": measure, "why": why} for measure, why in audit.unmeasured.items()),
    )


def _row(figure: Figure) -> dict[str, Any]:
    places = ("axis", "attribute", "label", "split")
    order = ["measure", *places, *(each.name for each in fields(Figure))]
    values = asdict(figure)
    return {name: values[name] for name in dict.fromkeys(order)}


def _write_csv(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table; none without rows. What is not defined is an empty cell."""
    lines = list(rows)
    if not lines:
        return
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {name: "" if isinstance(value, float) and math.isnan(value) else value
             for name, value in line.items()}
            for line in lines
        )  # fmt: skip
