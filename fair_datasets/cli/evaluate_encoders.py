"""The command `evaluate-encoders`, which `hub_scripts/encoders` of a checkout has."""

from typing import Any

from fair_datasets.cli.checkout import of_checkout
from fair_datasets.cli.parsers import Parser


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    commands.add_parser(
        "evaluate-encoders",
        help="compare the associations that sentence encoders carry, and what they are good for",
        later=_add_arguments,
    )


def _add_arguments(parser: Parser) -> None:
    """Add the arguments of the command, or say where it is."""
    of_checkout("encoders.command", "Encoders are evaluated").add_arguments(parser)
