"""The command `demo`: the main job on a sample that ships with the package, offline."""

import argparse
import re
from pathlib import Path
from typing import Any

from fair_datasets.cli.augment import augment
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.outputs import work_of
from fair_datasets.cli.parsers import option
from fair_datasets.cli.preview import show_changes
from fair_datasets.cli.tasks import Task
from fair_datasets.jobs.file_outputs import local_folder
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError

SAMPLE = Path(__file__).parent / "demo_reviews.csv"
_COMMAND = "fair-datasets demo"
_READING = (
    "from fair_datasets.cli.demo import SAMPLE",
    "from fair_datasets.cli.inputs import load_input",
    "",
    'dataset = load_input(str(SAMPLE), ["text"], None)',
)
_OURS = re.compile(r"README\.md|\.manifest\.json|data(/train-\d{5}-of-\d{5}\.parquet)?")


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "demo",
        help="augment a sample that ships with the package",
        description="Augment a sample of short comments, written for this package, and leave the "
        "result as a dataset folder. Nothing is downloaded.",
    )
    option(parser, "--out -o DIR", "the folder to write; an earlier demo's is replaced (default: "
           "fair-datasets-demo)", local_folder, default=Path("fair-datasets-demo"))  # fmt: skip
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    out: Path = options.out
    _refuse_foreign(out)
    technique = CounterfactualSwap(columns="text", id_column="id")
    splits = load_input(str(SAMPLE), technique.columns, None)
    show_changes("train", splits["train"], technique, source=str(SAMPLE))
    augment(
        splits,
        technique,
        Task(out=out, identity={"command": _COMMAND}, folder=work_of(out), replace=True),
        list(splits),
        source=SAMPLE.name,
        command=_COMMAND,
        reading=_READING,
    )


def _refuse_foreign(out: Path) -> None:
    """Raise unless all that lies in a folder is what an earlier demo left there."""
    if not out.exists():
        return
    paths = sorted(out.rglob("*")) if out.is_dir() else [out]
    foreign = [path for path in paths if not _OURS.fullmatch(path.relative_to(out).as_posix())]
    card = out / "README.md"
    if paths and not foreign and not (card.is_file() and _COMMAND in card.read_text("utf-8")):
        # Another dataset's folder may hold files of the same names.
        foreign = paths
    if foreign:
        raise InputError(
            f"demo: {foreign[0]} was not written by the demo and would be lost; choose another "
            "--out."
        )
