"""What `fair-datasets reproduce-paper` takes and does: a table, beside the printed figures."""

import argparse
import os
from collections.abc import Iterable
from typing import Any

from fair_datasets.cli.parsers import as_json, command_again, named, option
from fair_datasets.jobs.file_outputs import local_folder
from fair_datasets.system.checks import InputError, listed, suggestion
from hub_scripts.papers import PAPERS, paper_named
from hub_scripts.papers.frame import SCALES, SOURCES, Work


def add_arguments(parser: Any) -> None:
    """Add what the command takes, and what it does."""
    parser.description = (
        "Run what a table of a paper needs, with the paper's models, data and settings, or small "
        "stand-ins of them, and write our figures beside the printed ones. Every finished run is "
        "kept in --out, and the same command goes on from there. See hub_scripts/papers/README.md."
    )
    parser.add_argument("paper", metavar="PAPER", help=f"one of {', '.join(PAPERS)}")
    option(parser, "--table N|figN", "the table or figure (default: list them)")
    option(
        parser, "--out -o", "the folder of all runs, and of README.md, table.json and table.svg",
        local_folder, metavar="DIR",
    )  # fmt: skip
    for name, choices, text in (
        ("--scale", SCALES, "paper (default): the paper's models and data; small: stand-ins, in "
                            "minutes"),
        ("--source", SOURCES, "which to follow if the paper and its code differ (default: paper)"),
    ):  # fmt: skip
        parser.add_argument(name, choices=choices, default="paper", help=text)
    read = named("NAME=VALUE", "glove=glove.txt")
    for name, metavar, text in (
        ("--model", "ROLE=ID", "a Hub id or folder in place of one of the paper's models"),
        ("--revision", "ROLE=REV", "the revision of a model"),
        ("--data", "NAME=ID OR FILE", "a Hub id, folder or file in place of a data set"),
        ("--setting", "NAME=VALUE", "the value of a setting that the plan lists, as JSON"),
    ):
        parser.add_argument(
            name, metavar=metavar, action="append", default=[], type=read, help=text
        )
    parser.add_argument("--seeds", type=int, nargs="+", default=[], metavar="N", help="the seeds "
                        "(default: as many as the paper has)")  # fmt: skip
    option(parser, "--plan", "list what the table needs; nothing is downloaded", bool)
    parser.add_argument("--trial", action="store_true", help="estimate from runs on 1%% and 2%% "
                        "of the rows how many hours it takes, and stop")  # fmt: skip
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    paper = paper_named(options.paper)
    if options.table is None:
        for name in paper.tables:
            print(f"{name}: {paper.facts['tables'][name]['title']}")
        return
    if options.table not in paper.tables:
        raise InputError(
            f"--table: {paper.name} has no {options.table!r} here; there are "
            f"{listed(paper.tables)}.{suggestion(options.table, paper.tables)}"
        )
    if options.out is None:
        raise InputError("--out DIR is missing; name the folder of the runs.")
    from hub_scripts.papers.reproduce import plan, reproduce, table_of, trial

    work = Work(
        paper=paper, table=options.table, out=options.out, scale=options.scale,
        source=options.source, models=_once(options.model, "--model"),
        revisions=_once(options.revision, "--revision"), data=_once(options.data, "--data"),
        settings={name: as_json(text)
                  for name, text in _once(options.setting, "--setting").items()},
        seeds=tuple(dict.fromkeys(options.seeds)),
    )  # fmt: skip
    if os.environ.get("RANK", "0") == "0":  # Of several processes the first one talks.
        print(plan(work) + "\n", flush=True)
    if options.trial:
        print(trial(work))
    if options.plan or options.trial:
        return
    if cells := reproduce(work, command=command_again(options)):
        print(f"{table_of(cells)}\n\nWritten: {options.out}, see its README.md.")


def _once(given: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, place in given:
        if name in found:
            raise InputError(f"{option} {name} is given twice; give it once.")
        found[name] = place
    return found
