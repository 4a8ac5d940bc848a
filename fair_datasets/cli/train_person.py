"""The command `train person`: the model that tells whose mention it is."""

import argparse
import shlex
from pathlib import Path
from typing import Any

from fair_datasets.cards.report import text_table
from fair_datasets.cli.folders import local_folder, new_folder
from fair_datasets.cli.outputs import refuse_taken
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require


def add_parser(kinds: Any, base: str) -> None:
    """Add the command to those that train what reads texts.

    Args:
        kinds: The sub-parsers of `train`.
        base: The encoder that is fine-tuned, unless another is named.
    """
    parser = kinds.add_parser(
        "person",
        help="the model that tells whose mention it is, for PersonSwap",
        description="Fine-tune an encoder on pronouns with two names (GAP), and on the same with "
        "women for men, and measure it on pages that it never read.",
    )
    parser.add_argument(
        "--data", dest="input", required=True, metavar="DIR",
        help="the folder with coreference/gap_development.tsv",
    )  # fmt: skip
    parser.add_argument(
        "--base", default=base, metavar="MODEL",
        help=f"the encoder that is fine-tuned, a folder or a Hub id (default: {base})",
    )  # fmt: skip
    parser.add_argument(
        "--epochs", type=int, default=2, metavar="N",
        help="how often each row of GAP is seen, in turn with women for men (default: 2)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="the seed of all draws (default: 0)")
    parser.add_argument(
        "--out", type=local_folder, required=True, metavar="DIR", help="the folder to write"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Raises:
        InputError: An argument is wrong, or the data lack a file.
    """
    require("models", owner="train person")
    refuse_taken(options.out)
    _check(options)
    from fair_datasets.rewriters.training.person.train import PersonConfig, train_person

    config = PersonConfig(Path(options.input), options.base, options.epochs, options.seed)
    with new_folder(options.out) as folder:
        report = train_person(config, folder, _command(options))
    print(f"Trained on {report['rows']:,} texts.\n\n{text_table(report['figures'])}\n")
    print(f"Written to {options.out}, in {report['seconds']} seconds of CPU.")


def _command(options: argparse.Namespace) -> str:
    """Return the command, for the card."""
    parts = ["fair-datasets", "train", "person", "--data", "DATA", "--epochs", str(options.epochs)]
    return shlex.join([*parts, "--seed", str(options.seed), "--out", options.out.name])


def _check(options: argparse.Namespace) -> None:
    """Raise if an argument is out of its bounds."""
    if not Path(options.input).is_dir():
        raise InputError(f"train person: there is no folder {options.input!r}; check --data.")
    if options.epochs < 1:
        raise InputError("train person: --epochs must be 1 or more.")
