"""Reproducing a table: the plan, a trial, the runs that are left, and our figures beside theirs."""

import json
import math
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from filelock import Timeout

from fair_datasets.cards.report import markdown_table, save_picture
from fair_datasets.cards.report.pictures import name_rows
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, require
from fair_datasets.system.files import indented, temporary_folder, write_file
from fair_datasets.version import __version__
from hub_scripts.encoders.encoders import t_interval
from hub_scripts.papers.frame import SOURCES, Run, Work

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TRIAL = 0.01
# What `accelerate launch` and torchrun tell each of the processes that they start.
_LAUNCHED = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE")


@dataclass(frozen=True)
class Cell:
    """A figure of ours beside the printed one.

    Attributes:
        skip_reason: Why there is no value of ours.
        unprinted: Why no printed figure stands beside it, where the paper has one.
        is_median: Whether our value is the median over the seeds, as the paper's; else the mean.
    """

    row: str
    column: str
    values: tuple[float, ...] = ()
    printed: float | None = None
    skip_reason: str = ""
    unprinted: str = ""
    is_median: bool = False

    @property
    def mean(self) -> float | None:
        """Our value: the mean over the seeds, or their median."""
        if self.is_median and self.values:
            return median(self.values)
        return math.fsum(self.values) / len(self.values) if self.values else None

    def plain(self) -> dict[str, Any]:
        """Return the cell as data for JSON."""
        low, high = t_interval(self.values) or (None, None)
        both = self.mean is not None and self.printed is not None
        return {
            "row": self.row, "column": self.column, "ours": self.mean, "low": low, "high": high,
            "seeds": len(self.values), "printed": self.printed,
            "difference": self.mean - self.printed if both else None,  # type: ignore[operator]
            "left": self.skip_reason, "unprinted": self.unprinted,
        }  # fmt: skip


def plan(work: Work) -> str:
    """Return in Markdown what a table needs, and how many runs there are; nothing is fetched."""
    runs = list(work.paper.tables[work.table](work))
    done = sum(_file(work, run).exists() for run in runs)
    skipped = sum(bool(run.skip_reason) for run in runs)
    counts = f"{len(runs) - skipped} runs; {done} are done"
    tables = [("Models", _places(work, "models")), ("Data", _places(work, "data")),
              ("Settings", _settings(work))]  # fmt: skip
    sections = [f"### {name}\n\n{markdown_table(rows)}" for name, rows in tables if rows]
    return "\n\n".join([f"## {_title(work)}", f"{counts}; {skipped} are left out.", *sections])


def trial(work: Work) -> str:
    """Estimate how long a table takes, from runs on 1% and on 2% of the rows.

    What a run takes whatever its rows, such as reading models, is told apart by the two; what the
    first run of all takes, such as loading libraries, by one before them.
    """
    work.check()
    kinds: dict[str, list[Run]] = {}
    for run in work.paper.tables[work.table](work):
        if not run.skip_reason:
            kinds.setdefault(run.name, []).append(run)
    total = 0.0
    for runs in kinds.values():
        seconds = []
        for share in (_TRIAL, _TRIAL, 2 * _TRIAL):
            with temporary_folder() as folder:
                start = time.perf_counter()
                runs[-1].fill(work.trial(Path(folder), share))
                seconds.append(time.perf_counter() - start)
        slope = max(0.0, seconds[2] - seconds[1])
        total += len(runs) * (seconds[1] + slope * (1 / _TRIAL - 1))
    count = sum(map(len, kinds.values()))
    return (
        f"{_device()}: about {total / 3600:.1f} hours for {count} runs, by 1% and 2% of the rows."
    )


def reproduce(work: Work, *, command: str = "") -> list[Cell]:
    """Run what is left of a table, and write it.

    Several processes, such as those of `accelerate launch`, share the runs out.

    Returns:
        The cells; `work.out` holds them as `README.md`, `table.json` and `table.svg`. None in the
        processes beside the first.

    Raises:
        InputError: Something that the table needs cannot be had, or the folder holds the runs of
            another table.
    """
    require("plots")
    number = _process()
    work.check()
    _claim(work)
    runs = list(work.paper.tables[work.table](work))
    # What another process is at is left to it; the first process waits for it in the end.
    for seconds in (0, -1) if number == 0 else (0,):
        for run in runs:
            with suppress(Timeout), work.alone(f"run {run.key}", seconds=seconds):
                if not run.skip_reason and not _file(work, run).exists():
                    _run(work, run)
    if number:
        return []
    cells = _cells(work, runs)
    _write(work, cells, command)
    return cells


