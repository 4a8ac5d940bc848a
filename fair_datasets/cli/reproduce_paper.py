"""The command `reproduce-paper`, which `hub_scripts/papers` of a checkout has."""

from typing import Any

from fair_datasets.cli.checkout import of_checkout
from fair_datasets.cli.parsers import Parser


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    commands.add_parser(
        "reproduce-paper",
        help="reproduce a table of one of the five papers, beside its printed figures",
        later=_add_arguments,
    )


def _add_arguments(parser: Parser) -> None:
    """Add the arguments of the command, or say where it is."""
    of_checkout("papers.command", "Tables of papers are reproduced").add_arguments(parser)
