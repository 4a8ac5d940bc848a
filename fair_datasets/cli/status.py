"""The command `status`: how far a running or interrupted job or training is."""

import argparse
from pathlib import Path
from typing import Any

from fair_datasets.cli.file_outputs import FileOutput
from fair_datasets.cli.outputs import Output, output, work_of
from fair_datasets.cli.tasks import ROWS, local_place
from fair_datasets.jobs.manifest import damaged, manifest_of
from fair_datasets.jobs.progress import status_lines
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import NOTES
from fair_datasets.system.steps import is_training, training_lines


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "status",
        help="say how far a running or interrupted job or training is",
        description="Show the progress of the command that writes OUT: how many shards are "
        "finished, how fast it is, and how long the rest takes; for a training, the step and the "
        "loss.",
    )
    parser.add_argument("out", metavar="OUT", help="what the command was given as --out")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Raises:
        InputError: No job writes there, or has written.
    """
    out = output(argparse.Namespace(out=options.out, config_name=None, private=None))
    work = work_of(out)
    trains = is_training(work)
    for place in (work, work / ROWS):
        if (place / NOTES).is_dir() and not trains:
            print("\n".join(status_lines(place)))
            return
    told, is_there = training_lines(work), _is_there(out)
    if told and (trains or not is_there):
        print("\n".join(told))
        return
    written = local_place(out)
    manifest = None if written is None else manifest_of(written)
    if manifest is None and is_there and (told or isinstance(out, Path)):
        print(f"{out}: no training writes to it now, and what is there is complete.")
        return
    if manifest is None and work.is_dir():
        print(f"{work}: what was finished lies there, but no row of {options.out} is written yet.")
        return
    broken = None if written is None else damaged(written)
    if broken is not None:
        raise InputError(f"status: {out} was finished, but {broken} is gone or was changed since.")
    if manifest is None:
        raise InputError(
            f"status: no run that could be resumed writes to {options.out} now, and none wrote "
            "what is there."
        )
    shards = manifest["shards"]
    rows = sum(each["rows_out"] for each in shards)
    what = "shard" if len(shards) == 1 else "shards"
    print(f"{out}: finished, {len(shards):,} {what}, {rows:,} rows.")


def _is_there(out: Output) -> bool:
    """Tell whether a model lies there, or a file."""
    if isinstance(out, FileOutput):
        return out.path is not None and out.path.is_file()
    return isinstance(out, Path) and (out / "config.json").is_file()