def _claim(work: Work) -> None:
    """Note what the folder is of, or refuse one that is of something else."""
    settings = {row["setting"]: row["used"] for row in _settings(work)}
    settings.pop("seeds", None)  # A longer run has the seeds of the shorter one.
    stated: dict[str, Any] = {
        "paper": work.paper.name, "table": work.table, "scale": work.scale, "source": work.source,
        "models": {role: work.place("models", role) for role in work.about["models"]},
        "data": {name: work.place("data", name) for name in work.about["data"]},
        "revisions": {role: work.revision(role) for role in work.about["models"]},
        "settings": settings,
    }  # fmt: skip
    file = work.out / "plan.json"
    if file.exists():
        before = json.loads(file.read_text("utf-8"))
        for name, value in stated.items():
            if before.get(name) != value:
                raise InputError(
                    f"{work.out} holds runs of {name} {before.get(name)!r}, but {value!r} is asked "
                    "for; name another --out."
                )
    try:
        (work.out / "runs").mkdir(parents=True, exist_ok=True)
        write_file(file, indented(stated).encode())
    except OSError as error:
        raise InputError(
            f"--out: nothing can be written to {work.out} ({error.strerror}); name another folder."
        ) from error


def _file(work: Work, run: Run) -> Path:
    """Return where a run is kept."""
    return work.out / "runs" / f"{run.key}.json"


def _run(work: Work, run: Run) -> None:
    """Run a run, and keep its values."""
    start = time.perf_counter()
    values = run.fill(work)
    plain = {name: None if value is None or math.isnan(value) else float(value)
             for name, value in values.items()}  # fmt: skip
    with interrupts.defer_signals():
        record = {"values": plain, "seconds": round(time.perf_counter() - start, 2)}
        write_file(_file(work, run), json.dumps(record).encode())


def _process() -> int:
    """Return which process this is of those that were launched together, each with its own GPU.

    From here on nothing of it is told, or the trainings in each would wait for those in the others.
    """
    variables = {name: os.environ.pop(name, None) for name in _LAUNCHED}
    if (local := variables["LOCAL_RANK"]) is not None:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        os.environ["CUDA_VISIBLE_DEVICES"] = visible.split(",")[int(local)] if visible else local
    return int(variables["RANK"] or 0)


def _cells(work: Work, runs: Sequence[Run]) -> list[Cell]:
    """Put the values of all seeds into the cells of the table, those that are printed too."""
    values: dict[tuple[str, str], list[float]] = {}
    reasons = {run.row: run.skip_reason for run in runs if run.skip_reason}
    for run in runs:
        results = (
            {} if run.skip_reason else json.loads(_file(work, run).read_text("utf-8"))["values"]
        )
        for column, value in results.items():
            place = values.setdefault((run.row, column), [])
            place += [] if value is None else [value]
    printed = {(row, column): value for row, columns in work.about["printed"].items()
               for column, value in columns.items()}  # fmt: skip
    rows: list[str] = list(dict.fromkeys([*work.about["printed"], *(run.row for run in runs)]))
    columns: list[str] = list(dict.fromkeys(name for _, name in [*printed, *values]))
    is_median = work.about.get("statistic") == "median"
    empty = work.about.get("empty", "not measured")
    unprinted = work.about.get("unprinted", "")
    cells = []
    for row in rows:
        for column in columns:
            where = row, column
            if unprinted or where in values or where in printed:
                own = tuple(values.get(where, ()))
                why = "" if own else reasons.get(row, empty)
                lacks = "" if where in printed else unprinted
                cells.append(Cell(row, column, own, printed.get(where), why, lacks, is_median))
    return cells


def _title(work: Work) -> str:
    about = work.about
    kind = f"figure {work.table[3:]}" if work.table.startswith("fig") else f"table {work.table}"
    scale = "" if not work.is_small else " (small scale: NOT the paper's)"
    return f"{work.facts['title']}, {kind}: {about['title']}{scale}"


def _places(work: Work, kind: str) -> list[dict[str, Any]]:
    """Return one row for each model or data set: what is used, and what the paper used."""
    rows = []
    for name in work.about[kind]:
        known, place = work.facts[kind][name], work.place(kind, name)
        config = f" ({known['config']})" if "config" in known else ""
        papers = known.get("id", known["form"]) + config
        used = place + config if place == known.get("id") else place
        used = used or (f"stand-in: {known['small']}" if work.is_small else "left out")
        if work.lack(kind, name):
            used = "to be given" if papers == known["form"] else f"to be given: {known['form']}"
        revision = work.revision(name) if kind == "models" and place else None
        rows.append({
            kind.removesuffix("s"): name, "used": used + (f" @ {revision}" if revision else ""),
            "the paper's": papers, "size": known.get("size", ""),
        })  # fmt: skip
    return rows


def _settings(work: Work) -> list[dict[str, Any]]:
    """Return one row for each setting: what paper and code say, what is used, and why."""
    rows = []
    for name in work.about["settings"]:
        known = work.facts["settings"][name]
        used = list(work.seeds) if name == "seeds" and work.seeds else work.setting(name)
        rows.append({
            "setting": name, **{who: known.get(who, "not given") for who in SOURCES},
            "used": used, "origin": known.get("origin", ""),
        })  # fmt: skip
    return [{key: f"{value:g}" if isinstance(value, float) else str(value)
             for key, value in row.items()} for row in rows]  # fmt: skip


