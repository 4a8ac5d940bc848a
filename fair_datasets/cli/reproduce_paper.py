"""The command `reproduce-paper`, which does its work in a checkout of the project."""

import argparse
from typing import Any

from fair_datasets.system.checks import InputError


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "reproduce-paper",
        help="reproduce a table of one of the five papers, beside its printed figures",
        description="Run what a table of a paper needs, with the paper's models, data and "
        "settings, or small stand-ins of them, and write our figures beside the printed ones. "
        "Every finished run is kept in --out, and the same command goes on from there. See "
        "hub_scripts/papers/README.md in a checkout.",
    )
    try:
        from hub_scripts.papers.command import add_arguments
    except ModuleNotFoundError:
        # Whatever is given, --help too, is answered with the sentence.
        parse = parser.parse_known_args
        parser.parse_known_args = lambda *_: parse([])
        parser.set_defaults(run=_refuse)
    else:
        add_arguments(parser)


def _refuse(_: argparse.Namespace) -> None:
    """Say where the command works."""
    raise InputError(
        "reproduce-paper: the tables of the papers are reproduced from a checkout of the project, "
        "which an installed package is not; clone the repository, run `pip install -e .` in it, "
        "and type the same command there."
    )
