"""The command `demo`: the main job on a sample that ships with the package, offline."""

import argparse
import re
from pathlib import Path
from typing import Any

from fair_datasets.checks import InputError
from fair_datasets.cli.augment import augment, quiet_unless_terminal, show_changes
from fair_datasets.cli.inputs import load_input
from fair_datasets.swap.counterfactual import CounterfactualSwap

SAMPLE = Path(__file__).parent / "demo_reviews.csv"
_OURS = re.compile(r"README\.md|data(/train-\d{5}-of-\d{5}\.parquet)?")


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "demo",
        help="augment a sample that ships with the package",
        description="Augment a sample of short comments, written for this package, and leave the "
        "result as a dataset folder. Nothing is downloaded.",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("fair-datasets-demo"),
        metavar="DIR",
        help="the folder to write; an earlier demo's is replaced (default: fair-datasets-demo)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: The folder holds something that no demo has written.
    """
    quiet_unless_terminal()
    out: Path = options.out
    _refuse_foreign(out)
    technique = CounterfactualSwap(columns="text", id_column="id")
    splits = load_input(str(SAMPLE), technique.columns, None)
    show_changes("train", splits["train"], technique)
    augment(
        splits,
        technique,
        out,
        source=SAMPLE.name,
        command="fair-datasets demo",
        replace_out=True,
    )


def _refuse_foreign(out: Path) -> None:
    """Raise unless all that lies in a folder is what an earlier demo left there."""
    if not out.exists():
        return
    foreign = out if not out.is_dir() else None
    for path in sorted(out.rglob("*")) if out.is_dir() else []:
        if not _OURS.fullmatch(path.relative_to(out).as_posix()):
            foreign = foreign or path
    if foreign is not None:
        raise InputError(
            f"demo: {foreign} was not written by the demo and would be lost; choose another --out."
        )