def _deviations(work: Work) -> list[dict[str, str]]:
    """Return what differs from the paper in this table, each with its origin."""
    deviations = [
        (each["text"], each["origin"])
        for each in work.facts["deviations"]
        if work.table in each.get("tables", [work.table])
    ]
    origin = "--scale small" if work.is_small else "the command"
    given = {*work.settings, *(("seeds",) if work.seeds else ())}
    for row in _settings(work):
        if row["used"] != row["paper"]:
            is_stand_in = work.is_small and "small" in work.facts["settings"][row["setting"]]
            why = origin if is_stand_in else row["origin"]
            deviations.append((f"{row['setting']} is {row['used']}, in the paper {row['paper']}",
                          "the command" if row["setting"] in given else why))  # fmt: skip
    deviations += [
        (f"{row[kind.removesuffix('s')]}: {row['used']}", origin)
        for kind in ("models", "data")
        for row in _places(work, kind)
        if row["used"] != row["the paper's"]
    ]
    return [{"deviation": text, "origin": origin} for text, origin in deviations]


def _write(work: Work, cells: Sequence[Cell], command: str) -> None:
    """Write the table as Markdown, JSON and a picture."""
    ours = {(cell.row, cell.column): cell.mean for cell in cells if cell.mean is not None}
    judge = work.paper.claims.get(work.table)
    claims = judge(ours) if judge else {}
    data = {
        "title": _title(work), "command": command, "version": __version__, "device": _device(),
        "cells": [cell.plain() for cell in cells], "claims": claims,
        "models": _places(work, "models"), "data": _places(work, "data"),
        "settings": _settings(work), "deviations": _deviations(work),
    }  # fmt: skip
    write_file(work.out / "table.json", (indented(data) + "\n").encode())
    if ours:
        save_picture(_picture(cells, _title(work)), work.out / "table.svg")
    write_file(work.out / "README.md", report(work, cells, claims, command).encode())


def report(work: Work, cells: Sequence[Cell], claims: Mapping[str, bool], command: str) -> str:
    """Write the page of a table, with the paper's claims and whether each held."""
    sections = [f"# {_title(work)}"]
    if work.is_small:
        sections.append(
            "**This is not the paper's table.** It is the same code on small models and data that "
            "stand in for the paper's, named below: its figures say that the code runs, and "
            "nothing about the paper."
        )
    if command:
        sections.append(f"```console\n$ {command}\n```")
    sections.append(table_of(cells))
    if claims:
        rows = [{"claim of the paper": claim, "held": "yes" if held else "no"}
                for claim, held in claims.items()]  # fmt: skip
        sections.append(markdown_table(rows))
    if any(cell.values for cell in cells):
        sections.append("![our figures beside the printed ones](table.svg)")
    sections.append(plan(work))
    if deviations := _deviations(work):
        sections.append(f"## Deviations\n\n{markdown_table(deviations)}")
    sections.append(f"fair-datasets {__version__}, {_device()}.")
    return "\n\n".join(sections) + "\n"


def table_of(cells: Sequence[Cell]) -> str:
    """Write cells as a Markdown table."""
    rows = []
    for cell in cells:
        plain = cell.plain()
        of, difference = cell.printed, plain["difference"]
        rows.append({
            "row": cell.row, "column": cell.column,
            "ours": cell.skip_reason if cell.mean is None else _written(cell.mean),
            "95% interval": "" if plain["low"] is None
                            else f"{_written(plain['low'])} to {_written(plain['high'])}",
            "printed": cell.unprinted if of is None else f"{of:.10g}",
            "difference": "" if difference is None else f"{difference:+.4g}",
        })  # fmt: skip
    if not any(row["95% interval"] for row in rows):
        rows = [{key: value for key, value in row.items() if key != "95% interval"} for row in rows]
    return markdown_table(rows)


def _written(value: float) -> str:
    """Write a value with four digits, or whole where it is large."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _picture(cells: Sequence[Cell], title: str) -> "Figure":
    """Draw each column: our values with their intervals, the printed ones as hollow dots."""
    from matplotlib.figure import Figure

    columns = list(dict.fromkeys(cell.column for cell in cells))
    rows = list(dict.fromkeys(cell.row for cell in cells))
    across = min(4, len(columns))
    down = -(-len(columns) // across)
    size = (2.5 + 3 * across, 1 + down * (1 + len(rows) / 4))
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title, wrap=True)
    panels = figure.subplots(down, across, squeeze=False, sharey=True).flatten()
    for axes in panels[len(columns) :]:
        axes.set_visible(False)
    for axes, column in zip(panels, columns, strict=False):
        for cell in cells:
            if cell.column != column:
                continue
            line = rows.index(cell.row)
            if between := t_interval(cell.values):
                axes.hlines(line, *between, color="C0")
            if cell.mean is not None:
                axes.plot(cell.mean, line, "o", color="C0")
            if cell.printed is not None:
                axes.plot(cell.printed, line, "o", color="C1", fillstyle="none", markersize=9)
        axes.set_title(column)
        name_rows(axes, rows)
    panels[0].plot([], [], "o", color="C0", label="ours")
    panels[0].plot([], [], "o", color="C1", fillstyle="none", label="printed")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _device() -> str:
    with suppress(ImportError):
        import torch

        if torch.cuda.is_available():
            return str(torch.cuda.get_device_name())
    return f"{os.cpu_count()} CPU cores"
