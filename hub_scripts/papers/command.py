"""What `fair-datasets reproduce-paper` takes and does: a table, beside the printed figures."""

import os
from collections.abc import Iterable
from typing import Annotated

from fair_datasets.cli.option_types import DIR, NAMED, as_json
from fair_datasets.cli.options import Options
from fair_datasets.system.checks import InputError, format_choices, suggestion
from fair_datasets.system.validate import OneOf
from hub_scripts.papers import paper_named
from hub_scripts.papers.frame import SCALES, SOURCES, Work


class ReproducePaper(Options):
    """Reproduce a table of one of the five papers, and compare it with the printed figures.

    What the table needs is run with the paper's models, data and settings, or small stand-ins of
    them, and our figures are written beside the printed ones. Every finished run is kept in --out,
    and the same command goes on from there. See hub_scripts/papers/README.md.

    Attributes:
        paper: One of {hub_scripts.papers:PAPERS}.
        table: The table or figure (default: list them).
        out: The folder of all runs, and of README.md, table.json and table.svg.
        scale: Paper (default): the paper's models and data; small: stand-ins, in minutes.
        source: Which to follow if the paper and its code differ.
        model: A Hub id or folder in place of one of the paper's models.
        revision: The revision of a model.
        data: A Hub id, folder or file in place of a data set.
        setting: The value of a setting that the plan lists, as JSON.
        seeds: The seeds (default: as many as the paper has).
        plan: List what the table needs; nothing is downloaded.
        trial: Estimate from runs on 1% and 2% of the rows how many hours it takes, and stop.
    """

    ARGUMENTS = "paper"
    SEVERAL = "seeds"
    COMMON = "table scale model data plan out"

    paper: Annotated[str, "PAPER"]
    table: Annotated[str, "N|figN"] | None = None
    out: DIR | None = None
    scale: Annotated[str, OneOf(SCALES)] = "paper"
    source: Annotated[str, OneOf(SOURCES)] = "paper"
    model: tuple[NAMED, ...] = ()
    revision: tuple[NAMED, ...] = ()
    data: tuple[NAMED, ...] = ()
    setting: tuple[NAMED, ...] = ()
    seeds: tuple[int, ...] = ()
    plan: bool = False
    trial: bool = False

    def run(self) -> None:
        """Run the command."""
        paper = paper_named(self.paper)
        if self.table is None:
            for name in paper.tables:
                print(f"{name}: {paper.facts['tables'][name]['title']}")
            return
        if self.table not in paper.tables:
            raise InputError(
                f"--table: {paper.name} has no {self.table!r} here; there are "
                f"{format_choices(paper.tables)}.{suggestion(self.table, paper.tables)}"
            )
        if self.out is None:
            raise InputError("--out DIR is missing; name the folder of the runs.")
        from hub_scripts.papers.reproduce import plan, reproduce, table_of, trial

        work = Work(
            paper=paper, table=self.table, out=self.out, scale=self.scale,
            source=self.source, models=_once(self.model, "--model"),
            revisions=_once(self.revision, "--revision"), data=_once(self.data, "--data"),
            settings={name: as_json(text)
                      for name, text in _once(self.setting, "--setting").items()},
            seeds=tuple(dict.fromkeys(self.seeds)),
        )  # fmt: skip
        if os.environ.get("RANK", "0") == "0":  # Of several processes the first one talks.
            print(plan(work) + "\n", flush=True)
        if self.trial:
            print(trial(work))
        if self.plan or self.trial:
            return
        if cells := reproduce(work, command=self.again()):
            print(f"{table_of(cells)}\n\nWritten: {self.out}, see its README.md.")


def _once(given: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    places: dict[str, str] = {}
    for name, place in given:
        if name in places:
            raise InputError(f"{option} {name} is given twice; give it once.")
        places[name] = place
    return places
