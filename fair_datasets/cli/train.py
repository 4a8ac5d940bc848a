"""The command `train`: what reads texts is trained on tagged ones."""

import argparse
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fair_datasets.checks import InputError
from fair_datasets.cli.folders import local_folder, new_folder
from fair_datasets.cli.outputs import refuse_taken
from fair_datasets.cli.work import work_folder
from fair_datasets.extras import require
from fair_datasets.reader.training.gold import FILES
from fair_datasets.report import text_table

BASE = "sentence-transformers/all-MiniLM-L6-v2"
"""The encoder that becomes the teacher, unless another is named."""
_MOST = 5.0


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "train",
        help="train what reads texts",
        description="Train a model that the techniques read texts with. An interrupted run goes "
        "on where it was.",
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="WHAT")
    reader = kinds.add_parser(
        "reader",
        help="the reader of names and pronouns: an encoder, and the small network that ships",
        description="Fine-tune an encoder on tagged texts, let it tag others, train the small "
        "network on what it says, and measure both on texts that neither has read. The folder has "
        "the network, the encoder and the figures. A run that was interrupted, or killed, goes on "
        "when the same command is run again.",
    )
    _add_arguments(reader)
    reader.set_defaults(run=run)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a reader."""
    parser.add_argument(
        "--data", dest="input", required=True, metavar="DIR",
        help="the folder of the tagged and the untagged texts; its CATALOGUE.md names them",
    )  # fmt: skip
    parser.add_argument(
        "--base", default=BASE, metavar="MODEL",
        help=f"the encoder that is fine-tuned, a folder or a Hub id (default: {BASE})",
    )  # fmt: skip
    parser.add_argument(
        "--leave-out", action="append", default=[], choices=tuple(FILES), metavar="SOURCE",
        help="train without these tagged texts, and measure on them: "
        f"{', '.join(FILES)}; repeat it for several",
    )  # fmt: skip
    for name, count in (("teacher", 3), ("student", 5)):
        parser.add_argument(
            f"--{name}-epochs", type=int, default=count, metavar="N",
            help=f"how often the {name} sees each text (default: {count})",
        )  # fmt: skip
    parser.add_argument(
        "--texts", type=float, default=1.0, metavar="SHARE",
        help="how many of the untagged texts the teacher tags, 1 for some 120,000 (default: 1)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="the seed of all draws (default: 0)")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="where the training is kept (default: OUT.work)"
    )
    parser.add_argument(
        "--out", type=local_folder, required=True, metavar="DIR", help="the folder to write"
    )


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: An argument is wrong, or the data lack a file.
    """
    require("models", owner="train reader")
    from fair_datasets.reader.training.train import ReaderConfig, train_reader

    _check(options)
    refuse_taken(options.out)
    config = ReaderConfig(
        Path(options.input), options.base, tuple(sorted(set(options.leave_out))),
        options.teacher_epochs, options.student_epochs, options.texts, options.seed,
    )  # fmt: skip
    with work_folder(options, options.out) as work, new_folder(options.out) as folder:
        report = train_reader(config, work, folder)
    if options.work is None:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{told(report)}\n\nWritten to {options.out}.")


def told(report: Mapping[str, Any]) -> str:
    """Write the figures of a training as text.

    Args:
        report: What `train_reader` returns.

    Returns:
        Two tables, and how well the probabilities are calibrated.
    """
    names, cases = [], []
    for found in report["figures"]:
        where = {"reader": found["reader"], "texts": found["texts"]}
        names += [where | found["names"]] if "names" in found else []
        cases += [where | found["pronoun"]] if "pronoun" in found else []
    error = report["calibration error"]
    return "\n\n".join(
        [
            text_table(names),
            text_table(cases),
            f"temperature {report['temperature']:.2f}: calibration error {error['after']:.3f}, "
            f"{error['before']:.3f} without it.",
        ]
    )


def _check(options: argparse.Namespace) -> None:
    """Raise if an argument is out of its bounds."""
    if not Path(options.input).is_dir():
        raise InputError(f"train reader: there is no folder {options.input!r}; check --data.")
    for name in ("teacher_epochs", "student_epochs"):
        if getattr(options, name) < 1:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"train reader: {option} must be 1 or more.")
    if not 0 <= options.texts <= _MOST:
        raise InputError(
            f"train reader: --texts must lie between 0 and {_MOST:.0f}, but it is {options.texts}."
        )
