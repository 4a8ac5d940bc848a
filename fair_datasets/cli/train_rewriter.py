"""The command `train-rewriter`: a file of settings in, the folder of a model that rewrites out."""

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets import column_checks
from fair_datasets.cli.folders import local_folder
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.outputs import refuse_taken
from fair_datasets.cli.sources import source_of
from fair_datasets.cli.work import work_folder
from fair_datasets.perturber.training.data import COLUMNS, Perturbations
from fair_datasets.perturber.training.evaluation import quality_table
from fair_datasets.perturber.training.plan import RowsConfig, read_plan
from fair_datasets.perturber.training.swapped import swap_perturbations
from fair_datasets.perturber.training.train import TrainedPerturber, train_perturber
from fair_datasets.perturber.training.two_people import two_person_perturbations
from fair_datasets.report import text_table

if TYPE_CHECKING:
    from datasets import Dataset


class Training(NamedTuple):
    """A rewriter that can be trained.

    Attributes:
        summary: What it is, in a few words.
        run: Trains it as a file says, and returns the text to print.
    """

    summary: str
    run: Callable[[Path], str]


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "train-rewriter",
        help="train a model that rewrites texts",
        description="Train a model that rewrites texts, measure it on rows that it was not trained "
        "on, and write its folder with a card. An interrupted run goes on where it was.",
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    for name, training in TRAININGS.items():
        kind = kinds.add_parser(name, help=training.summary, description=f"{training.summary}.")
        kind.add_argument(
            "--config", type=Path, required=True, metavar="FILE",
            help="the settings, as TOML; `fair-datasets docs rewriting` lists them",
        )  # fmt: skip
        kind.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: The file, a setting or the rows are wrong.
    """
    print(TRAININGS[options.kind].run(options.config))


def _train_perturber(file: Path) -> str:
    """Train a perturber, and tell what came of it."""
    config, rows = read_plan(file)
    out = local_folder(str(config.out))
    refuse_taken(out)
    source = "" if rows.source is None else source_of(rows.source).shown
    found = _rows(rows, config.seed)
    command = shlex.join(["fair-datasets", "train-rewriter", "perturber", "--config", file.name])
    stated = argparse.Namespace(input=rows.source or str(file), work=None)
    with work_folder(stated, out):
        trained = train_perturber(config, found.rows, source=source, command=command)
    return _told(trained, found)


def _rows(rows: RowsConfig, seed: int) -> Perturbations:
    """Read the rows of a training, or have the swap make them."""
    from datasets import concatenate_datasets

    parts: list[Dataset] = []
    dropped: dict[str, int] = {}
    if rows.source is not None:
        columns = rows.text or COLUMNS
        loaded = load_input(rows.source, columns, rows.split, config=rows.config)
        for split in loaded.values():
            column_checks.present(columns, split.column_names, owner=rows.source)
        if rows.text:
            given = concatenate_datasets([each.select_columns(columns) for each in loaded.values()])
            made = swap_perturbations(
                given, rows.text, axis=rows.axis, names=rows.names, targets=rows.targets,
                joined=rows.joined, seed=seed,
            )  # fmt: skip
            parts, dropped = [made.rows], made.dropped
        else:
            parts = list(loaded.values())
    if rows.two_people:
        parts.append(two_person_perturbations(rows.two_people, seed=seed))
    return Perturbations(
        concatenate_datasets([part.select_columns(COLUMNS) for part in parts]), dropped
    )


def _told(trained: TrainedPerturber, found: Perturbations) -> str:
    """Say what was trained."""
    left_out = {**found.dropped, **trained.left_out}
    lines = [f"{count:>10,}  {name}" for name, count in trained.rows.items()]
    lines += [f"{count:>10,}  left out: {why}" for why, count in left_out.items()]
    return "\n".join(
        [
            *lines, "",
            f"Best after {trained.steps:,} steps: BLEU {trained.bleu:.2f} on the validation rows. "
            "On the test rows:", "", text_table(quality_table(trained.quality)), "",
            f"Written to {trained.folder}. To publish it: fair-datasets push model "
            f"{shlex.quote(str(trained.folder))} user/name",
        ]
    )  # fmt: skip


TRAININGS = {
    "perturber": Training(
        "a perturber, which rewrites what a text says about one person", _train_perturber
    ),
}
