"""The evidence that people hand in: an audit with its scenarios, its tables and its metadata."""

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.auditing.findings import SEVERITIES, Figure
from fair_datasets.auditing.markup import listed, sentence, table, visible
from fair_datasets.auditing.scenarios import SCENARIOS, Outcome, Scenario, draft, outcomes
from fair_datasets.cards.croissant import NAME
from fair_datasets.cards.stated import told_empty
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from fair_datasets.auditing.result import Audit

TABLES = "tables"
AUDIT_FILES = ("audit.html", "audit.json", "audit.parquet", NAME)
"""What is written of every audit."""
_NO_PROOF = (
    "This folder is evidence of what was measured, and of who set the thresholds. It does not "
    "prove compliance with any law, and does not replace an independent auditor.",
    "Which part answers which question of Article 10 of Regulation (EU) 2024/1689, of NIST's AI "
    "Risk Management Framework and of New York City's Local Law 144: fair-datasets docs evidence.",
)
_HEAD = ("group", "harm", "measure", "threshold", "set by", "control", "before", "after",
         "threshold is", "what is left", "look again")  # fmt: skip


def refuse_other_files(folder: Path) -> None:
    """Raise if a folder holds what no audit with evidence wrote, and would be lost.

    Args:
        folder: The folder; it need not be there.

    Raises:
        InputError: It is a file, or holds something else.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the evidence.")
    found = folder.iterdir() if folder.is_dir() else []
    known = {*AUDIT_FILES, SCENARIOS, TABLES}
    foreign = [path for path in found if path.name not in known]
    within = folder / TABLES
    if within.is_dir():
        foreign += [path for path in within.iterdir() if path.suffix != ".csv"]
    if foreign:
        raise InputError(
            f"{min(foreign)} was not written by an audit and would be lost; name another folder."
        )


def write_evidence(
    found: "Audit",
    folder: Path,
    croissant: Mapping[str, Any],
    scenarios: Sequence[Scenario] | None,
    written: str = "",
) -> None:
    """Write the evidence into a folder.

    Args:
        scenarios: The scenarios; None for a draft of them.
        written: The text of the file that they were read from.

    Raises:
        InputError: A scenario names a place of a figure that there is not.
    """
    results = outcomes(found, scenarios or ())
    page = found.page(first=_section(results), last=_left(croissant))
    (folder / AUDIT_FILES[0]).write_text(page, encoding="utf-8", errors="replace")
    (folder / AUDIT_FILES[1]).write_text(found.to_json(), encoding="utf-8")
    found.write_table(folder / AUDIT_FILES[2])
    (folder / NAME).write_text(f"{json.dumps(croissant, indent=2)}\n", encoding="utf-8")
    (folder / SCENARIOS).write_text(
        draft(found) if scenarios is None else written, encoding="utf-8", errors="replace"
    )
    place = folder / TABLES
    place.mkdir(exist_ok=True)
    for old in place.glob("*.csv"):
        old.unlink()
    names: Counter[str] = Counter()
    for name, rows in _tables(found, results):
        # Two populations of one file name, or columns that differ in letter case, are two tables.
        names[name] += 1
        end = f"_{names[name]}" if names[name] > 1 else ""
        _write_csv(place / f"{name}{end}.csv", rows)


def _section(results: Sequence[Outcome]) -> str:
    """Write what is told first: the scenarios, and what none of this proves."""
    lines = [[(visible(cell), False) for cell in _cells(result).values()] for result in results]
    told = table("Scenarios, with the figures of this audit", _HEAD, lines)
    if not results:
        told = (
            f"<p>{sentence(f'Nobody has described a scenario: {SCENARIOS} is a draft.')} "
            f"{sentence('Fill it in, and run the same command with --overwrite.')}</p>\n"
        )
    return (
        '<section id="scenarios" aria-labelledby="scenarios-title">\n'
        f'<h2 id="scenarios-title">Evidence of {_today().day} {_today():%B %Y}</h2>\n{told}'
        f"{listed(_NO_PROOF, 'dim')}</section>\n"
    )


def _left(croissant: Mapping[str, Any]) -> str:
    """Say at the end what the metadata leave empty."""
    told = told_empty(croissant)
    if not told:
        return ""
    return (
        '<section id="empty" aria-labelledby="empty-title">\n'
        '<h2 id="empty-title">What nobody has stated yet</h2>\n'
        f"<p>{sentence(told)}</p>\n</section>\n"
    )


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
    found: "Audit", results: Sequence[Outcome]
) -> Iterator[tuple[str, Iterable[Mapping[str, Any]]]]:
    """Give each table with its name: the figures of each analysis, and what is said of them."""
    yield "scenarios", map(_cells, results)
    notes = []
    for part in found.parts:
        yield part.topic, map(_row, part.figures)
        notes += [{"of": part.topic, "note": note} for note in part.notes]
        for each in part.tables:
            yield re.sub(r"\W+", "_", each.title).strip("_").lower(), each.columns()
            notes += [{"of": each.title, "note": note} for note in each.notes]
    yield "notes", notes
    if found.changes:
        for part in found.changes.before.parts:
            yield f"{part.topic}_before", map(_row, part.figures)
        yield "changes", (
            {**_row(pair.figure), "before": pair.before.value, "after": pair.after.value,
             "which_is": pair.direction if pair.is_sure else "not sure"}
            for pair in found.changes.pairs
        )  # fmt: skip
    yield "findings", (
        {"severity": SEVERITIES[each.severity], "sentence": each.sentence, "caution": each.caution,
         "advice": each.advice, "command": each.command}
        for each in found.findings
    )  # fmt: skip
    yield (
        "not_measured",
        ({"measure": measure, "why": why} for measure, why in found.unmeasured.items()),
    )


def _row(figure: Figure) -> dict[str, Any]:
    """Write a figure as a row of a table."""
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
